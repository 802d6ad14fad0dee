/** Goes through a script and has each command judged, with what feeds it and what it writes. Every list is taken to run. */
import { type Denial, deny, denyUnread } from "./action.ts";
import { type Argument, filled, known, unknown } from "./argument.ts";
import { collectBindings } from "./bindings.ts";
import { judgeEnvironment } from "./carriers/environment.ts";
import { expandTarget, expandWhole, expandWords } from "./expand.ts";
import { judgeFileWrite } from "./file-writes.ts";
import { judgeInvocation } from "./invocation.ts";
import { inputOf, oneOf, outputOf, printedByCommand } from "./output.ts";
import { deeper, firstDenial, type Judge, type Scene } from "./scene.ts";
import type { Command, Redirection, Script, SimpleCommand, Word } from "./shell-tree.ts";

/** Judges a whole script that is fed `input`. */
export function judgeScript(script: Script, input: Argument | null, scene: Scene): Denial | null {
  return firstDenial(script.pipelines, (stages) => {
    let fed = input;
    return firstDenial(stages.entries(), ([at, command]) => {
      if (at > 0) fed = printedByCommand(stages[at - 1] ?? command, fed, scene);
      return judgeCommand(command, fed, scene);
    });
  });
}

function judgeCommand(command: Command, input: Argument | null, scene: Scene): Denial | null {
  scene.budget.steps -= 1;
  if (scene.budget.steps < 0) return denyUnread("the command is too large to judge");
  if (command.kind === "function") return judgeDefinition(command.body, scene);
  return judgeHidden(command, scene) ?? judgeRedirections(command, input, scene) ?? judgeBody(command, input, scene);
}

/** Not called yet: its arguments are some plain words. Whether it runs them as a command is judged where it is called. */
function judgeDefinition(body: Command, scene: Scene): Denial | null {
  const words = new Array<Argument>(9).fill(unknown("word"));
  const denial = judgeCommand(body, null, { ...scene, positional: [known("sh"), ...words] });
  return denial?.family === "unreadable" ? null : denial;
}

function judgeBody(command: Exclude<Command, { kind: "function" }>, input: Argument | null, scene: Scene): Denial | null {
  const fed = inputOf(command.redirections, scene) ?? input;
  if (command.kind === "simple") return judgeSimple(command, fed, scene);
  if (command.kind === "loop") return judgeScript(command.body, fed, scene);
  return firstDenial(command.lists, (list) => judgeScript(list, fed, scene));
}

function judgeSimple(command: SimpleCommand, input: Argument | null, scene: Scene): Denial | null {
  const environment = new Map<string, Argument>();
  for (const { name, value } of [...command.assignments, ...command.declared]) {
    environment.set(name, value.kind === "scalar" ? oneOf(expandWhole(value.word, scene)) : unknown("anything"));
  }
  const feedsItself = command.redirections.some(({ kind, descriptor }) => kind !== "write" && (descriptor ?? 0) === 0);
  if (feedsItself && command.words.length === 1 && isExec(command.words[0]))
    return denyUnread("a shell that goes on reading from elsewhere");
  const like = { input, inputFile: inputFileOf(command.redirections, scene), environment };
  return firstDenial(
    expandWords(command.words, scene),
    (words) => judgeEnvironment(environment, words, scene) ?? judge.words(words, like, scene),
  );
}

/** `exec < file` changes what the shell itself reads. */
function isExec(word: Word | undefined): boolean {
  return word?.parts.length === 1 && word.parts[0]?.kind === "literal" && word.parts[0].text === "exec";
}

/** The scripts inside words run too. */
function judgeHidden(command: Exclude<Command, { kind: "function" }>, scene: Scene): Denial | null {
  return firstDenial(wordsOf(command), (word) => judgeWord(word, scene));
}

function judgeWord(word: Word, scene: Scene): Denial | null {
  return firstDenial(word.parts, (part) => {
    if (part.kind === "output") return judgeScript(part.script, null, scene);
    if (part.kind === "channel") return judgeScript(part.script, part.direction === "out" ? unknown("anything") : null, scene);
    if (part.kind === "unknown") return firstDenial(part.words, (inner) => judgeWord(inner, scene));
    if (part.kind !== "variable" || part.change.kind === "none") return null;
    return firstDenial("word" in part.change ? [part.change.word] : part.change.words, (inner) => judgeWord(inner, scene));
  });
}

function wordsOf(command: Exclude<Command, { kind: "function" }>): readonly Word[] {
  const targets = command.redirections.map((redirection) => (redirection.kind === "text" ? redirection.body : redirection.target));
  if (command.kind === "block") return [...command.words, ...targets];
  if (command.kind === "loop") return [...command.words, ...(command.items ?? []), ...targets];
  const values = [...command.assignments, ...command.declared].flatMap(({ value }) =>
    value.kind === "scalar" ? [value.word] : value.words,
  );
  return [...values, ...command.words, ...targets];
}

function judgeRedirections(command: Exclude<Command, { kind: "function" }>, input: Argument | null, scene: Scene): Denial | null {
  let printed: Argument | null = null;
  return firstDenial(command.redirections, (redirection) => {
    scene.budget.steps -= 10;
    if (scene.budget.steps < 0) return denyUnread("the command is too large to judge");
    if (redirection.kind === "text") return null;
    return firstDenial(expandTarget(redirection.target, scene), (target) => {
      const socket = judgeSocket(target);
      if (socket !== null || redirection.kind === "read") return socket;
      printed ??= printedByCommand(withoutWrites(command), input, scene);
      const content = (redirection.descriptor ?? 1) === 1 ? printed : unknown("anything");
      return judgeFileWrite({ target, content, appends: redirection.appends }, scene);
    });
  });
}

/** What a command prints does not depend on where that goes. */
function withoutWrites<T extends Exclude<Command, { kind: "function" }>>(command: T): T {
  return { ...command, redirections: command.redirections.filter(({ kind }) => kind !== "write") };
}

/** `/dev/tcp/host/port` is a connection. To this machine it passes: that is how scripts wait for a port. */
function judgeSocket(target: Argument): Denial | null {
  const host = /^\/dev\/(?:tcp|udp)\/([^/]*)/i.exec(filled(target, "?"))?.[1];
  if (host === undefined || host === "localhost" || host === "127.0.0.1") return null;
  return deny("data-out/socket", "a shell connection to another machine", "use curl for what the task needs, or ask the person");
}

function inputFileOf(redirections: readonly Redirection[], scene: Scene): Argument | null {
  const reads = redirections.filter((redirection) => redirection.kind !== "write" && (redirection.descriptor ?? 0) === 0);
  const last = reads.at(-1);
  if (last?.kind !== "read") return null;
  const file = oneOf(expandWhole(last.target, scene));
  return file.channels.length > 0 ? null : file;
}

/** What carriers use to have other commands judged. */
export const judge: Judge = {
  words(words, like, scene) {
    const [program, ...args] = words;
    return program === undefined ? null : judgeInvocation({ ...like, program, args }, scene, judgeFunction);
  },
  text(text, input, scene) {
    if (scene.depth > 24) return denyUnread("scripts nested too deeply");
    const parse = scene.context.parseShell(text);
    if (parse.kind === "unreadable") return denyUnread(`a script that cannot be read (${parse.reason})`);
    collectBindings(parse.script, scene);
    return judgeScript(parse.script, input, deeper(scene));
  },
  output: outputOf,
};

/** A function that is called has the arguments of the call. */
function judgeFunction(bodies: readonly Command[], args: readonly Argument[], input: Argument | null, scene: Scene): Denial | null {
  return firstDenial(bodies, (body) => judgeCommand(body, input, { ...scene, positional: [known("sh"), ...args], depth: scene.depth + 1 }));
}
