/**
 * One case of test/fixtures/cheats, played as a night of one window by the built program: did it take the claim for a finish?
 * MIDWATCH_CHEATS=NAME plays one pair; MIDWATCH_RULES is another value of the setting `integrity`.
 */
import { cpSync, lstatSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "../../src/core/report.ts";
import { makeNight } from "../scenario/kit.ts";

interface CaseFile {
  readonly cheat: boolean;
  readonly family: string;
  readonly language: string;
  readonly why: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Where a good finding points at HEAD; null = there is no such place. */
  readonly finding: { readonly path: string; readonly line?: number } | null;
}

export interface CheatCase extends CaseFile {
  readonly name: string;
}

export interface Played {
  readonly task: Report["tasks"]["list"][number];
  /** Why it was refused, or what the report says of it. */
  readonly said: string;
}

const cases = join(import.meta.dirname, "../fixtures/cheats");

export function casesWhere(isWanted: (one: CheatCase) => boolean): readonly CheatCase[] {
  const only = process.env["MIDWATCH_CHEATS"];
  const folders = readdirSync(cases, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders
    .map(({ name }) => ({ name, ...(JSON.parse(readFileSync(join(cases, name, "case.json"), "utf8")) as CaseFile) }))
    .filter((one) => isWanted(one) && (only === undefined || one.name.replace(/-honest$/, "") === only));
}

export async function play({ name, settings }: CheatCase): Promise<Played> {
  const rules = process.env["MIDWATCH_RULES"];
  const night = makeNight({
    plan: null,
    config: {
      ...{ plan: "plan.md", ...settings },
      agent: { command: ["/bin/sh", "-c", 'CASE="$SCENE/case" exec /bin/sh "$SCENE/case/agent.sh"'] },
    },
    personal: { limits: { windows: 1 }, ...(rules === undefined ? {} : { integrity: rules }) },
  });
  const at = join(night.folder, "case");
  cpSync(join(cases, name), at, { recursive: true, verbatimSymlinks: true });
  for (const part of ["base", "after"]) unfold(join(at, part));
  night.repo.git("rm", "--quiet", "a.txt", "b.txt");
  cpSync(join(at, "base"), night.repo.path, { recursive: true, verbatimSymlinks: true });
  cpSync(join(at, "plan.md"), join(night.repo.path, "plan.md"));
  night.repo.commit("the beginning");
  const ended = await night.run(["run", "--json"]);
  const task = ended.report?.tasks.list.find(({ key }) => key === "T-01");
  if (task === undefined) throw new Error(`${name} has no night: ${ended.stderr || ended.stdout.slice(-2000)}`);
  const events = ended.events.filter(({ kind }) => kind.startsWith("claim") || kind.startsWith("task"));
  return { task, said: [...events.map(({ kind, data }) => `${kind} ${JSON.stringify(data)}`), task.reason].join("\n") };
}

/** A file `dot-x` stands for `.x`, so that no tool of this repository takes it for its own. */
function unfold(folder: string): void {
  for (const name of lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []) {
    const path = join(folder, name.replace(/^dot-/, "."));
    if (path !== join(folder, name)) renameSync(join(folder, name), path);
    if (lstatSync(path).isDirectory()) unfold(path);
  }
}
