/** `go test -v` and `go test -json`. Without either go names no test, so there is nothing to count. Leaves are counted: `TestMany` is its subtests. */
import { type TestReport, wholeNames } from "./report.ts";

type Outcome = "pass" | "fail" | "skip";

export function readGoJson(lines: readonly string[]): TestReport | null {
  const outcomes = new Map<string, Outcome>();
  let isGo = false;
  let broken = 0;
  for (const line of lines) {
    const event = line.startsWith("{") ? readEvent(line) : null;
    if (event === null) continue;
    isGo = true;
    if (event.test !== null) outcomes.set(`${event.pkg} > ${event.test}`, event.action);
    else if (event.action === "fail" && ![...outcomes].some(([name, outcome]) => outcome === "fail" && name.startsWith(`${event.pkg} > `)))
      broken += 1;
  }
  return isGo ? toReport(outcomes, broken) : null;
}

function readEvent(line: string): { readonly action: Outcome; readonly pkg: string; readonly test: string | null } | null {
  try {
    const { Action: action, Package: pkg, Test: test } = JSON.parse(line) as Record<string, unknown>;
    const isOutcome = action === "pass" || action === "fail" || action === "skip";
    return isOutcome && typeof pkg === "string" ? { action, pkg, test: typeof test === "string" ? test : null } : null;
  } catch {
    return null; // a line of the program's own
  }
}

const words: Readonly<Record<string, Outcome>> = { PASS: "pass", FAIL: "fail", SKIP: "skip" };

export function readGoVerbose(lines: readonly string[]): TestReport | null {
  const outcomes = new Map<string, Outcome>();
  let packageOutcomes = new Map<string, Outcome>();
  let packages = 0;
  let broken = 0;
  for (const line of lines) {
    // What a test prints without a line end stands before its result.
    const [, word, name] = /--- (PASS|FAIL|SKIP): (\S+) \(\d+\.\d+s\)$/.exec(line) ?? [];
    const outcome = words[word ?? ""];
    if (outcome !== undefined && name !== undefined) packageOutcomes.set(name, outcome);
    const [, end, pkg] = /^(ok|FAIL)\s+(\S+)\s+(?:\(cached\)|\d+\.\d+s|\[[a-z ]+\])/.exec(line) ?? [];
    if (pkg === undefined) continue;
    packages += 1;
    if (end === "FAIL" && ![...packageOutcomes.values()].includes("fail")) broken += 1;
    for (const [test, seen] of packageOutcomes) outcomes.set(`${pkg} > ${test}`, seen);
    packageOutcomes = new Map();
  }
  return packages > 0 && packageOutcomes.size === 0 && outcomes.size > 0 ? toReport(outcomes, broken) : null;
}

function toReport(outcomes: ReadonlyMap<string, Outcome>, broken: number): TestReport {
  const parents = new Set([...outcomes.keys()].flatMap((name) => ancestorsOf(name)));
  const leaves = [...outcomes].filter(([name]) => !parents.has(name));
  const failedParents = [...parents].filter(
    (name) => outcomes.get(name) === "fail" && !leaves.some(([leaf, seen]) => seen === "fail" && leaf.startsWith(`${name}/`)),
  );
  const count = (wanted: Outcome) => leaves.filter(([, outcome]) => outcome === wanted).length;
  const names = leaves.flatMap(([name, outcome]) => (outcome === "pass" ? [name] : []));
  const [passed, failed] = [count("pass"), count("fail") + failedParents.length + broken];
  return { runner: "go test", passed, failed, skipped: count("skip"), assertions: null, names: wholeNames(names, passed) };
}

/** `TestMany/one` -> `TestMany`. */
function ancestorsOf(name: string): readonly string[] {
  const place = name.indexOf(" > ");
  const parts = name.slice(place).split("/");
  return parts.slice(0, -1).map((_part, index) => name.slice(0, place) + parts.slice(0, index + 1).join("/"));
}
