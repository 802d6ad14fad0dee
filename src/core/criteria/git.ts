/** `git: clean`, `git: changed src/`, `git: branch main`, `git: message contains "T-01"`. */
import type { Check } from "../evidence.ts";
import { afterPhrase, type Condition, readConditions } from "./conditions.ts";
import type { CriterionParse, GitCriterion, GitExpectation } from "./criterion.ts";
import { pathFault } from "./path.ts";

const forms = 'write `clean`, `changed PATH`, `unchanged PATH`, `branch NAME` or `message contains "TEXT"`';

export function parseGit(text: string, value: string): CriterionParse {
  const read = readConditions(value);
  if (read.kind === "fault") return { kind: "malformed", text, reason: read.reason };
  const expect: GitExpectation[] = [];
  for (const condition of read.value) {
    const one = readExpectation(condition);
    if (one === null) return { kind: "malformed", text, reason: forms };
    const unsafe = "path" in one ? pathFault(one.path) : null;
    if (unsafe !== null) return { kind: "malformed", text, reason: unsafe };
    expect.push(one);
  }
  return expect.length === 0 ? { kind: "malformed", text, reason: forms } : { kind: "git", text, expect };
}

function readExpectation(condition: Condition): GitExpectation | null {
  const after = (phrases: readonly string[]): string | null => {
    const rest = afterPhrase(condition, phrases);
    return rest?.length === 1 && rest[0]?.value !== "" ? (rest[0]?.value ?? null) : null;
  };
  if (afterPhrase(condition, ["clean", "limpo", "limpa"])?.length === 0) return { kind: "clean" };
  const changed = after(["changed", "mudou", "alterado"]);
  if (changed !== null) return { kind: "changed", path: changed };
  const unchanged = after(["unchanged", "not changed", "inalterado", "nao mudou"]);
  if (unchanged !== null) return { kind: "unchanged", path: unchanged };
  const branch = after(["branch", "ramo"]);
  if (branch !== null) return { kind: "branch", name: branch };
  const needle = after(["message contains", "mensagem contem"]);
  return needle === null ? null : { kind: "message", needle };
}

/** What git says of the tree and of the base; each is null where git could not tell. */
export interface GitMeasured {
  readonly dirty: readonly string[] | null;
  readonly branch: string | null;
  /** Per expectation with a path: whether something below it differs from the base. */
  readonly changed: ReadonlyMap<string, boolean | null>;
  /** Messages since the base. */
  readonly messages: readonly string[] | null;
  /** Why something is null. */
  readonly failure: string;
}

export function judgeGit({ expect }: GitCriterion, measured: GitMeasured): Check {
  const said = expect.map((one) => gitFault(one, measured));
  const faults = said.filter((line) => line !== null && line !== "cannot-tell");
  if (faults.length > 0) return { verdict: "fails", detail: faults.join("; ") };
  if (said.includes("cannot-tell")) return { verdict: "cannot-tell", detail: `git could not tell: ${measured.failure}` };
  return { verdict: "holds", detail: "git says so" };
}

function gitFault(expect: GitExpectation, { dirty, branch, changed, messages }: GitMeasured): string | null {
  switch (expect.kind) {
    case "clean":
      if (dirty === null) return "cannot-tell";
      return dirty.length === 0 ? null : `${dirty.slice(0, 5).join(", ")} ${dirty.length === 1 ? "is" : "are"} not committed`;
    case "changed":
    case "unchanged": {
      const differs = changed.get(expect.path) ?? null;
      if (differs === null) return "cannot-tell";
      return differs === (expect.kind === "changed") ? null : `${expect.path} ${differs ? "differs" : "does not differ"} from the base`;
    }
    case "branch":
      return branch === expect.name ? null : `${branch ?? "no branch"} is checked out, not ${expect.name}`;
    case "message":
      if (messages === null) return "cannot-tell";
      return messages.some((message) => message.includes(expect.needle))
        ? null
        : `no message of the ${messages.length} commits since the base has ${JSON.stringify(expect.needle)}`;
  }
}
