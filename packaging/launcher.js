#!/usr/bin/env node
// Starts the program that the package of this system brings.
"use strict";

const { spawn } = require("node:child_process");

const name = `knotwork-${process.platform}-${process.arch}`;
const program = process.platform === "win32" ? "knotwork.exe" : "knotwork";

let path;
try {
  path = require.resolve(`${name}/bin/${program}`);
} catch {
  console.error(`error: there is no program for ${process.platform} ${process.arch}: the package ${name} is missing`);
  console.error("hint: install without --omit=optional, or build Knotwork from source");
  process.exit(2);
}

const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`error: ${path} does not start: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(code ?? 1);
  }
});
