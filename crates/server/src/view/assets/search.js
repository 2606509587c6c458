// Search as one types: names at once, words on Enter.

import { byId, el, fill, plural, shortPath } from "./dom.js";
import { ask, isExport } from "./api.js";
import { address, fileLink, go, load, meter, notes, tag } from "./parts.js";
import { knownSymbols, preload } from "./overview.js";

const MOST = 12;

let asked = new AbortController();
let chosen = -1;

function close() {
  const [query, results] = [byId("query"), byId("results")];
  asked.abort();
  results.hidden = true;
  query.setAttribute("aria-expanded", "false");
  query.removeAttribute("aria-activedescendant");
  chosen = -1;
}

function option(result, at) {
  const target = result.id ?? `${result.file_path}:${result.line_start}`;
  return el(
    "li",
    { role: "option", id: `result-${at}`, "aria-selected": "false", "data-target": target, onmousedown: (event) => event.preventDefault(), onclick: () => open(target) },
    el("span", { class: "name" }, result.symbol || shortPath(result.file_path, 40)),
    " ",
    tag(result.kind),
    el("span", { class: "quiet" }, ` ${shortPath(result.file_path, 46)}:${result.line_start}`),
  );
}

function open(target) {
  close();
  byId("query").value = "";
  go("symbol", target);
}

// Names of an exported page: an exact one first, then beginnings, then any part.
async function searchInside(text) {
  const shown = knownSymbols() ?? (await preload());
  const { nodes } = shown;
  const wanted = text.toLowerCase();
  const found = [];
  for (let at = 1; at < shown.count; at += 1) {
    const place = nodes.name[at].toLowerCase().indexOf(wanted);
    if (place < 0) continue;
    const isFile = nodes.line[at] === 0;
    if (isFile && shown.kind(at) !== "file") continue;
    const rank = (nodes.name[at].length === text.length ? 0 : place === 0 ? 1 : 2) * 1000 + nodes.name[at].length;
    found.push([rank, at]);
  }
  found.sort((a, b) => a[0] - b[0]);
  const fileOf = (at) => {
    while (shown.kind(at) !== "file" && at > 0) at = nodes.parent[at];
    return nodes.id[at];
  };
  const result = ([, at]) => ({ id: nodes.id[at], symbol: nodes.name[at], kind: shown.kind(at), file_path: fileOf(at), line_start: nodes.line[at] || 1 });
  return { results: found.slice(0, MOST).map(result), total: found.length };
}

async function suggest() {
  const [query, results] = [byId("query"), byId("results")];
  const text = query.value.trim();
  asked.abort();
  if (!text) return close();
  asked = new AbortController();
  const { signal } = asked;
  try {
    const answer = isExport ? await searchInside(text) : await ask("search", { query: text, mode: "symbol", limit: MOST, no_snippet: true }, signal);
    if (signal.aborted) return undefined;
    chosen = -1;
    query.removeAttribute("aria-activedescendant");
    fill(results, answer.results.map(option), answer.results.length ? undefined : el("li", { class: "quiet", role: "option", "aria-selected": "false", "aria-disabled": "true" }, "no such name; Enter searches words"));
    results.hidden = false;
    query.setAttribute("aria-expanded", "true");
    byId("status").textContent = plural(answer.total, "name");
  } catch (error) {
    if (error.name !== "AbortError") fill(byId("status"), error.message);
  }
  return undefined;
}

function move(by) {
  const options = [...byId("results").querySelectorAll("[data-target]")];
  if (!options.length) return;
  options[chosen]?.setAttribute("aria-selected", "false");
  chosen = (chosen + by + options.length) % options.length;
  options[chosen].setAttribute("aria-selected", "true");
  options[chosen].scrollIntoView({ block: "nearest" });
  byId("query").setAttribute("aria-activedescendant", options[chosen].id);
}

function key(event) {
  const query = byId("query");
  if (event.key === "ArrowDown") move(1);
  else if (event.key === "ArrowUp") move(-1);
  else if (event.key === "Escape") {
    close();
    query.blur();
  } else if (event.key === "Enter") {
    const options = byId("results").querySelectorAll("[data-target]");
    const text = query.value.trim();
    if (chosen >= 0) open(options[chosen].dataset.target);
    else if (text) {
      close();
      go("search", text);
    }
  } else return;
  event.preventDefault();
}

export function startSearch() {
  const query = byId("query");
  query.addEventListener("input", suggest);
  query.addEventListener("keydown", key);
  query.addEventListener("blur", () => setTimeout(close, 120));
}

function resultItem(result) {
  return el(
    "li",
    { class: "card" },
    el("p", {}, el("a", { href: address("symbol", result.id ?? `${result.file_path}:${result.line_start}`) }, result.symbol || shortPath(result.file_path, 60)), " ", tag(result.kind), " ", fileLink(result.file_path, result.line_start), " ", meter(result.relevance_score, String(result.relevance_score))),
    result.snippet ? el("pre", { class: "snippet" }, result.snippet) : undefined,
  );
}

// Results of a search in words.
export async function showSearch(place, [text = ""], signal) {
  const body = el("div", { class: "page" });
  fill(place, body);
  const question = isExport ? searchInside(text) : ask("search", { query: text, limit: 30 }, signal);
  const answer = await load(body, question, (given) => [
    el("h1", {}, "Search: ", text),
    isExport ? el("p", { class: "quiet" }, "An exported page searches names alone.") : undefined,
    given.results.length ? el("ul", { class: "plain cards" }, given.results.map(resultItem)) : el("p", {}, "Nothing was found."),
    notes(given),
  ]);
  if (answer) byId("status").textContent = plural(answer.total, "match", "matches");
}
