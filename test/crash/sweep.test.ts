/**
 * F02: killed at each named point once, the night goes on by the same command and ends as if nothing had been. A night alone says which points
 * there are. Every passing of every point, not only the first of each name: MIDWATCH_CRASH=all.
 */
import { afterAll, expect, test, vi } from "vitest";
import { complaintsOf } from "./checks.ts";
import { makeNight } from "./night.ts";

vi.setConfig({ maxConcurrency: 2, testTimeout: 120_000 });

const usual = { windows: 3, questions: ["Ship T-4?"] };

const alone = makeNight();
const undisturbed = await alone.play(null);
const points = alone.points();
const names = [...new Set(points)];
const faults =
  process.env["MIDWATCH_CRASH"] === "all" ? points.map((_, index) => `kill-nth:${index + 1}`) : names.map((name) => `kill:${name}:1`);
let hits = 0;

afterAll(() => {
  process.stdout.write(`crash: ${points.length} points with ${names.length} names in a night; ${hits} of ${faults.length} kills hit\n`);
  return alone.close();
});

test("a night without a death holds what it promises", async () => {
  expect(await complaintsOf(alone, undisturbed, { ...usual, deaths: 0 })).toEqual([]);
  expect(undisturbed.starts).toBe(1);
});

test.concurrent.for(faults)("after %s nothing is lost and nothing is done twice", async (fault, { onTestFinished }) => {
  const night = makeNight();
  onTestFinished(night.close);
  const played = await night.play(fault);
  if (played.first.signal === "SIGKILL") hits += 1;
  expect(await complaintsOf(night, played, { ...usual, deaths: 1 })).toEqual([]);
  expect(played.first.signal, "the kill hit").toBe("SIGKILL");
});
