/** `midwatch provider`: the script file, and the program around the server. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, describe, expect, test } from "vitest";
import { parseScript } from "../../src/cli/provider-script.ts";
import { startProvider } from "../../src/provider/server.ts";
import { ask, conversation } from "./provider-kit.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "midwatch-provider-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a script file", () => {
  test("the script in the documentation is one", () => {
    const [, text] = /```json\n([\s\S]*?)```/.exec(readFileSync(join(root, "docs/provider.md"), "utf8")) ?? [];
    expect(parseScript(text ?? "", "docs/provider.md").conversations.length).toBe(2);
  });

  test("every fault in the documentation is one", () => {
    const page = readFileSync(join(root, "docs/provider.md"), "utf8");
    const [, table] = /## Faults([\s\S]*?)\n## /.exec(page) ?? [];
    const kinds = [...(table ?? "").matchAll(/^\| `([a-z-]+)`/gm)].map(([, kind]) => kind);
    expect(kinds.length).toBe(17);
    for (const kind of kinds.filter((kind) => kind !== "http"))
      parseScript(JSON.stringify({ conversations: [{ steps: [{ fault: kind }] }] }), "s");
  });

  test("a word stands for a fault that needs no more", () => {
    expect(parseScript('{"conversations":[{"steps":[{"fault":"overloaded"}]}]}', "s")).toEqual({
      conversations: [{ steps: [{ fault: { kind: "overloaded" } }] }],
    });
  });

  test.each([
    ["{", "s.json is no JSON"],
    ["[]", "s.json: the script: "],
    ['{"conversations":[]}', "s.json: conversations: "],
    ['{"conversations":[{"steps":[]}]}', "s.json: conversations[0].steps: "],
    ['{"conversations":[{"steps":[{"test":"a"}]}]}', "s.json: conversations[0].steps[0]: "],
    ['{"conversations":[{"steps":[{"tools":[{"name":"Bash","input":"ls"}]}]}]}', "s.json: conversations[0].steps[0].tools[0].input: "],
    ['{"conversations":[{"steps":[{"usage":{"input":-1}}]}]}', "s.json: conversations[0].steps[0].usage.input: "],
    ['{"conversations":[{"steps":[{"fault":"hiccup"}]}]}', "s.json: conversations[0].steps[0].fault.kind: "],
    ['{"conversations":[{"steps":[{"fault":{"kind":"cut","after":1}}]}]}', "s.json: conversations[0].steps[0].fault: "],
    ['{"conversations":[{"steps":[{"headers":{"a b":"c"}}]}]}', "s.json: conversations[0].steps[0].headers"],
    ['{"conversations":[{"steps":[{"headers":{"a":"b\\r\\nc: d"}}]}]}', "s.json: conversations[0].steps[0].headers.a: "],
    ['{"conversations":[{"when":{"promt":"x"},"steps":[{}]}]}', "s.json: conversations[0].when: "],
  ])("%s is refused by its place", (text, message) => {
    expect(() => parseScript(text, "s.json")).toThrow(
      expect.objectContaining({ kind: "config", message: expect.stringContaining(message) as string }),
    );
  });
});

const script = join(folder, "script.json");
writeFileSync(script, '{"conversations":[{"steps":[{"text":"hello"}]}]}');

type Child = ChildProcessByStdio<null, Readable, Readable>;

function start(...args: readonly string[]): Child {
  return spawn(process.execPath, [join(root, "src/main.ts"), "provider", ...args], { stdio: ["ignore", "pipe", "pipe"], cwd: folder });
}

async function firstOutput(child: Child): Promise<string> {
  const [chunk] = (await once(child.stdout, "data")) as [Buffer];
  return chunk.toString("utf8");
}

async function endOf(child: Child): Promise<{ readonly code: number | null; readonly said: string }> {
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, said };
}

describe("the command", () => {
  test.each<[NodeJS.Signals]>([["SIGINT"], ["SIGTERM"]])("it prints its address, serves, and ends well at a %s", async (signal) => {
    const child = start("--script", script);
    const url = (await firstOutput(child)).trim();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const answer = await fetch(`${url}/v1/messages`, { method: "POST", body: JSON.stringify(conversation(0)) });
    expect(answer.status).toBe(200);
    const end = endOf(child);
    child.kill(signal);
    expect(await end).toEqual({ code: 0, said: expect.stringContaining("1  POST /v1/messages  conversation 0, step 0  200\n") as string });
  });

  test("--json prints the address as a value", async () => {
    const child = start("--script", script, "--json");
    const value = JSON.parse(await firstOutput(child)) as { port: number };
    expect(value).toEqual({ url: `http://127.0.0.1:${value.port}`, port: value.port });
    const end = endOf(child);
    child.kill("SIGTERM");
    expect((await end).code).toBe(0);
  });

  test.each<[string, readonly string[], number, string]>([
    ["no script", [], 2, "--script"],
    ["a script that is not there", ["--script", "none.json"], 2, "none.json: there is no such script"],
    ["a port that is none", ["--script", script, "--port", "99999"], 2, "--port 99999 is no port"],
    ["an invoice in no folder", ["--script", script, "--invoice", "no/where.jsonl"], 1, "the invoice no/where.jsonl cannot be written"],
  ])("%s is refused in one line", async (_title, args, code, message) => {
    const end = await endOf(start(...args));
    expect(end).toEqual({ code, said: expect.stringContaining(message) as string });
    expect(end.said).not.toContain("    at ");
  });

  test("a port that somebody has is refused in one line", async () => {
    const other = await startProvider({ script: { conversations: [] } });
    const { code, said } = await endOf(start("--script", script, "--port", String(other.port)));
    expect([code, said]).toEqual([1, expect.stringContaining(`port ${other.port} on 127.0.0.1 cannot be opened`)]);
    expect((await ask(other, conversation(0))).status).toBe(200);
    await other.close();
  });
});
