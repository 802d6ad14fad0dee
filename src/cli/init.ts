/** `midwatch init`: writes what is missing, overwrites nothing, says each file. */
import { MidwatchError } from "../core/error.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { App, DefaultFileChoices, FoundAgent } from "./app.ts";
import type { JsonOption } from "./command.ts";
import { showLines } from "./layout.ts";
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
  const agents = await app.findAgents(top);
  const choice = await chooseAgent(app, top, agents);
  const done = [
    await writeMissing(app, workspace, "midwatch.jsonc", async () => withPlan(await app.defaultConfig(choice.file), plan ?? "tasks.md")),
    ...(plan === null ? [await writeMissing(app, workspace, "tasks.md", async () => samplePlan)] : [{ path: plan, what: "found" }]),
  ];
  await workspace.excludeFromGit("/.midwatch/");
  // What a killed write leaves beside the file that it was for.
  await workspace.excludeFromGit(".midwatch-*.tmp");
  done.push({ path: "/.midwatch/ (in .git/info/exclude)", what: "excluded" });
  const isNew = done[0]?.what === "wrote";
  const next = `${choice.isMade || !isNew ? "" : "set agent.command in midwatch.jsonc and "}write your tasks, then: midwatch doctor, midwatch run --dry-run, midwatch run`;
  if (options.json) app.terminal.out(json({ files: done, agents, next }));
  else {
    const agent = [...agents.map(({ name, path }) => `${name} at ${path}`), isNew ? choice.words : "midwatch.jsonc stays as it is"].join(
      "; ",
    );
    const lines = [...done.map(({ path, what }) => `${what.padEnd(10)} ${path}`), `agents     ${agent}`, `next: ${next}`];
    showLines(app.terminal, lines, 6);
  }
  return 0;
}

interface AgentChoice {
  readonly file: DefaultFileChoices;
  /** There is an agent that will do the work. */
  readonly isMade: boolean;
  readonly words: string;
}

/** How the prompt reaches them on standard input. What they may do then is theirs to ask and the person's to say. */
const examples: Readonly<Record<string, readonly [string, ...string[]]>> = {
  codex: ["codex", "exec", "-"],
  gemini: ["gemini", "--yolo"],
  opencode: ["opencode", "run"],
};

/** What the person's own settings say stands; else Claude Code, where it is; else a line to uncomment. */
async function chooseAgent(app: App, top: string, agents: readonly FoundAgent[]): Promise<AgentChoice> {
  if (await namesAgent(app, top)) return { file: {}, isMade: true, words: "your settings name the one to use" };
  if (agents.some(({ name }) => name === "claude"))
    return { file: { kind: "claude-code" }, isMade: true, words: "agent.kind is claude-code" };
  const shown = agents.flatMap(({ name }) => (examples[name] === undefined ? [] : [examples[name]]));
  if (shown.length > 0) return { file: { examples: shown }, isMade: false, words: "midwatch.jsonc has a line to uncomment" };
  return { file: {}, isMade: false, words: "none of claude, codex, gemini and opencode is in PATH; any program will do" };
}

async function namesAgent(app: App, top: string): Promise<boolean> {
  const config = await app.loadConfig(top, []).catch(() => null); // whatever does not read is told by doctor
  return config?.rows.some(({ path, origin }) => /^agent\.(kind|command)$/.test(path) && origin !== "default") ?? false;
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
