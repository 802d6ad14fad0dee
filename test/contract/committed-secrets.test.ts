/**
 * A secret that came into a real repository is found wherever it hangs, and what was there before, is a sample, or is out of the history again is not. Judged as the engine does:
 * through the history port, with a redactor. docs/spec/secrets.md, "What was committed"
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHistory } from "../../src/adapters/git/history.ts";
import { describeSecret, openSecrets } from "../../src/core/committed-secret.ts";
import { createRedactor } from "../../src/core/redaction/redactor.ts";
import { findCommittedSecrets, noteRefs } from "../../src/engine/committed-secrets.ts";
import type { RunContext } from "../../src/engine/context.ts";
import { gitEnv, makeRepository, type Repository } from "../fixtures/repositories.ts";
import { locate } from "./workspace-kit.ts";

const key = ["sk-ant", "api03", `${"Ab1_".repeat(23)}AA`].join("-");
const token = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
const own = "tok-7f3a91c2e5d84b60";
const base64 = (text: string) => Buffer.from(`x${text}`).toString("base64");
const redactor = createRedactor([{ name: "OWN_TOKEN", value: own }]);

/** What the engine needs of a run, for this alone. */
async function contextOf(repository: Repository): Promise<RunContext> {
  const history = openHistory(gitEnv, await locate(repository.path));
  return { ports: { history, redactor }, refsAtStart: { current: null, searched: null } } as unknown as RunContext;
}

async function play(work: (r: Repository) => void, before: (r: Repository) => void = () => undefined) {
  const repository = makeRepository();
  before(repository);
  const context = await contextOf(repository);
  await noteRefs(context);
  const base = repository.git("rev-parse", "HEAD");
  work(repository);
  const found = await findCommittedSecrets(context, base);
  for (const secret of [key, token, own]) expect(JSON.stringify(found)).not.toContain(secret);
  return found.map((one) => describeSecret(one).replace(/commit [0-9a-f]{10}/g, "commit COMMIT"));
}

const commit = (message: string, files: Readonly<Record<string, string>>) => (r: Repository) => void r.commit(message, files);
const anthropic = "an Anthropic key";

test.each<[string, (r: Repository) => void, readonly string[]]>([
  ["in a file", commit("work", { "src/a.ts": `one\nconst k = "${key}";\n` }), [`src/a.ts:2, commit COMMIT: ${anthropic}`]],
  ["of our own, whatever it looks like", commit("work", { a: `x\n${own}\n` }), ["a:2, commit COMMIT: the value of OWN_TOKEN"]],
  ["of our own in hex", commit("work", { a: Buffer.from(own).toString("hex") }), ["a:1, commit COMMIT: the value of OWN_TOKEN"]],
  ["in base64", commit("work", { a: `x\n\n${base64(key)}\n` }), [`a:3, commit COMMIT: ${anthropic}`]],
  [
    "split over two lines",
    commit("work", { "a.py": `k = "${token.slice(0, 20)}" +\n    "${token.slice(20)}"\n` }),
    ["a.py, commit COMMIT: a GitHub token"],
  ],
  ["in a binary with another name", commit("work", { "logo.png": `\x89PNG\0\xff\n${key}\0` }), [`logo.png:2, commit COMMIT: ${anthropic}`]],
  [
    "in UTF-16",
    (r) => {
      writeFileSync(join(r.path, "w.txt"), Buffer.from(`\ufeffk=${key}`, "utf16le"));
      r.commit("work");
    },
    [`w.txt:1, commit COMMIT: ${anthropic}`],
  ],
  [
    "in a lockfile behind ten thousand hashes",
    commit("work", {
      "package-lock.json": `${Array.from({ length: 10_000 }, (_, at) => `"integrity": "sha512-${base64(`${at}`.padStart(64, "h"))}"`).join("\n")}\n${base64(key)}`,
    }),
    [`package-lock.json:10001, commit COMMIT: ${anthropic}`],
  ],
  [
    "in a file over 5 MB",
    commit("work", { big: `${"a line of text\n".repeat(400_000)}${key}` }),
    [`big:400001, commit COMMIT: ${anthropic}`],
  ],
  ["in a path", commit("work", { [`${own}/a`]: "x" }), ["[redacted OWN_TOKEN]/a, commit COMMIT: the value of OWN_TOKEN, in its path"]],
  ["in a message", commit(`work\n\nwith ${key}`, { a: "x" }), [`its message:3, commit COMMIT: ${anthropic}`]],
  [
    "committed and removed by a later commit",
    (r) => {
      r.commit("one", { a: key });
      r.commit("two", { a: "clean" });
    },
    [`a:1, commit COMMIT: ${anthropic}`],
  ],
  [
    "on another branch",
    (r) => {
      r.git("switch", "-q", "-c", "side");
      r.commit("x", { a: key });
      r.git("switch", "-q", "main");
    },
    [`a:1, commit COMMIT: ${anthropic}`],
  ],
  [
    "in a tag's message",
    (r) => void r.git("-c", "user.name=x", "-c", "user.email=x@y", "tag", "-a", "v1", "-m", token),
    ["the tag v1:1: a GitHub token"],
  ],
  [
    "in the name of a branch",
    (r) => void r.git("branch", `x-${own}`),
    ["the name of refs/heads/x-[redacted OWN_TOKEN]: the value of OWN_TOKEN"],
  ],
  [
    "in a note",
    (r) => void r.git("-c", "user.name=x", "-c", "user.email=x@y", "notes", "add", "-m", token),
    [expect.stringMatching(/^[0-9a-f]{40}:1, commit COMMIT: a GitHub token$/) as unknown as string],
  ],
  [
    "in an older entry of the stash",
    (r) => {
      for (const text of [key, "clean"]) {
        r.write("a.txt", text);
        r.git("-c", "user.name=x", "-c", "user.email=x@y", "stash");
      }
    },
    [`a.txt:1, commit COMMIT: ${anthropic}`],
  ],
  [
    "hidden behind git replace",
    (r) => {
      r.commit("work", { a: key });
      const blob = r.git("rev-parse", "HEAD:a");
      r.git("replace", blob, r.git("rev-parse", "HEAD:b.txt"));
    },
    [`a:1, commit COMMIT: ${anthropic}`],
  ],
])("a secret %s is found, with its place and without itself", async (_title, work, expected) => {
  expect(await play(work)).toEqual(expected);
});

type Change = (repository: Repository) => void;

test.each<[string, Change, ...Change[]]>([
  ["nothing was committed", () => undefined],
  ["work without one", commit("work", { a: "const key = process.env.API_KEY;\n", "b.lock": "sha512-".padEnd(90, "Ab1/") })],
  ["one in the working tree alone", (r) => r.write("a", key)],
  [
    "one that was amended away",
    (r) => {
      r.commit("work", { a: key });
      r.write("a", "clean");
      r.git("add", "-A");
      r.git("-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "--amend", "-m", "work");
    },
  ],
  ["a public sample", commit("work", { a: "AKIAIOSFODNN7EXAMPLE gho_16C7e42F292c6912E7710c838347Ae178B4a sk-ant-your-key-here" })],
  ["one on a line that was there before", commit("work", { "a.txt": `${key}\nand more\n` }), commit("theirs", { "a.txt": `${key}\n` })],
  [
    "one in a branch that was there before",
    (r) => void r.commit("work", { c: "x" }),
    (r) => {
      r.git("switch", "-q", "-c", "old");
      r.commit("x", { a: key });
      r.git("switch", "-q", "main");
    },
  ],
])("none is found where there is %s", async (_title, work, before) => {
  expect(await play(work, before)).toEqual([]);
});

test("one on a line that says it is a sample is told and asked about by nobody; a value of our own never is a sample", async () => {
  const r = makeRepository();
  const context = await contextOf(r);
  await noteRefs(context);
  r.commit("fixtures", { "test/a.txt": `${key} # gitleaks:allow\n`, "test/b.txt": `${own} # gitleaks:allow\n` });
  const found = await findCommittedSecrets(context, "");
  expect(found.map(({ path, isMarked }) => [path, isMarked])).toEqual([
    ["test/a.txt", true],
    ["test/b.txt", false],
  ]);
  expect(openSecrets(found)).toHaveLength(1);
});

test("of a window that nobody saw begin, what came since its base is looked at", async () => {
  const r = makeRepository();
  const base = r.git("rev-parse", "HEAD");
  r.commit("work", { a: key });
  expect(await findCommittedSecrets(await contextOf(r), base)).toMatchObject([{ path: "a", line: 1, whose: anthropic }]);
});

test("nothing of the repository's configuration is run for it", async () => {
  const r = makeRepository();
  const context = await contextOf(r);
  await noteRefs(context);
  for (const name of ["diff.external", "core.fsmonitor", "diff.evil.textconv", "core.pager", "core.alternateRefsCommand"])
    r.git("config", name, `touch ${r.path}/ran`);
  writeFileSync(join(r.path, ".git/info/attributes"), "* diff=evil\n");
  execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@y", "-c", "core.fsmonitor=", "commit", "-q", "--allow-empty", "-m", "x"], {
    cwd: r.path,
    env: gitEnv,
  });
  r.git("-c", "core.fsmonitor=", "tag", "t");
  await findCommittedSecrets(context, "");
  expect(() => execFileSync("ls", [join(r.path, "ran")], { stdio: "pipe" })).toThrow();
});
