// Views that are lists: cycles, orphans, routes, solutions, the health of the index.

import { add, byId, el, fill, plural } from "./dom.js";
import { ask, isExport } from "./api.js";
import { address, fileLink, load, meter, notes, row, section, table, tag } from "./parts.js";

function body(place) {
  const page = el("div", { class: "page" });
  fill(place, page);
  return page;
}

const CHECK = { cycle_check: true, orphan_check: true };

function cycleItem(cycle) {
  const place = (at) => {
    const step = cycle.steps[at];
    return step ? [fileLink(step.file_path, step.line), el("span", { class: "quiet" }, ` needs ${step.to}`)] : undefined;
  };
  return el(
    "li",
    { class: "card" },
    el("p", {}, tag(cycle.level ?? "file"), " ", plural(cycle.steps.length, "part")),
    el("ol", { class: "ring" }, cycle.steps.map((_, at) => el("li", {}, place(at)))),
    cycle.cuts?.length ? el("p", { class: "quiet" }, "Without these it would be open: ", cycle.cuts.map((cut, at) => [at ? ", " : "", fileLink(cut.file_path, cut.line)])) : undefined,
  );
}

export async function showCycles(place, _, signal) {
  const answer = await load(body(place), ask("arch-check", CHECK, signal), (given) => [
    el("h1", {}, "Import cycles"),
    el("p", {}, "Files or packages that need each other: none of them can be read, tested or moved alone. Imports for types only, and those inside functions, do not count."),
    given.cycles.length ? el("ul", { class: "plain cards" }, given.cycles.slice(0, 200).map(cycleItem)) : el("p", {}, "There is none."),
    given.violations.length ? section("Broken layer rules", el("ul", { class: "plain" }, given.violations.slice(0, 200).map((one) => el("li", {}, fileLink(one.file, one.line), " uses ", one.target, " ", tag(one.rule), " ", one.reason)))) : undefined,
    notes(given),
  ]);
  if (answer) byId("status").textContent = plural(answer.summary.total_cycles, "cycle");
}

export async function showOrphans(place, _, signal) {
  const answer = await load(body(place), ask("arch-check", CHECK, signal), (given) => [
    el("h1", {}, "Orphans"),
    el("p", {}, "Symbols and files that nothing refers to: neither the graph, nor any text of the repository, nor a tool by its conventions."),
    given.orphans.length
      ? table("Orphans", ["Symbol", "Kind", "Place", "Certainty", "What to do"], given.orphans.slice(0, 500).map((one) => row(el("a", { href: address("symbol", one.kind === "file" ? one.file_path : `${one.file_path}:${one.line}`) }, one.symbol), one.kind, fileLink(one.file_path, one.line), meter(one.confidence, String(one.confidence)), one.suggestion ?? "")))
      : el("p", {}, "There is none."),
    notes(given),
  ]);
  if (answer) byId("status").textContent = plural(answer.orphans.length, "orphan");
}

function virtualRow(edge) {
  return row(
    tag(edge.operation ?? edge.contract_type),
    el("a", { href: address("symbol", edge.source_file ? `${edge.source_file}:${edge.source_line}` : edge.source_symbol) }, edge.source_symbol),
    el("a", { href: address("symbol", edge.target_file ? `${edge.target_file}:${edge.target_line}` : edge.target_symbol) }, edge.target_symbol),
    edge.contract_type,
    meter(edge.confidence, String(edge.confidence)),
    edge.evidence ?? "",
  );
}

function endpointName(endpoint) {
  if (endpoint.protocol === "http") return `${endpoint.method || "any"} ${endpoint.host ?? ""}${endpoint.open_prefix ? "…" : ""}${endpoint.path}`;
  if (endpoint.protocol === "rpc") return [endpoint.service, endpoint.method].filter(Boolean).join(".");
  if (endpoint.protocol === "graphql") return `${endpoint.root} ${endpoint.field}`;
  return `${endpoint.system} ${endpoint.name}`;
}

function endpointTable(title, endpoints) {
  if (!endpoints.length) return undefined;
  const heads = ["What", "Where", "Place", "By"];
  const line = (one) => row(tag(endpointName(one)), el("a", { href: address("symbol", one.place.id) }, one.place.symbol), fileLink(one.file_path, one.line), `${one.protocol}, ${one.by}`);
  return section(title, table(title, heads, endpoints.map(line)));
}

export async function showRoutes(place, _, signal) {
  const question = async () => {
    const edges = await ask("federation", { action: "query-virtual", symbol: "*", limit: 500 }, signal);
    const { endpoints, total } = await ask("federation", { action: "endpoints", limit: 1000 }, signal);
    return { edges, endpoints, total };
  };
  const answer = await load(body(place), question(), ({ edges, endpoints }) => [
    el("h1", {}, "Routes and virtual edges"),
    el("p", {}, "Who asks over a network, and who serves it: HTTP routes, gRPC, GraphQL and topics. Edges to other repositories are those that ", el("code", {}, "knotwork federation generate-virtual-edges"), " found."),
    section("Virtual edges", edges.edges.length ? table("Virtual edges", ["Route", "Who asks", "Who serves", "By", "Certainty", "Why"], edges.edges.map(virtualRow)) : el("p", {}, "There is none in this project.")),
    endpointTable("What this project serves", endpoints.filter((one) => one.role === "provider")),
    endpointTable("What it asks for", endpoints.filter((one) => one.role !== "provider")),
    notes(edges),
  ]);
  if (answer) byId("status").textContent = `${plural(answer.edges.total, "virtual edge")}, ${plural(answer.total, "place")} that serve or ask`;
}

function solutionItem(hit, open) {
  const detail = el("div", {});
  const show = async () => {
    if (detail.childElementCount) return;
    await load(detail, ask("get_solution", { id: hit.id }), (given) => [
      el("h3", {}, "Problem"),
      el("p", { class: "prose" }, given.problem),
      given.root_cause ? [el("h3", {}, "Cause"), el("p", { class: "prose" }, given.root_cause)] : undefined,
      el("h3", {}, "Solution"),
      el("p", { class: "prose" }, given.solution),
      given.error_messages?.length ? [el("h3", {}, "Messages"), el("pre", {}, given.error_messages.join("\n"))] : undefined,
    ]);
  };
  return el(
    "li",
    { class: "card" },
    el("details", { open, ontoggle: show }, el("summary", {}, el("strong", {}, hit.title), " ", hit.tags.map((name) => tag(name))), el("p", { class: "quiet" }, hit.project_name, " · ", hit.created_at.slice(0, 10)), detail),
  );
}

export async function showSolutions(place, [query = ""], signal) {
  const page = body(place);
  const found = el("div", {});
  const input = el("input", { type: "search", id: "solution-query", value: query, placeholder: "A problem or an error message" });
  let asked = new AbortController();
  const search = async () => {
    asked.abort();
    asked = new AbortController();
    const text = input.value.trim();
    if (!text) {
      await load(found, ask("list_tags", {}, asked.signal), (given) => (given.tags.length ? [el("p", { class: "quiet" }, "Tags of what is saved:"), el("p", {}, given.tags.slice(0, 80).map((one) => [tag(`${one.name} ${one.count}`), " "]))] : el("p", {}, "Nothing is saved yet.")));
      return;
    }
    await load(found, ask("search_solutions", { query: text, limit: 20 }, asked.signal), (given) => (given.results.length ? el("ul", { class: "plain cards" }, given.results.map((hit) => solutionItem(hit, false))) : el("p", {}, "Nothing saved is like that.")));
  };
  let wait;
  input.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(search, 150);
  });
  fill(page, el("h1", {}, "Solution memory"), el("p", {}, "Problems that were solved before, in any project of yours."), isExport ? el("p", {}, "It is not part of an exported page.") : [el("p", {}, el("label", { for: "solution-query" }, "Search "), input), found]);
  if (!isExport) await search();
  signal.addEventListener("abort", () => asked.abort());
  byId("status").textContent = "";
}

function counts(title, map, what) {
  const entries = Object.entries(map ?? {});
  if (!entries.length) return undefined;
  return section(title, table(title, [what, { text: "Files", number: true }], entries.map(([name, files]) => row(name, files))));
}

function fileList(title, explain, files) {
  if (!files.length) return undefined;
  return section(title, el("p", { class: "quiet" }, explain), el("details", {}, el("summary", {}, plural(files.length, "file")), el("ul", { class: "plain" }, files.slice(0, 1000).map(([path, why]) => el("li", {}, el("span", { class: "path" }, path), " ", el("span", { class: "quiet" }, why))))));
}

function callsPart(calls) {
  const share = (count) => (calls.total ? `${((count / calls.total) * 100).toFixed(1)} %` : "–");
  const fact = (name, value, title) => el("div", { title }, el("dt", {}, name), el("dd", {}, value));
  return el(
    "dl",
    { class: "facts" },
    fact("Call sites", calls.total.toLocaleString("en"), ""),
    fact("With an edge", share(calls.resolved), "their target in this repository is known"),
    fact("External", share(calls.external), "their target is outside the repository"),
    fact("Unresolved", share(calls.unresolved), "their target is not known"),
    fact("Given up", calls.given_up, "resolution took too many steps"),
  );
}

export async function showHealth(place, _, signal) {
  const answer = await load(body(place), ask("index-status", {}, signal), (given) => {
    const { graph } = given;
    const gaps = Object.entries(given.skipped_files);
    return [
      el("h1", {}, "Health of the index"),
      el("p", { class: "path" }, given.project),
      el("p", {}, given.changes ? `${plural(given.changes, "file")} changed since; the next question reads them.` : "All files are as they were read.", given.index.commit ? ` Commit ${given.index.commit.slice(0, 12)}.` : ""),
      graph ? el("dl", { class: "facts" }, [["Nodes", graph.nodes], ["Edges", graph.edges], ...Object.entries(graph.edges_by_tier).map(([tier, count]) => [tier, count])].map(([name, count]) => el("div", {}, el("dt", {}, name), el("dd", {}, count.toLocaleString("en"))))) : undefined,
      callsPart(given.calls),
      el("h2", {}, "What was not read"),
      gaps.length || Object.keys(given.text_only ?? {}).length || Object.keys(given.names_only ?? {}).length || given.syntax_error_files.length ? undefined : el("p", {}, "Nothing: every file of a language that is known was read whole."),
      fileList("Skipped files", "These are not in the graph.", gaps),
      fileList("Files with syntax errors", "Parts of them may be unread.", given.syntax_error_files.map((path) => [path, ""])),
      fileList("Files with calls given up", "Resolution took too many steps there.", Object.entries(given.given_up_files ?? {}).map(([path, calls]) => [path, plural(calls, "call")])),
      counts("Only searched as text", given.text_only, "Language"),
      counts("Only definitions are read", given.names_only, "Language"),
      counts("Languages", given.languages, "Language"),
      notes(given),
    ];
  });
  if (answer) fill(byId("status"), answer.database);
}

// What an exported page does not hold.
export function exportNote(about) {
  const note = el("aside", { class: "export-note", "aria-label": "About this page" });
  add(note, [`Exported by Knotwork ${about.version}. Left out: `, about.left_out.join("; "), "."]);
  return note;
}
