/** The system's time (port: `ports/clock.ts`). */
import { readFileSync } from "node:fs";
import type { Clock } from "../../ports/clock.ts";

/** A single timer of Node holds at most this; a longer sleep is made of several. */
const maxTimerMs = 2 ** 31 - 1;

export function createClock(): Clock {
  return {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    bootMs: () => Number(process.hrtime.bigint() / 1_000n) / 1000,
    bootId: readBootId(),
    localDate,
    nextTurn,
    sleep,
  };
}

function localDate(at: number): string {
  const date = new Date(at);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const until = performance.now() + ms;
  for (let leftMs = ms; leftMs > 0 && signal?.aborted !== true; leftMs = until - performance.now()) {
    await nap(Math.min(leftMs, maxTimerMs), signal);
  }
}

/** Resolves once, and takes its timer and its listener with it. */
function nap(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, Math.ceil(ms));
    signal?.addEventListener("abort", wake);
  });
}

/** Empty where the kernel gives none: then nothing can be said about an earlier boot. */
function readBootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return ""; // not Linux
  }
}
