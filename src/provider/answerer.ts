/** Answers one request: reads it, finds its step, writes the charge, keeps the record, and only then sends. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ProviderCall, ProviderRequest, ProviderScript, ScriptStep } from "../ports/provider.ts";
import { findStep } from "./conversation.ts";
import type { Dialect } from "./dialect.ts";
import { httpAnswer } from "./http-answer.ts";
import { type Invoice, requestId } from "./invoice.ts";
import { type Plan, planAnswer, single } from "./plan.ts";
import { playPlan } from "./play.ts";
import { maxBodyBytes, readBody } from "./request-body.ts";
import { dialectOf, type Route, refusal, routeOf } from "./route.ts";

/** Never throws. */
type Answerer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface Decided {
  readonly plan: Plan;
  readonly request?: ProviderRequest;
  readonly conversation?: number;
  readonly step?: ScriptStep;
}

export function createAnswerer(script: ProviderScript, invoice: Invoice, onCall: (call: ProviderCall) => void): Answerer {
  const stem = randomBytes(4).toString("hex");
  const fault = createFaultCounter();
  let number = 0;

  function decide(route: Route, dialect: Dialect, body: Buffer): Decided {
    if (route.kind === "fixed") return { plan: single(route.answer) };
    const request = dialect.readRequest(parse(body));
    if (request === null) return { plan: single(refusal(dialect, 400, "invalid_request_error", "the body must be JSON with messages")) };
    if (route.kind === "count-tokens") return { plan: single(httpAnswer(200, { input_tokens: Math.ceil(body.length / 4) })), request };
    const found = findStep(script, request);
    const step = fault.next(found.step);
    const saying = { step, request, name: `${stem}${String(number).padStart(6, "0")}`, now: Date.now() };
    invoice({ ...saying, dialect, body });
    return { plan: signed(planAnswer(saying, dialect), dialect, saying.name), request, conversation: found.conversation, step };
  }

  return async (incoming, response) => {
    response.on("error", () => undefined); // the caller hung up
    const body = await readBody(incoming);
    if (body.kind === "half") return void response.destroy();
    number += 1;
    const [method, path] = [incoming.method ?? "", (incoming.url ?? "").split("?", 1).join("")];
    const dialect = dialectOf(path);
    const route = body.kind === "whole" ? routeOf(method, path) : tooLarge(dialect);
    const decided = orRefusal(dialect, () => decide(route, dialect, body.bytes));
    onCall({ number, at: Date.now(), method, path, bytes: body.bytes.length, ...summary(decided) });
    await playPlan(decided.plan, response);
  };
}

function tooLarge(dialect: Dialect): Route {
  return { kind: "fixed", answer: refusal(dialect, 413, "request_too_large", `a request has at most ${maxBodyBytes} bytes`) };
}

/** A step meets its fault as often as the script says; then it answers. */
function createFaultCounter(): { next(step: ScriptStep): ScriptStep } {
  const met = new WeakMap<ScriptStep, number>();
  return {
    next(step) {
      if (step.times === undefined) return step;
      const count = (met.get(step) ?? 0) + 1;
      met.set(step, count);
      const { fault, ...answer } = step;
      return count > step.times ? answer : step;
    },
  };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null; // refused as what it is
  }
}

/** A script's function that throws, or an invoice on a full disk, is an answer like others: 500, and the next request is served. */
function orRefusal(dialect: Dialect, work: () => Decided): Decided {
  try {
    return work();
  } catch (error) {
    return { plan: single(refusal(dialect, 500, "api_error", error instanceof Error ? error.message : String(error))) };
  }
}

function signed(plan: Plan, dialect: Dialect, name: string): Plan {
  return plan.kind === "send" ? { ...plan, headers: { [dialect.requestIdHeader]: requestId(name), ...plan.headers } } : plan;
}

function summary({ plan, request, conversation, step }: Decided): Omit<ProviderCall, "number" | "at" | "method" | "path" | "bytes"> {
  return {
    conversation: conversation ?? null,
    step: step === undefined ? null : (request?.step ?? null),
    fault: step?.fault?.kind ?? null,
    status: plan.kind === "send" ? plan.status : null,
    request: request ?? null,
  };
}
