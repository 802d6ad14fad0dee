/** What an agent wants to do, before it happens, and what a guard says to it. Nothing here belongs to one agent: see tool-call.ts for that. */

export type Action =
  /** A script for a shell, run in the folder `cwd`. */
  | { readonly kind: "shell"; readonly command: string; readonly cwd: string }
  /**
   * A file to write or change: `text` is what is put in, `isWhole` says that nothing of before stays. The caller gives the real path where it
   * can resolve links.
   */
  | { readonly kind: "write"; readonly path: string; readonly cwd: string; readonly text: string; readonly isWhole: boolean }
  | { readonly kind: "read"; readonly path: string }
  | { readonly kind: "fetch"; readonly url: string }
  /** Any other tool; `server` is the MCP server that offers it, `inputs` every text in its input. */
  | {
      readonly kind: "tool";
      readonly name: string;
      readonly server: string | null;
      readonly inputs: readonly ToolInput[];
      readonly cwd: string;
    }
  /** A call that could not be read: denied with its reason. */
  | { readonly kind: "broken"; readonly reason: string };

export interface ToolInput {
  readonly name: string;
  readonly text: string;
}

/** The kinds of harm; `unreadable` is for what could not be judged. */
export type Family =
  | "delete-trees"
  | "force-push"
  | "fetch-and-run"
  | "secrets-in-commits"
  | "end-of-loop"
  | "guard-and-contract"
  | "data-out"
  /** What the person denies beyond the rules. */
  | "policy"
  | "unreadable";

/** The name of one rule, below its family: `delete-trees/rm`. Events, reports and `midwatch guard` use it. */
export type RuleName = Family | `${Family}/${string}`;

export type Verdict = Permission | Denial;

export interface Permission {
  readonly kind: "allow";
  /** The person's words that it needed; absent = none. */
  readonly grants?: readonly string[];
}

export interface Denial {
  readonly kind: "deny";
  readonly family: Family;
  readonly rule: RuleName;
  /** The command that it is about, as it was understood; absent = the whole call. */
  readonly command?: string;
  /** What a person would have to write for it to pass, such as `allow: delete dist/`; absent = nobody can grant it. */
  readonly needs?: string;
  /** One line for the agent: what is blocked, and what to do instead. Holds no text of a key. */
  readonly reason: string;
}

/** A denial in one line: what was seen; what to do instead. */
export function deny(rule: RuleName, seen: string, instead: string): Denial {
  const family = familyOf(rule);
  return { kind: "deny", family, rule, reason: `blocked by midwatch (${family}): ${seen}; ${instead}` };
}

function familyOf(rule: RuleName): Family {
  // A rule's name begins with its family: the type says so, and TypeScript cannot split it.
  return rule.split("/", 1)[0] as Family;
}

/** The denial of what cannot be judged. */
export function denyUnread(seen: string): Denial {
  return deny("unreadable", seen, "write the command out with literal names, or put the question to the person");
}
