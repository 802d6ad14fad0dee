/** The desk of a job's attempts, on a real ledger: whatever one attempt has paid, or is still being answered, the next one does not pay again. */
import { expect, test } from "vitest";
import type { CallRequest, CallResult } from "../../src/core/money/call.ts";
import type { Cap } from "../../src/core/money/cap.ts";
import { createBooker } from "../../src/engine/calls/booker.ts";
import type { Desk } from "../../src/engine/calls/desk.ts";
import { createCallsOnTheWay, createJobDesk, type JobDeskOptions } from "../../src/engine/calls/job-desk.ts";
import type { Admission } from "../../src/ports/calls.ts";
import type { Ledger } from "../../src/ports/ledger.ts";
import { answer, batch, job, openFile, price, request, whole } from "./ledger-kit.ts";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
const asking = (letter: string): CallRequest => ({ ...request, hash: letter.repeat(64) });
const overloaded: CallResult = { ...whole, end: "failed", failure: "overloaded", status: 529, usage: null };
const kept = (text: string): CallResult => ({ ...whole, answer: answer(text) });

/** Desks of one job in one process. */
function makeDesks(ledger: Pick<Ledger, "open" | "close">, change: Partial<JobDeskOptions> = {}) {
  const onTheWay = createCallsOnTheWay();
  const booker = createBooker(ledger, nextTurn);
  const clock = { now: () => 3000, localDate: () => "2026-11-30" } as unknown as Parameters<typeof createJobDesk>[0]["clock"];
  let made = 0;
  const newCallId = () => `call-${++made}`;
  const prices = { table: "t", of: () => price };
  let attempt = 0;
  return (): Desk => {
    attempt += 1;
    return createJobDesk(
      { booker, prices, clock, newCallId, unpriced: "refuse" },
      {
        ...{
          owner: job({ attempt }) as JobDeskOptions["owner"],
          matching: "sequential",
          onDivergence: "stop",
          onTheWay,
          volatileFields: [],
        },
        scopes: () => [{ kind: "batch", id: batch }],
        caps: () => [],
        refused: () => undefined,
        closed: () => undefined,
        ...change,
      },
    );
  };
}

/** The answer of a call that was let through; a recorded one as it was served. */
async function finish(admission: Admission, result: CallResult): Promise<string> {
  if (admission.kind === "forward") {
    await admission.call.finish(result);
    return "paid";
  }
  return admission.kind === "replay" ? Buffer.from(admission.answer.body).toString("utf8") : admission.why;
}

test("attempts that ask for one place at the same moment pay it once, and the others get the answer", async () => {
  const { ledger } = await openFile();
  const nextDesk = makeDesks(ledger);
  const asked = [nextDesk(), nextDesk(), nextDesk()].map((desk) => desk.begin(asking("a")));
  const ends = await Promise.all(asked.map(async (one) => finish(await one, kept("once"))));
  expect(ends).toEqual(["paid", "once", "once"]);
  expect(await ledger.calls({ limit: 9 })).toHaveLength(1);
});

test("an attempt that waits for an answer on its way asks for nothing once it is over", async () => {
  const { ledger } = await openFile();
  const nextDesk = makeDesks(ledger);
  const first = await nextDesk().begin(asking("a"));
  const second = nextDesk();
  const waiting = second.begin(asking("a"));
  await nextTurn();
  second.shut();
  await finish(first, overloaded);
  expect(await waiting).toMatchObject({ kind: "refuse", why: "over" });
  expect(await finish(await nextDesk().begin(asking("a")), kept("late"))).toBe("paid");
});

test("one that is refused, or whose row cannot be written, leaves the place to the next", async () => {
  const { ledger } = await openFile();
  let isBroken = true;
  let caps: readonly Cap[] = [];
  const failing: Pick<Ledger, "open" | "close"> = {
    open: async (intents) => {
      if (isBroken) throw new Error("the disk is full");
      return ledger.open(intents);
    },
    close: (closings) => ledger.close(closings),
  };
  const nextDesk = makeDesks(failing, { caps: () => caps });
  await expect(nextDesk().begin(asking("a"))).rejects.toThrow("the disk is full");
  isBroken = false;
  caps = [{ kind: "batch", id: batch, microUsd: 1 }];
  expect(await nextDesk().begin(asking("a"))).toMatchObject({ kind: "refuse", why: "cap" });
  caps = [];
  expect(await finish(await nextDesk().begin(asking("a")), kept("at last"))).toBe("paid");
});

test.each(["sequential", "parallel"] as const)(
  "what an attempt tried again stands at one place, and is not paid by the next attempt: %s",
  async (matching) => {
    const { ledger } = await openFile();
    const nextDesk = makeDesks(ledger, { matching });
    const first = nextDesk();
    await finish(await first.begin(asking("a")), overloaded);
    await finish(await first.begin(asking("a")), kept("A"));
    await finish(await first.begin(asking("b")), kept("B"));
    const second = nextDesk();
    expect(await finish(await second.begin(asking("a")), whole)).toBe("A");
    expect(await finish(await second.begin(asking("b")), whole)).toBe("B");
    expect((await ledger.calls({ limit: 9 })).map(({ key, state }) => [key.seq, key.try, state])).toEqual([
      [1, 1, "failed"],
      [1, 2, "done"],
      [2, 1, "done"],
    ]);
  },
);

test("who asks for the same again while its answer is still on its way gets that answer", async () => {
  const { ledger } = await openFile();
  const desk = makeDesks(ledger)();
  const first = await desk.begin(asking("a"));
  const again = desk.begin(asking("a"));
  await nextTurn();
  expect(await finish(first, kept("once"))).toBe("paid");
  expect(await finish(await again, whole)).toBe("once");
  expect(await finish(await desk.begin(asking("b")), kept("B"))).toBe("paid");
  expect((await ledger.calls({ limit: 9 })).map(({ key }) => key.seq)).toEqual([1, 2]);
});

test.each(["sequential", "parallel"] as const)(
  "an answer that its asker hung up on is served to the one who asks again, and is one place: %s",
  async (matching) => {
    const { ledger } = await openFile();
    const desk = makeDesks(ledger, { matching })();
    const first = await desk.begin(asking("a"));
    expect(await finish(first, kept("once"))).toBe("paid");
    if (first.kind === "forward") first.call.undelivered();
    const again = await desk.begin(asking("a"));
    expect(await finish(again, whole)).toBe("once");
    if (again.kind === "replay") again.undelivered();
    expect(await finish(await desk.begin(asking("a")), whole)).toBe("once");
    expect(await finish(await desk.begin(asking("b")), kept("B"))).toBe("paid");
    expect((await ledger.calls({ limit: 9 })).map(({ key }) => key.seq)).toEqual([1, 2]);
  },
);

test("requests that are alike and all tried again keep their places, too", async () => {
  const { ledger } = await openFile();
  const nextDesk = makeDesks(ledger, { matching: "parallel" });
  const first = nextDesk();
  const begun = await Promise.all([first.begin(asking("a")), first.begin(asking("a"))]);
  for (const one of begun) await finish(one, overloaded);
  const again = await Promise.all([first.begin(asking("a")), first.begin(asking("a"))]);
  for (const one of again) await finish(one, kept("A"));
  const second = nextDesk();
  expect(await Promise.all([second.begin(asking("a")), second.begin(asking("a"))])).toMatchObject([{ kind: "replay" }, { kind: "replay" }]);
});
