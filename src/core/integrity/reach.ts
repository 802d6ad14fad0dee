/**
 * Which files of the tree a criterion's command runs, as far as words can tell: files that it names, scripts of package.json that it calls, targets of a Makefile, and
 * the settings of the runner that it starts. What is not found here is not missed: a rule that needs it only finds less.
 */
import { folderOf, joinPath } from "./module-paths.ts";

/** The text of a file of the tree; null = it is not there, or is no text. */
export type ReadText = (path: string) => string | null;

/** Files by whose presence a runner is told what to run and what counts. */
const runnerSettings: readonly (readonly [runner: RegExp, files: RegExp])[] = [
  [/\bvitest\b/, /^(vitest|vite)\.config\.[cm]?[jt]s$|^vitest\.workspace\./],
  [/\bjest\b/, /^jest\.(config|setup)\./],
  [/\bmocha\b/, /^\.mocharc\./],
  [/\b(pytest|py\.test|tox|nox)\b/, /^(pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|\.coveragerc|noxfile\.py)$|(^|\/)conftest\.py$/],
  [/\bunittest\b/, /^(setup\.cfg|\.coveragerc)$/],
  [/\b(nyc|c8)\b/, /^\.(nycrc|c8rc)(\.|$)|^nyc\.config\./],
  [/\bcoverage\b/, /^(\.coveragerc|setup\.cfg|tox\.ini|pyproject\.toml)$/],
  [/\beslint\b/, /^(eslint\.config\.|\.eslintrc|\.eslintignore)/],
  [/\bbiome\b/, /^biome\.jsonc?$/],
  [/\btsc\b/, /^tsconfig(\.[\w-]+)?\.json$/],
  [/\bruff\b/, /^(ruff\.toml|\.ruff\.toml|pyproject\.toml)$/],
  [/\b(cargo|clippy)\b/, /^(Cargo\.toml|clippy\.toml|\.cargo\/config\.toml)$/],
  [/\bgo (test|vet)\b/, /^go\.mod$/],
  [/\b(npm|npx|yarn|pnpm|bun)\b/, /^\.npmrc$/],
];

const scriptCall = /\b(?:npm|pnpm|yarn|bun)(?:\s+--?[\w-]+(?:=\S+)?)*\s+(?:run(?:-script)?\s+)?(?:--?[\w-]+\s+)*([\w:.-]+)/g;
const makeCall = /\b(?:make|gmake)\b/;
const justCall = /\bjust\b/;
/** Deeper than any script calls another. */
const mostSteps = 8;

/** @param paths  all that the tree has. @returns paths without twins, in no order */
export function reachOf(command: string, paths: readonly string[], readText: ReadText): readonly string[] {
  const known = new Set(paths);
  const found = new Set<string>();
  const seen = new Set<string>();
  const waiting: { readonly text: string; readonly folder: string; readonly step: number }[] = [{ text: command, folder: "", step: 0 }];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const { text, folder, step } = one;
    if (seen.has(`${folder}\0${text}`) || step > mostSteps) continue;
    seen.add(`${folder}\0${text}`);
    const follow = (next: string, at: string) => waiting.push({ text: next, folder: at, step: step + 1 });
    for (const path of namedIn(text, folder, known)) {
      if (found.has(path)) continue;
      found.add(path);
      const script = isShellScript(path) ? readText(path) : null;
      if (script !== null) follow(script, folderOf(path));
    }
    for (const path of settingsFor(text, paths)) found.add(path);
    for (const script of packageScripts(text, readText)) {
      found.add("package.json");
      follow(script, "");
    }
    for (const file of buildFiles(text, known)) {
      found.add(file);
      follow(readText(file) ?? "", folderOf(file));
    }
  }
  return [...found];
}

/** Words that are paths of the tree, from its top or from the folder of the script that has them. */
function namedIn(text: string, folder: string, known: ReadonlySet<string>): readonly string[] {
  const words = text.match(/[\w@%+.~/-]+/g) ?? [];
  return words.flatMap((word) => [joinPath("", word), joinPath(folder, word)].filter((path) => known.has(path)));
}

function isShellScript(path: string): boolean {
  return /(\.(sh|bash|zsh)|\/?[\w-]+)$/.test(path) && !/\.(?!sh$|bash$|zsh$)\w+$/.test(path);
}

/** Whether a command only looks at words: what it says of a file is no test of it. */
export function looksOnly(command: string): boolean {
  return (
    /^\s*(?:!\s*)?(?:git\s+)?(?:[ef]?grep|rg|test|\[{1,2}|ls|cat|head|tail|wc|find|awk|sed|diff|cmp|stat|file|jq)\b/.test(command) &&
    !/&&|\|\||;/.test(command)
  );
}

export function isRunnerSetting(path: string): boolean {
  return runnerSettings.some(([, files]) => files.test(path));
}

function settingsFor(text: string, paths: readonly string[]): readonly string[] {
  const patterns = runnerSettings.filter(([runner]) => runner.test(text)).map(([, files]) => files);
  return patterns.length === 0 ? [] : paths.filter((path) => patterns.some((pattern) => pattern.test(path)));
}

function packageScripts(text: string, readText: ReadText): readonly string[] {
  const names = [...text.matchAll(scriptCall)].map(([, name = ""]) => (name === "t" || name === "tst" ? "test" : name));
  if (names.length === 0) return [];
  const scripts = scriptsOf(readText("package.json"));
  return names.flatMap((name) => [`pre${name}`, name, `post${name}`].flatMap((one) => scripts[one] ?? []));
}

/** Of a package.json; none where it cannot be read. */
export function scriptsOf(text: string | null): Readonly<Record<string, string>> {
  try {
    const value = (JSON.parse(text ?? "{}") as { scripts?: unknown } | null)?.scripts;
    const entries = Object.entries(typeof value === "object" && value !== null ? value : {});
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return {};
  }
}

function buildFiles(text: string, known: ReadonlySet<string>): readonly string[] {
  const names = [
    ...(makeCall.test(text) ? ["GNUmakefile", "makefile", "Makefile"] : []),
    ...(justCall.test(text) ? ["justfile", "Justfile"] : []),
  ];
  return names.filter((name) => known.has(name));
}
