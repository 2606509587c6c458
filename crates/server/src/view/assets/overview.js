// The overview: folders, files and symbols as circles within circles, whose positions come from the server.

import { add, byId, colour, el, fill, plural, shortPath, shortened } from "./dom.js";
import { ask, isExport } from "./api.js";
import { address, choice, go, load, meter, notes, tierTag } from "./parts.js";
import { PictureStage } from "./picture.js";

const PALETTE = 10;
const TYPES = new Set(["class", "interface", "trait", "struct", "union", "enum", "type_alias", "protocol"]);
const VALUES = new Set(["field", "property", "constant", "variable", "enum_member", "static"]);

// Pictures by request, so that going back draws at once.
const pictures = new Map();
const settings = { colours: "folder", all: false, links: true };

// The layout with what is looked up often.
class Picture {
  constructor(answer) {
    this.answer = answer;
    const nodes = answer.nodes;
    this.nodes = nodes;
    this.count = nodes.id.length;
    this.parts = Array.from({ length: this.count }, () => []);
    this.place = new Map();
    for (let at = 0; at < this.count; at += 1) {
      if (!this.place.has(nodes.id[at])) this.place.set(nodes.id[at], at);
      if (at > 0) {
        this.parts[nodes.parent[at]].push(at);
      }
    }
    this.colourTops();
  }

  kind(at) {
    return this.answer.kinds[this.nodes.kind[at]];
  }

  isFolder(at) {
    const kind = this.kind(at);
    return kind === "folder" || kind === "package";
  }

  // Hues go to folders: one that has more than a third of the picture is divided.
  colourTops() {
    const { r } = this.nodes;
    const folders = (at) => this.parts[at].filter((part) => this.isFolder(part));
    let tops = folders(0);
    for (;;) {
      tops.sort((a, b) => r[b] - r[a]);
      const whole = tops.reduce((sum, at) => sum + r[at] * r[at], 0);
      const wide = tops.find((at) => folders(at).length > 0 && r[at] * r[at] > whole / 3);
      if (wide === undefined) break;
      tops = tops.filter((at) => at !== wide).concat(folders(wide));
    }
    const hue = new Map(tops.map((at, number) => [at, number % PALETTE]));
    this.hue = new Int8Array(this.count).fill(-1);
    for (let at = 1; at < this.count; at += 1) {
      this.hue[at] = hue.get(at) ?? this.hue[this.nodes.parent[at]];
    }
  }

  // What holds a node, from the outside in, with the node itself.
  way(at) {
    const way = [at];
    while (at > 0) {
      at = this.nodes.parent[at];
      way.unshift(at);
    }
    return way;
  }
}

async function picture(signal) {
  const key = String(settings.all);
  if (!pictures.has(key)) {
    const request = settings.all ? { all: true } : {};
    pictures.set(key, new Picture(await ask("layout", request, signal)));
  }
  return pictures.get(key);
}

// The symbols of the last picture, for a search without a server.
export function knownSymbols() {
  const [first] = pictures.values();
  return first;
}

export async function preload() {
  return picture(undefined);
}

// Colours of the theme, read once for each drawing. The list has those of nodes.
function paints() {
  const { colours } = settings;
  const hues = Array.from({ length: PALETTE }, (_, at) => colour(`hue-${at}`));
  const lists = { folder: [...hues, colour("node")], kind: ["kind-type", "kind-value", "node", "kind-call"].map(colour), heat: ["cold", "warm", "hot"].map(colour) };
  return {
    list: lists[colours],
    onNode: colour("on-node"),
    edge: colour("edge"),
    edgeOut: colour("edge-out"),
    edgeIn: colour("edge-in"),
    text: colour("text"),
    surface: colour("surface"),
    line: colour("line"),
    accent: colour("accent"),
    font: getComputedStyle(document.body).fontFamily,
  };
}

// The place of each node's colour in the list.
function coloursOf(shown) {
  const number = {
    folder: (at) => (shown.hue[at] < 0 ? PALETTE : shown.hue[at]),
    heat: (at) => (shown.nodes.heat[at] > 0.5 ? 2 : shown.nodes.heat[at] > 0.15 ? 1 : 0),
    kind: (at) => {
      const kind = shown.kind(at);
      return TYPES.has(kind) ? 0 : VALUES.has(kind) ? 1 : kind === "file" || shown.isFolder(at) ? 2 : 3;
    },
  }[settings.colours];
  return Uint8Array.from({ length: shown.count }, (_, at) => number(at));
}

function drawPicture(place, shown) {
  const stage = new PictureStage(place, shown, {
    paint: paints(),
    colours: coloursOf(shown),
    links: settings.links,
    label: "Picture of the code: arrow keys move, + and - zoom, 0 shows everything. The list beside it has the same content.",
  });
  stage.onOpen = (at) => go(shown.isFolder(at) || at === 0 ? "overview" : "symbol", shown.nodes.id[at]);
  return stage;
}

let drawing;

// Ends what the picture waits for.
export function endOverview() {
  drawing?.end();
  drawing = undefined;
}

// Draws again with the colours of another theme.
export function recolourOverview() {
  if (drawing) window.dispatchEvent(new HashChangeEvent("hashchange"));
}

function sizeLine(shown, at) {
  const lines = shown.nodes.lines[at];
  const inside = shown.parts[at].length;
  return [inside ? plural(inside, "part") : "", lines ? plural(lines, "line") : ""].filter(Boolean).join(", ");
}

// A list of what a node holds: the picture in words, and the way through it by keyboard.
function contents(shown, at) {
  const { nodes } = shown;
  const order = [...shown.parts[at]].sort((a, b) => nodes.r[b] - nodes.r[a]);
  const item = (part) => {
    const opens = shown.parts[part].length > 0 && nodes.line[part] === 0;
    const href = opens ? address("overview", nodes.id[part]) : address("symbol", nodes.id[part]);
    return el(
      "li",
      {},
      el("a", { href, title: nodes.name[part] }, shortPath(nodes.name[part], 34)),
      " ",
      el("span", { class: "quiet" }, shown.kind(part), " · ", sizeLine(shown, part)),
      nodes.heat[part] > 0.05 && nodes.line[part] === 0 ? meter(nodes.heat[part], `heat ${nodes.heat[part]}`) : undefined,
    );
  };
  const most = 300;
  return [el("ul", { class: "plain" }, order.slice(0, most).map(item)), order.length > most ? el("p", { class: "quiet" }, `${order.length - most} more`) : undefined];
}

function crumbs(shown, at) {
  const way = shown.way(at);
  return el(
    "nav",
    { "aria-label": "Where you are", class: "crumbs" },
    way.map((part, number) => {
      const name = shown.nodes.name[part];
      const isLast = number === way.length - 1;
      return [number ? " / " : "", isLast ? el("span", { "aria-current": "page" }, name) : el("a", { href: address("overview", shown.nodes.id[part]) }, name)];
    }),
  );
}

// Uses of a file by others, from the links of the picture.
function fileUses(shown, at) {
  const { from, to, weight } = shown.answer.links;
  const list = (own, other) =>
    own
      .map((file, number) => [file, other[number], weight[number]])
      .filter(([file]) => file === at)
      .sort((a, b) => b[2] - a[2]);
  return { uses: list(from, to), used: list(to, from) };
}

function usesList(shown, title, uses) {
  if (!uses.length) return undefined;
  return [
    el("h3", {}, title),
    el("ul", { class: "plain" }, uses.slice(0, 40).map(([, other, weight]) => el("li", {}, el("a", { href: address("overview", shown.nodes.id[other]), title: shown.nodes.id[other] }, shortPath(shown.nodes.id[other], 36)), " ", el("span", { class: "quiet" }, weight)))),
  ];
}

async function describeSymbol(shown, at, place) {
  const id = shown.nodes.id[at];
  fill(place, el("h2", {}, shown.nodes.name[at]), el("p", {}, el("a", { href: address("symbol", id) }, "Open its page")), el("p", { class: "quiet" }, shown.kind(at), " · ", sizeLine(shown, at)));
  const chain = await ask("call-chain", { symbol: id, direction: "both", depth: 1, references: true, limit: 200 });
  const near = new Map();
  const list = (title, nodes, direction) => {
    nodes.forEach((node) => shown.place.has(node.symbol_id) && near.set(shown.place.get(node.symbol_id), direction === "out" ? "edgeOut" : "edgeIn"));
    return nodes.length ? [el("h3", {}, title), el("ul", { class: "plain" }, nodes.slice(0, 60).map((node) => el("li", {}, el("a", { href: address("symbol", node.symbol_id) }, shortened(node.symbol_name, 40)), " ", tierTag(node.edge))))] : undefined;
  };
  const target = chain.paths[0] ?? {};
  add(place, [list("Callers", target.callers ?? [], "in"), list("Callees", target.callees ?? [], "out")]);
  if (drawing?.selected === at) drawing.select(at, near);
}

function describe(shown, at, place) {
  if (shown.nodes.line[at] > 0) {
    describeSymbol(shown, at, place).catch((error) => add(place, [el("p", { class: "error" }, error.message)]));
    return;
  }
  const isFile = shown.kind(at) === "file";
  const uses = isFile ? fileUses(shown, at) : { uses: [], used: [] };
  const near = new Map([...uses.used.map(([, other]) => [other, "edgeIn"]), ...uses.uses.map(([, other]) => [other, "edgeOut"])]);
  fill(
    place,
    el("h2", {}, shown.nodes.name[at]),
    isFile ? el("p", {}, el("a", { href: address("symbol", shown.nodes.id[at]) }, "Open its page")) : undefined,
    el("p", { class: "quiet" }, shown.kind(at), " · ", sizeLine(shown, at)),
    contents(shown, at),
    usesList(shown, "Uses", uses.uses),
    usesList(shown, "Used by", uses.used),
  );
  if (drawing && isFile) drawing.select(at, near);
}

function summary(shown) {
  const { answer } = shown;
  const left = Object.entries(answer.left_out ?? {}).map(([role, files]) => `${files} ${role}`);
  const missing = [];
  if (left.length) missing.push(`files left out: ${left.join(", ")}`);
  if (answer.symbols_left_out) missing.push(`${plural(answer.symbols_left_out, "symbol")} left out`);
  if (answer.total_links > answer.links.from.length) missing.push(`${answer.links.from.length.toLocaleString("en")} of ${plural(answer.total_links, "link")} shown`);
  return [`${plural(answer.files, "file")}, ${plural(answer.symbols, "symbol")}`, ...missing].join(" · ");
}

export async function showOverview(place, [path = ""], signal) {
  endOverview();
  const side = el("aside", { class: "side", id: "side", "aria-label": "Contents" });
  const canvas = el("div", { class: "canvas" });
  const head = el("div", { class: "head" });
  fill(place, el("h1", { class: "unseen" }, "Overview"), head, el("div", { class: "overview" }, canvas, side));
  const shown = await load(side, picture(signal), () => el("p", { class: "quiet" }, "…"));
  if (!shown || signal.aborted) return;
  const at = shown.place.get(path) ?? 0;
  const again = (change) => {
    change();
    showOverview(place, [path], signal);
  };
  fill(
    head,
    crumbs(shown, at),
    el(
      "div",
      { class: "controls" },
      choice("Colours", [["folder", "by folder"], ["kind", "by kind"], ["heat", "by heat"]], settings.colours, (value) => again(() => (settings.colours = value))),
      el("label", { class: "choice" }, el("input", { type: "checkbox", checked: settings.links, onchange: (event) => { settings.links = drawing.links = event.target.checked; drawing.redraw(); } }), " uses"),
      isExport ? undefined : el("label", { class: "choice" }, el("input", { type: "checkbox", checked: settings.all, onchange: (event) => again(() => (settings.all = event.target.checked)) }), " tests and others"),
    ),
  );
  drawing = drawPicture(canvas, shown);
  drawing.onChoose = (chosen) => {
    drawing.select(chosen);
    describe(shown, chosen, side);
  };
  drawing.focus(at, false);
  describe(shown, at, side);
  if (at === 0 || shown.isFolder(at)) drawing.select(undefined);
  add(side, [notes(shown.answer)]);
  byId("status").textContent = summary(shown);
}

// What a test reads, and how it moves the picture.
export function drawnOverview() {
  return drawing && { nodes: drawing.layout.count, links: drawing.layout.answer.links.from.length, stage: drawing };
}
