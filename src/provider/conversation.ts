/** Finds the step that answers a request. The request alone decides, so a retry and a restarted provider meet the same step. */
import { isObject } from "../core/json.ts";
import type { ConversationMatch, ProviderRequest, ProviderScript, ScriptStep } from "../ports/provider.ts";

/** All the words of a message: those of its text blocks and of the results of tools in it. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const blocks = content.filter(isObject);
  return blocks.map((block) => (typeof block["text"] === "string" ? block["text"] : textOf(block["content"]))).join("\n");
}

export interface FoundStep {
  readonly conversation: number;
  readonly step: ScriptStep;
}

const nothingFits: ScriptStep = { text: "No conversation of the script fits this request." };
const isOver: ScriptStep = { text: "The script is over." };

export function findStep({ conversations }: ProviderScript, request: ProviderRequest): FoundStep {
  const index = conversations.findIndex(({ when }) => fits(when, request));
  const steps = conversations[index]?.steps ?? [nothingFits];
  const step = typeof steps === "function" ? steps(request) : stepAt(steps, request.step);
  return { conversation: index, step };
}

function fits(when: ConversationMatch | undefined, request: ProviderRequest): boolean {
  return (["prompt", "system", "last"] as const).every((where) => request[where].includes(when?.[where] ?? ""));
}

function stepAt(steps: readonly ScriptStep[], number: number): ScriptStep {
  const last = steps.at(-1) ?? isOver;
  return steps[number] ?? (last.tools === undefined || last.fault !== undefined ? last : isOver);
}
