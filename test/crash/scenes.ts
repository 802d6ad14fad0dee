/** The nights that are swept: together they pass every named point of a run. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Expected } from "./checks.ts";
import { Night } from "./night.ts";
import { command } from "./program.ts";

export interface SweptNight {
  readonly name: string;
  readonly make: () => Promise<Night>;
  readonly expected: Omit<Expected, "deaths">;
  /** Points that are swept here too, though another night has passed them. */
  readonly again: readonly string[];
}

const writeBack = ["plan.before-write", "file.temp-written", "plan.written"];
const beginning = ["run.created", "store.syncTasks.after-commit", "store.setPlanText.after-commit"];

export const usual: Omit<Expected, "deaths"> = { windows: 3, questions: ["Ship T-4?"] };

const one = (key: string) => `- [ ] ${key} Write ${key}.txt\n  - file: ${key}.txt exists\n`;

export const scenes: readonly SweptNight[] = [
  { name: "a night of three windows", make: async () => new Night(), expected: usual, again: [] },
  {
    name: "a night that waits for a person",
    make: async () => new Night({ plan: one("Q-1") }),
    expected: { windows: 2, questions: ["Which colour?"] },
    again: ["store.ask.before-commit", "store.ask.after-commit"],
  },
  { name: "a night whose work was lost since", make: makeRelapse, expected: { windows: 1, questions: [] }, again: writeBack },
  { name: "a night that tries a failed task again", make: makeRetry, expected: { windows: 1, questions: [] }, again: beginning },
];

/** A task was done, and what it made is gone. */
async function makeRelapse(): Promise<Night> {
  const night = new Night({ plan: one("R-1") });
  await night.start(command).ended;
  night.repo.git("rm", "--quiet", "R-1.txt");
  night.repo.commit("lost");
  night.begin();
  return night;
}

/** A task has failed in an earlier run, for want of an agent that worked. */
async function makeRetry(): Promise<Night> {
  const night = new Night({ plan: one("F-1"), limits: { attemptsPerTask: 2 } });
  writeFileSync(join(night.folder, "idle"), "");
  await night.start(command).ended;
  rmSync(join(night.folder, "idle"));
  night.begin();
  return night;
}
