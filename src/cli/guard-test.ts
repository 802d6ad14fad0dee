/** `midwatch guard test COMMAND` and `midwatch guard explain COMMAND`. */
import { MidwatchError } from "../core/error.ts";
import { type Grant, noPolicy, parseGrant } from "../core/guard/policy.ts";
import { type JudgedByHand, judgeByHand } from "../engine/judge-by-hand.ts";
import { maxPlanBytes } from "../engine/plan-file.ts";
import type { App } from "./app.ts";
import type { JsonOption } from "./command.ts";
import { placeOf } from "./criteria-bench.ts";
import { showLines } from "./layout.ts";
import { json, painter, plain } from "./print.ts";

export interface GuardFlags extends JsonOption {
  readonly tool?: string;
  readonly task?: string;
  readonly explains?: boolean;
}

const denied = 11;

export async function guardTestCommand(app: App, text: string, flags: GuardFlags): Promise<number> {
  const place = await placeOf(app, null);
  const { settings } = place;
  const own = settings.guard ?? noPolicy;
  const ofTask = flags.task === undefined ? [] : await grantsOfTask(app, place, flags.task);
  const ports = await app.guardPorts(place);
  const call = { name: flags.tool ?? "Bash", input: inputOf(text, flags.tool), cwd: app.currentFolder() };
  const judged = await judgeByHand(ports, { ...own, grants: [...own.grants, ...ofTask] }, call);
  if (flags.json) app.terminal.out(json(asValue(judged, flags.explains === true)));
  else showLines(app.terminal, linesOf(app, judged, flags.explains === true));
  return judged.verdict.kind === "allow" ? 0 : denied;
}

function inputOf(text: string, tool: string | undefined): unknown {
  if (tool === undefined || tool === "Bash") return { command: text };
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new MidwatchError("usage", "E_GUARD_INPUT", `the input of ${tool} must be JSON`, {
      hint: `for example: midwatch guard test --tool Write '{"file_path": "a.txt", "content": "a"}'`,
      cause,
    });
  }
}

async function grantsOfTask(
  app: App,
  { workspace, settings }: Awaited<ReturnType<typeof placeOf>>,
  wanted: string,
): Promise<readonly Grant[]> {
  const file = await app.files.readText(`${workspace.location.top}/${settings.plan.path}`, maxPlanBytes);
  const parsed = file.kind === "text" ? (await app.plans()).parse(settings.plan.path, file.text) : null;
  const task = parsed?.kind === "plan" ? parsed.tasks.find(({ key }) => key.toUpperCase() === wanted.toUpperCase()) : undefined;
  if (task === undefined) throw new MidwatchError("usage", "E_TASK_UNKNOWN", `there is no task ${wanted} in ${settings.plan.path}`);
  return (task.allows ?? []).flatMap((text) => {
    const read = parseGrant(text, task.key);
    return read.kind === "grants" ? read.grants : [];
  });
}

function asValue({ verdict, trace, ms }: JudgedByHand, explains: boolean): object {
  const read = { commands: trace.commands, variables: Object.fromEntries(trace.variables) };
  return { verdict, ms, ...(explains ? read : {}) };
}

function linesOf(app: App, judged: JudgedByHand, explains: boolean): readonly string[] {
  const paint = painter(app.terminal);
  const { verdict, ms } = judged;
  const head =
    verdict.kind === "allow"
      ? [paint("green", "passes"), ...(verdict.grants ?? []).map((grant) => `by ${plain(grant)}`)].join("  ")
      : `${paint("red", "denied")}  ${verdict.rule}`;
  const why = verdict.kind === "deny" ? [plain(verdict.reason), ...needsOf(verdict.needs)] : [];
  return [head, ...why, ...(explains ? readingOf(judged) : []), ...(explains ? [`judged in ${ms} ms`] : [])];
}

function needsOf(needs: string | undefined): readonly string[] {
  return [needs === undefined ? "nobody can grant it" : `a person can grant it below a task of the plan: ${plain(needs)}`];
}

function readingOf({ trace }: JudgedByHand): readonly string[] {
  const commands = trace.commands.map(({ words, depth, rule, grant }) => {
    const verdict = rule === null ? "" : grant === null ? `  <- ${rule}` : `  <- ${rule}, granted: ${grant}`;
    return `${"  ".repeat(Math.min(depth, 10))}${plain(words)}${plain(verdict)}`;
  });
  const variables = [...trace.variables].map(([name, values]) => `  ${plain(name)} = ${plain(values.join(" | "))}`);
  return [
    "read as:",
    ...(commands.length === 0 ? ["  no command"] : commands),
    ...(variables.length === 0 ? [] : ["variables:", ...variables]),
  ];
}
