import { expect, test } from "vitest";
import { exitCodeOfBatch } from "../../src/core/exit-codes.ts";

test.each<[string, Parameters<typeof exitCodeOfBatch>[0], number]>([
  ["every job has its answer", { kind: "closed", counts: { failed: 0 } }, 0],
  ["a job has failed", { kind: "closed", counts: { failed: 1 } }, 7],
  ["others go on with it, whatever has failed so far", { kind: "elsewhere", counts: { failed: 1 } }, 0],
  ["a person stopped it", { kind: "stopped", counts: { failed: 0 } }, 130],
  ["a person paused it", { kind: "paused", counts: { failed: 0 } }, 130],
  ["its money is spent", { kind: "paused", why: "money", counts: { failed: 0 } }, 4],
  ["a model has no price", { kind: "paused", why: "unpriced", counts: { failed: 0 } }, 3],
  ["the provider serves no more", { kind: "paused", why: "provider", counts: { failed: 1 } }, 75],
])("a batch ends with its own code where %s", (_name, end, code) => {
  expect(exitCodeOfBatch(end)).toBe(code);
});
