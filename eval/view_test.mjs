// The viewer in a real Chromium: a small project is looked at as a person does. No error, no request to elsewhere, and nothing
// serious by axe's rules.
//
//     node view_test.mjs PROGRAM MODULES                       the test
//     node view_test.mjs PROGRAM MODULES --project DIR --shots DIR   pictures of a project, and frames per second of its overview
//
// MODULES is a folder with node_modules that has playwright-core and axe-core.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";

const [program, modules, ...flags] = process.argv.slice(2);
const flag = (name) => (flags.includes(name) ? flags[flags.indexOf(name) + 1] : undefined);
const need = createRequire(pathToFileURL(join(resolve(modules), "package.json")));
const { chromium } = need("playwright-core");
const axe = readFileSync(need.resolve("axe-core/axe.min.js"), "utf8");

// Text of the project that would do harm as HTML, or hide.
const HARM = "<img src=x onerror=\"window.harmed = true\"></script><script>window.harmed = true</script>";

const FILES = {
  "src/shop/cart.py": `from shop.price import total_price\n\n\ndef checkout(items):\n    # ${HARM}\n    note = "turned \u202e around"\n    return total_price(items), note\n\n\ndef unused_helper():\n    return 1\n`,
  "src/shop/price.py": "from shop.rates import rate_of\n\n\nclass Price:\n    def __init__(self, net):\n        self.net = net\n\n    def gross(self):\n        if self.net > 100:\n            return self.net * 1.1\n        return self.net * rate_of('x')\n\n\ndef total_price(items):\n    total = 0\n    for item in items:\n        if item.net > 0:\n            total += Price(item.net).gross()\n    return total\n",
  "src/shop/rates.py": "import shop.price\n\n\ndef rate_of(name):\n    return 1.2 if name else shop.price.Price(1).gross()\n",
  "src/shop/__init__.py": "",
  "web/app.ts": "export function showCart(items: number[]): number {\n  return items.map(double).reduce((a, b) => a + b, 0);\n}\n\nfunction double(item: number): number {\n  return item * 2;\n}\n",
  "tests/test_cart.py": "from shop.cart import checkout\n\n\ndef test_checkout():\n    assert checkout([])\n",
  ".github/CODEOWNERS": "/src/ @shop-team\n",
};

function makeProject(folder) {
  for (const [name, text] of Object.entries(FILES)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const git = (...words) => {
    const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    const done = spawnSync("git", ["-C", folder, ...identity, ...words], { encoding: "utf8" });
    assert.equal(done.status, 0, done.stderr);
  };
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "a shop <b>at last</b>");
}

const viewers = new Set();

// Starts the viewer; gives its address and how to end it.
async function startViewer(project, home) {
  const env = { ...process.env, HOME: home, SOLUTION_MEMORY_PATH: join(home, "solutions") };
  const viewer = spawn(program, ["view", "--no-open", "-C", project], { env, stdio: ["ignore", "pipe", "inherit"] });
  viewers.add(viewer);
  viewer.once("exit", () => viewers.delete(viewer));
  const address = await new Promise((done, fail) => {
    viewer.once("exit", (code) => fail(new Error(`the viewer ended before it was asked: ${code}`)));
    viewer.stdout.once("data", (text) => done(String(text).trim()));
  });
  const end = () =>
    new Promise((done) => {
      viewer.once("exit", (code, signal) => done(code ?? signal));
      viewer.kill("SIGINT");
      // What runs in the background ignores an interrupt, and so does all that it starts.
      setTimeout(() => viewer.kill("SIGTERM"), 3_000).unref();
    });
  return { address, end };
}

// A page that keeps what goes wrong on it.
async function openPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => problems.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
  page.on("request", (request) => {
    const url = new URL(request.url());
    const isOwn = page.origin === url.origin || url.protocol === "data:" || (url.protocol === "file:" && request.url() === page.file);
    if (!isOwn) problems.push(`request to ${request.url()}`);
  });
  page.problems = problems;
  return page;
}

async function open(page, address) {
  page.origin = new URL(address).origin;
  page.file = address;
  await page.goto(address);
  await ready(page, 1);
}

// Waits until the view that is shown has everything.
async function ready(page, least) {
  await page.waitForFunction((count) => Number(document.getElementById("content").dataset.ready ?? 0) >= count, least, { timeout: 120_000 });
}

async function goTo(page, hash) {
  const before = Number(await page.getAttribute("#content", "data-ready"));
  await page.evaluate((to) => (location.hash = to), hash);
  await ready(page, before + 1);
}

async function checkRules(page, where) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
  const serious = found.violations.filter((rule) => ["serious", "critical"].includes(rule.impact));
  const lines = serious.map((rule) => `${rule.id}: ${rule.help}: ${rule.nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary}`).join(" | ")}`);
  assert.deepEqual(lines, [], where);
}

async function findSymbol(page, name) {
  await page.keyboard.press("/");
  await page.keyboard.type(name);
  await page.waitForSelector("#results [data-target]");
  const before = Number(await page.getAttribute("#content", "data-ready"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await ready(page, before + 1);
}

const text = (page, selector) => page.locator(selector).innerText();

async function walkToCaller(page) {
  await findSymbol(page, "total_price");
  assert.equal(await text(page, "h1"), "total_price");
  assert.match(await text(page, ".facts"), /Cyclomatic/);
  const callers = page.locator(".edges", { hasText: "Callers" });
  const before = Number(await page.getAttribute("#content", "data-ready"));
  await callers.getByRole("link", { name: "checkout" }).first().click();
  await ready(page, before + 1);
  assert.equal(await text(page, "h1"), "checkout");
}

// What is specific to a page with a server behind it.
async function checkServed(page) {
  assert.match(await text(page, ".source"), /<img src=x onerror/);
  assert.match(await text(page, ".source"), /turned \\u202e around/);
  assert.match(await text(page, "main"), /Ada/);
  assert.match(await text(page, "main"), /@shop-team/);
  await goTo(page, "#/chain/checkout");
  assert.ok((await page.locator(".box").count()) > 2);
  const step = page.locator(".box", { hasText: "total_price" });
  await step.click();
  await page.waitForFunction(() => document.querySelector(".box.root .name")?.textContent === "total_price");
  await goTo(page, "#/impact/rate_of");
  assert.match(await text(page, "main"), /may be affected/);
  await goTo(page, "#/search/how%20is%20the%20price%20computed");
  assert.ok((await page.locator(".card").count()) > 0);
}

async function checkViews(page, views, themes) {
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    for (const view of views) {
      await goTo(page, "#/symbol/none%20such");
      await goTo(page, view);
      assert.equal(await page.locator("main .error").count(), 0, `${view}: ${await text(page, "main")}`);
      await checkRules(page, `${view} ${theme}`);
    }
  }
}

const VIEWS = ["#/overview", "#/hotspots", "#/cycles", "#/orphans", "#/routes", "#/health"];
const WALKS = ["#/symbol/checkout", "#/chain/checkout", "#/impact/rate_of", "#/search/price", "#/solutions"];

async function checkOverview(page) {
  const drawn = await page.evaluate(() => {
    const { nodes, links } = window.knotwork.drawnOverview();
    return { nodes, links };
  });
  assert.ok(drawn.nodes > 5 && drawn.links > 0, JSON.stringify(drawn));
  assert.match(await text(page, ".side"), /shop/);
  // Drill-down by keyboard alone: links of the list.
  await goTo(page, "#/overview/src%2Fshop");
  assert.match(await text(page, ".crumbs"), /shop/);
  assert.match(await text(page, ".side"), /price\.py/);
}

async function checkKeys(page) {
  const before = Number(await page.getAttribute("#content", "data-ready"));
  await page.locator("#content").focus();
  await page.keyboard.press("h");
  await ready(page, before + 1);
  assert.match(page.url(), /hotspots/);
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.press("Escape");
  await page.locator("#theme").click();
  assert.equal(await page.getAttribute("html", "data-theme"), "light");
}

async function checkHarmless(page) {
  assert.equal(await page.evaluate(() => window.harmed), undefined);
  assert.equal(await page.locator("img, main script").count(), 0);
  assert.deepEqual(page.problems.filter((line) => !line.includes("status of 400")), []);
}

async function checkSmall(page, views) {
  await page.setViewportSize({ width: 800, height: 600 });
  for (const view of views) {
    await goTo(page, "#/symbol/none%20such");
    await goTo(page, view);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 800, `${view} is ${width} wide`);
  }
}

async function checkStrangers(address) {
  const { origin } = new URL(address);
  assert.equal((await fetch(`${origin}/`)).status, 403);
  assert.equal((await fetch(`${origin}/style.css`)).status, 403);
  const asked = (headers) => fetch(new URL("api/search", address), { method: "POST", body: '{"query": "x"}', headers: { "Content-Type": "application/json", ...headers } });
  assert.equal((await asked({})).status, 200);
  assert.equal((await asked({ Origin: "http://evil.example" })).status, 403);
}

async function test(browser, folder) {
  const project = join(folder, "project");
  makeProject(project);
  const viewer = await startViewer(project, folder);
  await checkStrangers(viewer.address);
  const page = await openPage(browser);
  await open(page, viewer.address);
  await checkOverview(page);
  await walkToCaller(page);
  await checkServed(page);
  await checkViews(page, [...VIEWS, ...WALKS], ["light", "dark"]);
  await checkKeys(page);
  await checkSmall(page, [...VIEWS, ...WALKS]);
  await checkHarmless(page);
  assert.ok(["SIGINT", "SIGTERM", 130].includes(await viewer.end()));

  const file = join(folder, "page.html");
  const env = { ...process.env, HOME: folder };
  const exported = spawnSync(program, ["view", "--export", file, "-C", project], { encoding: "utf8", env });
  assert.equal(exported.status, 0, exported.stderr);
  const offline = await openPage(browser, { offline: true });
  await open(offline, pathToFileURL(file).href);
  assert.match(await text(offline, ".export-note"), /Left out/);
  await checkOverview(offline);
  await walkToCaller(offline);
  await checkViews(offline, VIEWS, ["light"]);
  await checkHarmless(offline);
}

// Frames in a second while the picture moves and grows.
async function framesPerSecond(page) {
  return page.evaluate(async () => {
    const { stage, nodes, links } = window.knotwork.drawnOverview();
    const reach = stage.layout.nodes.r[0];
    const steps = [];
    let last = performance.now();
    const [begin, end] = [last, last + 5_000];
    while (last < end) {
      const turn = ((last - begin) / 2_500) * 2 * Math.PI;
      const closer = 1 + 3 * (1 - Math.cos(turn));
      stage.setView({ x: 0.4 * reach * Math.sin(turn), y: 0.4 * reach * Math.sin(turn / 2), scale: stage.fit(reach) * closer });
      const now = await new Promise(requestAnimationFrame);
      steps.push(now - last);
      last = now;
    }
    steps.sort((a, b) => a - b);
    return { nodes, links, frames_per_second: steps.length / 5, slowest_of_twenty_ms: steps[Math.floor(steps.length * 0.95)] };
  });
}

async function takePictures(browser, project, folder, shots) {
  mkdirSync(shots, { recursive: true });
  const viewer = await startViewer(project, folder);
  const views = (flag("--views") ?? "#/overview,#/hotspots,#/health").split(",");
  for (const [name, options] of [["light", { colorScheme: "light" }], ["dark", { colorScheme: "dark" }], ["small", { colorScheme: "light", viewport: { width: 800, height: 600 } }]]) {
    const page = await openPage(browser, options);
    const since = Date.now();
    await open(page, viewer.address);
    if (name === "light") console.log("first picture", Date.now() - since, "ms;", JSON.stringify(await framesPerSecond(page)));
    for (const [at, view] of views.entries()) {
      await goTo(page, "#/symbol/none%20such");
      const asked = Date.now();
      await goTo(page, view);
      console.log(name, view, Date.now() - asked, "ms");
      await page.waitForTimeout(600);
      await page.screenshot({ path: join(shots, `${name}-${at}.png`) });
    }
    console.log(page.problems);
    await page.context().close();
  }
  await viewer.end();
}

const folder = mkdtempSync(join(tmpdir(), "knotwork-view-"));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  chromiumSandbox: process.getuid?.() !== 0,
});
try {
  const project = flag("--project");
  if (project) await takePictures(browser, resolve(project), folder, flag("--shots"));
  else await test(browser, folder);
  console.log("the viewer is as it should be");
} finally {
  viewers.forEach((viewer) => viewer.kill("SIGKILL"));
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
