/** Tasks of a board, written short. */
import { taskKey } from "../../src/core/ids.ts";
import type { Task } from "../../src/core/task.ts";

type Rest = Partial<Omit<Task, "key" | "dependsOn">> & { readonly after?: readonly string[] };

export function boardTask(key: string, { after = [], ...rest }: Rest = {}): Task {
  return {
    ...{ key: taskKey(key), keyGiven: true, title: `Task ${key}`, objective: "", criteria: [], context: [], priority: 1000, ticked: false },
    ...{ state: "pending", position: 0, attempts: 0, doneBy: null, reason: "", lastEvidence: "", owner: null },
    dependsOn: after.map(taskKey),
    ...rest,
  };
}
