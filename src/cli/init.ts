/** `midwatch init`: writes what is missing, overwrites nothing, says each file. */
import { MidwatchError } from "../core/error.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { App } from "./app.ts";
import type { JsonOption } from "./command.ts";
import { wrap } from "./layout.ts";
import { json } from "./print.ts";

const planNames = ["tasks.md", "TASKS.md", "PLAN.md", "plan.md", "prd.json", "PRD.json"];

const samplePlan = `# Tasks

- [ ] T-01 Say what is to be done, in one line
  - command: npm test
  - file: README.md exists
- [ ] T-02 A second task, worked after the first
  - after: T-01
  - command: git log --oneline -1
`;

export async function initCommand(app: App, options: JsonOption): Promise<number> {
  const workspace = await app.workspace();
  const { top } = workspace.location;
  const plan = await findPlan(app, top);
  const done = [
    await writeMissing(app, workspace, "midwatch.jsonc", async () => withPlan(await app.defaultConfig(), plan ?? "tasks.md")),
    ...(plan === null ? [await writeMissing(app, workspace, "tasks.md", async () => samplePlan)] : [{ path: plan, what: "found" }]),
  ];
  await workspace.excludeFromGit("/.midwatch/");
  // What a killed write leaves beside the file that it was for.
  await workspace.excludeFromGit(".midwatch-*.tmp");
  done.push({ path: "/.midwatch/ (in .git/info/exclude)", what: "excluded" });
  const next = "set agent.command in midwatch.jsonc and write your tasks, then: midwatch doctor, midwatch run --dry-run, midwatch run";
  if (options.json) app.terminal.out(json({ files: done, next }));
  else {
    const lines = [...done.map(({ path, what }) => `${what.padEnd(10)} ${path}`), `next: ${next}`];
    app.terminal.out(`${lines.map((line) => wrap(line, app.terminal.columns.out, 6)).join("\n")}\n`);
  }
  return 0;
}

async function findPlan(app: App, top: string): Promise<string | null> {
  for (const name of planNames) if (await app.files.exists(`${top}/${name}`)) return name;
  return null;
}

async function writeMissing(
  app: App,
  { location }: Workspace,
  path: string,
  text: () => Promise<string>,
): Promise<{ readonly path: string; readonly what: string }> {
  const absolute = `${location.top}/${path}`;
  if (await app.files.exists(absolute)) return { path, what: "kept" };
  try {
    await app.files.writeAtomic(absolute, await text());
  } catch (cause) {
    throw new MidwatchError(
      "environment",
      "E_INIT",
      `${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause, hint: "see the rights of the folder, then run it again" },
    );
  }
  return { path, what: "wrote" };
}

/** The default file names tasks.md; a list that is there already takes its place. */
function withPlan(config: string, plan: string): string {
  return config.replace('"tasks.md"', JSON.stringify(plan));
}
