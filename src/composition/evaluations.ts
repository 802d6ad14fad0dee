/** E7: evaluations have a folder and a key of their own. Prices are the person's and the same. */
import { openEvaluationSets } from "../adapters/evaluations/sets.ts";
import { createTreeLocks } from "../adapters/locks/tree-lock.ts";
import { createProcesses } from "../adapters/processes/processes.ts";
import { createIds } from "../adapters/system/ids.ts";
import type { App, Evaluations } from "../cli/app.ts";
import type { Environment } from "../config/folders.ts";
import { evaluationEnvironment, evaluationModelAccess } from "../config/model-access.ts";
import { batchPorts } from "./batch-ports.ts";
import { makeStore } from "./store.ts";

/** @param state  the folder of everything else, in which theirs is */
export function evaluationsIn(
  env: Environment,
  state: string,
  { terminal, clock, redactor }: Pick<App, "terminal" | "clock" | "redactor">,
): Evaluations {
  const folder = `${state}/eval`;
  return {
    makeStore: () => makeStore(folder, redactor),
    openSets: async (mode) => openEvaluationSets(folder, mode),
    locks: async () => createTreeLocks(folder),
    async batchPorts({ store, config: { jobs, evaluation } }) {
      const access = evaluationModelAccess(env, { agent: jobs, gateway: jobs.gateway, key: evaluation.key });
      return batchPorts({ store, jobs, terminal, clock, redactor, place: { state: folder, prices: state }, access });
    },
    async scoring({ jobs, evaluation }) {
      return {
        processes: createProcesses(jobs),
        env: evaluationEnvironment(env, jobs, evaluation.key),
        newMark: () => `score:${createIds(clock.now).newSecret()}`,
      };
    },
  };
}
