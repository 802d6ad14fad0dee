/** Where a job of a prompt batch reaches its model: by the same variables that any job's program gets. */
import { MidwatchError } from "../core/error.ts";
import type { ProviderName, UpstreamPlan } from "../core/upstream.ts";
import type { Environment } from "./folders.ts";
import { findKey, providerVariables } from "./provider-variables.ts";

/** @throws MidwatchError kind usage outside a batch: nothing would book what is asked */
export function modelPlace(env: Environment, name: ProviderName): UpstreamPlan {
  const variables = providerVariables[name];
  const baseUrl = env[variables.urls[0]];
  if (env["MIDWATCH_JOB_KEY"] === undefined || baseUrl === undefined)
    throw new MidwatchError("usage", "E_ANSWER_PLACE", "this command answers a job of a batch and is started by midwatch", {
      hint: "see: midwatch batch --help",
    });
  return { name, baseUrl, key: findKey(variables, env) };
}
