/**
 * Asks the program from time to time what its window has cost so far: its stream tells only at the end. One question at a time; a program that does not
 * answer, or that knows no such question, is not asked again.
 */
import type { ChildProcess } from "../../../ports/processes.ts";
import { usageLine } from "./control-protocol.ts";

export interface CostQuestion {
  ask(child: Pick<ChildProcess, "write">): void;
  /** null = it does not say. */
  answered(costMicroUsd: number | null): void;
}

/** @param onSpend  absent = nobody wants to know, and nothing is asked */
export function createCostQuestion(onSpend: ((microUsd: number) => void) | undefined): CostQuestion {
  let mayAsk = onSpend !== undefined;
  return {
    ask(child) {
      if (!mayAsk) return;
      mayAsk = false;
      child.write(usageLine());
    },
    answered(costMicroUsd) {
      if (costMicroUsd === null) return;
      mayAsk = true;
      onSpend?.(costMicroUsd);
    },
  };
}
