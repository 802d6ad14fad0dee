/** A second death, while the window of the first one is taken up: at each named point between the start and the next window. */
import { afterAll, expect, test, vi } from "vitest";
import { complaintsOf } from "./checks.ts";
import { Night } from "./night.ts";
import { recoveryPoints } from "./points.ts";
import { command } from "./program.ts";
import { usual } from "./scenes.ts";

vi.setConfig({ maxConcurrency: 2, testTimeout: 120_000 });

/** The agent has ticked one task and claimed another one: there is a window to judge, and marks to write. */
async function killOnce(night: Night) {
  await night.start(command, { MIDWATCH_FAULT: "kill:store.recordClaim.after-commit" }).ended;
  return night.snapshot();
}

const alone = new Night();
await killOnce(alone);
const before = alone.points().length;
await alone.finish(await alone.start(command).ended);
const points = alone.points().slice(before);
await alone.close();
const names = [...new Set(points.slice(0, points.indexOf("window.opened") + 1))];
/** Between a commit and the next point nothing lasting happens: of each pair the second point is enough. */
const swept = process.env["MIDWATCH_CRASH"] === "all" ? names : names.filter((name) => !/before-commit$|^process\./.test(name));
let hits = 0;

afterAll(() => void process.stdout.write(`crash: ${names.length} names in a recovery; ${hits} of ${swept.length} kills hit\n`));

test("the way from a death to the next window passes the judgement and the write-back", () => {
  expect(names).toEqual(expect.arrayContaining([...recoveryPoints, "claim.checked", "window.judged", "plan.written"]));
});

test.concurrent.for(swept)("killed again at %s, the night still ends as if nothing had been", async (name, { onTestFinished }) => {
  const night = new Night();
  onTestFinished(night.close);
  const first = await killOnce(night);
  const { snapshots, ...played } = await night.play(`kill:${name}`);
  if (played.first.signal === "SIGKILL") hits += 1;
  expect(await complaintsOf(night, { ...played, snapshots: [first, ...snapshots] }, { ...usual, deaths: 1 })).toEqual([]);
  expect(played.first.signal, "the kill hit").toBe("SIGKILL");
});
