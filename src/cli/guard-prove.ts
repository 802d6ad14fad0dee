/** `midwatch guard prove`: the proof that stands before each run, by hand. The person's own program is led by a scripted provider on this machine: no key, no cost. */
import { MidwatchError } from "../core/error.ts";
import { guardOf } from "../core/run-settings.ts";
import { proveGuards } from "../engine/prove-guards.ts";
import type { App } from "./app.ts";
import { type JsonOption, withMadeStore } from "./command.ts";
import { showLines } from "./layout.ts";
import { json, painter, plain } from "./print.ts";

const notProved = 6;

export async function guardProveCommand(app: App, flags: JsonOption): Promise<number> {
  const workspace = await app.workspace();
  const settings = await (await app.loadConfig(workspace.location.top, [])).settings(null);
  if (guardOf(settings.agent) === "none")
    throw new MidwatchError("refused", "E_NO_GUARD", "this agent offers no guard: nothing of ours can stop a call of it", {
      hint: 'guards need "agent": { "kind": "claude-code" }; elsewhere the sandbox and the remote\'s own protection hold',
    });
  return withMadeStore(app, async (store) => {
    const ports = await app.runPorts({ workspace, settings, store });
    const probe = await ports.agent.probe(ports.agentEnv);
    if (probe.kind === "missing") throw new MidwatchError("refused", "E_AGENT_MISSING", probe.detail);
    const { proof, attempts } = await proveGuards({ ports, settings });
    await ports.doors.close();
    const value = { program: probe.path, version: probe.version, proof, attempts };
    if (flags.json) app.terminal.out(json(value));
    else show(app, value);
    return proof.kind === "proved" ? 0 : notProved;
  });
}

type Value = { readonly program: string; readonly version: string } & Awaited<ReturnType<typeof proveGuards>>;

function show(app: App, { program, version, proof, attempts }: Value): void {
  const paint = painter(app.terminal);
  const lines = attempts.map(({ name, must, trouble }) => {
    const held = { blocked: "is blocked", passes: "passes", withheld: "does not run without our answer" }[must];
    return trouble === null ? `${paint("green", "holds")}  ${name} ${held}` : `${paint("red", "fails")}  ${plain(trouble)}`;
  });
  const sum = proof.kind === "proved" ? "the guards hold" : `the guards do not hold: ${proof.failures.map(plain).join("; ")}`;
  showLines(app.terminal, [`${plain(program)} ${plain(version)}`, ...lines, sum]);
}
