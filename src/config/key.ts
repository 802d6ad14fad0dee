/** One setting: how it is checked, what it means, and what the project file may do with it. */
// Not `{ z }`: that one brings the messages of every language, 450 kB of the bundle.
import * as z from "zod";
import { isNeverPassed } from "./child-environment.ts";
import { durationPattern, durationWithDaysPattern, parseDuration } from "./duration.ts";
import { checkTreePath } from "./tree-path.ts";

export interface Key<V> extends Kind<V> {
  readonly default: V;
  readonly about: string;
  readonly unit: string;
  readonly cap?: Cap<V>;
  /** What the project's file says is added to what the user's says: so it can only tighten. */
  readonly adds?: true;
  /** Only the person says it: the project's file, which agents can write, may not. */
  readonly personal?: true;
  /** What a message shows instead of a default that nobody can type. */
  readonly example?: unknown;
  /** Its values are never shown. */
  readonly secret?: true;
  /** The name its variable would have is one that agents get from us. */
  readonly environment?: false;
}

/** How a value is checked. `expects` ends the sentence "limits.run must be …"; what a schema says in words of its own follows the value: "… leaves the tree". */
export interface Kind<V> {
  readonly schema: z.ZodType<V>;
  readonly expects: string;
  /** How its text in a variable or flag is read. */
  readonly form: "text" | "number" | "json";
}

/** A limit that the project file, which agents can write, may only tighten. */
export interface Cap<V> {
  /** Grows with looseness. */
  looseness(value: V): number;
  /** "limits.run: 500 is larger than …" */
  readonly looser: "larger" | "longer" | "smaller" | "shorter" | "weaker";
}

export function key<V>(kind: Kind<V>, facts: Omit<Key<NoInfer<V>>, keyof Kind<V>>): Key<V> {
  return { ...kind, ...facts };
}

export const largerIsLooser: Cap<number> = { looseness: (value) => value, looser: "larger" };
export const largerOrNoneIsLooser: Cap<number | null> = { looseness: (value) => value ?? Number.POSITIVE_INFINITY, looser: "larger" };
export const smallerIsLooser: Cap<number> = { looseness: (value) => -value, looser: "smaller" };
export const longerIsLooser: Cap<string | null> = { looseness: (value) => spanOf(value), looser: "longer" };
export const shorterIsLooser: Cap<string> = { looseness: (value) => -spanOf(value), looser: "shorter" };

/** @param words  the strictest first */
export function weakerIsLooser<W extends string>(...words: readonly W[]): Cap<W> {
  return { looseness: (value) => words.indexOf(value), looser: "weaker" };
}

function spanOf(text: string | null): number {
  return text === null ? Number.POSITIVE_INFINITY : (parseDuration(text) ?? Number.POSITIVE_INFINITY);
}

export function count(most: number): Kind<number> {
  return { schema: z.int().min(1).max(most), expects: `a whole number from 1 to ${most}`, form: "number" };
}

/** US$, at least a millionth: nothing smaller can be booked. */
export function money(most: number): Kind<number> {
  return { schema: z.number().min(0.000001).max(most), expects: `an amount in US$ above 0 and at most ${most}`, form: "number" };
}

/** Where a provider is reached. */
export function baseUrl(): Kind<string> {
  const schema = z
    .string()
    .max(1024)
    .refine(isBaseUrl, "must begin with http:// or https:// and have neither user, query nor fragment")
    .overwrite((text) => text.replace(/\/+$/, ""));
  return { schema, expects: 'an address such as "https://api.anthropic.com"', form: "text" };
}

function isBaseUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol)) return false;
  return url.username === "" && url.password === "" && url.search === "" && url.hash === "";
}

export function duration(most: string): Kind<string> {
  return span(durationPattern, most, `a duration such as "90s", "10m" or "1h30m", above 0 and at most "${most}"`);
}

export function days(most: string): Kind<string> {
  return span(durationWithDaysPattern, most, `a duration such as "30d" or "12h", above 0 and at most "${most}"`);
}

function span(pattern: RegExp, most: string, expects: string): Kind<string> {
  const mostMs = parseDuration(most) ?? 0;
  const schema = z
    .string()
    .regex(pattern)
    .refine((text) => isWithin(parseDuration(text), mostMs), `must be ${expects}`);
  return { schema, expects, form: "text" };
}

const isWithin = (ms: number | null, mostMs: number): boolean => ms !== null && ms > 0 && ms <= mostMs;

export function orNull<V>(kind: Kind<V>): Kind<V | null> {
  return { schema: kind.schema.nullable(), expects: `${kind.expects}, or null`, form: kind.form };
}

export function oneOf<const W extends string>(...words: readonly [W, ...W[]]): Kind<W> {
  return { schema: z.enum(words), expects: `one of ${words.map((word) => `"${word}"`).join(", ")}`, form: "text" };
}

export function treePath(role: "file" | "file-or-folder"): Kind<string> {
  return { schema: treePathText(role), expects: "a path relative to the top of the working tree", form: "text" };
}

export function treePaths(): Kind<readonly string[]> {
  return { schema: z.array(treePathText("file-or-folder")).max(100), expects: 'a list of paths such as ["docs/journal.md"]', form: "json" };
}

/** Patterns of paths in the tree; what they mean is core/integrity/path-pattern.ts. */
export function pathPatterns(): Kind<readonly string[]> {
  const text = z
    .string()
    .min(1)
    .max(1024)
    .regex(/^(?!\/|\.\.(?:\/|$))[^\0]+$/);
  return {
    schema: z.array(text).max(100),
    expects: 'a list of patterns such as ["test/golden/**"], from the top of the tree',
    form: "json",
  };
}

function treePathText(role: "file" | "file-or-folder"): z.ZodType<string> {
  return z
    .string()
    .superRefine((text, context) => {
      const checked = checkTreePath(text, role);
      if (checked.kind === "trouble") context.addIssue(checked.trouble);
    })
    .overwrite((text) => {
      const checked = checkTreePath(text, role);
      return checked.kind === "path" ? checked.path : text;
    });
}

/** Any file's path; what it is relative to depends on the layer that names it. */
export function anyPath(expects = "the path of a file"): Kind<string> {
  return {
    schema: z
      .string()
      .max(1024)
      .regex(/^(?=.*\S)[^\0]+$/),
    expects,
    form: "text",
  };
}

/** Anywhere on the machine; nothing as wide as all of it. */
export function folderPaths(): Kind<readonly string[]> {
  const text = z
    .string()
    .max(1024)
    .regex(/^(~|\/[^\0/]+)(\/[^\0]*)?$/);
  return { schema: z.array(text).max(100), expects: 'a list of paths such as ["~/.pub-cache", "/srv/data"]', form: "json" };
}

export function command(): Kind<readonly [string, ...string[]]> {
  const words = z.tuple([z.string().regex(/^(?=.*\S)[^\0]+$/)], z.string().regex(/^[^\0]*$/));
  return { schema: words, expects: "a list of words, the program first", form: "json" };
}

/** The name of one variable of ours. */
export function variableName(): Kind<string> {
  return {
    schema: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/),
    expects: 'the name of a variable such as "MIDWATCH_EVAL_KEY"',
    form: "text",
  };
}

/** Names of variables, `*` at the end for a prefix. */
export function variableNames(): Kind<readonly string[]> {
  const name = z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*\*?$/)
    .refine(
      (text) => !isNeverPassed(text),
      "never reaches an agent: it is midwatch's own, or would turn git or the agent to another place",
    );
  return { schema: z.array(name).max(200), expects: 'a list of names such as ["DATABASE_URL", "AWS_*"]', form: "json" };
}

export function variables(): Kind<Readonly<Record<string, string>>> {
  const name = z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
    .refine(
      (text) => !isNeverPassed(text),
      "never reaches an agent: it is midwatch's own, or would turn git or the agent to another place",
    );
  return {
    schema: z.record(name, z.string().regex(/^[^\0]*$/)),
    expects: 'an object of names and texts such as { "NODE_ENV": "test" }',
    form: "json",
  };
}
