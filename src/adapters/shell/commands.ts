/** Commands of the grammar as commands of our tree. Every list is kept, whatever the condition in front of it. */
import {
  type Assignment as AssignmentNode,
  type Case,
  type CommandNode,
  type CompoundList,
  forEachChild,
  type Command as GrammarCommand,
  type Word as GrammarWord,
  type If,
  type ParsedScript,
  parse,
  type Redirection as RedirectionNode,
  type Statement,
  type SyntaxNode,
} from "unbash";
import type { Assignment, Command, Pipeline, Redirection, Script, SimpleCommand, Word } from "../../core/guard/shell-tree.ts";
import { type Reader, readWord, readWords } from "./words.ts";

/** One reading of one text. `problem` is the first thing that was wrong, also deep inside a substitution. */
export class CommandReader implements Reader {
  problem: string | null = null;
  /** Nodes that may still be read: a text cannot make the tree larger than this. */
  #left = 20_000;

  script(source: ParsedScript | undefined): Script {
    if (source === undefined) return this.#give("a substitution that cannot be read");
    const [error] = source.errors ?? [];
    // "unexpected token '…'" repeats the text, and that may be a secret.
    if (error !== undefined) return this.#give(error.message.startsWith("unexpected") ? "a word that was not expected" : error.message);
    return this.#list(source);
  }

  reparse(text: string): readonly GrammarWord[] {
    const [statement] = parse(`: ${text}`).commands;
    const command = statement?.command;
    return command?.type === "Command" ? command.args.filter((argument) => argument.type === "Word") : [];
  }

  wordsIn(node: SyntaxNode): readonly Word[] {
    if (node.type === "Word") return [readWord(node, this)];
    if (node.type === "CommandExpansion" || node.type === "ArithmeticCommandExpansion") {
      return [{ parts: [{ kind: "output", script: this.script(node.script), isQuoted: true }] }];
    }
    if (node.type === "ProcessSubstitution") return [{ parts: [{ kind: "channel", direction: "in", script: this.script(node.script) }] }];
    const words: Word[] = [];
    forEachChild(node, (child) => words.push(...this.wordsIn(child)));
    return words;
  }

  take(): boolean {
    this.#left -= 1;
    if (this.#left < 0) this.problem ??= "the command is too large to read";
    return this.#left >= 0;
  }

  #give(problem: string): Script {
    this.problem ??= problem;
    return { pipelines: [] };
  }

  #list(source: { readonly commands: readonly Statement[] } | undefined): Script {
    return { pipelines: source?.commands.flatMap((statement) => this.#statement(statement)) ?? [] };
  }

  #statement({ command }: Statement): readonly Pipeline[] {
    const nodes = command.type === "AndOr" ? command.commands : [command];
    return nodes.map((node) => (node.type === "Pipeline" ? node.commands.map((one) => this.#command(one)) : [this.#command(node)]));
  }

  #command(node: CommandNode | CompoundList): Command {
    if (!this.take()) return this.#block([]);
    switch (node.type) {
      case "Command":
        return this.#simple(node);
      case "Redirected":
        return this.#redirected(this.#command(node.command), node.redirects);
      case "Function":
        return { kind: "function", name: node.name.value, body: this.#command(node.body) };
      case "Coproc":
        return this.#command(node.body);
      case "For":
      case "Select": {
        const items = node.wordlist?.flatMap((word) => readWords(word, this)) ?? null;
        return { kind: "loop", variable: node.name.value, items, body: this.#list(node.body), words: [], redirections: [] };
      }
      case "ArithmeticFor": {
        const words = [node.initialize, node.test, node.update].flatMap((part) => (part === undefined ? [] : this.wordsIn(part)));
        return { kind: "loop", variable: null, items: null, body: this.#list(node.body), words, redirections: [] };
      }
      case "If":
        return this.#block(this.#branches(node));
      case "While":
        return this.#block([this.#list(node.clause), this.#list(node.body)]);
      case "Subshell":
      case "BraceGroup":
        return this.#block([this.#list(node.body)]);
      case "CompoundList":
        return this.#block([this.#list(node)]);
      case "Case":
        return this.#case(node);
      case "TestCommand":
      case "ArithmeticCommand":
        return this.#block([], this.wordsIn(node));
      default:
        return this.#block([this.#give("a construct that is not known here")]);
    }
  }

  #block(lists: readonly Script[], words: readonly Word[] = []): Command {
    return { kind: "block", lists, words, redirections: [] };
  }

  #branches(node: If): readonly Script[] {
    const others = node.elif.flatMap(({ clause, then }) => [clause, then]);
    return [node.clause, node.then, ...others, node.else].map((list) => this.#list(list));
  }

  #case(node: Case): Command {
    const words = node.items.flatMap(({ pattern }) => pattern.map((word) => readWord(word, this)));
    return this.#block(
      node.items.map(({ body }) => this.#list(body)),
      [readWord(node.word, this), ...words],
    );
  }

  #redirected(command: Command, nodes: readonly RedirectionNode[]): Command {
    const redirections = nodes.flatMap((node) => this.#redirection(node));
    return command.kind === "function" ? command : { ...command, redirections };
  }

  #simple(node: GrammarCommand): SimpleCommand {
    const prefixed = node.prefix.filter((part) => part.type === "Assignment");
    // To `alias` a name with a value is an argument like any other.
    const isAlias = node.name?.value === "alias";
    const declared = isAlias ? [] : node.args.filter((part) => part.type === "Assignment");
    const named = node.name === undefined ? [] : [node.name];
    const words = [...named, ...node.args.filter((part) => part.type === "Word")];
    const aliases = isAlias ? node.args.flatMap((part) => (part.type === "Assignment" ? this.#asWord(part) : [])) : [];
    return {
      kind: "simple",
      assignments: prefixed.map((part) => this.#assignment(part)),
      declared: declared.map((part) => this.#assignment(part)),
      words: [...words.flatMap((word) => readWords(word, this)), ...aliases],
      redirections: node.redirects.flatMap((part) => this.#redirection(part)),
    };
  }

  #asWord({ name, value }: AssignmentNode): readonly Word[] {
    return value.type === "Word" ? [{ parts: [{ kind: "literal", text: `${name}=` }, ...readWord(value, this).parts] }] : [];
  }

  #assignment({ name, value, append, index }: AssignmentNode): Assignment {
    // The index of an element can run a command of its own.
    const hidden = index === undefined ? [] : this.wordsIn(index).flatMap(({ parts }) => parts.filter(({ kind }) => kind !== "literal"));
    const adds = append === true;
    if (value.type === "ArrayValue") {
      const isPlaced = value.elements.some(({ text }) => text.startsWith("["));
      return {
        name,
        adds,
        value: { kind: isPlaced ? "elements" : "list", words: value.elements.flatMap((word) => readWords(word, this)) },
      };
    }
    const word = readWord(value, this);
    if (index === undefined) return { name, adds, value: { kind: "scalar", word } };
    return { name, adds, value: { kind: "elements", words: hidden.length === 0 ? [word] : [word, { parts: hidden }] } };
  }

  #redirection(node: RedirectionNode): readonly Redirection[] {
    const descriptor = node.descriptor?.type === "FileDescriptor" ? node.descriptor.value : node.descriptor === undefined ? null : -1;
    if (node.type === "HereDoc") {
      const { parts, text } = node.body;
      return [{ kind: "text", descriptor, body: readWord({ parts: parts ?? [literal(text)], text: "", value: text }, this) }];
    }
    if (node.target === undefined) return this.problemWith("a redirection without a target");
    const target = readWord(node.target, this);
    if (node.type === "HereString") return [{ kind: "text", descriptor, body: target }];
    // `2>&1` and `<&-` copy or close a descriptor: no file. What is copied to the standard input may hold a script.
    const copied = node.operator.includes("&") ? /^(\d+)-?$|^-$/.exec(node.target.value) : null;
    if (copied !== null && (node.operator !== "<&" || copied[1] === undefined || (descriptor ?? 0) !== 0)) return [];
    if (copied !== null)
      return [{ kind: "read", descriptor, appends: false, target: { parts: [{ kind: "literal", text: `/dev/fd/${copied[1]}` }] } }];
    if (node.operator === "<" || node.operator === "<&") return [{ kind: "read", descriptor, appends: false, target }];
    const written: Redirection = { kind: "write", descriptor, appends: node.operator.includes(">>"), target };
    return node.operator === "<>" ? [{ ...written, kind: "read" }, written] : [written];
  }

  problemWith(problem: string): readonly Redirection[] {
    this.#give(problem);
    return [];
  }
}

function literal(value: string) {
  return { type: "Literal", value, text: value, pos: 0, end: 0 } as const;
}
