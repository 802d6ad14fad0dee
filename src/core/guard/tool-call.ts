/**
 * A tool call as an action, by the names that Claude Code gives its tools and their inputs. A call that lacks what its tool needs, or has it in
 * another shape, is broken: never an empty command, never a guess. A tool that is not known is judged by the texts in its input.
 */
import type { Action, ToolInput } from "./action.ts";

type Fields = Readonly<Record<string, unknown>>;

const mostInputs = 2_000;

/** The action behind a call of `tool` with `input`, in the folder `cwd`. */
export function readToolCall(tool: string, input: unknown, cwd: string): Action {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return broken(tool, "its input is no object");
  const fields = input as Fields;
  switch (tool) {
    case "Bash":
      return typeof fields["command"] === "string"
        ? { kind: "shell", command: fields["command"], cwd }
        : broken(tool, "its command is no text");
    case "Write":
      return writeOf(tool, fields["file_path"], [fields["content"]], { cwd, isWhole: true });
    case "Edit":
      return writeOf(tool, fields["file_path"], [fields["new_string"]], { cwd, isWhole: false });
    case "MultiEdit":
      return writeOf(tool, fields["file_path"], newStrings(fields["edits"]), { cwd, isWhole: false });
    case "NotebookEdit":
      return writeOf(tool, fields["notebook_path"], [fields["new_source"] ?? ""], { cwd, isWhole: false });
    case "Read":
      return typeof fields["file_path"] === "string" ? { kind: "read", path: fields["file_path"] } : broken(tool, "its path is no text");
    case "PowerShell":
      return broken(tool, "PowerShell is not understood, use Bash");
    case "WebFetch":
      return typeof fields["url"] === "string" ? { kind: "fetch", url: fields["url"] } : broken(tool, "its address is no text");
    default:
      return toolOf(tool, fields, cwd);
  }
}

function broken(tool: string, why: string): Action {
  return { kind: "broken", reason: `a call of ${tool.replace(/[^\w.-]/g, "").slice(0, 60)} that cannot be read: ${why}` };
}

function newStrings(edits: unknown): readonly unknown[] {
  if (!Array.isArray(edits)) return [undefined];
  return edits.map((edit: unknown) => (typeof edit === "object" && edit !== null && "new_string" in edit ? edit.new_string : undefined));
}

function writeOf(tool: string, path: unknown, texts: readonly unknown[], { cwd, isWhole }: { cwd: string; isWhole: boolean }): Action {
  if (typeof path !== "string") return broken(tool, "its path is no text");
  if (!texts.every((text) => typeof text === "string")) return broken(tool, "what it writes is no text");
  return { kind: "write", path, cwd, text: texts.join("\n"), isWhole };
}

/** `mcp__server__tool` belongs to a server. */
function toolOf(tool: string, fields: Fields, cwd: string): Action {
  const [prefix, server, ...rest] = tool.split("__");
  const isOfServer = prefix === "mcp" && server !== undefined && rest.length > 0;
  const inputs: ToolInput[] = [];
  if (!collect("", fields, inputs, 0)) return broken(tool, "its input is too large");
  return { kind: "tool", name: isOfServer ? rest.join("__") : tool, server: isOfServer ? server : null, inputs, cwd };
}

/** Every text of the input with the name of the field that holds it; false where there is too much. */
function collect(name: string, value: unknown, inputs: ToolInput[], depth: number): boolean {
  if (typeof value === "string") inputs.push({ name, text: value });
  if (typeof value === "number" || typeof value === "boolean") inputs.push({ name, text: String(value) });
  if (inputs.length > mostInputs || depth > 32) return false;
  if (Array.isArray(value)) return value.every((item: unknown) => collect(name, item, inputs, depth + 1));
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, item]) => collect(key, item, inputs, depth + 1));
}
