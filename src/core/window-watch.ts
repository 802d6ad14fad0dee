/**
 * The context watch (A12) and the two money lines (A3, D4) of one window: figures go in, what follows from them comes out. Whoever measures may be coarse or
 * exact, early or late: only the figures count, and each line is told once.
 *
 *   context   from the tell line on, and again each 10,000 tokens: told to hand off · at the end line: the window ends after the running tool
 *   money     from the cap minus the reserve on, or when less is left than two calls may cost (so that one more still fits): told to hand off, and nothing but our own tools runs · at the cap: the program or the gateway refuses
 */
import { cents } from "./money/amount.ts";

export interface WatchLimits {
  /** Main conversation's input size from which the agent is told to hand off. */
  readonly contextTellTokens: number;
  /** The size at which the window ends. */
  readonly contextTokens: number;
  readonly capMicroUsd: number;
  /** Kept for the handoff; never more than half of the cap. */
  readonly reserveMicroUsd: number;
}

export type Observation =
  /** Input of the main conversation's latest request. */
  | { readonly kind: "context"; readonly tokens: number }
  /** Spent in this window: what is known, and what is held for calls that run. May fall when less was needed than was held. */
  | { readonly kind: "spend"; readonly microUsd: number }
  /** What a call may cost, by the upper estimate of the latest one. */
  | { readonly kind: "call"; readonly upperMicroUsd: number }
  /** What the window's own calls that run may cost together, by their upper estimates. */
  | { readonly kind: "running"; readonly microUsd: number };

export interface WatchState {
  readonly contextTokens: number;
  /** Stays, whatever a compaction frees: a summary is no fresh start. */
  readonly isFull: boolean;
  /** How many of the context's lines were told. */
  readonly contextTold: number;
  readonly spentMicroUsd: number;
  /** Of the latest call; 0 where nobody estimates. */
  readonly callMicroUsd: number;
  readonly runningMicroUsd: number;
  readonly reserveTold: boolean;
}

export interface Advice {
  /** For the agent, now; null = nothing that it was not told. */
  readonly tell: string | null;
  /** Why every tool but ours is denied; null = it is not. */
  readonly deny: string | null;
  /** The window ends after the running tool. */
  readonly mustEnd: boolean;
}

export const freshWatch: WatchState = {
  contextTokens: 0,
  isFull: false,
  contextTold: 0,
  spentMicroUsd: 0,
  callMicroUsd: 0,
  runningMicroUsd: 0,
  reserveTold: false,
};

const tellAgainTokens = 10_000;
/** Our tools, as an agent that has them over MCP calls them. */
const ownTools = "mcp__midwatch__";

/** What is known after it. */
export function observe(state: WatchState, limits: WatchLimits, seen: Observation): WatchState {
  if (seen.kind === "spend") return { ...state, spentMicroUsd: seen.microUsd };
  if (seen.kind === "call") return { ...state, callMicroUsd: seen.upperMicroUsd };
  if (seen.kind === "running") return { ...state, runningMicroUsd: seen.microUsd };
  return {
    ...state,
    contextTokens: seen.tokens,
    isFull: state.isFull || seen.tokens >= limits.contextTokens,
    // After a compaction the agent may have lost what it was told: the same lines count anew. A few tokens less are none.
    contextTold: seen.tokens < limits.contextTellTokens / 2 ? 0 : state.contextTold,
  };
}

/** What follows from it. */
export function advise(state: WatchState, limits: WatchLimits): Advice {
  const isInReserve = state.spentMicroUsd >= reserveLine(state, limits);
  const lines = [
    ...(isInReserve && !state.reserveTold ? [tellMoney(state, limits)] : []),
    ...(contextLines(state.contextTokens, limits) > state.contextTold ? [tellContext(state, limits)] : []),
  ];
  return {
    tell: lines.length === 0 ? null : lines.join("\n"),
    deny: isInReserve ? denial(state, limits) : null,
    mustEnd: state.isFull,
  };
}

/**
 * Whether the money line may be passed by calls that still run: an agent asks for a tool as soon as its words have come, and what they cost comes after
 * them. What is held for such a call is a generous estimate and stops nothing, but its end is worth a moment's wait.
 */
export function isMoneyOpen(state: WatchState, limits: WatchLimits): boolean {
  const line = reserveLine(state, limits);
  return state.spentMicroUsd < line && state.spentMicroUsd + state.runningMicroUsd >= line;
}

/** The state once what `advise` had to tell was told. */
export function markTold(state: WatchState, limits: WatchLimits): WatchState {
  return {
    ...state,
    contextTold: Math.max(state.contextTold, contextLines(state.contextTokens, limits)),
    reserveTold: state.reserveTold || state.spentMicroUsd >= reserveLine(state, limits),
  };
}

/** Whether a tool still runs when the others are denied: those that hand the work over. */
export function isOwnTool(name: string): boolean {
  return name.startsWith(ownTools);
}

/** How many lines of the context such a size has passed. */
function contextLines(tokens: number, { contextTellTokens }: WatchLimits): number {
  return tokens < contextTellTokens ? 0 : 1 + Math.floor((tokens - contextTellTokens) / tellAgainTokens);
}

function reserveLine({ callMicroUsd }: WatchState, { capMicroUsd, reserveMicroUsd }: WatchLimits): number {
  return capMicroUsd - Math.min(Math.max(reserveMicroUsd, 2 * callMicroUsd), capMicroUsd / 2);
}

function tellContext({ contextTokens }: WatchState, limits: WatchLimits): string {
  return `Midwatch: hand off now. This conversation has ${contextTokens} tokens; at ${limits.contextTokens} the window is ended. Commit what is done, call ${ownTools}handoff, then end your turn. A fresh window goes on.`;
}

function tellMoney(state: WatchState, limits: WatchLimits): string {
  return `Midwatch: hand off now. ${spentWords(state, limits)}, and from here on every tool but those of midwatch is denied. Call ${ownTools}handoff (say in it what is not committed yet), then end your turn. A fresh window goes on.`;
}

function denial(state: WatchState, limits: WatchLimits): string {
  return `hand off now: ${spentWords(state, limits)}. No tool runs any more but those of midwatch: call ${ownTools}handoff, then end your turn; a subagent ends its turn with what it has.`;
}

function spentWords({ spentMicroUsd }: WatchState, { capMicroUsd }: WatchLimits): string {
  return `US$ ${cents(spentMicroUsd)} of the ${cents(capMicroUsd)} of this window are spent`;
}
