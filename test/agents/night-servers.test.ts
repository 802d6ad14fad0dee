/**
 * The person's MCP servers in windows of the real program: those that were approved start and can be called, behind the same guard; those that only the repository
 * names do not start; and no secret of theirs is on a command line, in an event or in a log.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ScriptedCall } from "../../src/ports/provider.ts";
import type { Night } from "../scenario/kit.ts";
import { claude } from "./claude-kit.ts";
import { type ClaudeScene, inTurn, makeClaudeNight, ours, wrapper } from "./night-kit.ts";

const program = join(import.meta.dirname, "../fixtures/agents/mcp-told.js");
const secret = "tok-7f3a-never-told";
const fakeKey = ["sk-ant", "api03", `${"B".repeat(93)}AA`].join("-");

/** Each leaves `<name>-started` in the night's folder. */
function serverOf({ folder }: Night, name: string, token: string): object {
  return { type: "stdio", command: process.execPath, args: [program, join(folder, `${name}-started`)], env: { SERVER_TOKEN: token } };
}

function setUp(night: Night): void {
  const user = {
    mine: serverOf(night, "mine", secret),
    expanded: serverOf(night, "expanded", ["$", "{HOME}"].join("")),
    midwatch: serverOf(night, "ours", ""),
  };
  const project = { mcpServers: { local: serverOf(night, "local", secret) }, enabledMcpjsonServers: ["shared"] };
  writeFileSync(join(night.folder, "home/.claude.json"), JSON.stringify({ mcpServers: user, projects: { [night.repo.path]: project } }));
  const shared = { shared: serverOf(night, "shared", "none"), stranger: serverOf(night, "stranger", "none") };
  night.repo.commit("servers for everybody", { ".mcp.json": JSON.stringify({ mcpServers: shared }) });
}

const told = (server: string, text = ""): ScriptedCall => ({ name: `mcp__${server}__told`, input: { text } });
const started = ({ folder }: Night) => readdirSync(folder).filter((name) => name.endsWith("-started"));

/** Plays a window that calls each of them, and gives what the calls came to. */
async function play(scene: Partial<ClaudeScene> = {}) {
  const calls = [
    told("mine"),
    told("local"),
    told("shared"),
    told("expanded"),
    told("stranger"),
    told("mine", fakeKey),
    ours("note", { text: "here" }),
  ];
  const night = await makeClaudeNight({
    ...scene,
    personal: { limits: { windows: 1 }, ...scene.personal },
    windows: () => ({ 1: inTurn(...calls) }),
  });
  setUp(night);
  expect((await night.run(["trust", "--yes"])).code).toBe(0);
  const end = await night.play();
  return { night, end, last: JSON.stringify(night.calls.at(-1)?.request?.body) };
}

describe.skipIf(claude === null)("MCP servers", () => {
  test("that the person approved can be called, with their secrets, and one that only the repository names is not started", async () => {
    const { night, end, last } = await play({
      program: wrapper(`if (!isVersion) writeFileSync(folder + "/args" + (isTrial ? "-trial" : ""), JSON.stringify(args));`),
    });
    expect(started(night)).toEqual(["expanded-started", "local-started", "mine-started", "shared-started"]);
    const answers = [...last.matchAll(/it knows ([\w/.-]+)/g)].map(([, what]) => what);
    const offered = (night.calls.at(-1)?.request?.body["tools"] as readonly { name: string }[] | undefined)?.map(({ name }) => name) ?? [];
    expect(offered.filter((name) => /^mcp__/.test(name))).toEqual(offered.filter((name) => /^mcp__midwatch__/.test(name)));
    expect(offered).toEqual(expect.arrayContaining(["mcp__midwatch__task_done", "ToolSearch"]));
    expect(answers).toEqual([secret, secret, "none", join(night.folder, "home")]);
    expect(end.events.filter(({ kind }) => kind === "guard.denied").map(({ data }) => data["tool"])).toEqual(["mcp__mine__told"]);
    expect(end.events.filter(({ kind }) => kind === "agent.remark").map(({ data }) => data["text"])).toEqual([
      "an MCP server named midwatch is not passed on: the name is ours",
    ]);
    const args = readFileSync(join(night.folder, "args"), "utf8");
    const hidden = [args.includes(secret), args.includes("127.0.0.1"), JSON.stringify(end.events).includes(secret)];
    expect([args.includes("--await-initialize"), ...hidden]).toEqual([true, false, false, false]);
  });

  test("that the repository names do not start where its settings are left out, whoever approved them in Claude Code", async () => {
    const left = await play({ personal: { agent: { repositorySettings: "ignored" } } });
    expect(started(left.night)).toEqual(["expanded-started", "local-started", "mine-started"]);
  });

  test("are none where the settings say so", async () => {
    const none = await play({ personal: { agent: { mcpServers: "none" } } });
    expect([started(none.night), none.last.includes("it knows")]).toEqual([[], false]);
  });
});
