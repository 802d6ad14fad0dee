/** Names of tests in a tree of titles, told by indentation, as mocha, jest and node:test print it. */
import { wholeNames } from "./report.ts";

export interface TitleForms {
  /** A test that passed, with its title in the first group. */
  readonly passed: RegExp;
  /** A title over others; a test that passed is never one. */
  readonly group: RegExp;
}

/** @returns null where they are not those of all that passed */
export function namesInTree(lines: readonly string[], forms: TitleForms, passed: number): readonly string[] | null {
  const titles: { readonly indent: number; readonly title: string }[] = [];
  const names: string[] = [];
  for (const line of lines) {
    if (line.length > 2000) continue;
    const indent = line.length - line.trimStart().length;
    const test = forms.passed.exec(line)?.[1];
    const group = test === undefined ? forms.group.exec(line)?.[1] : undefined;
    if (test === undefined && group === undefined) continue;
    let closed: string | null = null;
    while ((titles.at(-1)?.indent ?? -1) >= indent) {
      const last = titles.pop();
      if (last?.indent === indent) closed = last.title;
    }
    if (group !== undefined) titles.push({ indent, title: group });
    // node:test says the title of a suite again at its end, at the same depth.
    else if (test !== closed) names.push([...titles.map(({ title }) => title), test].join(" > "));
  }
  return wholeNames(names, passed);
}
