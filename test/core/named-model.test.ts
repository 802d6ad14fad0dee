import { describe, expect, test } from "vitest";
import { namedModel, unpricedModel } from "../../src/core/money/named-model.ts";
import type { AgentSettings } from "../../src/core/run-settings.ts";

const common = { passEnv: [], env: {}, containment: "auto", sandbox: "auto", writable: [] } as const;
const claude = (model: string | null): AgentSettings => ({ ...common, kind: "claude-code", program: "claude", model, mcpServers: "none" });
const command = (...args: string[]): AgentSettings => ({ ...common, kind: "command", command: ["agent", ...args] });
const environment = { ANTHROPIC_MODEL: "claude-from-env-4" };

describe("the model that is named beforehand", () => {
  test.each<[string, AgentSettings, Record<string, string>, string | null]>([
    ["is that of the settings", claude("claude-x-9"), {}, "claude-x-9"],
    ["is that of the settings before that of the environment", claude("claude-x-9"), environment, "claude-x-9"],
    ["is that of the environment", claude(null), environment, "claude-from-env-4"],
    ["is none where nobody names it", claude(null), {}, null],
    ["is none where the variable is empty", claude(null), { ANTHROPIC_MODEL: "" }, null],
    ["is not an alias", claude("opus"), environment, null],
    ["is not an alias of the environment", claude(null), { ANTHROPIC_MODEL: "Sonnet" }, null],
    ["is not an alias with a larger window", claude("sonnet[1m]"), {}, null],
    ["is named without the mark of a larger window", claude("claude-x-9[1m]"), {}, "claude-x-9"],
    ["stands behind --model of a command", command("--model", "gpt-x"), {}, "gpt-x"],
    ["stands in --model= of a command", command("--model=gpt-x", "-p"), {}, "gpt-x"],
    ["is the last one of a command", command("--model", "gpt-x", "--model=gpt-y"), {}, "gpt-y"],
    ["is none where --model ends the command", command("--model"), {}, null],
    ["is not another program's variable", command("-p"), environment, null],
  ])("%s", (_name, agent, env, model) => {
    expect(namedModel(agent, env)).toBe(model);
  });
});

describe("a model without a price", () => {
  const only = (known: string) => (provider: string) => provider === known;
  test.each<[string, AgentSettings, string, string | null]>([
    ["is named", claude("claude-x-9"), "nobody", "claude-x-9"],
    ["is one that its only provider has no price of", claude("claude-x-9"), "openai", "claude-x-9"],
    ["is not one that its provider has a price of", claude("claude-x-9"), "anthropic", null],
    ["is not one that any provider of a command has a price of", command("--model", "gpt-x"), "openai", null],
    ["is not an alias", claude("opus"), "nobody", null],
  ])("%s", (_name, agent, known, model) => {
    expect(unpricedModel(agent, {}, only(known))).toBe(model);
  });
});
