// Parts of pages that several views share.

import { add, el, fill, shortPath } from "./dom.js";
import { AskError } from "./api.js";

// Addresses of views: parts after the hash, each encoded.
export function address(view, ...parts) {
  return `#/${[view, ...parts].map(encodeURIComponent).join("/")}`;
}

export function go(view, ...parts) {
  location.hash = address(view, ...parts);
}

export function symbolLink(symbol, text = undefined) {
  return el("a", { href: address("symbol", symbol.id ?? symbol.symbol_id) }, text ?? symbol.symbol ?? symbol.symbol_name);
}

export function fileLink(path, line = undefined) {
  const shown = line ? `${path}:${line}` : path;
  return el("a", { href: address("symbol", path, ...(line ? [line] : [])), class: "path", title: shown }, shortPath(shown, 64));
}

export function tag(text, kind = "") {
  return el("span", { class: `tag ${kind}` }, text);
}

// What a tier says of an edge, in words.
const TIERS = {
  scip: "known from a compiler's index",
  typed: "resolved by types",
  scoped: "resolved by scope or import",
  named: "the only definition of that name in reach",
  manual: "put in by hand",
  virtual: "between services: a request and who serves it",
};

export function tierTag(edge) {
  if (!edge) return undefined;
  const certainty = Math.round(edge.confidence * 100);
  const title = [TIERS[edge.tier] ?? edge.tier, edge.evidence].filter(Boolean).join(": ");
  return el("span", { class: `tag tier-${edge.tier}`, title }, `${edge.tier} ${certainty} %`);
}

// Notes on what an answer rests on.
export function notes(answer) {
  const lines = [...(answer.warnings ?? []), ...(answer.index?.notes ?? [])];
  if (answer.index && answer.index.fresh === false) lines.unshift("files changed since the index was written");
  if (answer.fallback) lines.unshift(`answered without a graph: ${answer.fallback.reason ?? answer.fallback}`);
  if (!lines.length) return undefined;
  return el("details", { class: "notes" }, el("summary", {}, `${lines.length} note${lines.length > 1 ? "s" : ""} on this answer`), el("ul", {}, lines.map((line) => el("li", {}, line))));
}

export function table(caption, heads, rows) {
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el(
      "table",
      {},
      el("caption", { class: "unseen" }, caption),
      el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col", class: head.number ? "number" : undefined }, head.text ?? head)))),
      el("tbody", {}, rows),
    ),
  );
}

export function row(...cells) {
  return el("tr", {}, cells.map((cell) => el("td", { class: typeof cell === "number" ? "number" : undefined }, typeof cell === "number" ? cell.toLocaleString("en") : cell)));
}

// A bar for a share of 0 to 1.
export function meter(share, label) {
  return el("meter", { min: 0, max: 1, value: share, title: label, "aria-label": label }, label);
}

// Fills a place with what a question gives; says that it is asked, and why it failed.
export async function load(place, question, show) {
  fill(place, el("p", { class: "quiet" }, "…"));
  try {
    const answer = await question;
    fill(place, show(answer));
    return answer;
  } catch (error) {
    if (error.name === "AbortError") return undefined;
    fill(place, el("p", { class: "error", role: "alert" }, error.message));
    if (!(error instanceof AskError)) throw error;
    return undefined;
  }
}

export function section(title, ...content) {
  return el("section", {}, el("h2", {}, title), content);
}

export function choice(label, options, chosen, change) {
  const select = el("select", { onchange: () => change(select.value) });
  for (const [value, text] of options) add(select, [el("option", { value, selected: value === chosen }, text)]);
  return el("label", { class: "choice" }, label, " ", select);
}
