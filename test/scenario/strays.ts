/** The processes of a night, found by the folder that stands in their environment. Only those are ever signalled. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** How long the kernel may take to clear away what was killed. */
const patienceMs = 2_000;

/** Living processes whose environment names the folder; empty where the system has no /proc. */
export function findStrays(folder: string): readonly number[] {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => readProc(pid, "environ").includes(folder) && !/^State:\s+[ZX]/m.test(readProc(pid, "status")));
}

/** Ends what is left after a moment's patience, and tells what it was. */
export async function endStrays(folder: string): Promise<readonly string[]> {
  for (const until = performance.now() + patienceMs; performance.now() < until; ) {
    if (findStrays(folder).length === 0) return [];
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return findStrays(folder).map((pid) => {
    const told = `${pid} ${readProc(pid, "cmdline").replaceAll("\0", " ").trim()}`;
    process.kill(pid, "SIGKILL");
    return told;
  });
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return ""; // it is gone, or is not ours to read
  }
}
