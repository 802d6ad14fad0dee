/** The flags of `midwatch batch add`, and what they mean to the config. */
import type { BatchSettings } from "../core/batch/settings.ts";
import { MidwatchError } from "../core/error.ts";
import type { ProviderName } from "../core/upstream.ts";
import type { ConfigFlag } from "./app.ts";
import type { JsonOption } from "./command.ts";

export interface BatchAddFlags extends JsonOption {
  readonly jobs?: string;
  readonly id?: string;
  readonly byLine?: boolean;
  readonly version?: string;
  readonly cwd?: string;
  readonly prompt?: string;
  readonly model?: string;
  readonly provider?: ProviderName;
  readonly schema?: string;
  readonly maxTokens?: string;
  readonly slots?: string;
  readonly attempts?: string;
  readonly lease?: string;
  readonly time?: string;
  readonly cap?: string;
  readonly jobCap?: string;
  readonly parallel?: boolean;
  readonly onDivergence?: "stop" | "pay";
  readonly volatile?: readonly string[];
}

const rows = [
  { flag: "--slots", name: "slots", path: "batch.slots", setting: "slots" },
  { flag: "--attempts", name: "attempts", path: "batch.attempts", setting: "attempts" },
  { flag: "--lease", name: "lease", path: "batch.lease", setting: "leaseMs" },
  { flag: "--time", name: "time", path: "batch.time", setting: "jobMs" },
  { flag: "--cap", name: "cap", path: "batch.cap", setting: "batchMicroUsd" },
  { flag: "--job-cap", name: "jobCap", path: "batch.jobCap", setting: "jobMicroUsd" },
] as const;

export function batchConfigFlags(flags: BatchAddFlags): readonly ConfigFlag[] {
  return rows.flatMap(({ flag, name, path }) => (flags[name] === undefined ? [] : [{ path, flag, value: flags[name] }]));
}

/** What the person gave in words: for a batch that is there it must be the same; the rest is as it was added. */
export function toldSettings(flags: BatchAddFlags): readonly (keyof BatchSettings)[] {
  return [
    ...rows.flatMap(({ name, setting }) => (flags[name] === undefined ? [] : [setting])),
    ...(flags.cwd === undefined ? [] : (["cwd"] as const)),
    ...(flags.parallel === undefined ? [] : (["matching"] as const)),
    ...(flags.onDivergence === undefined ? [] : (["onDivergence"] as const)),
    ...(flags.volatile === undefined ? [] : (["volatile"] as const)),
  ];
}

export function volatileFields({ volatile = [] }: BatchAddFlags): readonly string[] {
  const wrong = volatile.find((pointer) => !/^\/./.test(pointer));
  if (wrong === undefined) return volatile;
  throw new MidwatchError("usage", "E_FLAG", `--volatile ${JSON.stringify(wrong)} is no JSON pointer`, {
    hint: "it names a field of the request's body, such as /metadata/user_id",
  });
}
