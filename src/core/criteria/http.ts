/** `` http: GET /health status 200, body contains "ok", start `npm start` ``. */
import type { Check } from "../evidence.ts";
import { afterPhrase, type Condition, countOf, fault, type Read, readConditions, showCondition } from "./conditions.ts";
import type { CriterionParse, HttpAnswer, HttpCriterion, HttpExpectation, HttpMethod, TextExpectation } from "./criterion.ts";
import { readDocument } from "./json.ts";
import { pointedFault, readPointed } from "./json-value.ts";

const forms =
  'write `GET ADDRESS`, then `status N`, `header NAME contains "TEXT"`, `body contains "TEXT"`, `json /pointer is VALUE`, ``start `COMMAND` `` or `within 20 s`';
const methods: readonly string[] = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];
export const defaultWithinMs = 20_000;

export function parseHttp(text: string, value: string): CriterionParse {
  const read = readHttp(value);
  return read.kind === "fault" ? { kind: "malformed", text, reason: read.reason } : { kind: "http", text, ...read.value };
}

type Parts = Omit<HttpCriterion, "kind" | "text" | "fromWindow">;

function readHttp(value: string): Read<Parts> {
  const conditions = readConditions(value);
  if (conditions.kind === "fault") return conditions;
  const [[method, target, ...first] = [], ...rest] = conditions.value;
  if (method?.kind !== "word" || !methods.includes(method.value.toUpperCase()) || target === undefined || target.value === "")
    return fault(forms);
  const expect: HttpExpectation[] = [];
  let start: string | null = null;
  let withinMs: number | null = null;
  for (const condition of [...(first.length === 0 ? [] : [first]), ...rest]) {
    const begun = afterPhrase(condition, ["start", "inicia", "iniciar"]);
    const within = afterPhrase(condition, ["within", "em ate", "dentro de"]);
    if (begun !== null) {
      const [command, ...more] = begun;
      if (start !== null || command === undefined || command.kind === "word" || more.length > 0 || command.value === "")
        return fault("write ``start `COMMAND` ``, once, with the command in backticks");
      start = command.value;
    } else if (within !== null) {
      const ms = durationMs(within);
      if (ms === null || withinMs !== null) return fault("write `within 20 s`, once; at most 10 min");
      withinMs = ms;
    } else {
      const one = readExpectation(condition);
      if (one.kind === "fault") return one;
      expect.push(one.value);
    }
  }
  const trouble = targetFault(target.value, start);
  if (trouble !== null) return fault(trouble);
  if (expect.length === 0) return fault(`it asks for nothing of the answer: ${forms}`);
  const common = { method: method.value.toUpperCase() as HttpMethod, target: target.value, start, expect };
  return { kind: "read", value: { ...common, withinMs: withinMs ?? defaultWithinMs } };
}

function targetFault(target: string, start: string | null): string | null {
  if (/[\s\u0000-\u001f]/.test(target)) return "the address has a space or a control character in it";
  if (start === null)
    return /^https?:\/\/[^/]/i.test(target) && URL.canParse(target)
      ? null
      : "without `start` the address is whole: http://127.0.0.1:8080/health";
  return target.startsWith("/") && !target.startsWith("//") && URL.canParse(`http://127.0.0.1${target}`)
    ? null
    : "with `start` the address is a path, such as /health: the port is chosen for it";
}

function durationMs(condition: Condition): number | null {
  const words = condition.map(({ value }) => value).join("");
  const [, count, unit] = /^(\d{1,4})(ms|s|seg|min|m)$/i.exec(words) ?? [];
  if (count === undefined || unit === undefined) return null;
  const ms = Number(count) * (unit.toLowerCase() === "ms" ? 1 : unit.toLowerCase().startsWith("s") ? 1000 : 60_000);
  return ms > 0 && ms <= 600_000 ? ms : null;
}

function readExpectation(condition: Condition): Read<HttpExpectation> {
  const status = afterPhrase(condition, ["status"]);
  if (status !== null) {
    const code = status.length === 1 && status[0] !== undefined ? countOf(status[0]) : null;
    return code !== null && code >= 100 && code <= 599
      ? { kind: "read", value: { kind: "status", status: code } }
      : fault("write `status 200`");
  }
  const header = afterPhrase(condition, ["header", "cabecalho"]);
  if (header !== null) {
    const [name, ...rest] = header;
    const expect = readText(rest);
    return name !== undefined && /^[\w!#$%&'*+.^`|~-]+$/.test(name.value) && expect !== null
      ? { kind: "read", value: { kind: "header", name: name.value.toLowerCase(), expect } }
      : fault('write `header NAME contains "TEXT"`, `is "TEXT"` or `is not "TEXT"`');
  }
  const body = afterPhrase(condition, ["body", "corpo"]);
  if (body !== null) {
    const expect = readText(body);
    return expect === null
      ? fault('write `body contains "TEXT"`, `is "TEXT"` or `is not "TEXT"`')
      : { kind: "read", value: { kind: "body", expect } };
  }
  const json = afterPhrase(condition, ["json"]);
  if (json === null) return fault(`the condition ${showCondition(condition)} is none; ${forms}`);
  const pointed = readPointed(json);
  return pointed.kind === "fault" ? pointed : { kind: "read", value: { kind: "json", ...pointed.value } };
}

function readText(condition: Condition): TextExpectation | null {
  for (const [kind, phrases] of textForms) {
    const rest = afterPhrase(condition, phrases);
    if (rest !== null) return rest.length === 1 && rest[0] !== undefined && rest[0].value !== "" ? { kind, text: rest[0].value } : null;
  }
  return null;
}

const textForms = [
  ["is-not", ["is not", "nao e"]],
  ["is", ["is", "e"]],
  ["contains", ["contains", "contem"]],
] as const;

/** What came back, or why nothing did. */
export type HttpMeasured =
  | { readonly kind: "answer"; readonly answer: HttpAnswer }
  | { readonly kind: "none"; readonly verdict: "fails" | "cannot-tell"; readonly reason: string };

export function judgeHttp({ expect }: HttpCriterion, measured: HttpMeasured): Check {
  if (measured.kind === "none") return { verdict: measured.verdict, detail: measured.reason };
  const { answer } = measured;
  const figures = { status: answer.status };
  const said = expect.map((one) => httpFault(one, answer));
  const faults = said.flatMap((one) => (one?.verdict === "fails" ? [one.detail] : []));
  if (faults.length > 0) return { verdict: "fails", detail: `${faults.join("; ")}${shownBody(answer)}`, figures };
  const unknown = said.flatMap((one) => (one?.verdict === "cannot-tell" ? [one.detail] : []));
  return unknown.length > 0
    ? { verdict: "cannot-tell", detail: unknown.join("; "), figures }
    : { verdict: "holds", detail: `status ${answer.status}, as asked`, figures };
}

function shownBody({ body }: HttpAnswer): string {
  const text = body.slice(0, 500).trim();
  return text === "" ? "" : `\n${text}`;
}

function httpFault(expect: HttpExpectation, { status, headers, body, isCut }: HttpAnswer): Check | null {
  switch (expect.kind) {
    case "status":
      return status === expect.status ? null : { verdict: "fails", detail: `status ${status}, not ${expect.status}` };
    case "header": {
      const value = headers[expect.name];
      const trouble = value === undefined ? `it has no header ${expect.name}` : textFault(`header ${expect.name}`, value, expect.expect);
      return trouble === null ? null : { verdict: "fails", detail: trouble };
    }
    case "body": {
      const trouble = textFault("the body", body, expect.expect);
      if (trouble === null) return null;
      return isCut && expect.expect.kind === "contains"
        ? { verdict: "cannot-tell", detail: "the body is larger than 1 MB, and what was read of it has no such text" }
        : { verdict: "fails", detail: trouble };
    }
    case "json": {
      if (isCut) return { verdict: "cannot-tell", detail: "the body is larger than 1 MB" };
      const document = readDocument(body);
      const trouble = document.kind === "none" ? `the body is no JSON: ${document.reason}` : pointedFault(document.value, expect);
      return trouble === null ? null : { verdict: "fails", detail: trouble };
    }
  }
}

function textFault(what: string, value: string, { kind, text }: TextExpectation): string | null {
  if (kind === "contains") return value.includes(text) ? null : `${what} does not contain ${JSON.stringify(text)}`;
  if ((value.trim() === text) === (kind === "is")) return null;
  return kind === "is" ? `${what} is not ${JSON.stringify(text)}` : `${what} is ${JSON.stringify(text)}`;
}
