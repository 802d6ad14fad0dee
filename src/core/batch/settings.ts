/** What a batch was added with, frozen in its row. */
import type { ProviderName } from "../upstream.ts";

export interface BatchSettings {
  /** `command`: a program that answers one job; `prompt`: our own, which fills a template and asks one model for one answer. */
  readonly work:
    | { readonly kind: "command"; readonly command: readonly [string, ...string[]] }
    | {
        readonly kind: "prompt";
        readonly provider: ProviderName;
        readonly model: string;
        /** `{{field}}` stands for a field of the job. */
        readonly template: string;
        /** A JSON Schema that the answer must satisfy; null = any text. */
        readonly schema: Readonly<Record<string, unknown>> | null;
        readonly maxOutputTokens: number;
      };
  /** Folder in which the command runs. */
  readonly cwd: string;
  readonly slots: number;
  readonly attempts: number;
  readonly leaseMs: number;
  /** Clock of one attempt. */
  readonly jobMs: number;
  /** Between SIGINT, SIGTERM and SIGKILL of a job, and how long a stop waits for jobs to finish. */
  readonly graceMs: number;
  readonly matching: "sequential" | "parallel";
  readonly onDivergence: "stop" | "pay";
  /** Fields of request bodies that change from try to try and are left out of the hash (JSON pointers). */
  readonly volatile: readonly string[];
  readonly maxAnswerBytes: number;
  /** Integer micro-dollars; null = none of its own. */
  readonly batchMicroUsd: number;
  readonly jobMicroUsd: number | null;
  readonly callMicroUsd: number | null;
  readonly dayMicroUsd: number | null;
  readonly monthMicroUsd: number | null;
  readonly unpriced: "refuse" | "allow";
}
