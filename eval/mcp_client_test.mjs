// The server as a foreign client meets it: both SDKs of npm, `@modelcontextprotocol/sdk` (1.x, the handshake of old) and
// `@modelcontextprotocol/client` (2.x, discovery), start the built binary over standard input and output and over streamable HTTP.
//
// Usage: node mcp_client_test.mjs PATH/TO/knotwork, in a folder where both packages are installed.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const FILES = {
  "src/price.ts": "export function net(amount: number) {\n  return amount;\n}\n",
  "src/cart.ts": 'import { net } from "./price";\n\nexport function total() {\n  return net(1);\n}\n',
  "package.json": '{"name": "shop"}\n',
};

function writeRepository(root) {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const git = (...given) => execFileSync("git", ["-C", root, "-c", "user.name=t", "-c", "user.email=t@example.org", ...given]);
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
}

async function converse(client) {
  const tools = (await client.listTools()).tools.map((tool) => tool.name);
  assert(tools.includes("ci_call_chain"), tools.join());
  const answer = await client.callTool({ name: "ci_call_chain", arguments: { symbol: "net" } });
  assert(!answer.isError && answer.content[0].text.includes("total"), JSON.stringify(answer));
  const { resources } = await client.listResources();
  for (const { uri } of resources) {
    const { contents } = await client.readResource({ uri });
    assert(contents[0].text.length > 0, uri);
  }
  const prompt = await client.getPrompt({ name: "explain", arguments: { subject: "net" } });
  assert(prompt.messages[0].content.text.includes("net"), JSON.stringify(prompt));
  await client.close();
}

async function serveHttp(binary, root) {
  const served = spawn(binary, ["mcp", "--http", "127.0.0.1:0"], { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
  const lines = createInterface({ input: served.stderr })[Symbol.asyncIterator]();
  const url = (await lines.next()).value.replace("Listening on ", "").trim();
  const token = (await lines.next()).value.replace("Token: ", "").trim();
  return { served, url: new URL(url), options: { requestInit: { headers: { Authorization: `Bearer ${token}` } } } };
}

async function main() {
  const binary = resolve(process.argv[2]);
  const root = mkdtempSync(join(tmpdir(), "knotwork-"));
  writeRepository(root);
  const info = { name: "test", version: "1" };
  const versions = { versionNegotiation: { mode: "auto" } };
  const { served, url, options } = await serveHttp(binary, root);
  try {
    const command = { command: binary, args: ["mcp"], cwd: root };
    for (const transport of [new OldStdio(command), new OldHttp(url, options)]) {
      const client = new OldClient(info);
      await client.connect(transport);
      await converse(client);
    }
    for (const transport of [new StdioClientTransport(command), new StreamableHTTPClientTransport(url, options)]) {
      const client = new Client(info, versions);
      await client.connect(transport);
      assert(client.getNegotiatedProtocolVersion() >= "2026-07-28");
      await converse(client);
    }
  } finally {
    served.kill();
    rmSync(root, { recursive: true, force: true });
  }
  console.log("the mcp clients of npm list the tools and get right answers");
}

await main();
