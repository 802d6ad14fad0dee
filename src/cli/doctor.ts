/** `midwatch doctor`: what a night needs, looked at now. Costs nothing: all that leaves is one request without a key to each provider. */

import { MidwatchError } from "../core/error.ts";
import { isUnchecked } from "../core/fit.ts";
import { describeGroundProblem, groundProblems } from "../core/ground.ts";
import { settingsPlaces } from "../core/repository-settings.ts";
import { guardOf, type RunSettings } from "../core/run-settings.ts";
import type { SandboxState } from "../core/sandbox/place.ts";
import { settingsRefusal } from "../engine/repository-settings.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { App } from "./app.ts";
import type { JsonOption } from "./command.ts";
import { columns, showLines } from "./layout.ts";
import { lookAtPlan } from "./plan-look.ts";
import { count, json, painter, plain, someOf } from "./print.ts";
import { describeLeft, readLeft, withStore } from "./take-up.ts";

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
  await look("secrets", async () => secretsFinding(app));
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
  const { top } = workspace.location;
  await look("plan", () => planFinding(app, workspace, settings));
  await lookAtAgent(app, top, settings, look);
  await look("repository", () => repositoryFinding(app, workspace, settings));
  let hasAccess = false;
  await look("models", async () => {
    const detail = await app.describeModelAccess(settings);
    hasAccess = true;
    const unpriced = await app.unpricedModel(settings);
    if (unpriced !== null) throw unpriced;
    return { level: "ok", detail };
  });
  if (hasAccess) await look("provider", () => providerFinding(app, settings));
  await look("sandbox", async () => describeSandbox(await app.trySandbox(workspace, settings)));
  await look("commits", () => identityFinding(app, top, settings));
  const left = await readLeft(app, top);
  if (left !== null) await look("unfinished", async () => ({ level: "ok", detail: `${describeLeft(left)}; midwatch run goes on with it` }));
}

async function lookAtAgent(app: App, top: string, settings: RunSettings, look: Look): Promise<void> {
  const seen: Awaited<ReturnType<App["examineAgent"]>>[] = [];
  await look("agent", async () => {
    const examined = await app.examineAgent(settings);
    seen.push(examined);
    const { probe } = examined;
    return probe.kind === "found"
      ? { level: "ok", detail: [probe.path, probe.version].filter(Boolean).join(" ") }
      : { level: "fail", detail: [probe.detail, probe.hint].filter(Boolean).join("; ") };
  });
  for (const { probe, findings } of seen) {
    for (const { what, ...finding } of findings) await look(what, async () => finding);
    if (probe.kind === "found" && guardOf(settings.agent) !== "none") await look("guards", () => guardFinding(app, top, probe.version));
  }
}

/** What is taken out of all that is kept, shown and sent. */
function secretsFinding({ redactor }: App): Omit<Finding, "what"> {
  const { known, tooShort } = redactor.names();
  const values =
    known.length === 0
      ? "no secret is known by value, keys are by their shape"
      : `known by value: ${someOf(known)}; other keys by their shape`;
  const detail = `${values}; none is kept in logs and store, shown, or sent to an agent`;
  if (tooShort.length === 0) return { level: "ok", detail };
  return { level: "warn", detail: `${detail}. Too short to be looked for: ${someOf(tooShort)}` };
}

/** What it brings for agents. */
async function repositoryFinding(app: App, workspace: Workspace, settings: RunSettings): Promise<Omit<Finding, "what">> {
  const repositorySettings = await app.repositorySettings(workspace);
  const refusal = await settingsRefusal({ repositorySettings }, settings);
  if (refusal !== null) throw refusal;
  const found = await repositorySettings.find(settingsPlaces(settings.agent));
  const how = settings.agent.repositorySettings === "ignored" ? "left out" : "approved";
  return {
    level: "ok",
    detail: found.length === 0 ? "brings no settings for agents" : `its ${count(found.length, "file")} of settings for agents: ${how}`,
  };
}

function describeSandbox(sandbox: SandboxState): Omit<Finding, "what"> {
  if (sandbox.kind === "on")
    return {
      level: "ok",
      detail: "an agent writes only in the tree, caches and its own folder, and sees no other process and nothing of ours",
    };
  const follows = "an agent can write wherever you can, and end what you can end";
  const mend = sandbox.wanted ? "; install bubblewrap, or run in a container" : "";
  return { level: "warn", detail: `none: ${sandbox.why}; ${follows}${mend}` };
}

/** Where calls pass through the gateway: elsewhere how the agent gets there is its own affair. */
async function providerFinding(app: App, settings: RunSettings): Promise<Omit<Finding, "what">> {
  const tried = await app.tryProviders(settings);
  const silent = tried.filter(({ trouble }) => trouble !== null).length;
  const said = tried.map(({ host, trouble }) =>
    trouble === null ? `${host} answers` : `${host} does not answer as it should: ${trouble}`,
  );
  return {
    level: silent === 0 ? "ok" : silent < tried.length ? "warn" : "fail",
    detail: said.join("; ") || "not asked: the agent goes there by itself",
  };
}

/** A proof holds for the run that made it. That one of this version was made here before is good to know. */
async function guardFinding(app: App, top: string, version: string): Promise<Omit<Finding, "what">> {
  const proved = await withStore(app, null, async (store) => {
    for (const { id } of await store.runs({ worktree: top, limit: 5 }))
      if ((await store.recentEvents(id, "guards.proved", 20)).some(({ data }) => data["version"] === version)) return id;
    return null;
  });
  const soon = "proved when a run starts, before anything is paid";
  return {
    level: "ok",
    detail:
      proved === null ? `not proved with ${version} here yet: they are ${soon}` : `held with ${version} in run ${proved}; again ${soon}`,
  };
}

async function planFinding(app: App, workspace: Workspace, { plan }: RunSettings): Promise<Omit<Finding, "what">> {
  const { tasks, notes } = await lookAtPlan(app, workspace, plan);
  if (plan.kind === "prompt") return { level: "ok", detail: `${plan.path}, a repeated prompt` };
  const open = tasks.filter((task) => task.state !== "done");
  const unchecked = open.filter(isUnchecked).map(({ key }) => key);
  const shown = `${unchecked.slice(0, 5).join(", ")}${unchecked.length > 5 ? ", …" : ""}`;
  const remarks = [
    ...(unchecked.length === 0 ? [] : [`no criterion of ${shown} can be run: a claim is taken unchecked`]),
    ...notes.slice(0, 5),
  ];
  return {
    level: remarks.length === 0 ? "ok" : "warn",
    detail: [`${plan.path}: ${open.length} of ${tasks.length} tasks open`, ...remarks].join("; "),
  };
}

/** By the environment that the agent gets. */
async function identityFinding(app: App, top: string, { agent }: RunSettings): Promise<Omit<Finding, "what">> {
  const identity = await app.gitIdentity(top, agent);
  if (identity === null) return { level: "warn", detail: "git does not tell who commits" };
  const unset = (["name", "email"] as const).filter((word) => !identity[word]);
  if (unset.length === 0) return { level: "ok", detail: "git knows a name and an address for them" };
  const names = unset.map((word) => `user.${word}`);
  return {
    level: "warn",
    detail: `git has no ${names.join(" and no ")}: an agent that commits will fail; ${names.map((name) => `git config ${name} "…"`).join(" && ")}`,
  };
}

function print(app: App, findings: readonly Finding[], asJson: boolean): void {
  const paint = painter(app.terminal);
  const color = { ok: "green", warn: "yellow", fail: "red" } as const;
  const lines = columns(findings.map(({ what, level, detail }) => [paint(color[level], level), what, plain(detail)]));
  if (asJson) app.terminal.out(json({ findings }));
  else showLines(app.terminal, lines, 21);
}

function sentence(error: unknown): string {
  if (error instanceof MidwatchError) return error.hint === "" ? error.message : `${error.message}; ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}

function isWorkspace(value: unknown): value is Workspace {
  return typeof value === "object" && value !== null && "location" in value && "inspect" in value;
}
