/**
 * F02: killed at each named point once, a night goes on by the same command and ends as if nothing had been. Each night alone says which points
 * there are. Every passing of every point, not only the first of each name: MIDWATCH_CRASH=all.
 */
import { afterAll, expect, test, vi } from "vitest";
import { complaintsOf } from "./checks.ts";
import {
  archivePoints,
  batchPoints,
  batchStorePoints,
  beginningPoints,
  callPoints,
  claimPoints,
  contractPoints,
  ledgerPoints,
  namedPoints,
  recoveryPoints,
  teamPoints,
} from "./points.ts";
import { type SweptNight, scenes } from "./scenes.ts";

vi.setConfig({ maxConcurrency: 2, testTimeout: 600_000 });

const isWhole = process.env["MIDWATCH_CRASH"] === "all";

async function playAlone(scene: SweptNight) {
  const night = await scene.make();
  const played = await night.play(null);
  const complaints = await complaintsOf(night, played, { ...scene.expected, deaths: 0 });
  const points = night.points();
  await night.close();
  return { scene, points, firstPoints: played.firstPoints, complaints };
}

const alone = await Promise.all(scenes.map(playAlone));
const seen = new Set<string>();
const sweeps = alone.flatMap(({ scene, points, firstPoints }) => {
  const names = [...new Set(points)].filter((name) => !seen.has(name) || scene.again.includes(name));
  for (const name of names) seen.add(name);
  const numbers = Array.from({ length: isWhole ? firstPoints : 0 }, (_, index) => index + 1);
  const faults = [...names.map((name) => `kill:${name}`), ...numbers.map((number) => `kill-nth:${number}`)];
  return faults.map((fault) => ({ fault, night: scene.name, scene }));
});
let hits = 0;
const backMs: number[] = [];

afterAll(() => {
  const passed = alone.map(({ points }) => points.length).join(" + ");
  process.stdout.write(
    `crash: ${passed} points with ${seen.size} names; ${hits} of ${sweeps.length} kills hit; back at work after ${median(backMs)} ms\n`,
  );
  // The middle one: others may load the machine.
  expect(median(backMs)).toBeLessThan(5000);
});

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}

test.for(alone)("$scene.name holds what it promises", ({ complaints }) => {
  expect(complaints).toEqual([]);
});

test("every point that the source names is swept in this lane", () => {
  const elsewhere = new Set([
    ...batchPoints,
    ...batchStorePoints,
    ...recoveryPoints,
    ...beginningPoints,
    ...contractPoints,
    ...ledgerPoints,
    ...callPoints,
    ...archivePoints,
    ...claimPoints,
    ...teamPoints,
  ]);
  expect(namedPoints().filter((name) => !seen.has(name) && !elsewhere.has(name))).toEqual([]);
});

test.concurrent.for(sweeps)("$night after $fault has lost nothing and done nothing twice", async ({ fault, scene }, { onTestFinished }) => {
  const night = await scene.make();
  onTestFinished(night.close);
  const played = await night.play(fault);
  const isHit = played.first.signal === "SIGKILL";
  hits += isHit ? 1 : 0;
  backMs.push(played.backMs);
  expect(await complaintsOf(night, played, { ...scene.expected, deaths: 1 })).toEqual([]);
  // A point falls away where two groups of actions have become one.
  const isPast = fault.startsWith("kill-nth:") && Number(fault.slice("kill-nth:".length)) > played.firstPoints;
  expect(isHit || isPast, "the kill hit").toBe(true);
});
