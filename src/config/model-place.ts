/** Where a job of a prompt batch reaches its model: by the same variables that any job's program gets. */
import { MidwatchError } from "../core/error.ts";
import type { Environment } from "./folders.ts";

export interface ModelPlace {
  readonly baseUrl: string;
  readonly key: string;
  readonly isBearer: boolean;
}

/** @throws MidwatchError kind usage outside a batch: nothing would book what is asked */
export function modelPlace(env: Environment, provider: "anthropic" | "openai"): ModelPlace {
  const baseUrl = provider === "anthropic" ? env["ANTHROPIC_BASE_URL"] : env["OPENAI_BASE_URL"];
  if (env["MIDWATCH_JOB_KEY"] === undefined || baseUrl === undefined)
    throw new MidwatchError("usage", "E_ANSWER_PLACE", "this command answers a job of a batch and is started by midwatch", {
      hint: "see: midwatch batch --help",
    });
  if (provider === "openai") return { baseUrl, key: env["OPENAI_API_KEY"] ?? "", isBearer: true };
  const token = env["ANTHROPIC_AUTH_TOKEN"];
  return { baseUrl, key: token ?? env["ANTHROPIC_API_KEY"] ?? "", isBearer: token !== undefined };
}
