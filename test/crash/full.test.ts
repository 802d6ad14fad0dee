/** A disk that is full or broken at a write: the run goes on where that is safe, or stops with one clear line; a later start takes it up, and nothing is half written. */
import { expect, test, vi } from "vitest";
import { complaintsOf } from "./checks.ts";
import { Night } from "./night.ts";
import { usual } from "./scenes.ts";

vi.setConfig({ maxConcurrency: 2, testTimeout: 120_000 });

const stops = "the run stops";
/** A last word may use the reserve; an action's line, or a claim whose agent is told that it was not heard, is no loss. */
const goesOn = "the run goes on";

test.concurrent.for<[string, string, string]>([
  ["store.createRun.before-commit", "ENOSPC", stops],
  ["store.syncTasks.before-commit", "ENOSPC", stops],
  ["store.setPlanText.before-commit", "ENOSPC", stops],
  ["store.openWindow.before-commit", "ENOSPC", stops],
  ["store.openWindow.before-commit", "EROFS", stops],
  ["store.startWindow.before-commit", "ENOSPC", goesOn],
  ["store.startWindow.before-commit", "EIO", stops],
  ["store.recordClaim.before-commit", "ENOSPC", goesOn],
  ["store.recordClaim.before-commit", "EIO", goesOn],
  ["store.ask.before-commit", "ENOSPC", goesOn],
  // First whether the run is sandboxed, then what the agent did.
  ["store.appendEvents.before-commit:1", "EIO", stops],
  ["store.appendEvents.before-commit:2", "EIO", goesOn],
  ["store.endWindow.before-commit", "ENOSPC", goesOn],
  ["store.endWindow.before-commit", "EIO", stops],
  ["store.answer.before-commit", "EIO", stops],
  ["store.endRun.before-commit", "EIO", stops],
  ["file.temp-written", "ENOSPC", stops],
  ["process.before-spawn", "EMFILE", goesOn],
])("%s fails with %s: %s", async ([point, code, outcome], { onTestFinished }) => {
  const night = new Night();
  onTestFinished(night.close);
  const played = await night.play(`fail:${point.includes(":") ? point : `${point}:1`}:${code}`);
  expect(played.first.code, played.first.stderr).toBe(outcome === stops ? 1 : 0);
  const said = played.first.stderr.split("\n").filter((line) => /^midwatch: |^ {2}next: |^ +at /.test(line));
  expect(said).toEqual(outcome === stops ? [expect.stringMatching(/^midwatch: .*\/\S+/), expect.stringMatching(/^ {2}next: ./)] : []);
  expect(await complaintsOf(night, played, { ...usual, deaths: 1 })).toEqual([]);
});
