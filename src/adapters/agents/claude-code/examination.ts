/** What `doctor` tells of Claude Code beside where it is: whether it knows what we ask of it, who pays, and which MCP servers come along. */
import type { WindowId } from "../../../core/ids.ts";
import type { AgentFinding } from "../../../ports/agent.ts";
import type { ApprovedServers } from "./approved-servers.ts";
import { askProgram, type Question } from "./ask-program.ts";
import { claudeArguments } from "./command-line.ts";
import { findWallet } from "./wallet.ts";

/** Works in 2.1.332 without standing in its help. That it still does is what the proof of the guards shows. */
const hidden: ReadonlySet<string> = new Set(["--await-initialize"]);

export async function examineClaude(
  question: Omit<Question, "argument">,
  { servers, remarks }: ApprovedServers,
): Promise<readonly AgentFinding[]> {
  const names = Object.keys(servers);
  const come = names.length === 0 ? "none but ours" : `ours, and yours: ${names.join(", ")}`;
  return [
    { what: "switches", ...(await findSwitches(question)) },
    { what: "wallet", ...findWallet(question.env) },
    { what: "MCP servers", level: remarks.length === 0 ? "ok" : "warn", detail: [come, ...remarks].join("; ") },
  ];
}

async function findSwitches(question: Omit<Question, "argument">): Promise<Omit<AgentFinding, "what">> {
  const { lines, end } = await askProgram({ ...question, argument: "--help" });
  const known = new Set(lines.flatMap((line) => line.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? []));
  if (known.size === 0) return { level: "warn", detail: `it gives no help (${end.error ?? end.signal ?? `exit code ${end.code}`})` };
  const missing = switches().filter((name) => !known.has(name) && !hidden.has(name));
  if (missing.length === 0) return { level: "ok", detail: "it knows every one that a window uses" };
  return {
    level: "fail",
    detail: `it does not know ${missing.join(", ")}: no window can start; use a version that midwatch was tested with`,
  };
}

/** Those of a window with everything, from where they are written. */
function switches(): readonly string[] {
  const everything = { program: "", model: "any", projectMemory: "any", hasServers: true };
  const spec = { window: "" as WindowId, toolsUrl: "http://localhost", capMicroUsd: 1, isTrial: true };
  return claudeArguments(everything, spec).filter((argument) => /^--?[a-z]/.test(argument));
}
