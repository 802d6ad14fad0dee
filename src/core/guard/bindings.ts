/** Collects what a script defines: variables and functions, wherever they stand. Adding is all it does, see scene.ts. */
import type { Scene, Source } from "./scene.ts";
import type { Assignment, Command, Redirection, Script, Word } from "./shell-tree.ts";

/** Names whose arguments are variables that get their value from elsewhere. */
const readers = new Set(["read", "mapfile", "readarray", "getopts", "let"]);
/** Stands in the table of variables for "the positional arguments move". No shell variable has this name. */
export const shifted = "shift ";
const declarers = new Set(["export", "declare", "typeset", "local", "readonly"]);

/** Notes every variable and function of the script. */
export function collectBindings(script: Script, scene: Scene): void {
  scene.values.clear();
  for (const pipeline of script.pipelines) for (const command of pipeline) collectCommand(command, scene);
}

function collectCommand(command: Command, scene: Scene): void {
  if (command.kind === "function") {
    note(scene.functions, command.name, command.body);
    collectCommand(command.body, scene);
    return;
  }
  collectRedirections(command.redirections, scene);
  collectWords(command.words, scene);
  if (command.kind === "simple") collectSimple(command, scene);
  if (command.kind === "block") for (const list of command.lists) collectBindings(list, scene);
  if (command.kind === "loop") collectLoop(command, scene);
}

function collectLoop({ variable, items, body }: Extract<Command, { kind: "loop" }>, scene: Scene): void {
  if (variable !== null) addSource(scene, variable, items === null ? { kind: "open" } : { kind: "elements", words: items });
  collectWords(items ?? [], scene);
  collectBindings(body, scene);
}

function collectSimple(command: Extract<Command, { kind: "simple" }>, scene: Scene): void {
  const [first, ...others] = command.words.map(plainText);
  for (const assignment of command.assignments) {
    // `IFS= read` sets it for that command alone; anywhere else it changes how every value is cut.
    if (assignment.name !== "IFS" || first !== "read") assign(assignment, scene);
  }
  for (const assignment of command.declared) assign(assignment, scene);
  if (first === undefined || first === null) return;
  const filledIn = readers.has(first)
    ? ["REPLY", "MAPFILE", "OPTARG", ...others]
    : first === "printf" && others[0] === "-v"
      ? [others[1] ?? null]
      : [];
  for (const name of filledIn) if (isName(name)) addSource(scene, name, { kind: "open" });
  if (first === "shift") addSource(scene, shifted, { kind: "open" });
  if (declarers.has(first)) for (const word of command.words.slice(1)) declare(word, scene);
  if (first === "set") setPositional(command.words.slice(1), scene);
}

function assign({ name, value, adds }: Assignment, scene: Scene): void {
  addSource(scene, name, value.kind === "elements" ? value : { ...value, adds });
  collectWords(value.kind === "scalar" ? [value.word] : value.words, scene);
}

/** `export "name=value"`: to the grammar a word like any other. */
function declare(word: Word, scene: Scene): void {
  const [first, second, ...others] = word.parts;
  const lead = first?.kind === "literal" && first.text === "" ? second : first;
  const rest = lead === second ? others : word.parts.slice(1);
  if (lead?.kind !== "literal") return;
  const match = /^([A-Za-z_]\w{0,63})\+?=/.exec(lead.text);
  if (match?.[1] === undefined) return;
  const value: Word = { parts: [{ kind: "literal", text: lead.text.slice(match[0].length) }, ...rest] };
  addSource(scene, match[1], { kind: "scalar", word: value, adds: true });
}

/** `set -- a b` gives the script its positional arguments. */
function setPositional(words: readonly Word[], scene: Scene): void {
  const at = words.findIndex((word) => plainText(word) === "--");
  const given = at === -1 ? words : words.slice(at + 1);
  if (given.length > 0) addSource(scene, "@", { kind: "list", words: given, adds: false });
}

function collectRedirections(redirections: readonly Redirection[], scene: Scene): void {
  collectWords(
    redirections.map((redirection) => (redirection.kind === "text" ? redirection.body : redirection.target)),
    scene,
  );
}

function collectWords(words: readonly Word[], scene: Scene): void {
  for (const { parts } of words) {
    for (const part of parts) {
      if (part.kind === "output" || part.kind === "channel") collectBindings(part.script, scene);
      else if (part.kind === "unknown") collectWords(part.words, scene);
      else if (part.kind === "variable") collectChange(part, scene);
    }
  }
}

function collectChange({ name, change }: Extract<Word["parts"][number], { kind: "variable" }>, scene: Scene): void {
  if (change.kind === "none") return;
  // `${x:=word}` assigns as well.
  if (change.kind === "default" && isName(name)) addSource(scene, name, { kind: "scalar", word: change.word, adds: false });
  collectWords("words" in change ? change.words : [change.word], scene);
}

/** Adds a way in which the variable may get its value. */
export function addSource(scene: Scene, name: string, source: Source): void {
  note(scene.variables, name, source);
}

function note<T>(table: Map<string, T[]>, key: string, value: T): void {
  const list = table.get(key);
  if (list === undefined) table.set(key, [value]);
  else list.push(value);
}

function isName(text: string | null): text is string {
  return text !== null && /^[A-Za-z_]\w{0,63}$/.test(text);
}

/** The text of a word that is nothing but text. */
function plainText({ parts }: Word): string | null {
  let text = "";
  for (const part of parts) {
    if (part.kind !== "literal") return null;
    text += part.text;
  }
  return text;
}
