/** One line an event: what a person sees while the night goes on. Null = nothing to show. Questions are shown by follow.ts, which knows their choices. */
import type { RunSettings } from "../core/run-settings.ts";
import { changedSettings } from "../core/settings-change.ts";
import type { StoredEvent } from "../ports/store.ts";
import { cut } from "./layout.ts";
import { count, duration, money, type Paint, plain, timeOfDay } from "./print.ts";
import { answererWords, doneWords } from "./words.ts";

/** @param width  to which what the agent did and wrote is cut: its lines are many */
export function eventLine({ kind, data }: Pick<StoredEvent, "kind" | "data">, paint: Paint, width: number): string | null {
  const say = (name: string) => plain(String(data[name] ?? ""));
  switch (kind) {
    case "run.started":
      return `${paint("bold", "run")}  ${say("plan")}, on ${say("branch") || "a detached HEAD"} in ${say("worktree")}`;
    case "run.recovered":
      return data["before"] === null ? "taken up again" : paint("yellow", "taken up again: its process was gone");
    case "run.settings-changed":
      return newSettings(data);
    case "run.ended":
      return `${paint("bold", `stop: ${say("reason")}`)}  ${say("detail")}`;
    case "run.phase-changed":
      return data["to"] === "paused" ? paint("yellow", "paused") : null;
    case "window.opened":
      return `${paint("bold", `window ${say("number")}`)}  ${list(data["tasks"]) || "the whole prompt"}`;
    case "window.ended":
      return windowEnded(data, paint);
    case "task.closed":
      return `${paint("green", `${say("task")} done`)} (${doneWords(say("doneBy"))})`;
    case "task.failed":
    case "task.reopened":
      return `${paint("yellow", `${say("task")} ${kind.slice(5)}`)}  ${say("reason")}`;
    case "task.waiting": // the question was shown a line above
      return `${paint("yellow", `${say("task")} waits`)}  ${say("reason").replace(/^(Q\d+): .*/, "for your answer to $1")}`;
    case "member.idled":
      return paint("dim", "idle: looks for a message or a task");
    case "claim.lost":
      return paint("yellow", `${say("task")} claimed, and is not this run's any more (${say("state")})`);
    case "task.blocked":
      return `${paint("yellow", `${say("task")} blocked`)}  ${say("reason")}`;
    case "claim.refused":
      return `${paint("yellow", `${say("task")} claimed, refused`)}  ${firstLine(String(data["refusal"] ?? ""))}`;
    case "question.answered":
      return `${paint("cyan", `${say("question")} answered`)}  ${say("answer")} (${answererWords(say("by"))})`;
    case "provider.wait-started":
      return paint("yellow", `the provider's ${say("why")}: waiting until ${timeOfDay(Number(data["untilAt"]))}`);
    case "plan.edited":
      return `the plan was edited by a person: ${list(data["notes"])}`;
    case "plan.change-ignored":
      return paint("yellow", `the window changed the plan, which does not count: ${list(data["notes"])}`);
    case "request.made":
      return paint("yellow", `a person said: ${requestWords[say("request")] ?? say("request")}`);
    case "request.cleared":
      return "a person said: go on";
    case "guards.proved":
      return paint("green", `the guards hold (${say("version")}, ${duration(Number(data["ms"]))})`);
    case "sandbox.on":
      return paint("green", "the sandbox holds");
    case "sandbox.off":
      return paint("red", `NO SANDBOX: ${say("why")}. The agent can write wherever you can`);
    case "guard.denied":
      return `${paint("red", `${say("tool")} denied`)}  ${say("reason")}`;
    case "guard.granted":
      return paint("yellow", `${say("tool")} passed by a person's word: ${say("grants")}`);
    case "guards.failed":
      return paint("red", `the guards do NOT hold: ${list(data["failures"])}`);
    case "settings.found":
      return paint("yellow", `the repository's settings for agents, ${say("how")}: ${list(data["files"])}`);
    case "settings.changed":
      return paint("yellow", `settings for agents were changed, which does not count: ${list(data["files"])}`);
    case "agent.remark":
      return paint("yellow", say("text"));
    case "journal.noted":
      return `${paint("dim", "note")}  ${say("text")}`;
    case "agent.acted":
      return acted(data, paint, width);
    default:
      return null;
  }
}

/** Null when only how the run was started is new. */
function newSettings({ before, after }: StoredEvent["data"]): string | null {
  const names = changedSettings(before as RunSettings, after as RunSettings); // as the store wrote them
  return names.length === 0 ? null : `with today's settings: ${names.join(", ")}`;
}

const requestWords: Readonly<Record<string, string>> = {
  pause: "pause after this window",
  "stop-after-window": "stop after this window",
  "stop-now": "stop now",
};

function acted(data: StoredEvent["data"], paint: Paint, width: number): string {
  const what = plain(`${data["subagent"] === true ? "subagent " : ""}${data["what"]}`);
  return `  ${paint("dim", what)}  ${cut(plain(String(data["text"] ?? "")), Math.max(10, width - what.length - 4))}`;
}

function windowEnded(data: StoredEvent["data"], paint: Paint): string {
  const say = (name: string) => plain(String(data[name] ?? ""));
  const end = readEnd(data["end"]);
  const closed = list(data["tasksClosed"]);
  const parts = [
    plain(end.detail),
    closed === "" ? "no task closed" : `closed ${closed}`,
    count(Number(data["commits"] ?? 0), "commit"),
    typeof data["costMicroUsd"] === "number" ? money(data["costMicroUsd"]) : "cost unknown",
    duration(Number(data["durationMs"] ?? 0)),
  ];
  return `${paint(end.kind === "good" ? "green" : "yellow", `window ${say("number")} ended`)}  ${parts.join(" · ")}`;
}

/** How a window ended, as its event says it. */
export function readEnd(value: unknown): { readonly kind: string; readonly detail: string } {
  const field = (name: string) => (typeof value === "object" && value !== null ? String(Reflect.get(value, name) ?? "") : "");
  return { kind: field("kind"), detail: field("detail") };
}

function list(value: unknown): string {
  return Array.isArray(value) ? plain(value.join(", ")) : "";
}

function firstLine(text: string): string {
  return plain(text.split("\n")[0] ?? "").slice(0, 200);
}
