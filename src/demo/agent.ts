/**
 * The demo's scripted agent: a program of its own that speaks a stream like Claude Code's and behaves like an agent on a mixed night.
 * What it does depends on the number of its window alone. It uses no model and no network but the loopback door.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { work } from "./work.ts";

const env = (name: string): string => process.env[name] ?? "";
const number = Number(env("MIDWATCH_WINDOW_NUMBER"));
const prompt = readFileSync(0, "utf8");
let calls = 0;

function say(line: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ ...line, session_id: env("MIDWATCH_WINDOW") })}\n`);
}

function begin(): void {
  say({ type: "system", subtype: "init", model: "scripted", tools: ["Write", "Bash"], mcp_servers: [], claude_code_version: "demo" });
}

function talk(text: string): void {
  say({ type: "assistant", message: { id: `m${number}-${calls}`, role: "assistant", content: [{ type: "text", text }] } });
}

/** One tool call, really carried out. */
function call(name: string, input: Readonly<Record<string, string>>, run: () => void): void {
  calls += 1;
  const id = `tool-${number}-${calls}`;
  say({
    type: "assistant",
    message: {
      id: `m${number}-${calls}`,
      role: "assistant",
      content: [{ type: "tool_use", id, name, input }],
      usage: { input_tokens: 9000 + calls * 1500, output_tokens: 200 },
    },
  });
  run();
  say({ type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "ok" }] } });
}

function write(path: string, text: string): void {
  call("Write", { file_path: path }, () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  });
}

function git(...args: readonly string[]): void {
  call("Bash", { command: `git ${args.join(" ")}` }, () => void execFileSync("git", [...args], { stdio: ["ignore", "ignore", "inherit"] }));
}

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(`${env("MIDWATCH_URL")}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.text();
}

function note(status: string, next: string): void {
  call("Write", { file_path: ".midwatch/handoff.md" }, () => {
    mkdirSync(dirname(env("MIDWATCH_HANDOFF")), { recursive: true });
    writeFileSync(env("MIDWATCH_HANDOFF"), `STATUS: ${status}\nNEXT: ${next}\nQUESTION:\n\nWindow ${number} wrote this.\n`);
  });
}

function end(dollars: number, text: string): void {
  say({
    type: "result",
    subtype: "success",
    is_error: false,
    terminal_reason: "completed",
    result: text,
    num_turns: calls + 1,
    total_cost_usd: dollars,
    permission_denials: [],
  });
}

/** Writes the task's files, commits them and claims the task: by a tick in the list, or at the door. */
async function finish(key: string, how: "tick" | "door"): Promise<void> {
  for (const [path, text] of Object.entries(work(key))) write(path, text);
  git("add", "--", ...Object.keys(work(key)));
  git("commit", "--quiet", "-m", `feat: ${key}`);
  if (how === "door") return post("claim", { task: key });
  const plan = env("MIDWATCH_PLAN");
  call("Edit", { file_path: "tasks.md" }, () => writeFileSync(plan, readFileSync(plan, "utf8").replace(`- [ ] ${key} `, `- [x] ${key} `)));
}

/** Waits until somebody ends this process. */
function hang(): Promise<never> {
  return new Promise(() => setInterval(() => undefined, 60_000));
}

const script: Readonly<Record<number, () => Promise<void>>> = {
  async 1() {
    await finish("T1", "door");
    note("CHECKPOINT", "T2");
    end(0.21, "T1 is done.");
  },
  async 2() {
    talk("I will now add truncate with its test. Then I will run the tests.");
    end(0.03, "I will now add truncate.");
  },
  async 3() {
    if (!prompt.startsWith("You MUST call tools.")) return end(0.03, "Nobody insisted.");
    await finish("T2", "tick");
    note("CHECKPOINT", "T3");
    end(0.24, "T2 is done.");
  },
  async 4() {
    talk("API Error: 529 overloaded");
    say({
      type: "result",
      subtype: "success",
      is_error: true,
      api_error_status: 529,
      terminal_reason: "api_error",
      result: "API Error: 529 overloaded",
      num_turns: 1,
      total_cost_usd: 0,
      permission_denials: [],
    });
  },
  async 5() {
    talk("Let me think about this for a very long time.");
    await hang();
  },
  async 6() {
    await finish("T3", "door");
    note("CHECKPOINT", "T4");
    end(0.22, "T3 is done.");
  },
  async 7() {
    for (const [path, text] of Object.entries(work("T4"))) write(path, text);
    writeFileSync(`${env("DEMO_FOLDER")}/kill-me`, "");
    await hang();
  },
  async 8() {
    await finish("T4", "tick");
    await post("ask", { task: "T5", question: "Which currency shall T5 print?", options: ["EUR", "USD"], default: "EUR", minutes: 0.05 });
    note("CHECKPOINT", "T5");
    end(0.25, "T4 is done; T5 needs a decision.");
  },
  async 9() {
    write("src/currency.mjs", `export const currency = "${/-> (EUR|USD)/.exec(prompt)?.[1] ?? "none"}";\n`);
    git("add", "--", "src/currency.mjs");
    await finish("T5", "door");
    note("DONE", "");
    end(0.2, "Everything is done.");
  },
};

begin();
await (script[number] ?? (async () => end(0.01, "There is nothing left to do.")))();
