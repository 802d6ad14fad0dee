/**
 * What a person says beyond the rules: commands, tools and files that are denied here as well, and grants, each for one thing. A denial of theirs wins over a grant of theirs.
 * All of it is the person's: it comes from their own settings, from the wording that the store has of a task, or from an answer; see docs/spec/guard.md.
 */
import { splitAlias } from "./git-settings.ts";
import { matchesPattern } from "./paths.ts";

export interface GuardPolicy {
  readonly deny: readonly DenyRule[];
  readonly grants: readonly Grant[];
}

/** `pattern`: words of a command, the name of a tool, or a pattern of paths from the top of the tree. The reason is told to the agent. */
export interface DenyRule {
  readonly kind: "command" | "tool" | "write";
  readonly pattern: string;
  readonly reason: string;
}

/** One thing that passes: a path below the top that may be deleted with all it holds, a branch that may be pushed with force, a command word by word. */
export interface Grant {
  readonly kind: "delete" | "force-push" | "run";
  readonly what: string;
  /** Who grants it, for people: a task's key, a question, `settings`. */
  readonly by: string;
}

export const noPolicy: GuardPolicy = { deny: [], grants: [] };

export type GrantReading =
  | { readonly kind: "grants"; readonly grants: readonly Grant[] }
  | { readonly kind: "malformed"; readonly reason: string };

const verbs: Readonly<Record<string, Grant["kind"]>> = {
  delete: "delete",
  apagar: "delete",
  "force-push": "force-push",
  run: "run",
  rodar: "run",
};
const forms = "write `delete dist/`, `force-push feature/x` or `run COMMAND`";

/** Reads what stands behind `allow:`, such as `delete dist/, tmp/`. Total. */
export function parseGrant(text: string, by: string): GrantReading {
  const [, verb = "", rest = ""] = /^\s*([a-z-]+)\s+(.*\S)\s*$/is.exec(text) ?? [];
  const kind = Object.hasOwn(verbs, verb.toLowerCase()) ? verbs[verb.toLowerCase()] : undefined;
  if (kind === undefined) return { kind: "malformed", reason: forms };
  const whats = kind === "run" ? [bare(rest)] : rest.split(",").map(bare);
  const trouble = whats.map((what) => troubleWith(kind, what)).find((one) => one !== null);
  if (trouble !== undefined && trouble !== null) return { kind: "malformed", reason: trouble };
  return { kind: "grants", grants: whats.map((what) => ({ kind, what, by })) };
}

/** As a person would write it. */
export function formatGrant({ kind, what }: Pick<Grant, "kind" | "what">): string {
  return `allow: ${kind} ${kind === "run" ? `\`${what}\`` : what}`;
}

function bare(text: string): string {
  return text.trim().replace(/^(["'`])(.*)\1$/s, "$2");
}

function troubleWith(kind: Grant["kind"], what: string): string | null {
  if (kind === "run") return commandWords(what) === null ? "a command is written out, its name first" : null;
  if (kind === "force-push") return /^[\w][\w./-]{0,200}$/.test(what) ? null : "a branch is named by its whole name";
  const parts = what.replace(/^\.\//, "").replace(/\/+$/, "").split("/");
  const isInTree = parts.every((part) => part !== "" && part !== "." && part !== ".." && part.toLowerCase() !== ".git");
  return isInTree && !/[*?[\]\0\n]/.test(what) ? null : "a path to delete lies below the top of the tree, without patterns";
}

/** The words of a pattern; null where it cannot be one: its first word is written out. */
export function commandWords(pattern: string): readonly string[] | null {
  const words = splitAlias(pattern);
  return words === null || words[0] === undefined || words[0] === "" || /[*?]/.test(words[0]) || pattern.includes("\n") ? null : words;
}

/** A word of a pattern: `*` stands for anything, `?` for a character. A name that starts with a dot or a dash is never meant by a star in front. */
export function matchesWord(pattern: string, word: string): boolean {
  if (pattern === word) return true;
  if (/^[*?]/.test(pattern) && /^[-.]/.test(word)) return false;
  return word.length <= 512 && matchesPattern(pattern.replaceAll("[", "?"), word) && !/(^|\/)\.\.(\/|$)/.test(word);
}
