/** One line an event: what a person sees while the night goes on. Null = nothing to show. */
import type { StoredEvent } from "../ports/store.ts";
import { duration, money, type Paint, plain, timeOfDay } from "./print.ts";

export function eventLine(event: StoredEvent, paint: Paint): string | null {
  const text = describe(event, paint);
  return text === null ? null : `${paint("dim", timeOfDay(event.at))}  ${text}`;
}

function describe({ kind, data }: StoredEvent, paint: Paint): string | null {
  const say = (name: string) => plain(String(data[name] ?? ""));
  switch (kind) {
    case "run.started":
      return `${paint("bold", "run")}  ${say("plan")}, on ${say("branch") || "a detached HEAD"} in ${say("worktree")}`;
    case "run.recovered":
      return paint("yellow", "taken up again: its process was gone");
    case "run.ended":
      return `${paint("bold", `stop: ${say("reason")}`)}  ${say("detail")}`;
    case "run.phase-changed":
      return data["to"] === "paused" ? paint("yellow", "paused") : null;
    case "window.opened":
      return `${paint("bold", `window ${say("number")}`)}  ${list(data["tasks"]) || "the whole prompt"}`;
    case "window.ended":
      return windowEnded(data, paint);
    case "task.closed":
      return paint("green", `${say("task")} done`) + (data["doneBy"] === "verified" ? " (verified)" : ` (${say("doneBy")})`);
    case "task.failed":
    case "task.blocked":
    case "task.reopened":
      return `${paint("yellow", `${say("task")} ${kind.slice(5)}`)}  ${say("reason")}`;
    case "claim.refused":
      return `${paint("yellow", `${say("task")} claimed, refused`)}  ${firstLine(String(data["refusal"] ?? ""))}`;
    case "question.asked":
      return asked(data, paint);
    case "question.answered":
      return `${paint("cyan", `${say("question")} answered`)}  ${say("answer")} (${say("by")})`;
    case "provider.wait-started":
      return paint("yellow", `the provider's ${say("why")}: waiting until ${timeOfDay(Number(data["untilAt"]))}`);
    case "plan.edited":
      return `the plan was edited by a person: ${list(data["notes"])}`;
    case "plan.change-ignored":
      return paint("yellow", `the window changed the plan, which does not count: ${list(data["notes"])}`);
    case "request.made":
      return data["request"] === "none" ? "a person said: go on" : paint("yellow", `a person said: ${say("request")}`);
    case "guards.proved":
      return paint("green", `the guards hold (${say("version")}, ${duration(Number(data["ms"]))})`);
    case "guards.failed":
      return paint("red", `the guards do NOT hold: ${list(data["failures"])}`);
    case "journal.noted":
      return `${paint("dim", "note")}  ${say("text")}`;
    case "agent.acted":
      return `  ${paint("dim", `${data["subagent"] === true ? "subagent " : ""}${say("what")}`)}  ${say("text")}`;
    default:
      return null;
  }
}

function asked(data: StoredEvent["data"], paint: Paint): string {
  const say = (name: string) => plain(String(data[name] ?? ""));
  const options = list(data["options"]);
  const due = typeof data["deadlineAt"] === "number" ? `, by itself "${say("defaultAnswer")}" at ${timeOfDay(data["deadlineAt"])}` : "";
  return `${paint("cyan", `${say("question")} ${say("text")}`)}${options === "" ? "" : `  [${options}]`}  answer: midwatch answer ${say("question")} "…"${due}`;
}

function windowEnded(data: StoredEvent["data"], paint: Paint): string {
  const say = (name: string) => plain(String(data[name] ?? ""));
  const end = readEnd(data["end"]);
  const closed = list(data["tasksClosed"]);
  const parts = [
    plain(end.detail),
    closed === "" ? "no task closed" : `closed ${closed}`,
    `${say("commits")} commits`,
    money(typeof data["costMicroUsd"] === "number" ? data["costMicroUsd"] : null),
    duration(Number(data["durationMs"] ?? 0)),
  ];
  return `${paint(end.kind === "good" ? "green" : "yellow", `window ${say("number")} ended`)}  ${parts.join(" · ")}`;
}

function readEnd(value: unknown): { readonly kind: string; readonly detail: string } {
  const field = (name: string) => (typeof value === "object" && value !== null ? String(Reflect.get(value, name) ?? "") : "");
  return { kind: field("kind"), detail: field("detail") };
}

function list(value: unknown): string {
  return Array.isArray(value) ? plain(value.join(", ")) : "";
}

function firstLine(text: string): string {
  return plain(text.split("\n")[0] ?? "").slice(0, 200);
}
