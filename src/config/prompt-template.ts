/** The text that `prompt` names, or null for our own template. Relative to the user's folder when the user's file says it, else to the tree. */
import { dirname, resolve } from "node:path";
import { MidwatchError } from "../core/error.ts";
import { readSmallText } from "./file-text.ts";
import type { ResolvedConfig } from "./load.ts";

export async function readPromptTemplate({ value, origins, files, top }: ResolvedConfig): Promise<string | null> {
  if (value.prompt === null) return null;
  const origin = origins.get("prompt");
  const base = origin?.layer === "user" && files.user !== null ? dirname(files.user) : top;
  const path = base === null ? value.prompt : resolve(base, value.prompt);
  const file = await readSmallText(path);
  if (file.kind === "text" && file.text.trim() !== "") return file.text;
  const [trouble, remedy] =
    file.kind === "text"
      ? ["is empty", "write the prompt into it, or set it to null for ours"]
      : file.kind === "absent"
        ? ["is missing", "write that file, or set it to null for ours"]
        : [file.trouble, file.remedy];
  throw new MidwatchError("config", "E_PROMPT_TEMPLATE", `${origin?.place ?? "prompt"}: the prompt template ${path} ${trouble}`, {
    hint: remedy,
  });
}
