// The page of a symbol or file: callers on the left, source in the middle, callees on the right.

import { byId, el, fill, plural, shortened, shortPath, visible } from "./dom.js";
import { ask, isExport } from "./api.js";
import { address, fileLink, load, meter, notes, section, symbolLink, tag, tierTag } from "./parts.js";
import { sourceView } from "./source.js";

const KINDS = { call: "", reference: "mentions it" };

// One end of an edge.
function edgeItem(node) {
  const { edge } = node;
  const lines = edge?.line ? [edge.line, ...(edge.also_lines ?? [])].slice(0, 6).join(", ") : undefined;
  return el(
    "li",
    {},
    el("a", { href: address("symbol", node.symbol_id), title: node.symbol_name }, shortened(node.kind === "file" ? shortPath(node.symbol_name, 34) : node.symbol_name, 44)),
    " ",
    tierTag(edge),
    el("div", { class: "quiet" }, node.kind, KINDS[edge?.site] ? ` · ${KINDS[edge.site]}` : "", node.kind === "file" ? "" : ` · ${shortPath(node.file_path, 32)}`, lines ? ` · line ${lines}` : ""),
  );
}

const isTest = (node) => /(^|\/)(tests?|spec|__tests__)\/|(_test|\.test|\.spec|Tests?)\.[a-z]+$|(^|\/)test_/.test(node.file_path);

function edgeList(title, id, nodes, none) {
  const own = nodes.filter((node) => !isTest(node));
  const tests = nodes.filter(isTest);
  const items = (list) => el("ul", { class: "plain" }, list.slice(0, 200).map(edgeItem));
  return el(
    "section",
    { class: "edges", "aria-labelledby": id },
    el("h2", { id }, title, " ", el("span", { class: "quiet" }, nodes.length)),
    own.length ? items(own) : el("p", { class: "quiet" }, nodes.length ? "only tests" : none),
    tests.length ? el("details", { open: own.length === 0 }, el("summary", {}, `${plural(tests.length, "test")}`), items(tests)) : undefined,
  );
}

// All nodes of one direction: a name may stand for several definitions.
function ends(chain, direction) {
  const found = new Map();
  for (const path of chain.paths) for (const node of path[direction] ?? []) found.set(`${node.symbol_id} ${node.edge?.site}`, node);
  return [...found.values()];
}

function complexityFacts(measures) {
  if (!measures) return [];
  return [
    ["Cyclomatic", measures.cyclomatic, "decision points + 1; above 10 is much"],
    ["Cognitive", measures.cognitive, "breaks in the flow, weighted by nesting; above 15 is much"],
    ["Nesting", measures.nesting, "deepest nesting; above 4 is much"],
    ["Parameters", measures.parameters, ""],
  ];
}

function facts(known) {
  const lines = known.line_end ? known.line_end - known.line + 1 : 0;
  const list = [["Lines", lines, ""], ...complexityFacts(known.complexity)];
  const item = ([name, value, title]) => el("div", { title: title || undefined }, el("dt", {}, name), el("dd", {}, value));
  const { history } = known;
  return el(
    "dl",
    { class: "facts" },
    list.map(item),
    history ? [item(["Commits", history.commits, "that changed the file"]), item(["Authors", history.author_count, ""]), el("div", { title: "How often and lately the file changed, times its complexity" }, el("dt", {}, "Heat"), el("dd", {}, meter(history.heat, String(history.heat)), " ", history.heat))] : undefined,
    known.owners?.length ? item(["Owners", known.owners.join(", "), "by CODEOWNERS"]) : undefined,
  );
}

function historyPart(known) {
  const { history } = known;
  if (!history) return known.no_history ? el("p", { class: "quiet" }, known.no_history) : undefined;
  if (!history.commits) return el("p", { class: "quiet" }, "No commit of the history that was read changed this file.");
  return section(
    "History of the file",
    el("p", {}, "Most commits by ", history.authors.map(([name, count], at) => [at ? ", " : "", el("strong", {}, name), ` (${count})`]), history.complete ? "." : ", in the history that was read."),
    el("ul", { class: "plain commits" }, history.recent.map((commit) => el("li", {}, el("code", {}, commit.id.slice(0, 8)), " ", commit.date, " ", el("span", {}, commit.subject), " ", el("span", { class: "quiet" }, commit.author)))),
  );
}

function membersPart(known) {
  if (!known.members?.length) return undefined;
  const depth = (member) => Math.min(3, member.symbol.split(".").length - 1);
  return section(
    `${plural(known.members.length + (known.members_left_out ?? 0), "definition")} inside`,
    el("ul", { class: "plain members" }, known.members.map((member) => el("li", { class: `depth-${depth(member)}` }, symbolLink(member), " ", el("span", { class: "quiet" }, `${member.kind} · line ${member.line}`)))),
    known.members_left_out ? el("p", { class: "quiet" }, `${known.members_left_out} more`) : undefined,
  );
}

function choosePart(known) {
  const { definitions } = known;
  if (!definitions) return undefined;
  return el(
    "details",
    { class: "notes", open: true },
    el("summary", {}, `${plural(definitions.total, "definition")} have this name; this is the one that is used most`),
    el("ul", {}, definitions.shown.slice(1).map((other) => el("li", {}, symbolLink(other), " ", other.place, ` · ${plural(other.calls, "call")}`))),
  );
}

// Links at the lines of the source from which something is called.
function callMarks(callees, path) {
  const marks = new Map();
  for (const node of callees) {
    const { edge } = node;
    if (!edge?.line || (edge.file_path && edge.file_path !== path)) continue;
    for (const line of [edge.line, ...(edge.also_lines ?? [])]) marks.set(line, [...(marks.get(line) ?? []), node]);
  }
  const links = (nodes) => () => el("span", { class: "calls" }, nodes.slice(0, 4).map((node) => el("a", { href: address("symbol", node.symbol_id), title: `${node.symbol_name} (${node.file_path})` }, `→ ${shortened(node.symbol_name.split(".").pop(), 24)}`)));
  return new Map([...marks].map(([line, nodes]) => [line, links(nodes)]));
}

function unresolvedPart(chain) {
  const { unresolved } = chain;
  if (!unresolved) return undefined;
  const places = unresolved.such_as.map((place) => place.split(":"));
  return el("p", {}, `${plural(unresolved.calls, "unresolved call")} of this name may lead here, such as `, places.map(([path, line], at) => [at ? ", " : "", fileLink(path, line)]), ".");
}

function virtualPart(chain) {
  if (!chain.virtual_edges?.length) return undefined;
  return section("Between services", el("ul", { class: "plain" }, chain.virtual_edges.map((edge) => el("li", {}, el("a", { href: address("symbol", edge.source_symbol) }, edge.source_symbol), " → ", el("a", { href: address("symbol", edge.target_symbol) }, edge.target_symbol), " ", tag(edge.operation ?? edge.contract_type), " ", el("span", { class: "quiet" }, edge.evidence ?? "")))));
}

function heading(known) {
  return [
    el("h1", {}, shortened(known.symbol, 120)),
    el(
      "p",
      { class: "under" },
      tag(known.kind),
      known.exported ? tag("exported") : undefined,
      known.test ? tag("test") : undefined,
      known.role !== "user" ? tag(known.role) : undefined,
      " ",
      known.kind === "file" ? el("a", { href: address("overview", known.file_path) }, "in the overview") : [fileLink(known.file_path, known.line), " "],
      isExport ? undefined : [" · ", el("a", { href: address("chain", known.id) }, "call chain"), " · ", el("a", { href: address("impact", known.id) }, "impact")],
    ),
    known.signature ? el("pre", { class: "signature" }, known.signature) : undefined,
    known.doc ? el("p", {}, known.doc) : undefined,
  ];
}

function page(known, chain) {
  const callers = ends(chain, "callers");
  const callees = ends(chain, "callees");
  const middle = el("div", { class: "middle" }, known.source ? sourceView(known.source, known.language, callMarks(callees, known.file_path)) : el("p", { class: "quiet" }, "The source is not part of this page."));
  return [
    heading(known),
    choosePart(known),
    facts(known),
    el("div", { class: "columns" }, edgeList("Callers", "callers-title", callers, "nothing known calls it"), middle, edgeList("Callees", "callees-title", callees, "it calls nothing known")),
    unresolvedPart(chain),
    virtualPart(chain),
    membersPart(known),
    historyPart(known),
    notes({ index: known.index, warnings: chain.warnings }),
  ];
}

export async function showSymbol(place, [symbol, line], signal) {
  const question = async () => {
    const known = await ask("symbol", { symbol }, signal);
    const chain = await ask("call-chain", { symbol: known.id, direction: "both", depth: 1, references: true, limit: 400 }, signal);
    return { known, chain };
  };
  const body = el("div", { class: "page" });
  fill(place, body);
  const answer = await load(body, question(), ({ known, chain }) => page(known, chain));
  if (!answer || signal.aborted) return;
  document.title = visible(`${shortened(answer.known.symbol, 60)} – Knotwork`);
  fill(byId("status"), answer.known.file_path);
  const target = line && byId(`line-${line}`);
  if (!target) return;
  target.classList.add("target");
  target.scrollIntoView({ block: "center" });
}
