/** What `doctor` says of the real Claude Code, and of programs that are not quite it. Nothing of it is paid, and no key is told. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { claude } from "./claude-kit.ts";
import { bash, type ClaudeScene, inTurn, makeClaudeNight, wrapper } from "./night-kit.ts";

const key = "sk-ant-never-told";
const onlyHelp = (text: string) =>
  wrapper(`sayVersion("2.1.332"); if (args.includes("--help")) { console.log(${JSON.stringify(text)}); process.exit(); }`);

async function examine(scene: Partial<ClaudeScene> = {}, args: readonly string[] = ["doctor", "--json"]) {
  const night = await makeClaudeNight({ windows: () => ({ 1: inTurn(bash("true")) }), env: { ANTHROPIC_API_KEY: key }, ...scene });
  const end = await night.run(args);
  return { night, end, lines: (JSON.parse(end.stdout) as { findings: { what: string; level: string; detail: string }[] }).findings };
}

const about = ({ lines }: Awaited<ReturnType<typeof examine>>, what: string) => lines.find((line) => line.what === what);

describe.skipIf(claude === null)("doctor", () => {
  test("knows the program, its switches, the wallet, the servers, the guards and how it is held, and asks no model", async () => {
    const seen = await examine();
    expect(seen.end.code).toBe(0);
    expect(about(seen, "agent")).toEqual({ what: "agent", level: "ok", detail: expect.stringMatching(/\/claude 2\.1\.332$/) as string });
    expect(about(seen, "switches")).toEqual({ what: "switches", level: "ok", detail: "it knows every one that a window uses" });
    expect(about(seen, "wallet")?.detail).toMatch(/^the account of the key in ANTHROPIC_API_KEY pays at 127\.0\.0\.1:\d+$/);
    expect(about(seen, "MCP servers")).toEqual({ what: "MCP servers", level: "ok", detail: "none but ours" });
    expect(about(seen, "guards")?.detail).toBe(
      "not proved with 2.1.332 here yet: they are proved when a run starts, before anything is paid",
    );
    expect(about(seen, "containment")).toBeDefined();
    expect(about(seen, "provider")).toMatchObject({ level: "ok", detail: expect.stringMatching(/^127\.0\.0\.1:\d+ answers$/) as string });
    expect([seen.night.calls.map(({ method, path }) => `${method} ${path}`), seen.end.stdout.includes(key)]).toEqual([["HEAD /"], false]);
  });

  test("says that the guards held before, and one line for each thing to a person", async () => {
    const { night } = await examine({ personal: { limits: { windows: 1 } } });
    writeFileSync(join(night.folder, "home/.claude.json"), "garbage");
    await night.play();
    const { stdout } = await night.run(["doctor"]);
    const { run } = await night.status();
    const words = stdout.replace(/\s+/g, " ");
    expect(words).toContain(`guards held with 2.1.332 in run ${run}; again proved when a run starts`);
    expect(words).toContain(
      `none but ours; ${join(night.folder, "home/.claude.json")} cannot be read: its MCP servers and approvals are left out`,
    );
  });

  test("finds switches that the program does not know, and a program that gives no help", async () => {
    const old = await examine({ program: onlyHelp("-p, --print --verbose --model <m> --session-id-x") });
    expect([old.end.code, about(old, "switches")?.level]).toEqual([1, "fail"]);
    expect(about(old, "switches")?.detail).toMatch(/^it does not know .*--session-id, .*--strict-mcp-config.*: no window can start/);
    expect(about(old, "switches")?.detail).not.toMatch(/--verbose|--model|--await-initialize/);
    const mute = await examine({ program: onlyHelp("") });
    expect(about(mute, "switches")).toMatchObject({ level: "warn", detail: "it gives no help (exit code 0)" });
  });

  test("says of an older program what it would need, and nothing more", async () => {
    const seen = await examine({ program: wrapper('sayVersion("2.1.100");') });
    expect([seen.end.code, about(seen, "agent")?.level, about(seen, "switches"), about(seen, "guards")]).toEqual([
      1,
      "fail",
      undefined,
      undefined,
    ]);
  });
});
