/**
 * Fault points: named steps where a test may kill, fail or delay the program.
 * Engine and adapters call `faultPoint(name)`; the build of the published file defines MIDWATCH_FAULTS as false, the
 * function becomes empty and the bundler drops every call together with its name. A test proves it on the built file.
 *
 * Only in the test build: MIDWATCH_FAULT = `kill:NAME[:N]` | `fail:NAME[:N]:CODE` | `kill-nth:N`; a point is hit at its Nth passing (default 1).
 * MIDWATCH_FAULT_LOG names a file that receives each passed point, one a line.
 */
import { appendFileSync } from "node:fs";

declare const MIDWATCH_FAULTS: boolean | undefined;

const passed = new Map<string, number>();
let total = 0;

export function faultPoint(name: string): void {
  if (typeof MIDWATCH_FAULTS !== "undefined" && MIDWATCH_FAULTS) hit(name);
}

function hit(name: string): void {
  const count = (passed.get(name) ?? 0) + 1;
  passed.set(name, count);
  total += 1;
  const log = process.env["MIDWATCH_FAULT_LOG"];
  if (log) appendFileSync(log, `${name}\n`);
  const [action, target, nth, code] = (process.env["MIDWATCH_FAULT"] ?? "").split(/:(?!\/)/);
  if (action === "kill-nth" && Number(target) === total) process.kill(process.pid, "SIGKILL");
  if (target !== name || Number(nth ?? 1) !== count) return;
  if (action === "kill") process.kill(process.pid, "SIGKILL");
  if (action === "fail") throw Object.assign(new Error(`${code}: fault at ${name}`), { code });
}
