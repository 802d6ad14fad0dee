/**
 * Our own small tree of a shell script: only what a guard judges. An adapter fills it from a grammar; core judges it.
 * What must hold: nothing that could run is left out. Whatever has no node of its own (arithmetic, tests, patterns) appears as words, so that
 * the substitutions inside are seen; whatever cannot be computed is an `unknown` part, never a guess.
 */
export type ShellParse = { readonly kind: "tree"; readonly script: Script } | { readonly kind: "unreadable"; readonly reason: string };

/** The pipelines in order. `&&`, `||`, `;`, `&` and a line break are all the same here: each part may run. */
export interface Script {
  readonly pipelines: readonly Pipeline[];
}

export type Pipeline = readonly Command[];

export type Command =
  | SimpleCommand
  /** `( … )`, `{ … }`, `if`, `case`, `while`: each list may run. `words` are conditions, patterns and tests. */
  | {
      readonly kind: "block";
      readonly lists: readonly Script[];
      readonly words: readonly Word[];
      readonly redirections: readonly Redirection[];
    }
  /** `for` and `select`; `items` is null where the list is "$@" or arithmetic. */
  | {
      readonly kind: "loop";
      readonly variable: string | null;
      readonly items: readonly Word[] | null;
      readonly body: Script;
      readonly words: readonly Word[];
      readonly redirections: readonly Redirection[];
    }
  | { readonly kind: "function"; readonly name: string; readonly body: Command };

export interface SimpleCommand {
  readonly kind: "simple";
  /** In front of the command's name, or all there is. */
  readonly assignments: readonly Assignment[];
  /** After `export`, `local`, `declare` and their kin. */
  readonly declared: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
}

export interface Assignment {
  readonly name: string;
  readonly value: AssignedValue;
  /** `+=`: it adds to what there is. */
  readonly adds: boolean;
}

export type AssignedValue =
  | { readonly kind: "scalar"; readonly word: Word }
  | { readonly kind: "list"; readonly words: readonly Word[] }
  /** Single places of a list, such as `list[1]=word`: which one comes first is not known. */
  | { readonly kind: "elements"; readonly words: readonly Word[] };

export type Redirection =
  | { readonly kind: "read" | "write"; readonly descriptor: number | null; readonly appends: boolean; readonly target: Word }
  /** A here-document or here-string. */
  | { readonly kind: "text"; readonly descriptor: number | null; readonly body: Word };

export interface Word {
  readonly parts: readonly WordPart[];
}

export type WordPart =
  | { readonly kind: "literal"; readonly text: string }
  /** Unquoted `*`, `?` or `[…]`. */
  | { readonly kind: "glob"; readonly text: string }
  | {
      readonly kind: "variable";
      readonly name: string;
      /** `${list[@]}` and `$@`: all elements. */
      readonly all: boolean;
      readonly isQuoted: boolean;
      readonly change: VariableChange;
    }
  /** `$(…)` and back quotes: what the script prints. */
  | { readonly kind: "output"; readonly script: Script; readonly isQuoted: boolean }
  /** `<(…)` and `>(…)`: a file name that stands for a pipe. */
  | { readonly kind: "channel"; readonly direction: "in" | "out"; readonly script: Script }
  /** Cannot be computed here. `words` hold the substitutions inside. */
  | { readonly kind: "unknown"; readonly isNumber: boolean; readonly isQuoted: boolean; readonly words: readonly Word[] };

export type VariableChange =
  | { readonly kind: "none" }
  /** `${x:-word}` and `${x:=word}`. */
  | { readonly kind: "default"; readonly word: Word }
  /** `${x:+word}`. */
  | { readonly kind: "alternate"; readonly word: Word }
  /** `${x%word}`: what is left is a beginning of the value. */
  | { readonly kind: "shorten"; readonly words: readonly Word[] }
  /** Anything else that changes the value. */
  | { readonly kind: "other"; readonly words: readonly Word[] };
