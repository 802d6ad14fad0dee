/** The facts that the table of exit reasons asks for. Recorded fields only: no text is searched. */
import type { AgentResult } from "./agent-event.ts";
import type { ProcessEnd, StopCause } from "./process-end.ts";
import type { Transcript } from "./transcript.ts";

export interface Facts {
  readonly seen: Transcript;
  readonly end: ProcessEnd;
  /** The closing result; null when there was none, or when another turn had begun after it. */
  readonly result: AgentResult | null;
  /** Empty when there is none. */
  readonly terminal: string;
  /** A failure that the agent recorded. */
  readonly failure: Failure | null;
  readonly detail: string;
}

export interface Failure {
  /** The agent's word, and the provider's. */
  readonly words: readonly string[];
  readonly status: number | null;
  /** The request itself failed, and not something around it. */
  readonly ofRequest: boolean;
}

export function readFacts(seen: Transcript, end: ProcessEnd): Facts {
  const result = seen.settled ? seen.lastResult : null;
  const detail = gist(result?.text || seen.apiError?.text || "");
  return { seen, end, result, terminal: result?.terminalReason ?? "", failure: readFailure(seen, result), detail };
}

function readFailure(seen: Transcript, result: AgentResult | null): Failure | null {
  const request = seen.apiError;
  if (request === null && !result?.isError) return null;
  const words = [request?.error, request?.type].filter((word) => word !== undefined);
  const ofRequest =
    request !== null ||
    result?.apiErrorStatus !== undefined ||
    result?.terminalReason === "api_error" ||
    result?.terminalReason === "model_error";
  return { words, status: result?.apiErrorStatus ?? request?.status ?? null, ofRequest };
}

export function says(failure: Failure | null, statuses: readonly number[], words: readonly string[]): boolean {
  return failure !== null && (failure.words.some((word) => words.includes(word)) || statuses.includes(failure.status ?? 0));
}

/** What an agent writes because we interrupt it is no closing result. */
export function ranOut({ end, result }: Facts, cause: StopCause): boolean {
  return end.cause === cause && (result === null || result.isError);
}

export function fellSilent(facts: Facts): boolean {
  return ranOut(facts, "idle-clock") || (facts.end.cause === "lingered" && facts.result === null);
}

/** The terminal reason decides where there is one: a subtype alone proves nothing. */
export function isCapped({ result, terminal }: Facts, reason: string, subtype: string): boolean {
  return terminal === reason || (terminal === "" && result?.subtype === subtype);
}

export function isLimited({ failure, result, seen }: Facts): boolean {
  if (says(failure, [429], ["rate_limit", "rate_limit_error"])) return true;
  return seen.waitingFor?.kind === "limit" && (failure !== null || result === null);
}

/** Only a rejection says until when: an allowed limit has a reset time too. */
export function limitedUntil({ limit }: Transcript): number | null {
  return limit?.status === "rejected" ? (limit.resetsAt ?? null) : null;
}

const configWords = ["model_not_found", "not_found_error", "invalid_request", "invalid_request_error"];

/** 4xx, but for those that pass by themselves (408, 409, 429). */
export function isConfigError(failure: Failure | null): boolean {
  const status = failure?.status ?? 0;
  return says(failure, [], configWords) || (status >= 400 && status < 500 && ![408, 409, 429].includes(status));
}

export function neverBegan({ seen, result }: Facts): boolean {
  if (result === null || seen.hasTurn || result.turns > 0 || (result.costMicroUsd ?? 0) > 0) return false;
  return seen.showsTurns || result.isError;
}

export function abandoned({ seen, result }: Facts): number {
  return result === null ? 0 : Math.max(result.subagentsKilledBySystem, seen.backgroundStopped + seen.backgroundOpen);
}

export function hasNotice(seen: Transcript, tag: string): boolean {
  return seen.notices.some((notice) => notice.tag === tag);
}

export function madeNoCall(seen: Transcript): boolean {
  return seen.toolCalls + seen.subagentToolCalls === 0;
}

export function openTool(seen: Transcript): string {
  const tool = seen.openTools.at(-1);
  return tool === undefined ? "" : `${tool.name} ${tool.summary}`.trimEnd();
}

/** For people: the beginning, on one line. */
function gist(text: string): string {
  return text.slice(0, 300).replace(/\s+/g, " ").trim();
}

/** For people: the last line that is not empty. */
export function lastLine(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  // A crash of Node ends in its version; above a stack stands what happened.
  const telling = lines.findLast((line) => !/^(Node\.js v\d+\.\d+\.\d+$|at .+:\d+:\d+\)?$|\}$)/.test(line)) ?? lines.at(-1) ?? "";
  return telling.slice(0, 300);
}
