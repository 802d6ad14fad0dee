/** Keys of tasks: how they are compared, and how they are made where the person gives none. */
import { type TaskKey, taskKey } from "./ids.ts";

/** How keys are compared: `t1` is T1. */
export function nameOf(key: string): string {
  return key.toUpperCase();
}

/** Gives T1, T2, … one after the other, but for those that are taken. */
export function keyMaker(taken: Iterable<string>): () => TaskKey {
  const names = new Set([...taken].map(nameOf));
  let next = 0;
  return () => {
    do next += 1;
    while (names.has(`T${next}`));
    return taskKey(`T${next}`);
  };
}
