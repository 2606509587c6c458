// Questions to the server, or to the answers that are inside of an exported page.

import { byId } from "./dom.js";

const inside = byId("answers");
const answers = inside ? JSON.parse(inside.textContent) : undefined;

// Whether this is an exported page.
export const isExport = answers !== undefined;

// What an exported page says of itself.
export const aboutExport = answers?.["about:"];

export class AskError extends Error {}

// The answer to an operation. `signal` ends the question when nobody waits for it any more.
export async function ask(operation, request = {}, signal = undefined) {
  if (isExport) return askInside(operation, request);
  let response;
  try {
    response = await fetch(`api/${operation}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new AskError("The viewer does not answer. Was it ended? `knotwork view` starts it again.");
  }
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  if (!isJson) throw new AskError((await response.text()).trim());
  const answer = await response.json();
  if (response.ok) return answer;
  const { message, hint } = answer.error;
  throw new AskError(hint ? `${message} (${hint})` : message);
}

function askInside(operation, request) {
  const answer = answers[`${operation}:${subjectOf(operation, request)}`];
  if (answer === undefined) throw new AskError("This is not in the exported page. `knotwork view` answers it.");
  return answer;
}

// What tells answers to the same operation apart.
function subjectOf(operation, request) {
  if (operation === "federation") return request.action;
  return operation === "search" || request.symbol === undefined ? "" : request.symbol;
}
