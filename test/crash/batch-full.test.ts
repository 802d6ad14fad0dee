/** F06 for a batch: a disk that is full or broken at its N-th write. It goes on where the reserve lets it, or ends with one clear line; no job pays for it with an attempt. */
import { expect, test, vi } from "vitest";
import { type BatchNight, complaintsOf, makeBatchNight } from "../scenario/night-batch.ts";

vi.setConfig({ testTimeout: 120_000 });

const jobs = ["1", "2", "3"].map((id) => ({ id, calls: 3 }));

/** A job that was given back for our sake makes the slots wait: it is stopped then, and started again. */
async function play(night: BatchNight, fault: string) {
  const supervisor = night.supervise({ faults: true, env: { MIDWATCH_FAULT: fault } });
  const given = supervisor.event("attempt", (event) => "end" in event && event.end === "released").catch(() => null);
  await Promise.race([given, supervisor.ended]);
  supervisor.signal("SIGTERM");
  return supervisor.ended;
}

const writes = ["claimJob", "openCalls", "closeCalls", "finishJob", "setBatchState", "setBatchRequest", "returnSeat", "giveUpCalls"];
const faults = [
  ...writes.flatMap((step) => ["ENOSPC", "EIO"].map((code) => `store.${step}.before-commit:1:${code}`)),
  ...["openCalls", "closeCalls", "claimJob", "finishJob"].map((step) => `store.${step}.before-commit:3:ENOSPC`),
  ...["file.temp-written:1:ENOSPC", "file.temp-written:2:EIO"],
];

test.for(faults)("%s", async (fault) => {
  const night = await makeBatchNight({ jobs, settings: { attempts: 1 } });
  const first = await play(night, `fail:${fault}`);
  // A signal that meets it on its way out of an error ends it at once.
  expect([0, 1, 130, "SIGTERM"], first.stderr).toContain(first.code ?? first.signal);
  const said = first.stderr.split("\n").filter((line) => /^midwatch: |^ {2}next: |^ +at /.test(line));
  if (first.code === 1) expect(said).toEqual([expect.stringMatching(/^midwatch: .*\/\S+/), expect.stringMatching(/^ {2}next: ./)]);
  else if (first.code !== null) expect(said).toEqual([]);
  expect(await night.supervise().ended).toMatchObject({ code: 0, signal: null });
  expect(await complaintsOf(night)).toEqual([]);
  expect(night.invoice().length).toBeLessThanOrEqual(9 + 2);
});
