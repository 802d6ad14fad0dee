/** Settings from texts, and the error that a promise or call ends in. */

import { type Layers, type Resolution, resolveLayers } from "../../src/config/resolve.ts";
import { MidwatchError } from "../../src/core/error.ts";

export interface Said {
  readonly user?: string;
  readonly project?: string;
  readonly env?: Layers["env"];
  readonly flags?: Layers["flags"];
}

export const userFile = "/home/ann/.config/midwatch/config.jsonc";

export function resolve({ user, project, env = {}, flags = [] }: Said): Resolution {
  return resolveLayers({
    user: user === undefined ? null : { path: userFile, label: userFile, text: user },
    project: project === undefined ? null : { path: "/tree/midwatch.jsonc", label: "midwatch.jsonc", text: project },
    env,
    flags,
    userFile,
  });
}

export interface Refusal {
  readonly kind: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** Throws what is no MidwatchError on; fails when nothing is thrown. */
export function refusalOf(call: () => unknown): Refusal {
  try {
    call();
  } catch (error) {
    return asRefusal(error);
  }
  throw new Error("nothing was refused");
}

export async function refusalOfPromise(promise: Promise<unknown>): Promise<Refusal> {
  return promise.then(() => {
    throw new Error("nothing was refused");
  }, asRefusal);
}

/** Throws on what is no MidwatchError. */
export function asRefusal(error: unknown): Refusal {
  if (!(error instanceof MidwatchError)) throw error;
  const { kind, code, message, hint } = error;
  return { kind, code, message, hint };
}
