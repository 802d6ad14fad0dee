/** Which MCP servers the person approved, by the files of Claude Code 2.1.332: made with its own `mcp add` once, and cut down. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readApprovedServers } from "../../src/adapters/agents/claude-code/approved-servers.ts";
import { makeFolder } from "../fixtures/repositories.ts";

interface Scene {
  /** `~/.claude.json` besides the project's part; text is written as it is. */
  readonly user?: object | string;
  readonly project?: object;
  /** Below the home. */
  readonly settings?: object | string;
  readonly local?: object;
  readonly shared?: object | string;
  /** In the repository, for everybody. */
  readonly projectSettings?: object;
}

const secret = "tok-7f3a";
const server = (name: string) => ({ type: "stdio", command: "node", args: [`/opt/${name}.js`], env: { TOKEN: secret } });
const servers = (...names: readonly string[]) => ({ mcpServers: Object.fromEntries(names.map((name) => [name, server(name)])) });

function make(scene: Scene, configFolder = false) {
  const folder = makeFolder();
  const top = join(folder, "tree");
  const home = join(folder, "home");
  const put = (path: string, value: object | string | undefined) => {
    if (value === undefined) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  };
  mkdirSync(top);
  const main =
    typeof scene.user === "string" ? scene.user : { ...scene.user, projects: { [top]: scene.project ?? {}, "/other": servers("o1") } };
  put(configFolder ? join(home, "cfg/.claude.json") : join(home, ".claude.json"), main);
  put(join(home, configFolder ? "cfg" : ".claude", "settings.json"), scene.settings);
  put(join(top, ".claude/settings.local.json"), scene.local);
  put(join(top, ".claude/settings.json"), scene.projectSettings);
  put(join(top, ".mcp.json"), scene.shared);
  const env = configFolder ? { HOME: home, CLAUDE_CONFIG_DIR: join(home, "cfg") } : { HOME: home };
  return { top, home, env, isApproved: (_path: string) => true };
}

const trusted = { hasTrustDialogAccepted: true };

test.each<[string, Scene, readonly string[]]>([
  ["nothing is there", { user: {} }, []],
  ["the user's own", { user: servers("u1", "u2") }, ["u1", "u2"]],
  ["those of this project, and of no other", { user: servers("u1"), project: servers("l1") }, ["u1", "l1"]],
  ["one of the repository, without a word of the person's", { shared: servers("p1") }, []],
  ["one of the repository, enabled", { project: { enabledMcpjsonServers: ["p1"] }, shared: servers("p1", "p2") }, ["p1"]],
  ["one enabled that is not there", { project: { enabledMcpjsonServers: ["p1"] } }, []],
  [
    "one that is enabled and disabled",
    { project: { enabledMcpjsonServers: ["p1"], disabledMcpjsonServers: ["p1"] }, shared: servers("p1") },
    [],
  ],
  ["one that the user's settings enable", { settings: { enabledMcpjsonServers: ["p1"] }, shared: servers("p1") }, ["p1"]],
  ["all, by the user's settings", { settings: { enableAllProjectMcpServers: true }, shared: servers("p1", "p2") }, ["p1", "p2"]],
  ["all but one", { settings: { enableAllProjectMcpServers: true, disabledMcpjsonServers: ["p2"] }, shared: servers("p1", "p2") }, ["p1"]],
  ["local settings in a trusted folder", { project: trusted, local: { enabledMcpjsonServers: ["p1"] }, shared: servers("p1") }, ["p1"]],
  ["local settings in a folder that is not trusted", { local: { enabledMcpjsonServers: ["p1"] }, shared: servers("p1") }, []],
  ["the repository's own settings", { project: trusted, projectSettings: { enableAllProjectMcpServers: true }, shared: servers("p1") }, []],
  ["one switched off for this project", { user: servers("u1", "u2"), project: { disabledMcpServers: ["u1"] } }, ["u2"]],
  [
    "odd shapes",
    { user: { mcpServers: { a: "x", b: null, c: [], d: server("d") } }, project: { enabledMcpjsonServers: "p1" }, shared: servers("p1") },
    ["d"],
  ],
])("%s", (_title, scene, names) => {
  for (const configFolder of [false, true]) {
    const place = make(scene, configFolder);
    const { servers: found, remarks } = readApprovedServers(place);
    expect([Object.keys(found), remarks]).toEqual([names, []]);
    for (const [name, one] of Object.entries(found)) expect(one).toEqual(server(name));
  }
});

test("of servers of one name the local one counts, then the repository's, then the user's", () => {
  const named = (args: string) => ({ mcpServers: { x: { command: args } } });
  const of = (scene: Scene) => readApprovedServers(make(scene)).servers["x"];
  expect(of({ user: named("user") })).toEqual({ command: "user" });
  expect(of({ user: named("user"), shared: named("shared"), project: { enabledMcpjsonServers: ["x"] } })).toEqual({ command: "shared" });
  expect(of({ user: named("user"), shared: named("shared"), project: { ...named("local"), enabledMcpjsonServers: ["x"] } })).toEqual({
    command: "local",
  });
});

test("a server with our name is not passed on, and that is said", () => {
  expect(readApprovedServers(make({ user: servers("midwatch", "u1") }))).toEqual({
    servers: { u1: server("u1") },
    remarks: ["an MCP server named midwatch is not passed on: the name is ours"],
  });
});

test.each<[string, Scene, string]>([
  ["the user's file", { user: `{"mcpServers": {"x": {"env": {"TOKEN": "${secret}"` }, "home/.claude.json"],
  ["the user's settings", { settings: `[${secret}]` }, "home/.claude/settings.json"],
  ["the repository's file", { shared: `${secret}` }, "tree/.mcp.json"],
])("garbage in %s leaves out what it would say, in one line without its text", (_title, scene, path) => {
  const place = make(scene);
  const { servers: found, remarks } = readApprovedServers(place);
  expect([found, remarks]).toEqual([{}, [`${join(place.top, "..", path)} cannot be read: its MCP servers and approvals are left out`]]);
  expect(remarks.join()).not.toContain(secret);
});

test("a linked working tree has the servers of the main one, and its own shared file", () => {
  const place = make({ project: { ...servers("l1"), enabledMcpjsonServers: ["p1"] } });
  const linked = join(place.home, "linked");
  mkdirSync(linked);
  writeFileSync(join(linked, ".git"), `gitdir: ${place.top}/.git/worktrees/linked\n`);
  writeFileSync(join(linked, ".mcp.json"), JSON.stringify(servers("p1")));
  expect(Object.keys(readApprovedServers({ ...place, top: linked }).servers)).toEqual(["p1", "l1"]);
});

test.skipIf(process.getuid?.() === 0)("a file that is not ours to read is said", () => {
  const place = make({ user: servers("u1") });
  chmodSync(join(place.home, ".claude.json"), 0);
  expect(readApprovedServers(place).remarks).toHaveLength(1);
});

test("without a home there are none", () => {
  expect(readApprovedServers({ top: "/", env: {}, isApproved: () => true })).toEqual({ servers: {}, remarks: [] });
});

test("what the repository brings counts only as far as the person approved the file itself", () => {
  const own = { ...servers("l1"), ...trusted, enabledMcpjsonServers: ["p1"] };
  const place = make({ user: servers("u1"), project: own, shared: servers("p1", "p2"), local: { enabledMcpjsonServers: ["p2"] } });
  const names = (approved: readonly string[]) =>
    Object.keys(readApprovedServers({ ...place, isApproved: (path) => approved.includes(path) }).servers);
  expect([names([".mcp.json", ".claude/settings.local.json"]), names([".mcp.json"]), names([])]).toEqual([
    ["u1", "p1", "p2", "l1"],
    ["u1", "p1", "l1"],
    ["u1", "l1"],
  ]);
});
