/** The contract of the store, over a file and in memory. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { openMemoryStore } from "../../src/adapters/store/memory/open.ts";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { claimContract } from "./store-claims-contract.ts";
import { eventContract, type MakeStore, questionContract, runContract, taskContract, windowContract } from "./store-contract.ts";

const folder = mkdtempSync(join(tmpdir(), "midwatch-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const makers: [string, MakeStore][] = [
  ["a SQLite file", () => openStore({ folder: mkdtempSync(join(folder, "s-")) })],
  ["SQLite in memory", async () => openMemoryStore()],
];

describe.each(makers)("%s", (_name, make) => {
  describe("runs", () => runContract(make));
  describe("windows", () => windowContract(make));
  describe("tasks and claims", () => taskContract(make));
  describe("claims that measure and ask", () => claimContract(make));
  describe("questions", () => questionContract(make));
  describe("events", () => eventContract(make));
});
