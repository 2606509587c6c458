// Reads a Mermaid drawing on standard input and parses it with npm's mermaid. Exit code 0: it parses.
// MERMAID_MODULES names a folder in which `npm install mermaid jsdom` was run.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import path from "node:path";

const folder = path.resolve(process.env.MERMAID_MODULES ?? ".");
const require = createRequire(path.join(folder, "x.js"));
const { JSDOM } = require("jsdom");
const { window } = new JSDOM("<!doctype html><body></body>");
globalThis.window = window;
globalThis.document = window.document;
const entry = path.join(folder, "node_modules/mermaid/dist/mermaid.core.mjs");
const { default: mermaid } = await import(pathToFileURL(entry));

let text = "";
for await (const chunk of process.stdin) text += chunk;
try {
  const { diagramType } = await mermaid.parse(text);
  console.log(`${diagramType}: ${text.split("\n").length} lines`);
} catch (error) {
  console.log(`does not parse: ${error.message ?? error}`);
  process.exit(1);
}
