// Call chains and impacts as pictures that can be walked: columns of names, and lines between them.

import { add, byId, el, fill, plural, shortened, shortPath, svg } from "./dom.js";
import { ask } from "./api.js";
import { address, choice, go, load, notes, tierTag } from "./parts.js";

const ROW = 46;
const COLUMN = 250;
const WIDTH = 200;
const HEIGHT = 36;

// A box of the picture: a link to the same picture around its symbol.
function box(node, view, x, y) {
  const isFile = node.kind === "file";
  const name = isFile ? shortPath(node.name, 26) : shortened(node.name, 28);
  const element = el(
    "a",
    { class: `box${node.isRoot ? " root" : ""}`, href: address(node.isRoot ? "symbol" : view, node.id), title: `${node.name}\n${node.kind}, ${node.path}` },
    el("span", { class: "name" }, name),
    el("span", { class: "quiet" }, shortPath(isFile ? node.kind : node.path, 32)),
  );
  Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${WIDTH}px`, height: `${HEIGHT}px` });
  return element;
}

// A line between two boxes; how it is drawn says how certain the edge is.
function line(from, to, edge) {
  const middle = (from.x + to.x) / 2;
  return svg("path", { class: `edge tier-${edge?.tier ?? "scoped"}`, d: `M${from.x} ${from.y} C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`, "marker-end": "url(#arrow)" }, edge ? svg("title", {}, `${edge.tier}, ${Math.round(edge.confidence * 100)} % certain`) : undefined);
}

// Rows for a tree: leaves one below the other, what is above them in the middle of these.
function placeTree(node, column, step, rows) {
  node.column = column;
  if (!node.parts.length) {
    node.row = rows.next;
    rows.next += 1;
    return;
  }
  node.parts.forEach((part) => placeTree(part, column + step, step, rows));
  node.row = (node.parts[0].row + node.parts[node.parts.length - 1].row) / 2;
}

function moveRows(node, by) {
  node.row += by;
  node.parts.forEach((part) => moveRows(part, by));
}

// Draws a root with a tree on its left and one on its right.
function drawTrees(place, root, left, right, view) {
  const heights = [left, right].map((tree, at) => {
    const rows = { next: 0 };
    placeTree(tree, 0, at === 0 ? -1 : 1, rows);
    return rows.next;
  });
  const middle = (Math.max(...heights) - 1) / 2;
  [left, right].forEach((tree) => moveRows(tree, middle - tree.row));
  const all = [];
  const collect = (node) => node.parts.forEach((part) => all.push([node, part]) && collect(part));
  [left, right].forEach(collect);
  const columns = all.map(([, part]) => part.column);
  const first = Math.min(0, ...columns);
  const rows = [middle, ...all.map(([, part]) => part.row)];
  const top = Math.min(...rows);
  const x = (node) => (node.column - first) * COLUMN + 8;
  const y = (node) => (node.row - top) * ROW + 8;
  const width = (Math.max(0, ...columns) - first) * COLUMN + WIDTH + 16;
  const height = (Math.max(...rows) - top) * ROW + HEIGHT + 16;
  const lines = svg("svg", { width, height, class: "lines", "aria-hidden": "true" }, svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { class: "arrow", d: "M0 0 8 4 0 8z" }))));
  const side = (node, right) => ({ x: x(node) + (right ? WIDTH : 0), y: y(node) + HEIGHT / 2 });
  const boxes = [box({ ...root, isRoot: true }, view, x(left), y({ row: middle }))];
  for (const [outer, part] of all) {
    boxes.push(box(part, view, x(part), y(part)));
    const inner = outer === left || outer === right ? { ...outer, row: middle } : outer;
    const isLeft = part.column < 0;
    // Calls go from left to right.
    add(lines, [isLeft ? line(side(part, true), side(inner, false), part.edge) : line(side(inner, true), side(part, false), part.edge)]);
  }
  const paper = el("div", { class: "paper" }, lines, boxes);
  Object.assign(paper.style, { width: `${width}px`, height: `${height}px` });
  fill(place, paper);
  // The root is what one looks at first.
  place.scrollLeft = Math.max(0, x(left) + WIDTH / 2 - place.clientWidth / 2);
  place.scrollTop = Math.max(0, y({ row: middle }) - place.clientHeight / 2);
}

function chainTree(node, direction) {
  return {
    id: node.symbol_id,
    name: node.symbol_name,
    kind: node.kind,
    path: node.file_path,
    edge: node.edge,
    parts: (node[direction] ?? []).map((part) => chainTree(part, direction)),
  };
}

// The same picture in words, for those who cannot see it.
function words(tree) {
  if (!tree.parts.length) return undefined;
  return el("ul", {}, tree.parts.map((part) => el("li", {}, el("a", { href: address("symbol", part.id) }, part.name), " ", tierTag(part.edge), words(part))));
}

function controls(view, symbol, depth, most) {
  return el(
    "div",
    { class: "controls" },
    choice("Steps", Array.from({ length: most }, (_, at) => [String(at + 1), String(at + 1)]), String(depth), (value) => go(view, symbol, value)),
    el("a", { href: address(view === "chain" ? "impact" : "chain", symbol) }, view === "chain" ? "impact" : "call chain"),
    el("a", { href: address("symbol", symbol) }, "its page"),
  );
}

export async function showChain(place, [symbol, depth = "2"], signal) {
  const picture = el("div", { class: "walk", tabindex: "0", role: "region", "aria-label": "Call chain" });
  const head = el("div", { class: "head" });
  const below = el("div", { class: "page" });
  fill(place, head, picture, below);
  const request = { symbol, direction: "both", depth: Number(depth), limit: 120 };
  const chain = await load(below, ask("call-chain", request, signal), () => []);
  if (!chain || signal.aborted) return;
  const target = chain.paths[0];
  const root = { id: target.symbol_id, name: target.symbol_name, kind: target.kind, path: target.file_path };
  const [left, right] = ["callers", "callees"].map((direction) => chainTree(target, direction));
  fill(head, el("h1", {}, "Call chain of ", shortened(root.name, 80)), controls("chain", symbol, depth, 4));
  drawTrees(picture, root, left, right, "chain");
  fill(
    below,
    chain.total > 120 ? el("p", { class: "quiet" }, `The picture is cut at 120 of ${chain.total} symbols.`) : undefined,
    el("details", {}, el("summary", {}, "As lists"), el("h2", {}, "Callers"), words(left) ?? el("p", {}, "none"), el("h2", {}, "Callees"), words(right) ?? el("p", {}, "none")),
    notes(chain),
  );
  byId("status").textContent = `${plural(chain.total ?? 0, "symbol")} within ${depth} steps; solid lines are resolved by types, dashed ones by name`;
}

// What is affected as a tree: each below the one through which it is.
function impactTree(answer) {
  const root = { id: answer.root_ids[0], name: answer.root, kind: "", path: "", parts: [] };
  const known = new Map([[root.name, root]]);
  for (const one of [...answer.affected].sort((a, b) => a.depth - b.depth)) {
    const node = { id: one.id ?? `${one.file_path}:${one.line}`, name: one.symbol, kind: one.kind, path: one.file_path, edge: one.edge, parts: [] };
    const through = known.get(one.edge?.to) ?? root;
    through.parts.push(node);
    if (!known.has(one.symbol)) known.set(one.symbol, node);
  }
  return root;
}

function impactLists(answer) {
  const tests = answer.tests_to_run ?? [];
  return [
    answer.public_api?.length ? [el("h2", {}, "Public API that changes"), el("ul", {}, answer.public_api.map((name) => el("li", {}, name)))] : undefined,
    tests.length ? [el("h2", {}, `${plural(answer.test_files, "test file")} to run`), el("ul", { class: "plain" }, tests.slice(0, 60).map((file) => el("li", {}, el("a", { href: address("symbol", file.file_path) }, file.file_path), " ", el("span", { class: "quiet" }, (file.tests ?? []).slice(0, 4).join(", "))))) ] : undefined,
    answer.owners?.length ? [el("h2", {}, "Owners"), el("ul", {}, answer.owners.map((owner) => el("li", {}, `${owner.owner}: ${owner.affected} files affected`)))] : undefined,
  ];
}

export async function showImpact(place, [symbol, depth = "3"], signal) {
  const picture = el("div", { class: "walk", tabindex: "0", role: "region", "aria-label": "Impact" });
  const head = el("div", { class: "head" });
  const below = el("div", { class: "page" });
  fill(place, head, picture, below);
  const answer = await load(below, ask("impact", { symbol, depth: Number(depth), limit: 150 }, signal), () => []);
  if (!answer || signal.aborted) return;
  const left = impactTree(answer);
  const right = { ...left, parts: [] };
  fill(head, el("h1", {}, "Impact of a change to ", shortened(answer.root, 80)), controls("impact", symbol, depth, 6));
  drawTrees(picture, left, left, right, "impact");
  fill(
    below,
    el("p", {}, `${plural(answer.total_affected, "symbol")} may be affected within ${depth} steps (${answer.by_depth.join(", ")}); ${answer.tests ?? 0} of them are tests.`, answer.affected.length < answer.total_affected ? ` ${answer.affected.length} are drawn.` : ""),
    impactLists(answer),
    el("details", {}, el("summary", {}, "As a list"), words(left)),
    notes(answer),
  );
  byId("status").textContent = "What is on the left depends on what is on its right";
}
