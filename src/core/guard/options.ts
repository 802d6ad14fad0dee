/** Reads the options of a command: clusters of letters, long names, values glued or following. Knows nothing of what they mean. */
import { type Argument, headOf, known, mayBeOption, unknown } from "./argument.ts";

export interface OptionRules {
  /** Letters that take a value. */
  readonly short?: string;
  /** Long names that take a value in the next argument. */
  readonly long?: readonly string[];
  /** Options end at the first operand: what follows belongs to another command. */
  readonly isLeading?: boolean;
}

export interface Flag {
  /** `-r`, one letter of a cluster, or `--recursive` as written, without its value. */
  readonly name: string;
  readonly value: Argument | null;
}

export interface Options {
  readonly flags: readonly Flag[];
  readonly operands: readonly Argument[];
  /** An argument, not behind `--`, might be any option. */
  readonly isUnsure: boolean;
}

/** Options and operands of the arguments of one command. */
export function readOptions(args: readonly Argument[], rules: OptionRules): Options {
  const flags: Flag[] = [];
  const operands: Argument[] = [];
  let isUnsure = false;
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at];
    if (argument === undefined) continue;
    const head = headOf(argument);
    if (argument.text === "--") return { flags, operands: [...operands, ...args.slice(at + 1)], isUnsure };
    if (!head.startsWith("-") || argument.text === "-") {
      isUnsure ||= mayBeOption(argument) && argument.text === null;
      operands.push(argument);
      if (rules.isLeading === true) return { flags, operands: args.slice(at), isUnsure };
      continue;
    }
    if (argument.text === null) isUnsure ||= !head.includes("=");
    const read = head.startsWith("--") ? readLong(argument, head, args[at + 1], rules) : readCluster(argument, head, args[at + 1], rules);
    flags.push(...read.flags);
    if (read.takesNext) at += 1;
  }
  return { flags, operands, isUnsure };
}

interface Reading {
  readonly flags: readonly Flag[];
  readonly takesNext: boolean;
}

function readLong(argument: Argument, head: string, next: Argument | undefined, { long = [] }: OptionRules): Reading {
  const equals = head.indexOf("=");
  const name = equals === -1 ? head : head.slice(0, equals);
  if (equals !== -1) return { flags: [{ name, value: after(argument, equals + 1) }], takesNext: false };
  const takesNext = long.includes(name);
  return { flags: [{ name, value: takesNext ? (next ?? null) : null }], takesNext };
}

function readCluster(argument: Argument, head: string, next: Argument | undefined, { short = "" }: OptionRules): Reading {
  const flags: Flag[] = [];
  for (let at = 1; at < head.length && at < 64; at += 1) {
    const letter = head[at] ?? "";
    if (!short.includes(letter)) flags.push({ name: `-${letter}`, value: null });
    else if (at + 1 < head.length || argument.text === null)
      return { flags: [...flags, { name: `-${letter}`, value: after(argument, at + 1) }], takesNext: false };
    else return { flags: [...flags, { name: `-${letter}`, value: next ?? null }], takesNext: true };
  }
  return { flags, takesNext: false };
}

function after(argument: Argument, from: number): Argument {
  if (argument.text !== null)
    return {
      ...argument,
      ...known(argument.text.slice(from), argument.hasGlob),
      isFetched: argument.isFetched,
      isSecret: argument.isSecret,
    };
  const [first, ...others] = argument.pieces;
  if (typeof first !== "string") return unknown("anything", argument);
  return { ...argument, pieces: [first.slice(from), ...others] };
}

/** One of these names is among the options; a long name may be shortened to any beginning of three letters or more. */
export function hasFlag({ flags }: Options, ...names: readonly string[]): boolean {
  return flags.some((flag) => names.some((name) => isFlag(flag, name)));
}

/** The values given to one of these names. */
export function valuesOfFlag({ flags }: Options, ...names: readonly string[]): readonly Argument[] {
  return flags.flatMap((flag) => (flag.value !== null && names.some((name) => isFlag(flag, name)) ? [flag.value] : []));
}

function isFlag(flag: Flag, name: string): boolean {
  return flag.name === name || (name.startsWith("--") && flag.name.length >= 3 && flag.name.startsWith("--") && name.startsWith(flag.name));
}
