/** `midwatch batch status`: all batches, or how one stands. */
import { type BatchStatus, batchStatus, takenSeats } from "../engine/batch/status.ts";
import type { BatchCounts } from "../ports/batch-store.ts";
import type { Store } from "../ports/store.ts";
import type { App } from "./app.ts";
import { requireBatch, withBatches } from "./batch-command.ts";
import type { JsonOption } from "./command.ts";
import { columns, labelled, showLines } from "./layout.ts";
import { count, json, money, type Paint, painter, plain, pointInTime } from "./print.ts";

export async function batchStatusCommand(app: App, name: string | undefined, options: JsonOption): Promise<number> {
  return withBatches(app, async (store) => {
    const batches = name === undefined ? await store.batches.batches() : [await requireBatch(store, name)];
    const ports = await statusPorts(app, store);
    const all: BatchStatus[] = [];
    for (const batch of batches) all.push(await batchStatus(ports, batch));
    const [one] = all;
    if (options.json) app.terminal.out(json(name === undefined ? { batches: all } : one));
    else showLines(app.terminal, name === undefined ? listLines(app, all) : all.flatMap((status) => statusLines(app, status)));
    return 0;
  });
}

export async function statusPorts(app: App, store: Store) {
  const locks = await app.locks();
  const place = { locks, exists: app.files.exists, stateFolder: app.folders.state };
  return { store, seats: (batch: string) => takenSeats(place, batch), now: app.clock.now() };
}

function listLines(app: App, all: readonly BatchStatus[]): readonly string[] {
  if (all.length === 0) return ["no batch yet: midwatch batch add NAME --jobs PATH -- COMMAND"];
  const paint = painter(app.terminal);
  return columns(
    all.map((status) => [
      paint("bold", status.batch),
      stateWord(status, paint),
      status.counts === null ? count(status.jobs, "job") : `${status.counts.done}/${count(status.jobs, "job")} done`,
      (status.counts?.failed ?? 0) === 0 ? "" : `${status.counts?.failed} failed`,
      moneyText(status),
      plain(status.why),
      status.waits[0] === undefined ? "" : `until ${pointInTime(status.waits[0].until, app.clock.now())}`,
    ]),
  );
}

function statusLines(app: App, status: BatchStatus): readonly string[] {
  const paint = painter(app.terminal);
  const now = app.clock.now();
  const { counts, seats, slots, waits } = status;
  return [
    `${paint("bold", status.batch)}  ${stateWord(status, paint)}  ${plain(status.why)}`,
    ...labelled([
      ["version", status.version],
      ["jobs", counts === null ? String(status.jobs) : countsText(counts)],
      ["attempts", counts === null ? "" : String(counts.attempts)],
      ["money", moneyText(status)],
      ["seats", seats.length === 0 ? "none taken" : `${count(seats.length, "supervisor")} with up to ${count(slots, "slot")} each`],
      ...waits.map((wait): readonly [string, string] => ["waits", waitText(wait, seats, now)]),
      ["asked", status.request === "none" || status.state === "closed" ? "" : status.request],
      ["added", pointInTime(status.addedAt, now)],
      ["ended", status.closedAt === null ? "" : pointInTime(status.closedAt, now)],
      ["archive", status.archivedTo ?? ""],
    ]).map((line) => `  ${line}`),
    ...((counts?.failed ?? 0) === 0
      ? []
      : [`  see the failed ones: midwatch batch report ${status.batch}; another try: midwatch batch retry ${status.batch}`]),
  ];
}

/** `until 03:12:00: the provider's limit is reached (429)`. */
function waitText({ until, reason, seat }: BatchStatus["waits"][number], seats: readonly string[], now: number): string {
  return `until ${pointInTime(until, now)}: ${plain(reason)}${seats.length > 1 ? ` (seat ${seat})` : ""}`;
}

function countsText({ done, running, pending, failed }: BatchCounts): string {
  return `${done + running + pending + failed}: ${done} done, ${running} running, ${pending} pending, ${failed} failed`;
}

function stateWord({ state, seats }: BatchStatus, paint: Paint): string {
  if (state === "open") return seats.length === 0 ? paint("yellow", "WAITS") : paint("green", "RUNNING");
  return state === "paused" ? paint("yellow", "PAUSED") : state.toUpperCase();
}

/** What was spent for certain, what is held for calls that are under way or unknown, and how many calls may have cost more. */
export function moneyText({ money: { spentMicroUsd, heldMicroUsd, capMicroUsd, calls, unknown } }: Pick<BatchStatus, "money">): string {
  const held = heldMicroUsd === 0 ? "" : `, ${money(heldMicroUsd)} held`;
  const unsure = unknown === 0 ? "" : `, at least: ${count(unknown, "call")} unknown`;
  return `${money(spentMicroUsd)} of ${money(capMicroUsd)} in ${count(calls, "call")}${held}${unsure}`;
}
