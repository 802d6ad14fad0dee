/** A15: at a terminal a run goes on in a process of its own; leaving the view, or closing the terminal, never ends it. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atTerminal, hasTerminal, type Terminal } from "./cli-terminal.ts";
import { agent, boxes, makeNight } from "./kit.ts";
import { eventually } from "./program.ts";
import { findStrays } from "./strays.ts";

const slow = () => makeNight({ plan: boxes("T-1"), agent: agent("finish-slowly.sh", "1") });

test.skipIf(!hasTerminal).for<readonly [string, (terminal: Terminal) => void]>([
  ["Ctrl-C in the view", ({ type }) => type("\u0003")],
  ["the end of the terminal", ({ kill }) => kill()],
])("%s does not end the run", async ([, leave]) => {
  const night = slow();
  const terminal = atTerminal(night, "run");
  await eventually(() => existsSync(join(night.folder, "prompt-1")) && terminal.shown().includes("window 1"), "the first window");
  leave(terminal);
  await terminal.code();
  expect(await night.status()).toMatchObject({ phase: "running", supervised: true });
  writeFileSync(join(night.folder, "go-1"), "");
  await eventually(() => findStrays(night.folder).length === 0, "the end of the run");
  expect(await night.status()).toMatchObject({ phase: "ended", stopReason: "finished" });
});

test.skipIf(!hasTerminal)("at a terminal the report follows the night, and the exit code is the run's", async () => {
  const night = makeNight();
  const terminal = atTerminal(night, "run");
  expect(await terminal.code()).toBe(0);
  expect(terminal.shown()).toMatch(/window 1 ended[\s\S]*stop: finished[\s\S]*1\/1 tasks done/);
});

test.skipIf(!hasTerminal)("a question at a terminal is answered on the spot", async () => {
  const night = makeNight({ agent: agent("by-turns.sh", "ask.sh BLOCKED Which_key?", "finish.sh") });
  const terminal = atTerminal(night, "run");
  await eventually(() => terminal.shown().includes("Q1> "), "the prompt");
  terminal.type("The blue one\r");
  expect(await terminal.code()).toBe(0);
  expect(night.prompt(2)).toContain("- Which key? -> The blue one");
});
