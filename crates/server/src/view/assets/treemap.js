// Hotspots as a treemap: area is complexity, colour is how often and lately a file changed.

import { byId, el, fill, plural, shortPath, shortened } from "./dom.js";
import { ask, isExport } from "./api.js";
import { address, choice, fileLink, go, load, meter, notes, row, table } from "./parts.js";

// Rectangles for values in order of size, as square as possible (Bruls, Huizing, van Wijk, "Squarified treemaps", 2000).
export function squarify(items, x, y, width, height) {
  const placed = [];
  const total = items.reduce((sum, item) => sum + item.value, 0);
  if (total <= 0 || width <= 0 || height <= 0) return placed;
  const scale = (width * height) / total;
  let rest = items.map((item) => ({ item, area: item.value * scale })).filter(({ area }) => area > 0);
  const worst = (group, side) => {
    const sum = group.reduce((all, { area }) => all + area, 0);
    const [most, least] = [group[0].area, group[group.length - 1].area];
    return Math.max((side * side * most) / (sum * sum), (sum * sum) / (side * side * least));
  };
  while (rest.length) {
    const side = Math.min(width, height);
    let count = 1;
    while (count < rest.length && worst(rest.slice(0, count + 1), side) <= worst(rest.slice(0, count), side)) count += 1;
    const group = rest.slice(0, count);
    rest = rest.slice(count);
    const sum = group.reduce((all, { area }) => all + area, 0);
    const thickness = sum / side;
    let offset = 0;
    for (const { item, area } of group) {
      const length = area / thickness;
      placed.push(width >= height ? { item, x, y: y + offset, width: thickness, height: length } : { item, x: x + offset, y, width: length, height: thickness });
      offset += length;
    }
    if (width >= height) [x, width] = [x + thickness, width - thickness];
    else [y, height] = [y + thickness, height - thickness];
  }
  return placed;
}

// Files by their first folders, so that what belongs together lies together.
function groups(hotspots) {
  const found = new Map();
  for (const file of hotspots) {
    const folder = file.file_path.split("/").slice(0, -1).slice(0, 3).join("/");
    const group = found.get(folder) ?? { folder, files: [], value: 0 };
    const value = Math.max(1, file.complexity);
    group.files.push({ file, value });
    group.value += value;
    found.set(folder, group);
  }
  const sorted = [...found.values()].sort((a, b) => b.value - a.value);
  sorted.forEach((group) => group.files.sort((a, b) => b.value - a.value));
  return sorted;
}

function heatClass(share) {
  return share > 0.6 ? "heat-4" : share > 0.35 ? "heat-3" : share > 0.15 ? "heat-2" : share > 0.05 ? "heat-1" : "heat-0";
}

function tile({ item: { file }, x, y, width, height }, most) {
  const share = most > 0 ? file.frequency / most : 0;
  const label = `${file.file_path}: complexity ${file.complexity}, ${file.commits} commits, score ${file.score}`;
  const name = file.file_path.split("/").pop();
  const room = Math.floor(width / 7.2);
  const element = el("a", { class: `tile ${heatClass(share)}`, href: address("symbol", file.file_path), title: label, "aria-label": label }, room > 3 && height > 16 ? shortened(name, room) : "");
  place(element, x, y, width, height);
  return element;
}

function place(element, x, y, width, height) {
  Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${Math.max(0, width - 1)}px`, height: `${Math.max(0, height - 1)}px` });
}

function draw(paper, answer) {
  const [width, height] = [paper.clientWidth, paper.clientHeight];
  const most = Math.max(...answer.hotspots.map((file) => file.frequency));
  const tiles = [];
  for (const outer of squarify(groups(answer.hotspots), 0, 0, width, height)) {
    const { x, y } = outer;
    const head = outer.height > 46 && outer.width > 60 ? 17 : 0;
    if (head) {
      const label = el("span", { class: "group", title: outer.item.folder }, shortPath(outer.item.folder || "/", Math.floor(outer.width / 7)));
      place(label, x, y, outer.width - 2, head);
      tiles.push(label);
    }
    for (const inner of squarify(outer.item.files, x, y + head, outer.width - 2, outer.height - head - 2)) tiles.push(tile(inner, most));
  }
  fill(paper, tiles);
}

function rows(answer) {
  return answer.hotspots.slice(0, 100).map((file) => row(fileLink(file.file_path), meter(file.score, String(file.score)), file.commits, file.complexity, file.lines, file.boundary ?? ""));
}

export async function showHotspots(place, [days = "365"], signal) {
  const body = el("div", { class: "page" });
  fill(place, body);
  const request = { days: Number(days), limit: 400, all: false };
  const answer = await load(body, ask("hotspot", request, signal), (given) => {
    const paper = el("div", { class: "treemap", id: "treemap" });
    const heads = ["File", "Score", { text: "Commits", number: true }, { text: "Complexity", number: true }, { text: "Lines", number: true }, "Role"];
    return [
      el("h1", {}, "Hotspots"),
      el("p", {}, "Files that change often and are complex: work and bugs gather there. Area is complexity, colour is how often and lately a file changed."),
      isExport ? undefined : el("div", { class: "controls" }, choice("Days", [["30", "30"], ["90", "90"], ["365", "365"], ["3650", "all"]], days, (value) => go("hotspots", value))),
      given.hotspots.length ? paper : undefined,
      given.hotspots.length ? table("Hotspots", heads, rows(given)) : undefined,
      notes(given),
    ];
  });
  const paper = byId("treemap");
  if (!answer || !paper || signal.aborted) return;
  const watch = new ResizeObserver(() => draw(paper, answer));
  watch.observe(paper);
  signal.addEventListener("abort", () => watch.disconnect());
  byId("status").textContent = `${plural(answer.total, "file")} changed in ${plural(answer.commits, "commit")}`;
}
