/** A secret that a window brought into the repository, told without the secret: to the agent as a finding against its claim, to a person as a question. */
import { type Finding, refuse, remark } from "./integrity/finding.ts";
import { goOn, type QuestionDraft, stopRun } from "./question.ts";

export interface CommittedSecret {
  /** `unread`: something could not be looked at, and `whose` says why. */
  readonly kind: "file" | "commit" | "tag" | "ref" | "unread";
  readonly commit: string | null;
  /** Of a file; of a tag or ref its name. */
  readonly path: string | null;
  readonly line: number | null;
  /** `an Anthropic key`. */
  readonly whose: string;
  /** Its line says that it is a sample: told, and in nobody's way. */
  readonly isMarked: boolean;
}

/** `src/a.ts:3, commit 1a2b3c4d5e: an Anthropic key`. */
export function describeSecret({ kind, commit, path, line, whose }: CommittedSecret): string {
  if (kind === "unread") return `not everything that was committed could be searched for secrets: ${whose}`;
  const place = { file: "", commit: "its message", tag: "the tag ", ref: "the name of " }[kind] + (path ?? "");
  const at = `${place}${line === null || kind === "ref" ? "" : `:${line}`}`;
  return `${at}${commit === null ? "" : `, commit ${commit.slice(0, 10)}`}: ${whose}`;
}

const whatToDo =
  "take it out of the history, not only out of the file (git commit --amend, or git rebase), before you claim again; do not push";

export function secretFindings(secrets: readonly CommittedSecret[]): readonly Finding[] {
  return secrets.map((one) => {
    const path = one.kind === "file" ? one.path : null;
    const where = one.kind === "file" ? describeSecret({ ...one, path: "", line: null }).replace(/^, /, "") : describeSecret(one);
    if (one.kind === "unread") return remark("secret-committed", null, null, where);
    if (one.isMarked) return remark("secret-committed", path, one.line, `${where}; its line says that it is a sample`);
    return refuse("secret-committed", path, one.line, `${where}: ${whatToDo}`);
  });
}

/** Those that nobody marked; empty = nothing to ask about. */
export function openSecrets(secrets: readonly CommittedSecret[]): readonly string[] {
  return secrets.filter(({ isMarked }) => !isMarked).map(describeSecret);
}

/** @param context  what else the window had to say */
export function secretQuestion(secrets: readonly string[], context: string): QuestionDraft {
  const [first = ""] = secrets;
  const more = secrets.length === 1 ? "" : ` and ${secrets.length - 1} more`;
  return {
    source: "secret",
    text: `The last window committed a secret (${first}${more}). Take it out of the history before anything is pushed, and have it revoked; then go on.`,
    context: [...secrets.map((one) => `- ${one}`), ...(context === "" ? [] : [context])].join("\n"),
    options: [goOn, stopRun],
    defaultAnswer: null,
    deadlineAt: null,
    task: null,
  };
}
