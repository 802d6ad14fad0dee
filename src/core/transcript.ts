/**
 * What one process of an agent told in its stream, folded to what decisions and reports need. Memory is bounded whatever the stream:
 * a million events leave no more than a thousand.
 *
 * Two things are tracked that no single event says:
 * - `settled`: a result was the last word. A new session line, message or tool call after it means that another turn has begun.
 * - `waitingFor`: the provider's obstacle (a retry, a rejected limit) that nothing of the model has followed yet.
 */
import type { AgentEvent, AgentResult, McpServerStatus, Tokens } from "./agent-event.ts";
import { largerTokens, noTokens, TokenSum } from "./token-sum.ts";

export type LimitEvent = Extract<AgentEvent, { kind: "limit" }>;
export type ApiErrorEvent = Extract<AgentEvent, { kind: "api-error" }>;
export type RetryEvent = Extract<AgentEvent, { kind: "retry" }>;
export type NoticeEvent = Extract<AgentEvent, { kind: "notice" }>;

export interface Transcript {
  /** A structured stream was seen; without one nothing here but `lastText` means anything. */
  readonly structured: boolean;
  /** The stream is one that would show tool calls and messages: only then does "none" mean none. */
  readonly showsTurns: boolean;
  /** The model of the main conversation said or did something. */
  readonly hasTurn: boolean;
  /** In the order they came, at most 20. */
  readonly sessionIds: readonly string[];
  /** Empty when unknown. */
  readonly model: string;
  readonly version: string;
  readonly mcpServers: readonly McpServerStatus[];
  /** Calls of the main conversation, each tool id once. */
  readonly toolCalls: number;
  readonly subagentToolCalls: number;
  readonly toolErrors: number;
  /** Calls without a result so far, the oldest first. */
  readonly openTools: readonly OpenTool[];
  readonly lastTool: { readonly name: string; readonly summary: string } | null;
  /** Last words of the main conversation, or the last lines of plain output: the end of them, at most 4,096 characters. */
  readonly lastText: string;
  /** Put by the agent's own question tool; null when it asked nothing. */
  readonly question: string | null;
  readonly results: number;
  readonly lastResult: AgentResult | null;
  readonly settled: boolean;
  /** Highest running total of any result; null = the agent told no amount, which is not 0. */
  readonly costMicroUsd: number | null;
  readonly retries: number;
  readonly waitingFor: RetryEvent | LimitEvent | null;
  readonly limit: LimitEvent | null;
  /** A request that failed for good and that nothing of the model has followed. */
  readonly apiError: ApiErrorEvent | null;
  readonly compactions: number;
  /** Background tasks started and not known to have ended. */
  readonly backgroundOpen: number;
  /** Background tasks that were stopped after the main conversation's last word. */
  readonly backgroundStopped: number;
  readonly denials: number;
  /** The last 20. */
  readonly notices: readonly NoticeEvent[];
  /** How often each unknown type came; beyond 50 types they are counted as `other`. */
  readonly unknown: ReadonlyMap<string, number>;
  /** Largest input of one request of the main conversation. */
  readonly maxContextTokens: number;
  readonly tokens: Tokens;
}

export interface OpenTool {
  readonly name: string;
  readonly summary: string;
  readonly subagent: boolean;
}

export interface TranscriptRecorder {
  add(event: AgentEvent): void;
  /** The transcript so far; later events do not change it. */
  read(): Transcript;
  readonly openTools: number;
  readonly settled: boolean;
  readonly backgroundOpen: number;
}

const maxTextLength = 4096;
const maxSessions = 20;
const maxNotices = 20;
const maxUnknownTypes = 50;
/** Ids remembered of each sort. The oldest is forgotten first, so that a stream of made-up ids cannot fill the memory. */
const maxIds = 1000;
const maxOpenCalls = 100;

/** The transcript of these events. */
export function foldEvents(events: Iterable<AgentEvent>): Transcript {
  const recorder = createTranscript();
  for (const event of events) recorder.add(event);
  return recorder.read();
}

/** Starts an empty transcript. */
export function createTranscript(): TranscriptRecorder {
  const seen = nothingSeen();
  const memory = new Memory();
  return {
    add(event) {
      if (isStructured(event)) seen.structured = true;
      // The table holds one reader for each kind, which the compiler cannot follow through the lookup.
      readers[event.kind](seen, event as never, memory);
    },
    read: () => snapshot(seen, memory),
    get openTools() {
      return memory.openCalls.size;
    },
    get settled() {
      return seen.settled;
    },
    get backgroundOpen() {
      return memory.background.size;
    },
  };
}

/** What is told as it is kept. */
type Seen = Mutable<Omit<Transcript, "sessionIds" | "openTools" | "backgroundOpen" | "denials" | "notices" | "unknown" | "tokens">>;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

function nothingSeen(): Seen {
  return {
    structured: false,
    showsTurns: false,
    hasTurn: false,
    model: "",
    version: "",
    mcpServers: [],
    toolCalls: 0,
    subagentToolCalls: 0,
    toolErrors: 0,
    lastTool: null,
    lastText: "",
    question: null,
    results: 0,
    lastResult: null,
    settled: false,
    costMicroUsd: null,
    retries: 0,
    waitingFor: null,
    limit: null,
    apiError: null,
    compactions: 0,
    backgroundStopped: 0,
    maxContextTokens: 0,
  };
}

/** What is kept to tell it otherwise. */
class Memory {
  readonly sessionIds = new Set<string>();
  readonly toolIds = new Set<string>();
  /** By tool id. */
  readonly openCalls = new Map<string, OpenTool>();
  readonly background = new Set<string>();
  readonly denied = new Set<string>();
  readonly notices: NoticeEvent[] = [];
  readonly unknown = new Map<string, number>();
  readonly messages = new TokenSum();
  resultTokens = noTokens;
  /** Key of the main conversation's latest message. */
  mainMessage = "";
  textIsPlain = true;
}

type EventOf<Kind extends AgentEvent["kind"]> = Extract<AgentEvent, { kind: Kind }>;

const readers: { readonly [Kind in AgentEvent["kind"]]: (seen: Seen, event: EventOf<Kind>, memory: Memory) => void } = {
  session: readSession,
  text: readText,
  "tool-start": readToolStart,
  "tool-end"(seen, event, memory) {
    memory.openCalls.delete(event.toolId);
    if (!event.ok) seen.toolErrors += 1;
  },
  "tool-denied": (_, event, memory) => remember(memory.denied, event.toolId),
  question(seen, event) {
    seen.question ??= event.text;
  },
  usage: readUsage,
  "api-error"(seen, event) {
    seen.apiError = event;
  },
  retry(seen, event) {
    seen.retries += 1;
    seen.waitingFor = event;
  },
  limit(seen, event) {
    seen.limit = event;
    if (event.status === "rejected") seen.waitingFor = event;
  },
  compaction(seen) {
    seen.compactions += 1;
  },
  background: readBackground,
  notice(_, event, memory) {
    memory.notices.push(event);
    if (memory.notices.length > maxNotices) memory.notices.shift();
  },
  result: readResult,
  unknown(_, event, memory) {
    const type = memory.unknown.has(event.type) || memory.unknown.size < maxUnknownTypes ? event.type : "other";
    memory.unknown.set(type, (memory.unknown.get(type) ?? 0) + 1);
  },
  heartbeat() {},
  activity() {},
};

function readSession(seen: Seen, event: EventOf<"session">, memory: Memory): void {
  seen.showsTurns = true;
  seen.settled = false;
  if (event.sessionId !== "" && memory.sessionIds.size < maxSessions) memory.sessionIds.add(event.sessionId);
  seen.model = event.model ?? seen.model;
  seen.version = event.version ?? seen.version;
  seen.mcpServers = event.tools ?? seen.mcpServers;
}

function readText(seen: Seen, event: EventOf<"text">, memory: Memory): void {
  if (event.plain === true) {
    if (memory.textIsPlain) addPlainLine(seen, event.text);
    return;
  }
  noteTurn(seen, event.subagent);
  if (event.subagent) return;
  seen.lastText = event.text.slice(-maxTextLength);
  memory.textIsPlain = false;
}

/** Plain lines are one text, until a structured stream speaks. */
function addPlainLine(seen: Seen, line: string): void {
  seen.lastText = seen.lastText === "" ? line : `${seen.lastText}\n${line}`;
  // Cut seldom, not at each line: joining is cheap, cutting copies.
  if (seen.lastText.length > 4 * maxTextLength) seen.lastText = seen.lastText.slice(-maxTextLength);
}

function readToolStart(seen: Seen, event: EventOf<"tool-start">, memory: Memory): void {
  noteTurn(seen, event.subagent);
  if (memory.toolIds.has(event.toolId)) return;
  if (event.subagent) seen.subagentToolCalls += 1;
  else seen.toolCalls += 1;
  const { name, summary, subagent } = event;
  seen.lastTool = { name, summary };
  if (event.toolId === "") return;
  remember(memory.toolIds, event.toolId);
  if (memory.openCalls.size < maxOpenCalls) memory.openCalls.set(event.toolId, { name, summary, subagent });
}

/** The model was heard: whatever stood in its way is over, and so is the turn that a result had closed. */
function noteTurn(seen: Seen, subagent: boolean): void {
  seen.showsTurns = true;
  seen.waitingFor = null;
  if (subagent) return;
  seen.hasTurn = true;
  seen.settled = false;
  seen.apiError = null;
  seen.backgroundStopped = 0;
}

function readUsage(seen: Seen, event: EventOf<"usage">, memory: Memory): void {
  seen.showsTurns = true;
  seen.waitingFor = null;
  memory.messages.report(event.key, event.tokens, event.final);
  if (event.subagent) return;
  if (event.key !== memory.mainMessage) closeLostCalls(memory);
  memory.mainMessage = event.key;
  seen.maxContextTokens = Math.max(seen.maxContextTokens, event.tokens.input + event.tokens.cacheRead + event.tokens.cacheWrite);
}

/** A new message is asked for only when every call of the one before has its result: what is still open was lost on the way (a cut line). */
function closeLostCalls(memory: Memory): void {
  for (const [id, call] of memory.openCalls) if (!call.subagent || memory.background.size === 0) memory.openCalls.delete(id);
}

function readBackground(seen: Seen, event: EventOf<"background">, memory: Memory): void {
  if (event.change === "started") remember(memory.background, event.taskId);
  else if (memory.background.delete(event.taskId) && event.change === "stopped") seen.backgroundStopped += 1;
}

function readResult(seen: Seen, { result }: EventOf<"result">, memory: Memory): void {
  seen.results += 1;
  seen.lastResult = result;
  seen.settled = true;
  if (memory.background.size === 0) memory.openCalls.clear();
  if (result.costMicroUsd !== undefined) seen.costMicroUsd = Math.max(seen.costMicroUsd ?? 0, result.costMicroUsd);
  if (result.tokens !== undefined) memory.resultTokens = largerTokens(memory.resultTokens, result.tokens);
}

function snapshot(seen: Seen, memory: Memory): Transcript {
  return {
    ...seen,
    sessionIds: [...memory.sessionIds],
    openTools: [...memory.openCalls.values()],
    lastText: seen.lastText.slice(-maxTextLength),
    backgroundOpen: memory.background.size,
    denials: Math.max(memory.denied.size, seen.lastResult?.permissionDenials ?? 0),
    notices: [...memory.notices],
    unknown: new Map(memory.unknown),
    // Messages tell only a part of their output, and results leave out the turn that is running: each count is at least the larger.
    tokens: largerTokens(memory.messages.total, memory.resultTokens),
  };
}

/** Plain output, shapes we do not know and mere signs of life do not make a stream structured. */
function isStructured(event: AgentEvent): boolean {
  if (event.kind === "text") return event.plain !== true;
  return event.kind !== "unknown" && event.kind !== "heartbeat" && event.kind !== "activity";
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  if (ids.size <= maxIds) return;
  for (const oldest of ids) {
    ids.delete(oldest);
    return;
  }
}
