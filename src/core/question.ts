/** Questions: only what only a person can decide. */
import type { QuestionId, RunId, TaskKey, WindowId } from "./ids.ts";

export type QuestionSource =
  /** The agent asked, through the note or the door. */
  | "agent"
  /** The tree is not clean, or git is in the middle of something. */
  | "ground"
  /** Sign-in, credit, configuration, refusal: what the provider or the agent program needs of a person. */
  | "provider"
  /** Two unreadable notes or refused DONEs in a row. */
  | "note"
  | "unknown-cost"
  /** The plan file is gone, broken, or was rewritten. */
  | "plan"
  | "conflict-markers"
  /** A window brought a secret into the history. */
  | "secret"
  /** A criterion that a person says yes to. */
  | "approval"
  /** A task whose claims were refused again and again. */
  | "returns";

export interface QuestionDraft {
  readonly source: QuestionSource;
  /** One line: the one thing to do or to decide. */
  readonly text: string;
  /** What a person needs to know to answer; may be several lines; shown as text. */
  readonly context: string;
  /** Empty = free text. */
  readonly options: readonly string[];
  readonly defaultAnswer: string | null;
  /** Wall clock at which the default is taken; null = waits for ever. */
  readonly deadlineAt: number | null;
  /** Set = blocks that task only; null = pauses the run. */
  readonly task: TaskKey | null;
  /** The commit that the answer counts for; absent = for none. */
  readonly about?: string;
}

export interface Question extends QuestionDraft {
  readonly id: QuestionId;
  readonly run: RunId;
  readonly window: WindowId | null;
  readonly state: "open" | "answered";
  readonly askedAt: number;
  readonly answer: string | null;
  /** `person`, or `default` when the deadline passed. */
  readonly answeredBy: string | null;
  readonly answeredAt: number | null;
}

/** The answers that the harness itself understands, for questions that it asks. */
export const goOn = "go on";
export const nextWindow = "next window";
export const stopRun = "stop";

/** So many refused claims of a task in one run are a person's to look at. */
export const mostReturns = 3;
/** The answers to it. */
export const acceptAsIs = "accept as it is";
export const setAside = "set aside";

/** For a criterion that a person says yes to. A no may have words after it. */
export const approve = "yes";
export const disapprove = "no";

/** What an answer does to the task it is about, beyond freeing it; null = nothing. */
export function moveOnAnswer({ source, id }: Pick<Question, "source" | "id">, answer: string): AnswerMove | null {
  if (source !== "returns") return null;
  if (answer === acceptAsIs) return { move: "close", doneBy: "person", reason: "" };
  return answer === setAside ? { move: "fail", reason: `a person set it aside (${id})` } : null;
}

export type AnswerMove =
  | { readonly move: "close"; readonly doneBy: "person"; readonly reason: string }
  | { readonly move: "fail"; readonly reason: string };

/** Who answered, where starting the run again was the answer: to what the harness asked about and then saw mended. */
export const startedAgain = "started again";
