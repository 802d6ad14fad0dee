/** Running a file that this window wrote, directly or through the project's own scripts. What was there before is the person's. */
import { type Denial, deny } from "../action.ts";
import { type Argument, known } from "../argument.ts";
import { readFrom } from "../output.ts";
import { interpreters, rowOf } from "../programs.ts";
import { deeper, firstDenial, type Invocation, pathsOf, type Scene } from "../scene.ts";
import { judgeCodeText, judgeRememberedCode, stringsIn } from "./code.ts";
import { denyFetched, judgeScriptFileText } from "./scripts.ts";

/** Judges `./FILE`, and a file given to an interpreter. */
export function judgeScriptFile(invocation: Invocation, scene: Scene): Denial | null {
  const { name, program, args, input } = invocation;
  const renamed = judgeRenamed(invocation, scene);
  if (renamed !== null) return renamed;
  const direct = program.text?.includes("/") === true ? judgeProgramFile(program, args, input, scene) : null;
  if (direct !== null || (!interpreters.has(name.replace(/[\d.]+$/, "")) && name !== "make")) return direct;
  return firstDenial(args.slice(0, 8), (argument) => judgeCodeFile(argument, scene));
}

/** A program of the machine that the window copied or linked to another name is judged by its own. */
function judgeRenamed(invocation: Invocation, scene: Scene): Denial | null {
  const { name, program, args } = invocation;
  const notes = program.text?.includes("/")
    ? pathsOf(program.text, scene).map((path) => scene.files.get(path))
    : [...scene.files].flatMap(([path, note]) => (note.program !== undefined && path.toLowerCase().endsWith(`/${name}`) ? note : []));
  const programs = new Set(notes.flatMap((note) => note?.program ?? []));
  programs.delete(name);
  return firstDenial(programs, (real) => scene.judge.words([known(real), ...args], invocation, deeper(scene)));
}

function judgeProgramFile(program: Argument, args: readonly Argument[], input: Argument | null, scene: Scene): Denial | null {
  return firstDenial(pathsOf(program.text ?? "", scene), (path) => {
    const note = scene.files.get(path);
    if (note === undefined) return null;
    const firstLine = (note.text ?? "").slice(0, 200).split("\n", 1)[0] ?? "";
    const isForShell = !firstLine.startsWith("#!") || /\b(ba|z|da|k|a|fi)?sh\b/.test(firstLine);
    return isForShell
      ? judgeScriptFileText(known(path), input, { ...scene, positional: [known(path), ...args] })
      : judgeCodeFile(known(path), scene);
  });
}

/** Code of another language is judged in full when this very command wrote it, and by what it plainly spells out when the window wrote it before. */
function judgeCodeFile(file: Argument, scene: Scene): Denial | null {
  if (file.channels.length > 0) return readFrom(file, scene).isFetched ? denyFetched() : null;
  if (file.text === null || file.text === "") return null;
  return firstDenial(pathsOf(file.text, scene), (path) => {
    const note = scene.files.get(path);
    if (note === undefined) return null;
    if (note.isFetched) return denyFetched();
    if (note.text === null) return null;
    return scene.context.memory.get(path) === note ? judgeRememberedCode(note.text) : judgeCodeText(note.text, scene);
  });
}

/** Judges `npm test` and `make`, where this window wrote the file that says what they run. */
export function judgeProjectScript({ name, args, input }: Invocation, scene: Scene): Denial | null {
  if (/^(npm|pnpm|yarn|bun)$/.test(name)) {
    const denial = judgePackageSetting(args, scene);
    return denial ?? firstDenial(textsOf("package.json", scene), (text) => judgePackage(text, args, scene));
  }
  if (/^(g?make|just)$/.test(name)) {
    const named = args.filter((_, at) => /^(-f|--file|--makefile)$/.test(args[at - 1]?.text ?? "")).map(({ text }) => text ?? "");
    const files = [...named, "Makefile", "makefile", "GNUmakefile", "justfile"];
    return firstDenial([...(input?.text ? [input.text] : []), ...files.flatMap((file) => textsOf(file, scene))], (text) =>
      judgeRecipes(reachedLines(text, args), scene),
    );
  }
  return null;
}

/** `npm pkg set scripts.x='…'` writes a script. */
function judgePackageSetting(args: readonly Argument[], scene: Scene): Denial | null {
  if (args[0]?.text !== "pkg" || args[1]?.text !== "set") return null;
  const scripts = args.flatMap(({ text }) => /^scripts\.[^=]{1,100}=([\s\S]*)$/.exec(text ?? "")?.[1] ?? []);
  return judgeParts(scripts, scene, "pkg set");
}

function textsOf(file: string, scene: Scene): readonly string[] {
  return pathsOf(file, scene).flatMap((path) => scene.files.get(path)?.text ?? []);
}

/** The script asked for with those before and after it; of a file that is no whole JSON, every text in it. */
function judgePackage(text: string, args: readonly Argument[], scene: Scene): Denial | null {
  const words = args.map((argument) => argument.text ?? "").filter((word) => !word.startsWith("-"));
  const asked = words[0] === "run" || words[0] === "run-script" ? words[1] : words[0];
  const verb = asked === "t" || asked === undefined ? "test" : asked;
  const scripts = scriptsOf(text);
  const bodies =
    scripts === null
      ? stringsIn(text)
      : [
          `pre${verb}`,
          verb,
          `post${verb}`,
          ...(verb === "install" || verb === "i" || verb === "ci" ? ["preinstall", "install", "postinstall", "prepare"] : []),
        ].flatMap((one) => rowOf(scripts, one) ?? []);
  return judgeParts(bodies.slice(0, 200), scene, verb);
}

function scriptsOf(text: string): Readonly<Record<string, string>> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    const scripts = typeof parsed === "object" && parsed !== null && "scripts" in parsed ? parsed.scripts : {};
    return Object.fromEntries(Object.entries(scripts ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return null; // a part of the file: looked at text by text
  }
}

/** The recipes of a Makefile, line by line, without make's own signs. */
function judgeRecipes(lines: readonly string[], scene: Scene): Denial | null {
  return judgeParts(
    lines.slice(0, 500).map((line) =>
      line
        .trim()
        .replace(/^[@+-]+/, "")
        .replaceAll("$$", "$"),
    ),
    scene,
    "make",
  );
}

interface MakeRule {
  readonly needs: readonly string[];
  readonly lines: string[];
}

/** The recipes that these goals lead to, and what make runs in any case; all of them where it cannot be told. */
function reachedLines(text: string, args: readonly Argument[]): readonly string[] {
  const rules = new Map<string, MakeRule>();
  const always = [...text.matchAll(/\$\(shell ([^)]{1,400})\)/g)].map(([, script = ""]) => script);
  const lines = text.split("\n");
  let current: readonly MakeRule[] = [];
  for (const line of lines) {
    if (/^[\t ]/.test(line)) for (const rule of current) rule.lines.push(line);
    const [, heads, needs = ""] = /^([^\s#:=][^#:=]{0,200}?)\s*::?(?!=)([^=;]*)$/.exec(line) ?? [];
    if (heads === undefined) continue;
    current = heads.split(/\s+/).map((name) => {
      const rule = rules.get(name) ?? { needs: needs.split(/[\s|]+/).filter((need) => need !== ""), lines: [] };
      rules.set(name, rule);
      return rule;
    });
  }
  const goals = args
    .filter((_, at) => !/^(-f|--file|--makefile|-C|-j|-I|-o|-W)$/.test(args[at - 1]?.text ?? ""))
    .map(({ text: goal }) => goal ?? "%");
  const named = goals.filter((goal) => !goal.startsWith("-") && !goal.includes("="));
  const [first = "%"] = [...rules.keys()].filter((name) => !name.startsWith("."));
  const wanted = new Set(named.length > 0 ? named : [first]);
  for (const goal of wanted) for (const need of rules.get(goal)?.needs ?? []) wanted.add(need);
  const isTold = !/^\s*-?include\b|^[^\t#]*%/m.test(text) && (named.length > 0 ? named : [first]).every((goal) => rules.has(goal));
  if (!isTold) return [...always, ...lines.filter((line) => /^[\t ]/.test(line))];
  return [...always, ...[...wanted].flatMap((goal) => rules.get(goal)?.lines ?? [])];
}

function judgeParts(scripts: readonly string[], scene: Scene, verb: string): Denial | null {
  return firstDenial(scripts, (script) => {
    const denial = scene.judge.text(script, null, deeper(scene));
    if (denial === null || denial.family === "unreadable") return null;
    const told = deny(
      denial.rule,
      `"${verb.slice(0, 40)}" would run what this window wrote and may not run itself`,
      "take it out of the script, or ask the person",
    );
    return { ...denial, reason: told.reason };
  });
}
