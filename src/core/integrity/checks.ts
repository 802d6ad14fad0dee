/** Which changed files are checks, not what is checked: a criterion that runs the program itself runs new code on purpose. */
import type { Change } from "./change.ts";
import { isRunnerSetting, scriptsOf } from "./reach.ts";
import { isTestFile } from "./test-files.ts";

/** Code is a check by its name or its folder; settings and build files are by what they are. */
const checkName = /(check|verif|test|lint|golden|compare|cover|runner|validat|assert|expect|audit)[^/]*$|^(run|ci)\b[^/]*$/i;
const checkFolder = /^(tools|scripts|ci|\.github|\.circleci|hack|build|dev)\//;
const code = /\.([cm]?[jt]sx?|py|sh|bash|rb|pl|php|go|rs|java)$|(^|\/)[^./]+$/;
const buildFile = /(^|\/)(GNUmakefile|[Mm]akefile|[Jj]ustfile|package\.json)$/;
/** Parts of package.json by which a runner is told what to do. */
const runnerParts = ["jest", "vitest", "mocha", "ava", "tap", "nyc", "c8", "eslintConfig", "eslintIgnore"];

/** Whether a check that was there before is another one now, or gone. @param commands  of the task's criteria */
export function isBentCheck(change: Change, commands: readonly string[]): boolean {
  const { path, kind, before, after } = change;
  if (kind === "added" || isTestFile(path)) return false;
  if (path === "package.json" && before !== null && after !== null) return isBentPackage(before, after, commands);
  return isCheckFile(path);
}

/** Scripts, settings and build files by which things are checked. */
export function isCheckFile(path: string): boolean {
  return buildFile.test(path) || isRunnerSetting(path) || (code.test(path) && (checkFolder.test(path) || checkName.test(path)));
}

/** What the work is done in, as against what looks at it. */
export function isProduct(path: string): boolean {
  return code.test(path) && !isTestFile(path) && !isCheckFile(path);
}

/** A module of the test runner's, or of its language, under a name of its own: it is found first. */
export function replacesRunner({ path, kind }: Change): boolean {
  return (
    kind === "added" && /(^|\/)(unittest|pytest|doctest|_pytest|nose2?|mock|sitecustomize|usercustomize)(\.py|\/__init__\.py)$/.test(path)
  );
}

/** A script that is called and was there before; one that is new proves nothing either way. */
function isBentPackage(before: string, after: string, commands: readonly string[]): boolean {
  const [old, now] = [scriptsOf(before), scriptsOf(after)];
  const called = Object.keys(old).filter((name) => isCalled(name, [...commands, ...Object.values(old), ...Object.values(now)]));
  if (called.some((name) => old[name] !== now[name])) return true;
  const [was, is] = [partsOf(before), partsOf(after)];
  return runnerParts.some((part) => JSON.stringify(was[part]) !== JSON.stringify(is[part]));
}

function isCalled(name: string, commands: readonly string[]): boolean {
  const plain = name.replace(/^(pre|post)/, "");
  return commands.some(
    (command) => command.split(/[\s;&|"']+/).includes(plain) || (plain === "test" && /\b(npm|yarn|pnpm|bun)\s+(-\S+\s+)*t\b/.test(command)),
  );
}

function partsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
