/** Ids that we issue. They are branded so that one cannot stand for another, and are cast in one place only: the makers below. */
declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** UUID v7, so that ids sort by the time they were made. */
export type RunId = Branded<"RunId">;
/** UUID v7; also the session id that an agent is given, where it takes one. */
export type WindowId = Branded<"WindowId">;
/** `Q1`, `Q2`, …: short enough to be typed on a phone; unique within one user's store. */
export type QuestionId = Branded<"QuestionId">;
/** The person's own name of a task (`T-040`), or one made at import (`T3`). Unique within a plan. */
export type TaskKey = Branded<"TaskKey">;

export const runId = (text: string): RunId => text as RunId;
export const windowId = (text: string): WindowId => text as WindowId;
export const questionId = (text: string): QuestionId => text as QuestionId;
export const taskKey = (text: string): TaskKey => text as TaskKey;
