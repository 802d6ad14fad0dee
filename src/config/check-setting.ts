/** One setting against its key: the checked value, or the one line that says what is wrong and what to write. */
import type * as z from "zod";
import { MidwatchError } from "../core/error.ts";
import { jsonLine } from "./json-line.ts";
import type { Key } from "./key.ts";
import type { Setting } from "./layer.ts";
import { quote, showType, showValue } from "./printable.ts";

export function checkSetting(key: Key<unknown>, setting: Setting): unknown {
  const result = key.schema.safeParse(setting.value);
  if (result.success) return result.data;
  const [first] = result.error.issues;
  const inner = first?.path ?? [];
  const trouble = first === undefined ? null : ownWords(first);
  const subject = valueAt(setting.value, inner);
  const sentence =
    trouble === null
      ? `must be ${key.expects}, not ${describe(key, setting.value, inner)}`
      : `${isName(first) ? quote(String(inner.at(-1))) : show(key, subject)} ${trouble}`;
  throw new MidwatchError("config", "E_CONFIG_VALUE", `${setting.placeOf(inner)}: ${setting.path} ${sentence}`, {
    hint: nextStep(key, setting),
    cause: result.error,
  });
}

/** What a schema of ours says itself, as against what the library says of a type or a range. */
function ownWords(issue: z.core.$ZodIssue): string | null {
  if (issue.code === "invalid_key") {
    const nested = issue.issues[0];
    return nested?.code === "custom" ? nested.message : null;
  }
  return issue.code === "custom" ? issue.message : null;
}

const isName = (issue: z.core.$ZodIssue | undefined): boolean => issue?.code === "invalid_key";

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, step) => (typeof at === "object" && at !== null ? Reflect.get(at, step) : undefined), value);
}

function describe(key: Key<unknown>, value: unknown, inner: readonly PropertyKey[]): string {
  const part = inner.length === 0 ? undefined : valueAt(value, inner);
  return part === undefined ? show(key, value) : `${showType(value)} with ${show(key, part)} in it`;
}

const show = (key: Key<unknown>, value: unknown): string => (key.secret ? showType(value) : showValue(value));

/** An example in the spelling of the place: a line of the file, a variable, a flag. */
function nextStep(key: Key<unknown>, setting: Setting): string {
  const example = exampleFor(key, setting);
  const name = setting.path.slice(setting.path.lastIndexOf(".") + 1);
  if (setting.layer === "user" || setting.layer === "project") return `write it like this: ${JSON.stringify(name)}: ${example}`;
  const text = key.form === "json" ? `'${example.replaceAll("'", "'\\''")}'` : example.replaceAll('"', "");
  return setting.layer === "environment" ? `set it like this: ${setting.place}=${text}` : `write it like this: ${setting.place} ${text}`;
}

function exampleFor(key: Key<unknown>, { value }: Setting): string {
  const words = typeof value === "string" && Array.isArray(key.example) ? plainWords(value) : null;
  return jsonLine(words ?? key.example ?? key.default);
}

/** What the person typed as one text, in words. Quotes in it meant something to a shell: only the person knows how such a text parts. */
function plainWords(text: string): readonly string[] | null {
  return /^[\w./:=@+,-][\w./:=@+, -]*$/.test(text) ? text.trim().split(/ +/) : null;
}
