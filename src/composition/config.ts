/** The settings, in the shapes in which the commands take them. */
import type { ConfigFlag, LoadedConfig } from "../cli/app.ts";
import { batchDefaults, evaluationDefaults } from "../config/batch-settings.ts";
import { describeConfig } from "../config/describe.ts";
import type { Environment } from "../config/folders.ts";
import { loadConfig as load } from "../config/load.ts";
import { readPromptTemplate } from "../config/prompt-template.ts";
import { handSettings, jobSettings, retention, runSettings } from "../config/run-settings.ts";

import type { LearningRedactor } from "./redaction.ts";

export interface ConfigPlaces {
  readonly env: Environment;
  /** Of the working tree; null = outside of one. */
  readonly top: string | null;
  readonly homeDir: string | null;
  readonly flags: readonly ConfigFlag[];
  /** Learns the secrets of the settings before anybody sees one. */
  readonly redactor: LearningRedactor;
}

/** Throws MidwatchError kind config. */
export async function loadConfig(places: ConfigPlaces): Promise<LoadedConfig> {
  const loaded = await load(places);
  const jobs = jobSettings(loaded);
  places.redactor.learn(jobs.env);
  return {
    rows: describeConfig(loaded),
    warnings: loaded.warnings,
    files: loaded.files,
    retention: retention(loaded),
    batch: batchDefaults(loaded),
    evaluation: evaluationDefaults(loaded),
    jobs,
    byHand: (plan) => handSettings(loaded, { now: Date.now(), ...(plan === null ? {} : { plan }) }),
    async settings(plan) {
      const start = { now: Date.now(), promptTemplate: await readPromptTemplate(loaded) };
      return runSettings(loaded, plan === null ? start : { ...start, plan });
    },
  };
}
