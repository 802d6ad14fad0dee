/** Group commit: what arrives while others are under way goes into one transaction, and nobody waits for company that is not there. */
import { expect, test } from "vitest";
import { createBooker } from "../../src/engine/calls/booker.ts";
import type { CallClosing, CallIntent, Ledger } from "../../src/ports/ledger.ts";
import { asked, closing } from "./ledger-kit.ts";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A ledger that takes everything, and keeps the size of each group. */
function createGroups() {
  const groups: string[] = [];
  const ledger: Pick<Ledger, "open" | "close"> = {
    async open(intents: readonly CallIntent[]) {
      groups.push(`open ${intents.length}`);
      return intents.map(() => ({ kind: "opened", key: { key: "k", seq: 1, try: 1 }, earlierUnknown: false }));
    },
    async close(closings: readonly CallClosing[]) {
      groups.push(`close ${closings.length}`);
      return closings.map(() => ({ kind: "closed", spends: [] }));
    },
  };
  let turns = 0;
  const booker = createBooker(ledger, () => {
    turns += 1;
    return nextTurn();
  });
  return { groups, booker, turns: () => turns };
}

test("a call that is alone waits for one turn, each way", async () => {
  const { groups, booker, turns } = createGroups();
  await booker.open(asked("c1", 1));
  await booker.close(closing("c1"));
  expect([groups, turns()]).toEqual([["open 1", "close 1"], 2]);
});

test("calls that come in some turns apart while others are under way are written together", async () => {
  const { groups, booker } = createGroups();
  await Promise.all([booker.open(asked("c1", 1)), booker.open(asked("c2", 2))]);
  const rest = ["c3", "c4", "c5"].map(async (id, index) => {
    for (let turn = 0; turn < index; turn += 1) await nextTurn();
    return booker.open(asked(id, index + 3));
  });
  await Promise.all(rest);
  expect(groups).toEqual(["open 2", "open 3"]);
});

test("closings go first, and one that fails takes no other with it", async () => {
  const { groups, booker } = createGroups();
  const refused: Pick<Ledger, "open" | "close"> = {
    open: async (intents) => {
      if (intents.some(({ id }) => id === "bad")) throw new Error("no such window");
      return intents.map(() => ({ kind: "gone" }));
    },
    close: async () => [],
  };
  await booker.open(asked("c1", 1));
  await Promise.all([booker.open(asked("c2", 2)), booker.close(closing("c1"))]);
  expect(groups).toEqual(["open 1", "close 1", "open 1"]);
  const failing = createBooker(refused, nextTurn);
  const ends = await Promise.allSettled([failing.open(asked("good", 1)), failing.open(asked("bad", 2))]);
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
});
