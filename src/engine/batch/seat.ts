/**
 * A seat of a batch: which of its supervisors we are. The kernel's lock says that whoever sat here before is dead, so what it left is cleared away at once: its
 * processes ended, its open calls given up, its jobs returned, in this order, so that no job is worked on twice.
 */
import { MidwatchError } from "../../core/error.ts";
import { faultPoint } from "../../faults.ts";
import type { BatchRecord } from "../../ports/batch-store.ts";
import { type BatchPorts, batchFolder } from "./context.ts";
import { momentOf } from "./held-claims.ts";

export interface Seat {
  readonly name: string;
  /** Jobs that went back. */
  readonly returned: number;
  release(): void;
}

/** More supervisors on one batch than anybody starts on purpose. */
const mostSeats = 64;
/** More slots than a supervisor has had: all are swept. */
const mostSlots = 64;

export async function takeSeat(ports: BatchPorts, batch: BatchRecord): Promise<Seat> {
  for (let number = 0; number < mostSeats; number += 1) {
    const folder = `${batchFolder(ports.stateFolder, batch.name)}/seats/${number}`;
    await ports.files.makeFolder(folder);
    const lock = await ports.locks.acquire(folder);
    if (lock.kind === "held") return clear(ports, batch, String(number), lock.release);
  }
  throw new MidwatchError("busy", "E_BATCH_SEATS", `${mostSeats} supervisors work on batch ${batch.name} already`, {
    hint: "stop one of them",
  });
}

async function clear(ports: BatchPorts, batch: BatchRecord, seat: string, release: () => void): Promise<Seat> {
  try {
    const { store, processes, clock } = ports;
    const slots = await usedSlots(ports, batch.name, seat);
    if (slots.length > 0)
      await processes.sweep(
        slots.map((slot) => slotMark(batch, slot)),
        null,
      );
    faultPoint("seat.swept");
    await store.ledger.giveUp({ batch: batch.name, seat }, clock.now());
    faultPoint("seat.calls-given-up");
    const returned = await store.batches.returnSeat(batch.name, seat, momentOf(clock));
    faultPoint("seat.taken");
    return { name: seat, returned, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** A slot has a folder from its first job on. */
async function usedSlots({ files, stateFolder }: BatchPorts, batch: string, seat: string): Promise<readonly string[]> {
  const used: string[] = [];
  for (const slot of slotNames(seat, mostSlots)) if (await files.exists(slotFolder(batchFolder(stateFolder, batch), slot))) used.push(slot);
  return used;
}

export function slotFolder(folder: string, slot: string): string {
  return `${folder}/slots/${slot}`;
}

/** Of a seat's slots, from 1. */
export function slotNames(seat: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${seat}.${index + 1}`);
}

/** By which the processes of a slot's job are found. One job at a time has it; a batch of the same name in another state folder was added at another moment. */
export function slotMark({ name, addedAt }: BatchRecord, slot: string): string {
  return `batch:${name}:${addedAt.toString(36)}:${slot}`;
}
