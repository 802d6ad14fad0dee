/** `midwatch doctor`: what a night needs, looked at now. Sends nothing and costs nothing. */

import { MidwatchError } from "../core/error.ts";
import { describeGroundProblem, groundProblems } from "../core/ground.ts";
import type { RunSettings } from "../core/run-settings.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { App } from "./app.ts";
import type { JsonOption } from "./command.ts";
import { json, painter, plain } from "./print.ts";

type Level = "ok" | "warn" | "fail";

interface Finding {
  readonly what: string;
  readonly level: Level;
  readonly detail: string;
}

/** As long as the config does not read. */
const usualBookkeeping = ["midwatch.jsonc", "tasks.md", ".midwatch"];

export async function doctorCommand(app: App, options: JsonOption): Promise<number> {
  const findings: Finding[] = [{ what: "midwatch", level: "ok", detail: app.version }];
  const look = async (what: string, work: () => Promise<Omit<Finding, "what">>) => {
    findings.push({
      what,
      ...(await work().catch((error: unknown): Omit<Finding, "what"> => ({ level: "fail", detail: sentence(error) }))),
    });
  };
  await look("state folder", async () => {
    const trouble = await app.checkStore();
    return trouble === null ? { level: "ok", detail: app.folders.state } : { level: "fail", detail: trouble };
  });
  const workspace = await app.workspace().catch((error: unknown) => error);
  if (isWorkspace(workspace)) await lookAtTree(app, workspace, look);
  else findings.push({ what: "working tree", level: "fail", detail: sentence(workspace) });
  await look("containment", async () => {
    const { containment } = await app.processes("auto");
    return containment.kind === "namespace"
      ? { level: "ok", detail: "each agent ends with all its descendants" }
      : { level: "warn", detail: `partial: ${containment.why}` };
  });
  print(app, findings, options.json === true);
  return findings.some(({ level }) => level === "fail") ? 1 : 0;
}

type Look = (what: string, work: () => Promise<Omit<Finding, "what">>) => Promise<void>;

async function lookAtTree(app: App, workspace: Workspace, look: Look): Promise<void> {
  let settings: RunSettings | null = null;
  await look("config", async () => {
    const config = await app.loadConfig(workspace.location.top, []);
    settings = await config.settings(null);
    const read = [config.files.user, config.files.project].filter((file) => file !== null).join(", ") || "only defaults";
    return config.warnings.length === 0 ? { level: "ok", detail: read } : { level: "warn", detail: config.warnings.join("; ") };
  });
  await look("working tree", async () => {
    const problems = groundProblems(await workspace.inspect(settings?.bookkeeping ?? usualBookkeeping), { branch: null });
    return problems.length === 0
      ? { level: "ok", detail: workspace.location.top }
      : { level: "fail", detail: problems.map(describeGroundProblem).join("; ") };
  });
  if (settings !== null) await lookAtSettings(app, workspace, settings, look);
}

async function lookAtSettings(app: App, workspace: Workspace, settings: RunSettings, look: Look): Promise<void> {
  await look("plan", () => planFinding(app, workspace, settings));
  await look("agent", async () => {
    const store = await app.openStore("write");
    if (store === null) return { level: "fail", detail: "there is no store" };
    try {
      const ports = await app.runPorts({ store, workspace, settings });
      const probe = await ports.agent.probe(ports.agentEnv);
      return probe.kind === "found"
        ? { level: "ok", detail: [probe.path, probe.version].filter(Boolean).join(" ") }
        : { level: "fail", detail: probe.detail };
    } finally {
      await store.close();
    }
  });
}

async function planFinding(app: App, workspace: Workspace, { plan }: RunSettings): Promise<Omit<Finding, "what">> {
  const file = await app.files.readText(`${workspace.location.top}/${plan.path}`, 5 * 1024 * 1024);
  if (file.kind !== "text")
    return {
      level: "fail",
      detail: file.kind === "absent" ? `${plan.path} is not there; make one with: midwatch init` : `${plan.path}: ${file.detail}`,
    };
  const parsed = app.plans.parse(plan.path, file.text);
  if (parsed.kind === "broken")
    return { level: "fail", detail: `${plan.path}${parsed.line > 0 ? `:${parsed.line}` : ""}: ${parsed.reason}` };
  const unchecked = parsed.tasks.filter((task) => !task.ticked && task.criteria.every((criterion) => criterion.kind === "prose"));
  const open = parsed.tasks.filter((task) => !task.ticked).length;
  if (unchecked.length === 0) return { level: "ok", detail: `${plan.path}: ${open} of ${parsed.tasks.length} tasks open` };
  return {
    level: "warn",
    detail: `${plan.path}: ${open} of ${parsed.tasks.length} tasks open; ${unchecked.length} have no criterion that can be run: ${unchecked
      .slice(0, 5)
      .map((task) => task.key)
      .join(", ")}`,
  };
}

function print(app: App, findings: readonly Finding[], asJson: boolean): void {
  const paint = painter(app.terminal);
  const color = { ok: "green", warn: "yellow", fail: "red" } as const;
  const lines = findings.map(({ what, level, detail }) => `${paint(color[level], level.padEnd(4))}  ${what.padEnd(13)} ${plain(detail)}`);
  app.terminal.out(asJson ? json({ findings }) : `${lines.join("\n")}\n`);
}

function sentence(error: unknown): string {
  if (error instanceof MidwatchError) return error.hint === "" ? error.message : `${error.message}; ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}

function isWorkspace(value: unknown): value is Workspace {
  return typeof value === "object" && value !== null && "location" in value && "inspect" in value;
}
