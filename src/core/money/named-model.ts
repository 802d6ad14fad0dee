/** D7, before anything starts: a model that is named beforehand and has no price would have its first call refused, and the night would be over. */
import type { AgentSettings } from "../run-settings.ts";

/** What a run's agent will ask for, where the settings or its own environment say so; null = it says no model, or only an alias. */
export function namedModel(agent: AgentSettings, env: Readonly<Record<string, string>>): string | null {
  const named = agent.kind === "claude-code" ? (agent.model ?? env["ANTHROPIC_MODEL"] ?? "") : modelArgument(agent.command);
  const model = named.replace(/\[1m\]$/i, ""); // how Claude Code is told of a larger window; it does not stand on the wire
  // An alias (opus, sonnet, default) is letters alone; which model it is the program decides.
  return /^[a-z]*$/i.test(model) ? null : model;
}

/** The last one counts, as in most programs. */
function modelArgument(command: readonly string[]): string {
  return command.reduce((found, word, index) => {
    if (word.startsWith("--model=")) return word.slice("--model=".length);
    return command[index - 1] === "--model" ? word : found;
  }, "");
}

/** @param isPriced  by the upstream's name. Returns the model that no upstream of this agent has a price of. */
export function unpricedModel(
  agent: AgentSettings,
  env: Readonly<Record<string, string>>,
  isPriced: (provider: string, model: string) => boolean,
): string | null {
  const model = namedModel(agent, env);
  const providers = agent.kind === "claude-code" ? ["anthropic"] : ["anthropic", "openai"];
  return model === null || providers.some((provider) => isPriced(provider, model)) ? null : model;
}
