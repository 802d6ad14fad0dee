/** The port of shell scripts: our tree holds all that could run, a text that cannot be read whole is unreadable, and no text takes long or throws. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createShellParser } from "../../src/adapters/shell/shell-parser.ts";
import type { Command, Redirection, Script, Word, WordPart } from "../../src/core/guard/shell-tree.ts";

const parser = createShellParser();

/** The tree in short, so that a row of a table shows all of it. */
function inShort(text: string): string {
  const parse = parser.parse(text);
  return parse.kind === "tree" ? script(parse.script) : parse.kind;
}

function script({ pipelines }: Script): string {
  return pipelines.map((stages) => stages.map(command).join(" | ")).join(" ; ");
}

function command(node: Command): string {
  switch (node.kind) {
    case "simple": {
      const set = [...node.assignments, ...node.declared].map(({ name, adds, value }) => {
        const words = value.kind === "scalar" ? word(value.word) : `${value.kind}(${value.words.map(word).join(" ")})`;
        return `${name}${adds ? "+=" : "="}${words}`;
      });
      return [...set, ...node.words.map(word), ...node.redirections.map(redirection)].join(" ");
    }
    case "block":
      return [`{${node.lists.map(script).join(" / ")}}`, ...node.words.map(word), ...node.redirections.map(redirection)].join(" ");
    case "loop":
      return [`for ${node.variable} in ${node.items?.map(word).join(" ") ?? "?"} {${script(node.body)}}`, ...node.words.map(word)].join(
        " ",
      );
    case "function":
      return `${node.name}() ${command(node.body)}`;
  }
}

function redirection(node: Redirection): string {
  if (node.kind === "text") return `<<[${word(node.body)}]`;
  return `${node.descriptor ?? ""}${node.kind === "read" ? "<" : node.appends ? ">>" : ">"}${word(node.target)}`;
}

function word({ parts }: Word): string {
  return parts.map(part).join("");
}

function part(node: WordPart): string {
  switch (node.kind) {
    case "literal":
      return node.text;
    case "glob":
      return `<${node.text}>`;
    case "variable": {
      const { change } = node;
      const changed =
        change.kind === "none" ? "" : `:${change.kind}:${"word" in change ? word(change.word) : change.words.map(word).join(" ")}`;
      return `$${node.isQuoted ? "q" : ""}(${node.name}${node.all ? "@" : ""}${changed})`;
    }
    case "output":
      return `$[${script(node.script)}]`;
    case "channel":
      return `${node.direction}[${script(node.script)}]`;
    case "unknown":
      return `?${node.isNumber ? "n" : ""}(${node.words.map(word).join(" ")})`;
  }
}

test.each([
  ["words and quotes are one text", `r'm' "-r"f $'\\x61' \\b`, "rm -rf a b"],
  ["a line continued is one line", "rm \\\n-rf x", "rm -rf x"],
  ["lists and line breaks are the same", "a; b && c || d & e\nf", "a ; b ; c ; d ; e ; f"],
  ["a pipeline keeps its stages", "! time a |& b | c", "a | b | c"],
  ["variables say whether quotes hold them", `$a "$b" \${c} "\${d[@]}" $@`, "$(a) $q(b) $(c) $q(d@) $(@@)"],
  [
    "changes of a value",
    `\${a:-b} \${a:=b} \${a:+b} \${a%b} \${a#b} \${a:1} \${a:?b}`,
    "$(a:default:b) $(a:default:b) $(a:alternate:b) $(a:shorten:b) $(a:other:b) $(a:other:1) $(a)",
  ],
  ["lengths and sums are numbers, names of names are not known", `\${#a} $((1+1)) \${!a}`, "?n() ?n() ?()"],
  ["a script in a value is kept", `\${a:-$(b)} \${a/$(c)/d} $(( $(e) ))`, "$(a:default:$[b]) $(a:other:$[c] d) ?n($[e])"],
  ["substitutions and pipes by name", "$(a) `b` <(c) >(d)", "$[a] $[b] in[c] out[d]"],
  ["patterns", "a* ?b [cd]", "a<*> <?>b <[cd]>"],
  ["braces become words", "r{m,} -{r,f} a{1..3} x{a,{b,c}}y", "rm r -r -f a1 a2 a3 xay xby xcy"],
  ["braces that hold a script stay unknown, and the script is kept", "{$(a),b}", "?($[a])"],
  ["a tilde is the home folder", "~ ~/a '~' \\~ a~ ~b", "$q(HOME) $q(HOME)/a ~ ~ a~ ?()"],
  ["assignments", "a=b c+=d e=(f g) h[1]=i j", "a=b c+=d e=list(f g) h=elements(i) j"],
  ["a script in the index of a list", "a[$(b)]=c", "a=elements(c $[b])"],
  ["declarations", "export a=b c", "a=b export c"],
  ["to alias, a name with a value is an argument", "alias a='b c'", "alias a=b c"],
  ["redirections", "a >b 2>>c <d &>e >|f <>g", "a >b 2>>c <d >e >f <g >g"],
  ["descriptors are no files, but may be read", "a 2>&1 >&2 <&- <&3", "a </dev/fd/3"],
  ["here-documents and here-strings", "a <<E\n$b\nE\na <<'E'\n$b\nE\na <<< c", "a <<[$(b)\n] ; a <<[$b\n] ; a <<[c]"],
  ["groups", "(a; b) >c; { d; }", "{a ; b} >c ; {d}"],
  ["conditions: every list", "if a; then b; elif c; then d; else e; fi", "{a / b / c / d / e}"],
  ["cases: every list and every pattern", "case $a in b|$(c)) d;; *) e;; esac", "{d / e} $(a) b $[c] <*>"],
  [
    "loops",
    "while a; do b; done; for c in d e; do f; done; for ((i=$(g);;)); do h; done",
    "{a / b} ; for c in d e {f} ; for null in ? {h} $[g]",
  ],
  ["tests and sums", "[[ -n $(a) ]]; (( $(b) ))", "{} $[a] ; {} $[b]"],
  ["functions carry their redirections", "a() { b; } >c", "a() {b} >c"],
  ["coprocesses", "coproc a", "a"],
])("%s", (_name, text, tree) => {
  expect(inShort(text)).toBe(tree);
});

describe("unreadable", () => {
  test.each([
    ["an open quote", "echo 'a"],
    ["an open quote in a substitution", 'echo "$(echo \'a)"'],
    ["an open quote in back quotes", "echo `echo 'a`"],
    ["a group that is not closed", "(a"],
    ["a list that is not closed", "if a; then b"],
    ["a here-document in a substitution that is not closed", "a $(b <<E"],
    ["a NUL", "a\0b"],
    ["more than 256 KiB", `echo ${"a".repeat(256 * 1024)}`],
    ["too many substitutions", "$(a) ".repeat(2_001)],
    ["too many here-documents", "<<a ".repeat(2_001)],
    ["too deep", `${"(".repeat(2_000)}a${")".repeat(2_000)}`],
    ["too deep by substitutions", `${"$(".repeat(1_000)}a${")".repeat(1_000)}`],
    ["too many commands", "a;".repeat(30_000)],
    ["too many words", "a ".repeat(30_000)],
    ["too many parts in one word", "$a".repeat(30_000)],
  ])("is %s", (_name, text) => {
    expect(inShort(text)).toBe("unreadable");
  });

  test("says why in one line", () => {
    const parse = parser.parse("echo 'a");
    expect(parse.kind === "unreadable" && /^[^\n]{5,100}$/.test(parse.reason)).toBe(true);
  });
});

test("what is long and plain is read: a large document, a large argument", () => {
  expect(inShort(`cat > a <<'E'\n${"some $(text) `here`\n".repeat(1_500)}E`).startsWith("cat >a <<[")).toBe(true);
  expect(inShort(`echo '${"a".repeat(200_000)}'`).length).toBe(200_005);
});

test("any text is a tree or unreadable, and never an exception", () => {
  const letters = fc.constantFrom(
    ...[
      "$(",
      "`",
      "${",
      "'",
      '"',
      "\\",
      "\n",
      "<<E",
      "{a,b}",
      "(",
      ")",
      "{",
      "}",
      ";",
      "|",
      "&",
      "a",
      " ",
      "#",
      "[[",
      "]]",
      "((",
      "))",
      "=",
      "~",
      "*",
      "\u0000",
      "é",
    ],
  );
  const anyText = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.array(letters, { maxLength: 60 }).map((list) => list.join("")),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      expect(["tree", "unreadable"]).toContain(parser.parse(text).kind);
    }),
    { numRuns: 3_000 },
  );
});
