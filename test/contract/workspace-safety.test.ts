/** F35, B188: an agent can write the repository's configuration, and our git must run nothing of it. B124: nor may it be in anybody's way. */
import { spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorkspace } from "../../src/adapters/git/workspace.ts";
import type { Workspace } from "../../src/ports/workspace.ts";
import { gitEnv, makeFolder, makeRepository, makeSuperproject, makeTrap, type Repository, repositoryAt } from "../fixtures/repositories.ts";
import { locate } from "./workspace-kit.ts";

async function open(path: string, env: Readonly<Record<string, string>> = gitEnv): Promise<Workspace> {
  return openWorkspace(env, await locate(path, env));
}

/** Same bytes, another time: git has to look at the content, and for that starts the filter. */
function touch(repository: Repository, path: string): void {
  const inAnHour = Date.now() / 1000 + 3600;
  utimesSync(join(repository.path, path), inAnHour, inAnHour);
}

type Trap = readonly [
  title: string,
  lay: (repository: Repository, program: string) => void,
  spring: ((repository: Repository) => void) | null,
  make?: () => Repository,
];

const status = (r: Repository): void => void r.git("status");
const diff = (r: Repository): void => void r.git("diff", "HEAD~1", "HEAD");
const layFilter = (r: Repository, key: string, program: string): void => {
  r.git("config", `filter.evil.${key}`, program);
  writeFileSync(join(r.path, ".git/info/attributes"), "* filter=evil\n");
  touch(r, "a.txt");
};
const layHook = (r: Repository, folder: string, program: string): void => {
  mkdirSync(folder, { recursive: true });
  for (const hook of ["reference-transaction", "post-checkout", "post-index-change"]) symlinkSync(program, join(folder, hook));
  r.write("a.txt", "changed\n");
};
const includeEvil = (r: Repository, key: string, program: string): void => {
  writeFileSync(join(r.path, ".git/evil.conf"), `[filter "evil"]\n\tclean = ${program}\n`);
  r.git("config", key, "evil.conf");
  writeFileSync(join(r.path, ".git/info/attributes"), "* filter=evil\n");
  touch(r, "a.txt");
};

const traps: readonly Trap[] = [
  ["core.fsmonitor", (r, program) => r.git("config", "core.fsmonitor", program), status],
  [
    "a submodule's core.fsmonitor",
    (r, program) => repositoryAt(join(r.path, "lib")).git("config", "core.fsmonitor", program),
    status,
    makeSuperproject,
  ],
  ["a clean filter", (r, program) => layFilter(r, "clean", program), status],
  [
    "a process filter",
    (r, program) => layFilter(r, "process", program),
    (r) => r.gitFailing("-c", "filter.evil.required=true", "add", "a.txt"),
  ],
  [
    "a clean filter of the tree's own .gitattributes",
    (r, program) => {
      r.git("config", "filter.Evil Filter.clean", program);
      r.commit("attributes", { ".gitattributes": "[attr]evil filter=x\n*.txt filter=evil.b\n" });
      r.git("config", "filter.evil.b.clean", program);
      touch(r, "a.txt");
    },
    status,
  ],
  ["a clean filter in an included file", (r, program) => includeEvil(r, "include.path", program), status],
  [
    "a clean filter in a file included on a condition",
    (r, program) => includeEvil(r, `includeIf.gitdir:${r.path}/.git.path`, program),
    status,
  ],
  [
    "a clean filter in the worktree's config",
    (r, program) => {
      r.git("config", "extensions.worktreeConfig", "true");
      r.git("config", "--worktree", "filter.evil.clean", program);
      writeFileSync(join(r.path, ".git/info/attributes"), "* filter=evil\n");
      touch(r, "a.txt");
    },
    status,
  ],
  [
    "a submodule's clean filter",
    (r, program) => {
      repositoryAt(join(r.path, "lib")).git("config", "filter.evil.clean", program);
      writeFileSync(join(r.path, ".git/modules/lib/info/attributes"), "* filter=evil\n");
      touch(r, "lib/a.txt");
    },
    status,
    makeSuperproject,
  ],
  [
    "a clean filter with an equals sign in its name",
    (r, program) => {
      writeFileSync(join(r.path, ".git/config"), `[filter "a=b"]\n\tclean = ${program}\n[core]\n\trepositoryformatversion = 0\n`);
      writeFileSync(join(r.path, ".git/info/attributes"), "* filter=a=b\n");
      touch(r, "a.txt");
    },
    status,
  ],
  [
    "a repository that shares another one's config",
    (r, program) => {
      const copy = join(makeFolder(), "copy");
      cpSync(r.path, copy, { recursive: true });
      const other = repositoryAt(copy);
      layFilter(other, "clean", program);
      writeFileSync(join(r.path, ".git/commondir"), `${other.path}/.git\n`);
      touch(r, "a.txt");
    },
    status,
  ],
  ["diff.external", (r, program) => r.git("config", "diff.external", program), diff],
  [
    "a text conversion",
    (r, program) => {
      r.git("config", "diff.evil.textconv", program);
      writeFileSync(join(r.path, ".git/info/attributes"), "* diff=evil\n");
    },
    diff,
  ],
  [
    "a diff driver's command",
    (r, program) => {
      r.git("config", "diff.evil.command", program);
      writeFileSync(join(r.path, ".git/info/attributes"), "* diff=evil\n");
    },
    diff,
  ],
  [
    "core.hooksPath",
    (r, program) => {
      layHook(r, join(r.path, ".git/evil-hooks"), program);
      r.git("config", "core.hooksPath", join(r.path, ".git/evil-hooks"));
    },
    (r) => r.git("add", "a.txt"),
  ],
  ["hooks", (r, program) => layHook(r, join(r.path, ".git/hooks"), program), (r) => r.git("add", "a.txt")],
  [
    "the remote of a partial clone",
    (r, program) => {
      for (const [key, value] of [
        ["protocol.ext.allow", "always"],
        ["remote.origin.url", `ext::${program} quit`],
        ["core.sshCommand", program],
        ["credential.helper", `!${program}`],
      ] as const)
        r.git("config", key, value);
    },
    (r) => r.gitFailing("diff", "HEAD~1", "HEAD"),
    makePartialClone,
  ],
  [
    "core.pager",
    (r, program) => ["core.pager", "pager.status", "pager.config", "pager.diff-tree"].map((key) => r.git("config", key, program)),
    null,
  ],
  [
    "aliases",
    (r, program) => ["status", "diff-tree", "rev-list", "config"].map((name) => r.git("config", `alias.${name}`, `!${program}`)),
    null,
  ],
  ["core.editor", (r, program) => ["core.editor", "sequence.editor", "core.askPass"].map((key) => r.git("config", key, program)), null],
  [
    "signature programs",
    (r, program) => {
      for (const key of ["gpg.program", "gpg.ssh.program"]) r.git("config", key, program);
      for (const key of ["log.showSignature", "commit.gpgSign", "tag.gpgSign"]) r.git("config", key, "true");
    },
    null,
  ],
];

/** Two commits whose blobs are not there: whoever compares them has to fetch. */
function makePartialClone(): Repository {
  const origin = makeRepository();
  origin.git("config", "uploadpack.allowFilter", "true");
  origin.commit("second", { "a.txt": "second\n" });
  const path = join(makeFolder(), "partial");
  origin.git("clone", "--quiet", "--no-checkout", "--filter=blob:none", `file://${origin.path}`, path);
  return repositoryAt(path);
}

function makeTwoCommits(): Repository {
  const repository = makeRepository();
  repository.commit("second", { "a.txt": "<<<<<<< x\n>>>>>>> y\n" });
  return repository;
}

const laid = traps.map(([title, lay, spring, make]) => [title, lay, spring, make ?? makeTwoCommits] as const);

test.each(laid)("%s: nothing is run by finding, looking, comparing and branching", async (_title, lay, spring, make) => {
  const repository = make();
  const { program, marker } = makeTrap(makeFolder());
  const base = repository.git("rev-parse", "HEAD~1");
  const opened = await open(repository.path);
  await opened.inspect([]);
  lay(repository, program);
  rmSync(marker, { force: true });
  for (const workspace of [opened, await open(repository.path)]) {
    await workspace.inspect([]);
    await workspace.changeSince(base, ["docs"]);
  }
  await opened.createBranch("night");
  expect(existsSync(marker), "the trap was not sprung by us").toBe(false);
  spring?.(repository);
  expect(existsSync(marker), "the trap works").toBe(spring !== null);
});

test("a program in the repository that is named git is not our git", async () => {
  const repository = makeRepository();
  const { program, marker } = makeTrap(makeFolder());
  mkdirSync(join(repository.path, "node_modules/.bin"), { recursive: true });
  renameSync(program, join(repository.path, "node_modules/.bin/git"));
  chmodSync(join(repository.path, "node_modules/.bin/git"), 0o755);
  const path = [`${repository.path}/node_modules/.bin`, "node_modules/.bin", "", gitEnv["PATH"]].join(":");
  const workspace = await open(repository.path, { ...gitEnv, PATH: path });
  expect((await workspace.inspect([])).failure).toBe("");
  expect(existsSync(marker)).toBe(false);
});

test("GIT_* of a git that started us does not lead ours elsewhere", async () => {
  const repository = makeRepository();
  const other = makeRepository();
  const { program, marker } = makeTrap(makeFolder());
  const inherited = {
    ...gitEnv,
    ...{
      GIT_DIR: `${other.path}/.git`,
      GIT_WORK_TREE: other.path,
      GIT_INDEX_FILE: `${other.path}/.git/index`,
      GIT_PREFIX: "x/",
      GIT_NAMESPACE: "x",
    },
    ...{ GIT_EXTERNAL_DIFF: program, GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.fsmonitor", GIT_CONFIG_VALUE_0: program },
  };
  const workspace = await open(repository.path, inherited);
  repository.write("new.txt", "x");
  expect(workspace.location.top).toBe(repository.path);
  expect((await workspace.inspect([])).untracked.paths).toEqual(["new.txt"]);
  expect(existsSync(marker)).toBe(false);
});

test("a core.worktree set later does not lead the look elsewhere", async () => {
  const repository = makeRepository();
  const workspace = await open(repository.path);
  repository.git("config", "core.worktree", makeRepository().path);
  writeFileSync(join(repository.path, "new.txt"), "x");
  expect((await workspace.inspect([])).untracked.paths).toEqual(["new.txt"]);
});

test("with its filter silenced, a file that was not touched since it was added is clean", async () => {
  const repository = makeFiltered();
  const workspace = await open(repository.path);
  expect((await workspace.inspect([])).changed).toEqual({ count: 0, paths: [] });
  repository.write("data.bin", "other words\n");
  expect((await workspace.inspect([])).changed).toEqual({ count: 1, paths: ["data.bin"] });
});

test("a filter that comes during the night is silenced, one that was there is still", async () => {
  const repository = makeFiltered();
  const workspace = await open(repository.path);
  await workspace.inspect([]);
  const { program, marker } = makeTrap(makeFolder());
  repository.git("config", "filter.upper.clean", program);
  touch(repository, "data.bin");
  await workspace.inspect([]);
  expect(existsSync(marker)).toBe(false);
});

test("a filter that comes by way of an included file, the config unchanged, is silenced too", async () => {
  const repository = makeRepository();
  repository.git("config", "include.path", "later.conf");
  writeFileSync(join(repository.path, ".git/info/attributes"), "* filter=evil\n");
  const workspace = await open(repository.path);
  await workspace.inspect([]);
  const { program, marker } = makeTrap(makeFolder());
  writeFileSync(join(repository.path, ".git/later.conf"), `[filter "evil"]\n\tclean = ${program}\n`);
  touch(repository, "a.txt");
  await workspace.inspect([]);
  expect(existsSync(marker)).toBe(false);
});

/** As with git-lfs: what is stored is not what lies in the tree, and everything happened within the second. */
function makeFiltered(): Repository {
  const repository = makeRepository();
  repository.git("config", "filter.upper.clean", "tr a-z A-Z");
  repository.git("config", "filter.upper.smudge", "tr A-Z a-z");
  repository.commit("filtered", { ".gitattributes": "*.bin filter=upper\n", "data.bin": "words\n" });
  return repository;
}

test("200 looks while commits are made break no commit", async () => {
  const repository = makeRepository();
  const workspace = await open(repository.path);
  const base = repository.git("rev-parse", "HEAD");
  const loop = `while [ ! -e ../stop ]; do echo $((i=i+1)) > a.txt; git add a.txt && git commit -q -m "$i" || echo broken; done; echo "made $i"`;
  const committer = spawn("sh", ["-c", loop], {
    cwd: repository.path,
    env: { ...gitEnv, GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@b" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  committer.stdout.on("data", (chunk: Buffer) => (output += chunk));
  committer.stderr.on("data", (chunk: Buffer) => (output += chunk));
  const ended = new Promise((resolve) => committer.on("close", resolve));
  const quick = openWorkspace(gitEnv, workspace.location, { lockPatienceMs: 0 });
  const failures: string[] = [];
  for (let number = 0; number < 200; number += 1) {
    failures.push((await quick.inspect([])).failure);
    if (number % 10 === 0) failures.push((await quick.changeSince(base, [])).failure ?? "");
  }
  writeFileSync(join(repository.path, "../stop"), "");
  await ended;
  expect(output).toMatch(/^made [1-9]\d*\n$/);
  expect(failures.filter((failure) => failure !== "")).toEqual([]);
});
