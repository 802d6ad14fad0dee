/** What an agent learns of a request that did not work: which part of its input is wrong, or only that we could not. */
import { ZodError } from "zod";
import { MidwatchError } from "../core/error.ts";

export function describeProblem(error: unknown): string {
  if (error instanceof MidwatchError && error.kind === "usage") return error.message;
  if (!(error instanceof ZodError)) return "the harness could not do it";
  return error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`)).join("; ");
}

export function isInputProblem(error: unknown): boolean {
  return error instanceof ZodError || (error instanceof MidwatchError && error.kind === "usage");
}
