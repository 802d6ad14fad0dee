/** Caps: a call fits when what is spent, what is held and its own estimate are at most the cap. */
import { describe, expect, test } from "vitest";
import { type CapKind, capKinds, type Scope } from "../../src/core/money/cap.ts";
import { asked, begin, bodies, closing, intent, sumOf } from "./ledger-kit.ts";

const summed = capKinds.filter((kind): kind is Exclude<CapKind, "call"> => kind !== "call");

describe.each(bodies)("%s", (_name, make) => {
  test.each(summed)("a cap on a %s counts what is spent and what is held, to the last micro-dollar", async (kind) => {
    const { ledger } = await begin(make);
    const scope: Scope = { kind, id: "x" };
    const make1 = (id: string, microUsd: number) => intent(id, { scopes: [scope], caps: [{ ...scope, microUsd }] });
    await ledger.open([make1("c1", 1_000_000), make1("c2", 1_000_000)]);
    await ledger.close([closing("c1")]);
    const spend = { spentMicroUsd: 16_400, heldMicroUsd: 200_000, calls: 2, unknown: 0 };
    const cap = { ...scope, microUsd: 416_399 };
    expect(await ledger.open([make1("c3", cap.microUsd)])).toEqual([{ kind: "capped", cap, spend }]);
    expect(await sumOf(ledger, scope)).toEqual([16_400, 200_000, 2, 0]);
    expect(await ledger.open([make1("c4", 416_400)])).toMatchObject([{ kind: "opened" }]);
  });

  test("a cap on one call looks at that call alone", async () => {
    const { ledger } = await begin(make);
    const capped = (id: string, microUsd: number) => intent(id, { caps: [{ kind: "call", id: "", microUsd }] });
    expect(await ledger.open([capped("c1", 200_000), capped("c2", 200_000), capped("c3", 199_999)])).toMatchObject([
      { kind: "opened" },
      { kind: "opened" },
      { kind: "capped", cap: { kind: "call" } },
    ]);
  });

  test("in one list the first calls take the room of the later ones", async () => {
    const { ledger } = await begin(make);
    const caps = [{ kind: "day", id: "2026-11-30", microUsd: 500_000 }] as const;
    const opened = await ledger.open(["c1", "c2", "c3"].map((id) => intent(id, { caps })));
    expect(opened.map(({ kind }) => kind)).toEqual(["opened", "opened", "capped"]);
  });

  test("the night of the issue: two calls of 0.20 fit under 0.50 with their estimates, a third does not, a handoff of 0.05 does", async () => {
    const { ledger } = await begin(make);
    const caps = [{ kind: "window", id: "window-1", microUsd: 500_000 }] as const;
    for (const id of ["c1", "c2"]) {
      expect(await ledger.open([intent(id, { caps })])).toMatchObject([{ kind: "opened" }]);
      await ledger.close([closing(id, {}, { costMicroUsd: 200_000 })]);
    }
    expect(await ledger.open([intent("c3", { caps })])).toMatchObject([
      { kind: "capped", spend: { spentMicroUsd: 400_000, heldMicroUsd: 0 } },
    ]);
    expect(await ledger.open([intent("c4", { caps, upperMicroUsd: 50_000 })])).toMatchObject([{ kind: "opened" }]);
  });

  test("a call without a price holds nothing, and is listed as such", async () => {
    const { ledger } = await begin(make);
    await ledger.open([intent("c1", { upperMicroUsd: null, price: null })]);
    await ledger.close([closing("c1", {}, { costMicroUsd: null })]);
    expect(await sumOf(ledger)).toEqual([0, 0, 1, 0]);
    expect(await ledger.calls({ limit: 9 })).toMatchObject([{ price: null, upperMicroUsd: null, costMicroUsd: null, state: "done" }]);
  });

  test("what is already paid for is served under any cap", async () => {
    const { ledger } = await begin(make);
    const caps = [{ kind: "batch", id: "2026-11", microUsd: 0 }] as const;
    await ledger.open([asked("c1", 1)]);
    await ledger.close([closing("c1", { answer: { status: 200, headers: [], body: new Uint8Array([1]) } })]);
    expect(await ledger.open([asked("c2", 1, { caps }), asked("c3", 2, { caps })])).toMatchObject([{ kind: "replay" }, { kind: "capped" }]);
  });
});
