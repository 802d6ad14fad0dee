/**
 * The title of a task: a key, if the person gave one, and the words.
 * A key is plain when it has a separator or brackets round it; a bare first word counts only when it looks like nothing else, so that
 * "UTF-8 support" and "S3 upload" stay titles.
 */
import { unwrapBold } from "./criteria/words.ts";

export interface FoundKey {
  readonly key: string;
  readonly rest: string;
}

const number = "\\d{1,9}(?:[.-]\\d{1,9}){0,5}[a-z]?";
const dotted = "\\d{1,9}(?:\\.\\d{1,9}){1,5}";
const anyKey = `(?:[A-Za-z]{1,12}(?:[-_][A-Za-z]{1,12}){0,3}[-_]?${number}|${dotted})`;
const separator = "[ \\t]{0,3}(?::|[.)–—-](?=\\s|$))";
/** The group is the key; what follows the match is the title. */
const forms: readonly RegExp[] = [
  new RegExp(`^\\[(${anyKey})\\](?:\\([^()\\s]{0,500}\\))?(?:${separator}|(?=\\s|$))`),
  new RegExp(`^\\((${anyKey})\\)(?:${separator}|(?=\\s|$))`),
  new RegExp(`^\`(${anyKey})\`(?:${separator}|(?=\\s|$))`),
  new RegExp(`^(${anyKey})${separator}`),
  /^(\d{1,4})[:.)](?=\s|$)/,
  new RegExp(`^((?!(?:UTF|ISO|SHA|RFC|CVE|AES|GPT|CP|MD|TLS|ES|HTTP|X)-)[A-Z]{1,10}(?:-[A-Z]{1,10}){0,3}-${number})(?=\\s|$)`),
  new RegExp(`^((?:T|US|TASK|STORY|BUG|FEAT|FR)${number}|${dotted})(?=\\s|$)`),
];
const taskNumber = new RegExp(`^(?:task|tarefa)[ \\t]{1,3}(\\d{1,9}(?:\\.\\d{1,9}){0,5})(?:${separator}|$)`, "i");

/** The key a text starts with; null when it starts with none. Bold marks round it do not matter. */
export function readKey(text: string): FoundKey | null {
  const mark = text.startsWith("**") ? "**" : text.startsWith("__") ? "__" : "";
  const plain = mark === "" ? text : text.slice(2).replace(mark, "");
  const numbered = taskNumber.exec(plain);
  if (numbered !== null) return { key: `T${numbered[1]}`, rest: plain.slice(numbered[0].length).trim() };
  for (const form of forms) {
    const found = form.exec(plain);
    if (found?.[1] !== undefined) return { key: found[1], rest: plain.slice(found[0].length).trim() };
  }
  return null;
}

/** Key and words of a title; a title that is only a key is its own words. */
export function readTitle(text: string): { readonly key: string | null; readonly title: string } {
  const line = text.replace(/\s+/g, " ").trim();
  const found = readKey(line);
  if (found === null) return { key: null, title: unwrapBold(line) };
  return { key: found.key, title: found.rest === "" ? found.key : found.rest };
}
