/** What git's settings are for the agent: the machine's, the user's and the repository's, as they are at that moment, in the folder that is asked about. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorkspace } from "../../src/adapters/git/workspace.ts";
import type { GitSettings } from "../../src/core/guard/git-settings.ts";
import { gitEnv, makeFolder, makeRepository, makeTrap, repositoryAt } from "../fixtures/repositories.ts";
import { locate } from "./workspace-kit.ts";

async function look(top: string, folder: string, env: Readonly<Record<string, string>> = gitEnv): Promise<GitSettings | null> {
  return openWorkspace(gitEnv, await locate(top)).gitSettings(folder, env);
}

test("aliases of the user and of the repository, with what the files include, and all that leads a push", async () => {
  const repo = makeRepository();
  const home = makeFolder();
  const trap = makeTrap(home);
  writeFileSync(
    join(home, ".gitconfig"),
    `[alias]\n\tst = status\n\tci = commit\n[include]\n\tpath = more.conf\n[help]\n\tautocorrect = 10\n`,
  );
  writeFileSync(
    join(home, "more.conf"),
    `[alias]\n\tmore = "!${trap.program}"\n[url "https://b/"]\n\tinsteadOf = a:\n[core]\n\tfsmonitor = ${trap.program}\n`,
  );
  repo.git("config", "alias.ST", "status -sb");
  repo.git("config", "alias.Two.command", "!echo\ntwo");
  repo.git("remote", "add", "origin", "a:x.git");
  repo.git("config", "branch.main.pushRemote", "origin");
  const { GIT_CONFIG_GLOBAL: _none, ...env } = gitEnv;
  const settings = await look(repo.path, repo.path, { ...env, HOME: home });
  expect([...(settings?.aliases ?? [])]).toEqual([
    ["st", "status -sb"],
    ["ci", "commit"],
    ["more", `!${trap.program}`],
    ["Two.command", "!echo\ntwo"],
  ]);
  expect([settings?.routes, settings?.guesses]).toEqual([
    [
      { key: "url.https://b/.insteadof", value: "a:" },
      { key: "remote.origin.url", value: "a:x.git" },
      { key: "branch.main.pushremote", value: "origin" },
    ],
    true,
  ]);
});

test("what is written since is seen, a repository in the repository has its own, and the agent's variables count", async () => {
  const repo = makeRepository();
  const inner = join(repo.path, "inner");
  mkdirSync(inner);
  const aliases = async (folder: string, env?: Readonly<Record<string, string>>) => [
    ...((await look(repo.path, folder, env))?.aliases ?? []),
  ];
  expect(await aliases(inner)).toEqual([]);
  repo.git("config", "alias.late", "push");
  expect(await aliases(inner)).toEqual([["late", "push"]]);
  repo.git("init", "-q", inner);
  repositoryAt(inner).git("config", "alias.own", "status");
  expect(await aliases(inner)).toEqual([["own", "status"]]);
  const variables = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "alias.told", GIT_CONFIG_VALUE_0: "log" };
  expect(await aliases(inner, { ...gitEnv, ...variables })).toEqual([
    ["own", "status"],
    ["told", "log"],
  ]);
});

test("settings that cannot be read are not known", async () => {
  const repo = makeRepository();
  expect(await look(repo.path, join(repo.path, "nowhere"))).toBeNull();
  const broken = makeRepository();
  const location = await locate(broken.path);
  writeFileSync(join(broken.path, ".git/config"), "[alias\n");
  expect(await openWorkspace(gitEnv, location).gitSettings(broken.path, gitEnv)).toBeNull();
});
