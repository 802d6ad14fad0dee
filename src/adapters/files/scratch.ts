/** A scratch folder: made by us, removed by us. */
import { access, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Scratch } from "../../ports/files.ts";

export async function makeScratch(): Promise<Scratch> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "midwatch-scratch-")));
  return {
    folder,
    async write(path, text, isProgram = false) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text, { mode: isProgram ? 0o700 : 0o600 });
    },
    exists: (path) =>
      access(join(folder, path)).then(
        () => true,
        () => false,
      ),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
