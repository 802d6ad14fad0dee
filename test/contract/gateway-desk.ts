/** What stands behind and around a gateway under test, with nothing of the test runner in it: a desk, a format that is as simple as one can be, and no tools. */
import type { CallRequest, CallResult } from "../../src/core/money/call.ts";
import { noUsage } from "../../src/core/money/usage.ts";
import type { Admission, CallDesk } from "../../src/ports/calls.ts";
import type { WindowDoor } from "../../src/ports/door.ts";
import type { OpenRawAnswer, WireFormat } from "../../src/ports/wire-format.ts";

export interface Booked {
  readonly request: CallRequest;
  /** More than one is a mistake. */
  readonly results: CallResult[];
}

export interface TestDesk extends CallDesk {
  readonly calls: Booked[];
  /** Resolves when so many calls are finished. */
  finished(count?: number): Promise<readonly CallResult[]>;
}

export interface DeskOptions {
  readonly keepsAnswers?: boolean;
  readonly decide?: (request: CallRequest) => Exclude<Admission, { kind: "forward" }> | null | Promise<null>;
  /** Before a row is closed. */
  readonly beforeFinish?: () => Promise<void>;
}

export function createTestDesk({ keepsAnswers = false, decide = () => null, beforeFinish }: DeskOptions = {}): TestDesk {
  const calls: Booked[] = [];
  let told = Promise.withResolvers<void>();
  const results = () => calls.flatMap((call) => call.results);
  return {
    calls,
    readsToTheEnd: keepsAnswers,
    volatileFields: [],
    async begin(request) {
      const decided = await decide(request);
      if (decided !== null) return decided;
      const booked: Booked = { request, results: [] };
      calls.push(booked);
      const finish = async (result: CallResult) => {
        await beforeFinish?.();
        booked.results.push(result);
        told.resolve();
        told = Promise.withResolvers();
      };
      return { kind: "forward", call: { id: String(calls.length), keepsAnswer: keepsAnswers, finish, undelivered: () => undefined } };
    },
    async finished(count = 1) {
      while (results().length < count) await told.promise;
      return results();
    },
  };
}

/** `POST /v1/messages` is a call; an answer is over where it says `LAST`, and charged one token for each byte before; an event of type error breaks it off. */
export const plainFormat: WireFormat = {
  name: "plain",
  agentHeader: null,
  isCall: (path) => path === "/v1/messages",
  isFree: (method, path) => (method !== "POST" && path === "/v1/models") || path === "/v1/free",
  readRequest(body) {
    try {
      const read = JSON.parse(Buffer.from(body).toString("utf8")) as { model?: string; stream?: boolean };
      if (typeof read.model !== "string") return null;
      return { model: read.model, stream: read.stream === true, maxOutputTokens: null, answers: 1, writesCache: false, conversation: "c" };
    } catch {
      return null; // not JSON
    }
  },
  openAnswer(status) {
    let text = "";
    const isWhole = () => text.includes("LAST") || text.includes("message_stop");
    return {
      feed(bytes) {
        text = (text + Buffer.from(bytes).toString("latin1")).slice(-10_000);
      },
      get isComplete() {
        return isWhole();
      },
      end: () => ({
        whole: status < 300 && isWhole(),
        usage: isWhole() ? { ...noUsage, output: 1 } : null,
        model: null,
        messageId: null,
        failure: status < 300 ? (text.includes("event: error") ? "error-in-stream" : null) : status >= 500 ? "server-error" : "refused",
      }),
    };
  },
  refusal: (message) => ({
    status: 400,
    headers: [
      ["content-type", "application/json"],
      ["x-should-retry", "false"],
    ],
    body: JSON.stringify({ refused: message }),
  }),
  failure: (status, message) => ({ status, headers: [["content-type", "application/json"]], body: JSON.stringify({ failed: message }) }),
};

export const openPlain: OpenRawAnswer = (format, status) => {
  const reader = format.openAnswer(status, "");
  return {
    feed(bytes) {
      reader.feed(bytes);
      return undefined;
    },
    get isComplete() {
      return reader.isComplete;
    },
    end: async (endedWell) => reader.end(endedWell),
  };
};

const nobody = async (): Promise<never> => {
  throw new Error("no tool is used here");
};
export const noTools: WindowDoor = { tasks: nobody, claim: nobody, ask: nobody, note: nobody, budget: nobody, handoff: nobody, team: null };
