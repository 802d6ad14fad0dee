/** The closing line of a turn. There can be several in one process; each has the running total. */
import type { AgentEvent, AgentResult, Tokens } from "../../../core/agent-event.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { cleanText } from "../clean-text.ts";
import { countAt, defined, microUsdAt, objectAt, stringAt, wordAt } from "./json-fields.ts";
import { readTokens } from "./message-line.ts";

/** Of a longer text the end is kept. */
const maxTextLength = 64 * 1024;

export function readResult(line: JsonObject): readonly AgentEvent[] | null {
  const subtype = wordAt(line, "subtype");
  if (subtype === undefined) return null; // another program's `result`
  const killed = objectAt(objectAt(line, "subagent_stats"), "killed");
  const denials = line["permission_denials"];
  const models = Object.values(objectAt(line, "modelUsage")).filter(isObject);
  const result = defined<AgentResult>({
    subtype,
    isError: line["is_error"] === true,
    terminalReason: wordAt(line, "terminal_reason"),
    apiErrorStatus: countAt(line, "api_error_status"),
    startupFailure: wordAt(line, "startup_failure_reason"),
    stopReason: wordAt(line, "stop_reason"),
    text: readText(line),
    turns: countAt(line, "num_turns") ?? 0,
    costMicroUsd: microUsdAt(line, "total_cost_usd"),
    costBasis: readCostBasis(models),
    tokens: readTotal(line, models),
    permissionDenials: Array.isArray(denials) ? denials.length : 0,
    subagentsKilledBySystem: countAt(killed, "system") ?? 0,
    hasDeferredTool: isObject(line["deferred_tool_use"]),
  });
  return [{ kind: "result", result }];
}

/** The last words, or the errors where there are none. For people. */
function readText(line: JsonObject): string {
  const errors = line["errors"];
  const said = stringAt(line, "result") || (Array.isArray(errors) ? errors.filter((error) => typeof error === "string").join("\n") : "");
  return cleanText(said, maxTextLength);
}

/** One model of unknown price makes the whole sum a guess. */
function readCostBasis(models: readonly JsonObject[]): string | undefined {
  const bases = models.map((model) => wordAt(model, "costBasis"));
  return bases.includes("unknown") ? "unknown" : bases.find((basis) => basis !== undefined);
}

/** Per model, subagents included, where the agent says so; else of the main conversation's last turn. */
function readTotal(line: JsonObject, models: readonly JsonObject[]): Tokens | undefined {
  if (models.length === 0) return isObject(line["usage"]) ? readTokens(line["usage"]) : undefined;
  const sum = (key: string) => models.reduce((total, model) => total + (countAt(model, key) ?? 0), 0);
  return {
    input: sum("inputTokens"),
    output: sum("outputTokens"),
    cacheRead: sum("cacheReadInputTokens"),
    cacheWrite: sum("cacheCreationInputTokens"),
  };
}
