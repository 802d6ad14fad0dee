/** A second death, while the window of the first one is taken up: at each named point between the start and the next window. */
import { afterAll, expect, test, vi } from "vitest";
import { complaintsOf } from "./checks.ts";
import { command, makeNight, type Night } from "./night.ts";

vi.setConfig({ maxConcurrency: 2, testTimeout: 120_000 });

const usual = { windows: 3, questions: ["Ship T-4?"] };

/** The agent has ticked one task and claimed another one: there is a window to judge, and marks to write. */
async function killOnce(night: Night) {
  await night.start(command, { MIDWATCH_FAULT: "kill:store.recordClaim.after-commit" }).ended;
  return night.snapshot();
}

const alone = makeNight();
await killOnce(alone);
const before = alone.points().length;
await alone.finish(await alone.start(command).ended);
const points = alone.points().slice(before);
await alone.close();
const names = [...new Set(points.slice(0, points.indexOf("window.opened") + 1))];
let hits = 0;

afterAll(() => void process.stdout.write(`crash: ${names.length} names in a recovery; ${hits} of ${names.length} kills hit\n`));

test("the way from a death to the next window passes the judgement and the write-back", () => {
  expect(names).toEqual(expect.arrayContaining(["recovery.found", "recovery.swept", "claim.checked", "window.judged", "plan.written"]));
});

test.concurrent.for(names)("killed again at %s, the night still ends as if nothing had been", async (name, { onTestFinished }) => {
  const night = makeNight();
  onTestFinished(night.close);
  const first = await killOnce(night);
  const { snapshots, ...played } = await night.play(`kill:${name}`);
  if (played.first.signal === "SIGKILL") hits += 1;
  expect(await complaintsOf(night, { ...played, snapshots: [first, ...snapshots] }, { ...usual, deaths: 1 })).toEqual([]);
  expect(played.first.signal, "the kill hit").toBe("SIGKILL");
});
