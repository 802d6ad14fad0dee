/** What git would take in right now, as texts: what is new and what is changed, and nothing that it ignores. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorkspace } from "../../src/adapters/git/workspace.ts";
import { gitEnv, makeFolder, makeRepository, makeTrap } from "../fixtures/repositories.ts";
import { locate } from "./workspace-kit.ts";

const look = async (top: string) => openWorkspace(gitEnv, await locate(top)).changedTexts();

test("new, changed and staged files are there, ignored and unchanged ones are not", async () => {
  const repo = makeRepository();
  const put = (path: string, text: string) => writeFileSync(join(repo.path, path), text);
  mkdirSync(join(repo.path, "new folder"));
  put(".gitignore", ".env\n");
  put("kept.txt", "kept");
  put("edited.txt", "before");
  repo.git("add", "-A");
  repo.git("commit", "-q", "-m", "first");
  put("edited.txt", "after");
  put(".env", "secret");
  put("new folder/é.txt", "new");
  put("staged.txt", "staged");
  repo.git("add", "staged.txt");
  put("large.bin", "x".repeat(300 * 1024));
  const texts = await look(repo.path);
  const relative = [...texts].map(([path, text]) => [path.slice(repo.path.length + 1), text]).sort();
  expect(relative).toEqual([
    ["edited.txt", "after"],
    ["new folder/é.txt", "new"],
    ["staged.txt", "staged"],
  ]);
});

test("no program of the repository is started for it", async () => {
  const repo = makeRepository();
  const trap = makeTrap(makeFolder());
  writeFileSync(join(repo.path, ".gitattributes"), "* filter=x\n");
  writeFileSync(join(repo.path, "a.txt"), "a");
  repo.git("add", "-A");
  repo.git("commit", "-q", "-m", "first");
  repo.git("config", "filter.x.clean", trap.program);
  repo.git("config", "core.fsmonitor", trap.program);
  writeFileSync(join(repo.path, "a.txt"), "b");
  await look(repo.path);
  expect(existsSync(trap.marker)).toBe(false);
});
