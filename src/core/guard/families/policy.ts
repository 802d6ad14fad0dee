/** What a person denies in their settings beyond the rules. Closed by default: an argument that is not known might be the word that is meant. */
import { matchesPattern as matchesPath } from "../../integrity/path-pattern.ts";
import { type Denial, deny } from "../action.ts";
import { filled, worstGap } from "../argument.ts";
import type { GuardContext } from "../context.ts";
import { isWithin, matchesPattern } from "../paths.ts";
import { commandWords, type DenyRule } from "../policy.ts";
import { firstDenial, type Invocation, type Scene } from "../scene.ts";
import { writesProtected } from "./protected-writes.ts";

/** Denies a command that a rule of the person's names, and one that writes a file that such a rule names. */
export function judgePolicy(invocation: Invocation, scene: Scene): Denial | null {
  return firstDenial(scene.context.policy.deny, (rule) => {
    if (rule.kind === "command") return isMeant(rule.pattern, invocation) ? denyByPerson(rule) : null;
    if (rule.kind === "tool") return null;
    return writesProtected(invocation, { ...scene, context: onlyProtecting(rule.pattern, scene.context) }) ? denyByPerson(rule) : null;
  });
}

/** The same for the name of a tool. */
export function judgeToolName(tool: string, { policy }: GuardContext): Denial | null {
  return firstDenial(policy.deny, (rule) => (rule.kind === "tool" && matchesPattern(rule.pattern, tool) ? denyByPerson(rule) : null));
}

/** The same for an absolute path that is written. */
export function judgeWrittenPath(path: string, context: GuardContext): Denial | null {
  return firstDenial(context.policy.deny, (rule) =>
    rule.kind === "write" && onlyProtecting(rule.pattern, context).isGuarded?.(path) === true ? denyByPerson(rule) : null,
  );
}

function denyByPerson({ kind, pattern, reason }: DenyRule): Denial {
  return deny(`policy/${kind}`, `the person denies ${kind === "write" ? "writing " : ""}${pattern}`, reason);
}

/** The words of the pattern stand in the command in this order; options and other words may stand between them. */
function isMeant(pattern: string, { name, args }: Invocation): boolean {
  const [program = "", ...words] = commandWords(pattern) ?? [];
  if (program.toLowerCase() !== name) return false;
  let left = words;
  for (const argument of args) {
    const [next] = left;
    if (next === undefined) return true;
    if (argument.text === null ? worstGap(argument) !== "number" : matchesPattern(next, filled(argument, ""))) left = left.slice(1);
  }
  return left.length === 0;
}

/** A context in which the files of one pattern, and no others, are to be read only. */
function onlyProtecting(pattern: string, context: GuardContext): GuardContext {
  const { top } = context;
  const fixed = pattern.split(/[*?]/, 1)[0] ?? "";
  const prefix = `${top}/${fixed.slice(0, fixed.lastIndexOf("/") + 1)}`.replace(/\/+$/, "");
  const relative = (path: string) => path.slice(top.length + 1);
  return {
    ...context,
    state: prefix,
    protectedPaths: [],
    isGuarded: (path) => isWithin(path, top) && matchesPath(relative(path), pattern),
  };
}
