/** `midwatch batch show NAME JOB`: what happened to one job. */
import { MidwatchError } from "../core/error.ts";
import { type JobStory, jobStory } from "../engine/batch/job-history.ts";
import type { App } from "./app.ts";
import { answerText, answerValue, requireStored, withBatches } from "./batch-command.ts";
import type { JsonOption } from "./command.ts";
import { columns, cut, labelled, showLines } from "./layout.ts";
import { count, duration, exactMoney, json, type Paint, painter, plain, pointInTime } from "./print.ts";

const shownCharacters = 2000;

export async function batchShowCommand(app: App, name: string, id: string, flags: JsonOption): Promise<number> {
  return withBatches(app, async (store) => {
    await requireStored(store, name);
    const story = await jobStory(store, name, id);
    if (story === null)
      throw new MidwatchError("usage", "E_JOB_UNKNOWN", `batch ${name} has no job ${id}`, {
        hint: `see them with: midwatch batch report ${name} --jsonl`,
      });
    const { answer, ...rest } = story;
    if (flags.json) app.terminal.out(json({ ...rest, ...answerValue(answer) }));
    else showLines(app.terminal, lines(app, story));
    return 0;
  });
}

function lines(app: App, { job, payload, attempts, calls, money, answer, failure }: JobStory): readonly string[] {
  const paint = painter(app.terminal);
  const now = app.clock.now();
  const unsure = money.unknown === 0 ? "" : `, at least: ${count(money.unknown, "call")} unknown`;
  return [
    `${paint("bold", job.key)}  ${job.state}${job.reason === "" ? "" : `: ${plain(job.reason)}`}`,
    ...labelled([
      ["job", cut(plain(payload ?? ""), 200)],
      ["money", `${exactMoney(money.spentMicroUsd)} in ${count(calls.length, "call")}${unsure}`],
    ]).map((line) => `  ${line}`),
    ...(attempts.length === 0 ? [] : ["", paint("bold", "attempts")]),
    ...columns(
      attempts.map((one) => [
        `  ${one.attempt}`,
        pointInTime(one.startedAt, now),
        one.endedAt === null ? "" : duration(one.endedAt - one.startedAt),
        one.slot,
        one.end,
        one.round === 0 ? "" : `asked anew (round ${one.round})`,
        `${count(one.paidCalls, "call")} paid, ${exactMoney(one.costMicroUsd)}`,
        one.servedAgain === 0 ? "" : `${one.servedAgain} served again at no cost`,
        one.unknown === 0 ? "" : `${one.unknown} unknown`,
        plain(one.reason),
      ]),
    ),
    ...(calls.length === 0 ? [] : ["", paint("bold", "calls"), ...columns(calls.map(callCells))]),
    ...failureLines(failure, paint),
    ...answerLines(answer, paint("bold", "answer")),
  ];
}

function callCells({ key, owner, state, late, costMicroUsd, request, result }: JobStory["calls"][number]): readonly string[] {
  const words = [state, result?.failure, late ? "late" : null].filter((word) => word !== null && word !== undefined);
  return [
    `  #${key.seq}.${key.try}`,
    owner.kind === "job" ? `attempt ${owner.attempt}` : "",
    words.join(", "),
    costMicroUsd === null ? "cost unknown" : exactMoney(costMicroUsd),
    plain(result?.answeredModel ?? request.model),
    result === null ? "" : duration(result.durationMs),
  ];
}

/** The last attempt that failed: why, the answer that was refused, and the end of what it said on standard error. */
function failureLines(failure: JobStory["failure"], paint: Paint): readonly string[] {
  if (failure === null) return [];
  const { attempt, round, reason, answer, answerBytes, stderr } = failure;
  const which = `attempt ${attempt}${round === 0 ? "" : ` of round ${round}`}`;
  const head = `${paint("bold", "refused answer")} of ${which}: ${plain(reason)}`;
  const isLong = answer !== null && (answer.length > shownCharacters || Buffer.byteLength(answer) < answerBytes);
  const cutNote = isLong ? [paint("dim", `  … the beginning of ${answerBytes} bytes; --json shows all that is kept of it`)] : [];
  return [
    "",
    ...(answer === null ? [`${paint("bold", "no answer")} of ${which}: ${plain(reason)}`] : [head, ...shownLines(answer), ...cutNote]),
    ...(stderr === "" ? [] : ["", `${paint("bold", "standard error")} of ${which}, its end`, ...shownLines(stderr, "end")]),
  ];
}

/** Indented, each line cleaned; of a long text its beginning, or its end. */
function shownLines(text: string, part: "beginning" | "end" = "beginning"): readonly string[] {
  const shown = part === "end" ? text.slice(-shownCharacters) : text.slice(0, shownCharacters);
  return shown
    .trimEnd()
    .split("\n")
    .map((line) => `  ${plain(line)}`);
}

function answerLines(answer: Uint8Array | null, title: string): readonly string[] {
  if (answer === null) return [];
  const text = answerText(answer);
  if (text === null) return ["", title, `  ${answer.byteLength} bytes that are no text; write them to a file with: midwatch batch export`];
  const more = text.length <= shownCharacters ? [] : [`  … (${text.length} characters in all)`];
  return ["", title, ...shownLines(text), ...more];
}
