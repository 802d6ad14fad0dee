/**
 * Windows of the real Claude Code whose guard is a callback of the control protocol. In one window each kind of tool is called by the main conversation
 * and once more by a subagent, and each call that runs leaves its mark.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import type { ProviderScript, ScriptedCall, ScriptStep } from "../../src/ports/provider.ts";
import { type Folders, type Line, playWindow, type Seen, type Session, userSays } from "./claude-kit.ts";

/** One question of the program, and the ways to answer it. */
export interface Question {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly subagent: boolean;
  readonly session: Session;
  /** The answer that a callback gives: any object. */
  reply(response: object): void;
  replyError(): void;
}

export type Guard = (question: Question) => void;

export interface GuardedWindow {
  /** Answers the calls under test. What leads to them (Read, Agent) is allowed. */
  readonly guard: Guard;
  /** Absent = each kind of tool, in the main conversation and in a subagent. */
  readonly calls?: readonly ScriptedCall[];
  /** `one` = a callback for all tools; `empty` = an initialize without hooks; `none` = no initialize. */
  readonly hooks?: "one" | "empty" | "none";
  readonly timeoutSeconds?: number;
  /** Which settings files count; a window of ours has none. */
  readonly sources?: "none" | "all";
  readonly files?: Readonly<Record<string, string>>;
}

export interface GuardSeen extends Seen {
  /** Marks of the calls that ran. */
  readonly marks: readonly string[];
  /** Tools that we were asked about, those of a subagent with a star. */
  readonly asked: readonly string[];
  /** Files in the working tree afterwards. */
  readonly files: readonly string[];
}

const places = ["main", "sub"] as const;
export const allMarks = places.flatMap((place) => ["bash", "write", "edit", "fetch", "mcp"].map((kind) => `${place}-${kind}`));
const mcpServer = join(import.meta.dirname, "../fixtures/agents/mcp-touch.js");

export async function playGuarded(window: GuardedWindow): Promise<GuardSeen> {
  const pages = [await openPage(), await openPage()] as const;
  try {
    return await play(window, pages);
  } finally {
    for (const { server } of pages) server.close();
  }
}

/** A page that somebody fetches: WebFetch speaks TLS to it, so only the connection is seen. */
interface Page {
  readonly server: Server;
  readonly url: string;
  fetched: boolean;
}

async function openPage(): Promise<Page> {
  const server = createServer((socket) => {
    page.fetched = true;
    socket.on("error", () => undefined); // it may hang up first
    socket.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const page: Page = { server, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`, fetched: false };
  return page;
}

async function play(window: GuardedWindow, pages: readonly [Page, Page]): Promise<GuardSeen> {
  const asked: string[] = [];
  let tree = "";
  let files: readonly string[] = [];
  let notes = "";
  const seen = await playWindow({
    provider: toScript(window, { tree: () => tree, pages }),
    files: { "notes.txt": "main before\nsub before\n", ...window.files },
    args: argumentsOf(window),
    talk(session) {
      tree = session.tree;
      start(session, window);
      session.onLine((line) => {
        if (line["type"] === "result") session.end();
        const question = readQuestion(line, session);
        if (question === null) return;
        asked.push(question.tool + (question.subagent ? "*" : ""));
        if (leading.includes(question.tool)) question.reply(verdict("allow"));
        else window.guard(question);
      });
    },
    after() {
      files = readdirSync(tree, { recursive: true, encoding: "utf8" });
      notes = readFileSync(join(tree, "notes.txt"), "utf8");
    },
  });
  const fetched = places.filter((_place, index) => pages[index]?.fetched).map((place) => `${place}-fetch`);
  const edited = places.filter((place) => notes.includes(`${place} after`)).map((place) => `${place}-edit`);
  const marks = allMarks.filter((mark) => [...files, ...fetched, ...edited].includes(mark));
  return { ...seen, asked, files, marks };
}

const leading = ["Read", "Agent"];

export function verdict(permissionDecision: string, more: object = {}): object {
  return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason: "so says the test", ...more } };
}

/** Writes a file below the working tree. */
export function put({ tree }: Folders, path: string, text: string): void {
  const target = join(tree, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function argumentsOf({ sources = "none" }: GuardedWindow): readonly string[] {
  const servers = { mcpServers: { touch: { command: process.execPath, args: [mcpServer] } } };
  return [
    ...["--permission-mode", "dontAsk", "--strict-mcp-config", "--mcp-config", JSON.stringify(servers)],
    // Without this each WebFetch asks claude.ai first whether the address is safe.
    ...["--settings", '{"skipWebFetchPreflight":true}'],
    ...(sources === "none" ? ["--setting-sources", ""] : []),
  ];
}

function start(session: Session, { hooks = "one", timeoutSeconds = 20 }: GuardedWindow): void {
  const registered = hooks === "one" ? { PreToolUse: [{ matcher: "*", hookCallbackIds: ["guard"], timeout: timeoutSeconds }] } : {};
  if (hooks !== "none")
    session.send({ type: "control_request", request_id: "start", request: { subtype: "initialize", hooks: registered } });
  userSays(session, "do it");
}

type Fields = Readonly<Record<string, unknown>>;

function readQuestion(line: Line, session: Session): Question | null {
  const request = line["request"] as Fields | undefined;
  if (line["type"] !== "control_request" || request?.["subtype"] !== "hook_callback") return null;
  const id = line["request_id"];
  const input = request["input"] as Fields;
  const respond = (response: object) => session.send({ type: "control_response", response: { request_id: id, ...response } });
  return {
    tool: String(input["tool_name"]),
    input: input["tool_input"] as Fields,
    subagent: typeof input["agent_id"] === "string",
    session,
    reply: (response) => respond({ subtype: "success", response }),
    replyError: () => respond({ subtype: "error", error: "the guard broke" }),
  };
}

interface Scene {
  /** Known only when the window has begun. */
  readonly tree: () => string;
  readonly pages: readonly [Page, Page];
}

/** Two conversations: the subagent's and the main one. */
function toScript({ calls }: GuardedWindow, { tree, pages: [mainPage, subPage] }: Scene): ProviderScript {
  const read = (): ScriptStep => ({ tools: [{ name: "Read", input: { file_path: join(tree(), "notes.txt") } }] });
  const delegate: ScriptStep = { tools: [{ name: "Agent", input: { description: "do it too", prompt: "Do your part." } }] };
  const main = () => calls?.map((call) => ({ tools: [call] })) ?? [read(), { tools: toolCalls("main", tree(), mainPage) }, delegate];
  const sub = () => [read(), { tools: toolCalls("sub", tree(), subPage) }];
  const follow =
    (steps: () => readonly ScriptStep[]) =>
    ({ step }: { readonly step: number }) =>
      steps()[step] ?? { text: "All done." };
  return { conversations: [{ when: { prompt: "Do your part." }, steps: follow(sub) }, { steps: follow(main) }] };
}

function toolCalls(place: (typeof places)[number], tree: string, { url }: Page): readonly ScriptedCall[] {
  return [
    { name: "Bash", input: { command: `echo > ${place}-bash`, description: "leave a mark" } },
    { name: "Write", input: { file_path: join(tree, `${place}-write`), content: "" } },
    { name: "Edit", input: { file_path: join(tree, "notes.txt"), old_string: `${place} before`, new_string: `${place} after` } },
    { name: "WebFetch", input: { url, prompt: "What is it?" } },
    { name: "mcp__touch__touch", input: { path: join(tree, `${place}-mcp`) } },
  ];
}

/** A shell command that leaves a mark. */
export function bash(command: string): ScriptedCall {
  return { name: "Bash", input: { command, description: "try it" } };
}
