/** What a tool call does, in one line for people (A4): the command, the file, the kind of subagent, the pattern. */
import type { JsonObject } from "../../../core/json.ts";
import { cleanLine } from "../clean-text.ts";
import { stringAt } from "./json-fields.ts";

export const maxSummaryLength = 200;

/** The first of these that a call has is the one to show. */
const tellingFields = ["command", "file_path", "notebook_path", "pattern", "url", "query", "skill", "path", "description", "prompt"];

export function summarizeTool(input: JsonObject): string {
  const subagent = stringAt(input, "subagent_type");
  if (subagent !== undefined) return cleanLine(`${subagent}: ${stringAt(input, "description") ?? ""}`.replace(/: $/, ""), maxSummaryLength);
  const field = tellingFields.find((key) => typeof input[key] === "string") ?? firstText(input);
  return field === undefined ? "" : cleanLine(stringAt(input, field) ?? "", maxSummaryLength);
}

function firstText(input: JsonObject): string | undefined {
  for (const key in input) if (typeof input[key] === "string") return key;
  return undefined;
}
