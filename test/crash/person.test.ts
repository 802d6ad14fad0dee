/** What a person changes in the plan while no process carries the run out is theirs and counts, wherever the last process died. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { Night } from "./night.ts";

vi.setConfig({ maxConcurrency: 2, testTimeout: 120_000 });

/** After the judgement of a window and around the write-back of its marks. */
const points = [
  "store.endWindow.after-commit:1",
  "plan.before-write:1",
  "file.temp-written:1",
  "file.renamed:1",
  "plan.written:1",
  "store.setPlanText.after-commit:2",
];

test.concurrent.for(points)("killed at %s, a tick and a new task of the person's count", async (point, { onTestFinished }) => {
  const night = new Night();
  onTestFinished(night.close);
  const killed = await night.start(["run"], { MIDWATCH_FAULT: `kill:${point}` }).ended;
  const path = join(night.repo.path, "tasks.md");
  const edited = readFileSync(path, "utf8").replace("- [ ] T-4", "- [x] T-4").replace("The end", "- [ ] T-5 Write T-5.txt\n\nThe end");
  writeFileSync(path, edited);
  const last = await night.start(["run"]).ended;
  expect([killed.signal, last.code]).toEqual(["SIGKILL", 0]);
  const { tasks, moves, events } = night.ledger();
  expect(tasks.map(({ key, done_by: by }) => [key, by])).toEqual([
    ["T-1", "verified"],
    ["T-2", "verified"],
    ["T-3", "verified"],
    ["T-4", "person"],
    ["T-5", "claimed"],
  ]);
  expect(moves.filter(({ by }) => by === "person").map(({ task, move }) => [task, move])).toEqual([["T-4", "close"]]);
  expect(events.filter(({ kind }) => kind === "plan.edited").map(({ data }) => JSON.parse(String(data)))).toEqual([
    { by: "person", notes: ["ticked T-4", "added T-5"] },
  ]);
  expect(readFileSync(path, "utf8")).toBe(edited.replaceAll("[ ]", "[x]"));
});
