#!/usr/bin/env node
// The launcher: CommonJS (bin/package.json says so) in words that even Node 12 reads, because it must answer where the program cannot.
// It tells the version without loading the program, asks for a newer Node in one line, and starts the rest.
"use strict";

const fs = require("fs");
const path = require("path");
const manifest = require("../package.json");

const [oldest] = /\d+\.\d+/.exec(manifest.engines.node);
const program = path.join(__dirname, "../dist/midwatch.js");

function isNewEnough(version) {
  const [major, minor] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = oldest.split(".").map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** Drops one warning and no other: SQLite in Node works as we use it, and the line would stand above every report. */
function silenceSqliteWarning() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] === "ExperimentalWarning" && /^SQLite /.test(String(warning))) return;
    emitWarning.call(process, warning, ...rest);
  };
}

/** Says in one line why the program cannot start and what to do; 2 is the exit code for what a person must set right. */
function refuse(line) {
  process.stderr.write(`midwatch ${line}\n`);
  process.exitCode = 2;
}

function start() {
  const have = process.versions.node;
  if (!isNewEnough(have))
    return refuse(`needs Node ${oldest} or newer and this is ${have}: install a newer one (https://nodejs.org), then run it again`);
  if (!fs.existsSync(program)) return refuse(`is not built here: run \`npm ci && npm run build\` in ${path.dirname(__dirname)}`);
  silenceSqliteWarning();
  void import("../dist/midwatch.js");
}

if (process.argv.length === 3 && /^(--version|-v|-V)$/.test(process.argv[2])) process.stdout.write(`${manifest.version}\n`);
else start();
