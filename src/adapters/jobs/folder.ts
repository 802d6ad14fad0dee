/** Jobs from a folder: one a file, called as the file is. Hidden files are left out; anything that is no regular file is refused. */
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { JobSource } from "../../ports/job-list.ts";
import { readChecked } from "./checked-bytes.ts";
import { type Draft, keyPart } from "./draft.ts";
import { tooLarge, tooLargeHint } from "./lines.ts";
import { refuse } from "./refusal.ts";

const renameHint = "nothing was added: rename the file, or list the jobs in a file";

export function* readFolder({ path: given, maxBytes }: JobSource): Generator<Draft> {
  const folder = realpathSync(given);
  const names = readdirSync(folder).filter((name) => !name.startsWith("."));
  for (const name of names.sort()) {
    const path = join(folder, name);
    const place = { path, line: null };
    const found = lstatSync(path);
    if (!found.isFile()) throw refuse(place, "it is no regular file", "nothing was added: a folder of jobs holds regular files, one a job");
    const id = keyPart(place, name, renameHint);
    if (found.size > maxBytes) throw refuse(place, tooLarge(maxBytes), tooLargeHint);
    yield { place, id, payload: JSON.stringify({ path, text: Buffer.concat([...readChecked(path)]).toString() }) };
  }
}
