/** The list in a file that tasks are imported from, or whose marks are set. */
import { MidwatchError } from "../core/error.ts";
import type { ListReading } from "../ports/list-importer.ts";
import type { App } from "./app.ts";
import { tell } from "./layout.ts";
import { plain } from "./print.ts";

const mostBytes = 5 * 1024 * 1024;

export type ListFile = Extract<ListReading, { readonly kind: "list" }> & { readonly text: string };

/** Throws MidwatchError kind config for a file that is not there or does not read: all that is wrong with it is told, and nothing of it is taken. */
export async function readListFile(app: App, path: string): Promise<ListFile> {
  const file = await app.files.readText(path, mostBytes);
  if (file.kind !== "text")
    throw new MidwatchError("config", "E_LIST_FILE", file.kind === "absent" ? `${path} is not there` : `${path}: ${file.detail}`);
  const importers = await app.importers();
  const importer = importers.find((one) => one.knows(path, file.text)) ?? importers[0];
  const read = importer.read(path, file.text);
  if (read.kind === "list") return { ...read, text: file.text };
  const troubles = [read, ...(read.more ?? [])].map(({ line, reason }) => `${path}${line > 0 ? `:${line}` : ""}: ${reason}`);
  const [first = path, ...others] = troubles;
  if (others.length > 0) for (const trouble of troubles) tell(app.terminal, plain(trouble));
  throw new MidwatchError("config", "E_PLAN_BROKEN", others.length === 0 ? first : `${path} has ${troubles.length} troubles`, {
    hint: "nothing of it was taken: mend it, and see docs/spec/plan.md for what a list may be",
  });
}
