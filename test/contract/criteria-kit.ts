/** One criterion measured with the real adapters, in a repository of its own. What must hold after each: nothing that it started is left. */
import { dirname } from "node:path";
import { onTestFinished } from "vitest";
import { createFiles } from "../../src/adapters/files/files.ts";
import { openWorkspace } from "../../src/adapters/git/workspace.ts";
import { createProcesses } from "../../src/adapters/processes/processes.ts";
import { createClock } from "../../src/adapters/system/clock.ts";
import { createWeb } from "../../src/adapters/web/web.ts";
import { parseXml } from "../../src/adapters/xml/xml.ts";
import { parseCriterion } from "../../src/core/criteria/parse.ts";
import type { Evidence } from "../../src/core/evidence.ts";
import { checkCriteria } from "../../src/engine/criteria/check.ts";
import type { Measuring } from "../../src/engine/criteria/measuring.ts";
import { gitEnv, makeRepository, type Repository } from "../fixtures/repositories.ts";
import { newMark } from "./processes-kit.ts";
import { locate } from "./workspace-kit.ts";

export interface Bench {
  readonly repo: Repository;
  readonly measuring: Measuring;
  measure(line: string): Promise<Evidence>;
  /** A person says stop at once. */
  stop(): void;
}

export interface Setting {
  readonly files?: Readonly<Record<string, string>>;
  readonly criterionMs?: number;
  readonly change?: Partial<Measuring>;
}

const processes = createProcesses({ containment: "partial" });

export async function openBench({ files = {}, criterionMs = 20_000, change = {} }: Setting = {}): Promise<Bench> {
  const repo = makeRepository();
  const base = repo.commit("the base", files);
  const mark = newMark();
  let isStopped = false;
  const listeners = new Set<() => void>();
  const env = { PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`, HOME: gitEnv["HOME"] ?? "" };
  const measuring: Measuring = {
    ports: {
      ...{ processes, files: createFiles(), workspace: openWorkspace(gitEnv, await locate(repo.path)), clock: createClock() },
      ...{ web: createWeb(), parseXml, criterionEnv: env },
    },
    mark,
    limits: { criterionMs, graceMs: 200 },
    bookkeeping: [],
    base: async () => base,
    stop: {
      isSaid: () => isStopped,
      onSaid(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    onRan: () => undefined,
    spend: async () => null,
    approval: async () => ({ kind: "not-asked", changedSince: false }),
    ...change,
  };
  onTestFinished(async () => {
    const left = await processes.sweep(mark, null);
    if (left > 0) throw new Error(`${left} processes were left behind`);
  });
  return {
    repo,
    measuring,
    async measure(line) {
      const [evidence] = await checkCriteria(measuring, [criterionOf(line)], { commit: base, window: null });
      if (evidence === undefined) throw new Error(`${line} measured nothing`);
      return evidence;
    },
    stop() {
      isStopped = true;
      for (const listener of listeners) listener();
    },
  };
}

function criterionOf(line: string) {
  const criterion = parseCriterion(line);
  if (criterion.kind === "malformed") throw new Error(`${line}: ${criterion.reason}`);
  return criterion;
}
