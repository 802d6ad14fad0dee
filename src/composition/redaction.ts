/** The one redactor of this process: it begins with the secrets of our own environment and learns those of the settings when they are read. */
import type { Environment } from "../config/folders.ts";
import { knownSecrets } from "../config/known-secrets.ts";
import { createRedactor, type Redactor } from "../core/redaction/redactor.ts";

export interface LearningRedactor extends Redactor {
  /** Variables that somebody is started with; those that are named like secrets count. */
  learn(env: Environment): void;
}

export function openRedactor(env: Environment): LearningRedactor {
  let known = knownSecrets(env);
  let made: Redactor | null = null;
  const now = () => {
    made ??= createRedactor(known);
    return made;
  };
  return {
    text: (text) => now().text(text),
    json: (text) => now().json(text),
    value: (value) => now().value(value),
    stream: () => now().stream(),
    names: () => now().names(),
    learn(more) {
      const before = new Set(known.map(({ value }) => value));
      const fresh = knownSecrets(more).filter(({ value }) => !before.has(value));
      if (fresh.length === 0) return;
      known = [...known, ...fresh];
      made = null;
    },
  };
}
