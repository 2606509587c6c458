// The page around the views: addresses, keys, colours.

import { add, byId, el, fill, visible } from "./dom.js";
import { aboutExport, ask, isExport } from "./api.js";
import { address, go } from "./parts.js";
import { drawnOverview, endOverview, recolourOverview, showOverview } from "./overview.js";
import { showSymbol } from "./symbol.js";
import { showChain, showImpact } from "./walk.js";
import { showHotspots } from "./treemap.js";
import { exportNote, showCycles, showHealth, showOrphans, showRoutes, showSolutions } from "./lists.js";
import { showSearch, startSearch } from "./search.js";

// Views by the first part of an address; those with a key stand in the bar.
const VIEWS = {
  overview: { show: showOverview, name: "Overview", key: "o" },
  hotspots: { show: showHotspots, name: "Hotspots", key: "h" },
  cycles: { show: showCycles, name: "Cycles", key: "c" },
  orphans: { show: showOrphans, name: "Orphans", key: "u" },
  routes: { show: showRoutes, name: "Routes", key: "r" },
  solutions: { show: showSolutions, name: "Solutions", key: "s" },
  health: { show: showHealth, name: "Index", key: "i" },
  symbol: { show: showSymbol, name: "Symbol" },
  chain: { show: showChain, name: "Call chain" },
  impact: { show: showImpact, name: "Impact" },
  search: { show: showSearch, name: "Search" },
};

let shown = new AbortController();

// The parts of the address; those of the overview where somebody wrote one that cannot be read.
function addressParts() {
  try {
    return location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  } catch {
    return ["overview"];
  }
}

async function showAddress() {
  shown.abort();
  shown = new AbortController();
  endOverview();
  const parts = addressParts();
  const name = Object.hasOwn(VIEWS, parts[0]) ? parts[0] : "overview";
  const view = VIEWS[name];
  for (const link of document.querySelectorAll("#views a")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${view.name} – Knotwork`;
  byId("status").textContent = "";
  const content = byId("content");
  content.scrollTop = 0;
  content.dataset.view = name;
  await view.show(content, parts.slice(1).filter((part) => part !== ""), shown.signal);
  content.dataset.ready = `${Number(content.dataset.ready ?? 0) + 1}`;
}

function bar() {
  const link = ([name, view]) => el("a", { href: address(name), "data-view": name, title: `Key: ${view.key}` }, view.name);
  const inBar = Object.entries(VIEWS).filter(([name, view]) => view.key && !(isExport && name === "solutions"));
  fill(byId("views"), inBar.map(link));
}

// Each with its words, its sign, and when the dark colours of the style sheet hold.
const THEMES = [
  ["", "as the system", "◐", "(prefers-color-scheme: dark)"],
  ["light", "light", "☀", "not all"],
  ["dark", "dark", "☾", "all"],
];
const darkRule = [...byId("styles").sheet.cssRules].find((rule) => rule.conditionText === THEMES[0][3]);

function setTheme(name) {
  const [value, words, sign, dark] = THEMES.find(([theme]) => theme === name) ?? THEMES[0];
  darkRule.media.mediaText = dark;
  if (value) document.documentElement.dataset.theme = value;
  else delete document.documentElement.dataset.theme;
  const button = byId("theme");
  button.textContent = sign;
  button.setAttribute("aria-label", `Colours: ${words}`);
  button.title = `Colours: ${words}`;
}

// Whether the browser keeps what a page stores; not every one does for files.
function stored(name, value = undefined) {
  try {
    if (value === undefined) return localStorage.getItem(name) ?? "";
    localStorage.setItem(name, value);
  } catch {
    return "";
  }
  return value;
}

function startThemes() {
  let theme = stored("theme");
  setTheme(theme);
  byId("theme").addEventListener("click", () => {
    const at = THEMES.findIndex(([name]) => name === theme);
    theme = THEMES[(at + 1) % THEMES.length][0];
    stored("theme", theme);
    setTheme(theme);
    recolourOverview();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolourOverview);
}

function startKeys() {
  const keys = [["/", "search"], ...Object.values(VIEWS).filter((view) => view.key).map((view) => [view.key, view.name]), ["Backspace", "back"], ["?", "these keys"], ["← ↑ → ↓ + - 0", "move in a picture"]];
  add(byId("key-list"), keys.map(([key, what]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)]));
  const dialog = byId("keys");
  byId("help").addEventListener("click", () => dialog.showModal());
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (isTyping || event.ctrlKey || event.altKey || event.metaKey || dialog.open) return;
    const view = Object.entries(VIEWS).find(([, known]) => known.key === event.key);
    if (event.key === "/") byId("query").focus();
    else if (event.key === "?") dialog.showModal();
    else if (event.key === "Backspace") history.back();
    else if (view) go(view[0]);
    else return;
    event.preventDefault();
  });
}

async function nameProject() {
  if (isExport) {
    fill(byId("project"), aboutExport.project);
    byId("bar").after(exportNote(aboutExport));
    return;
  }
  const status = await ask("index-status");
  const name = status.project.split(/[\\/]/).filter(Boolean).pop() ?? status.project;
  fill(byId("project"), name);
  byId("project").title = visible(status.project);
}

bar();
startThemes();
startKeys();
startSearch();
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("content").focus();
});
window.addEventListener("hashchange", showAddress);
nameProject().catch(() => {});
showAddress();

// For tests, which look at the picture from outside.
window.knotwork = { drawnOverview };
