/** Settings for agents are found as a program would read them, and approvals are the person's file alone. docs/spec/trust.md */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createRepositorySettings } from "../../src/adapters/files/repository-settings.ts";
import { settingsPlaces } from "../../src/core/repository-settings.ts";
import { makeFolder } from "../fixtures/repositories.ts";

const places = settingsPlaces({ kind: "command" });
const sha = (text: string) => createHash("sha256").update(text).digest("hex");

function make(files: Readonly<Record<string, string>> = {}) {
  const folder = makeFolder();
  const top = join(folder, "tree");
  mkdirSync(top);
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(files)) put(path, text);
  const open = (repository = "/repo/.git") => createRepositorySettings({ top, repository, state: join(folder, "state") });
  return { folder, top, put, open, trustFile: join(folder, "state/trust.json") };
}

test("every file of the places is found with its hash, and what its outermost names are", async () => {
  const hooks = JSON.stringify({ permissions: {}, hooks: { PreToolUse: [] } });
  const { open } = make({
    "tree/.claude/settings.json": hooks,
    "tree/.claude/skills/deploy/SKILL.md": "run it",
    "tree/.claude/worktrees/w1/.claude/settings.json": hooks,
    "tree/.mcp.json": JSON.stringify({ mcpServers: { a: {}, b: {} } }),
    "tree/.codex/config.toml": "x = 1",
    "tree/opencode.json": "{",
    "tree/CLAUDE.md": "no settings",
    "tree/sub/.mcp.json": "{}",
  });
  expect(await open().find(places)).toEqual([
    { path: ".claude/settings.json", hash: sha(hooks), about: "permissions, hooks (PreToolUse)" },
    { path: ".claude/skills/deploy/SKILL.md", hash: sha("run it"), about: "" },
    { path: ".codex/config.toml", hash: sha("x = 1"), about: "" },
    { path: ".mcp.json", hash: expect.stringMatching(/^[0-9a-f]{64}$/), about: "mcpServers (a, b)" },
    { path: "opencode.json", hash: sha("{"), about: "" },
  ]);
});

test("a link counts as what would be read through it, one that leads nowhere as nothing", async () => {
  const { folder, top, put, open } = make({ "elsewhere/hooks/x.sh": "one", "elsewhere/mcp": "{}" });
  symlinkSync(join(folder, "elsewhere"), join(top, ".claude"));
  symlinkSync(join(folder, "elsewhere/mcp"), join(top, ".mcp.json"));
  symlinkSync(join(folder, "gone"), join(top, "opencode.json"));
  const before = await open().find(places);
  put("elsewhere/hooks/x.sh", "two");
  const after = await open().find(places);
  expect(before.map(({ path }) => path)).toEqual([".claude/hooks/x.sh", ".claude/mcp", ".mcp.json"]);
  expect([before[0]?.hash, after[0]?.hash]).toEqual([sha("one"), sha("two")]);
});

test("what cannot be read as a file has no hash, and holds nobody up", async () => {
  const { top, open } = make();
  mkdirSync(join(top, ".claude"));
  symlinkSync(".", join(top, ".claude/again"));
  symlinkSync("loop", join(top, ".claude/loop"));
  expect(spawnSync("mkfifo", [join(top, ".mcp.json")]).status).toBe(0);
  expect(await open().find(places)).toEqual([
    { path: ".claude/again", hash: null, about: "folders in folders without end" },
    { path: ".claude/loop", hash: null, about: "it cannot be looked at" },
    { path: ".mcp.json", hash: null, about: "it is a named pipe" },
  ]);
});

test("too many files are one more that nobody can approve", async () => {
  const { top, open } = make();
  mkdirSync(join(top, ".pi"));
  for (let index = 0; index < 1003; index += 1) writeFileSync(join(top, `.pi/${index}`), "");
  const found = await open().find(places);
  expect([found.length, found.filter(({ hash }) => hash === null).length]).toEqual([1001, 1]);
});

test("approvals are kept for each repository, in a file that only the person reads", async () => {
  const { open, trustFile } = make();
  await open("/one").approve({ ".mcp.json": "h1", ".claude/settings.json": "h2" });
  await open("/two").approve({ ".mcp.json": "h3" });
  await open("/one").approve({ ".mcp.json": "h4" });
  expect([await open("/one").approvals(), await open("/two").approvals(), await open("/three").approvals()]).toEqual([
    { ".mcp.json": "h4" },
    { ".mcp.json": "h3" },
    {},
  ]);
  expect([statSync(trustFile).mode & 0o777, statSync(dirname(trustFile)).mode & 0o777]).toEqual([0o600, 0o700]);
  await open("/two").approve({});
  expect(Object.keys(JSON.parse(readFileSync(trustFile, "utf8")).repositories)).toEqual(["/one"]);
});

test.each(["", "{", "[]", '{"version":2,"repositories":{}}', '{"version":1}', "\0"])(
  "a file of approvals that reads %j approves nothing and is not written over",
  async (text) => {
    const { put, open, trustFile } = make();
    put("state/trust.json", text);
    const told = { code: "E_TRUST_DAMAGED", kind: "environment", hint: expect.stringMatching(/^move it away/) };
    await expect(open().approvals()).rejects.toMatchObject(told);
    await expect(open().approve({ a: "h" })).rejects.toMatchObject(told);
    expect(readFileSync(trustFile, "utf8")).toBe(text);
  },
);

test("a folder of approvals that cannot be written is told", async () => {
  const { folder, open } = make({ state: "a file in its place" });
  chmodSync(join(folder, "state"), 0o600);
  await expect(open().approve({ a: "h" })).rejects.toMatchObject({ kind: "environment" });
});
