/** Tool calls as the agent makes them: what is whole becomes an action, what is not is broken and denied (B170). */
import { expect, test } from "vitest";
import type { Action } from "../../src/core/guard/action.ts";
import { readToolCall } from "../../src/core/guard/tool-call.ts";
import { fakeKeys, familyOf, top } from "./guard-kit.ts";

test.each<[string, unknown, Action]>([
  ["Bash", { command: "ls", description: "list" }, { kind: "shell", command: "ls", cwd: top }],
  ["Write", { file_path: "/a", content: "b" }, { kind: "write", path: "/a", cwd: top, text: "b", isWhole: true }],
  ["Edit", { file_path: "/a", old_string: "b", new_string: "c" }, { kind: "write", path: "/a", cwd: top, text: "c", isWhole: false }],
  [
    "MultiEdit",
    {
      file_path: "/a",
      edits: [
        { old_string: "b", new_string: "c" },
        { old_string: "d", new_string: "e" },
      ],
    },
    { kind: "write", path: "/a", cwd: top, text: "c\ne", isWhole: false },
  ],
  [
    "NotebookEdit",
    { notebook_path: "/a.ipynb", new_source: "c" },
    { kind: "write", path: "/a.ipynb", cwd: top, text: "c", isWhole: false },
  ],
  [
    "NotebookEdit",
    { notebook_path: "/a.ipynb", edit_mode: "delete" },
    { kind: "write", path: "/a.ipynb", cwd: top, text: "", isWhole: false },
  ],
  ["Read", { file_path: "/a" }, { kind: "read", path: "/a" }],
  ["WebFetch", { url: "https://example.com", prompt: "p" }, { kind: "fetch", url: "https://example.com" }],
  ["Task", { prompt: "p" }, { kind: "tool", name: "Task", server: null, inputs: [{ name: "prompt", text: "p" }], cwd: top }],
  [
    "mcp__git_hub__push__all",
    { a: { b: ["c", 1] } },
    {
      kind: "tool",
      name: "push__all",
      server: "git_hub",
      inputs: [
        { name: "b", text: "c" },
        { name: "b", text: "1" },
      ],
      cwd: top,
    },
  ],
])("%s is read", (tool, input, action) => {
  expect(readToolCall(tool, input, top)).toEqual(action);
});

const deep: Record<string, unknown> = {};
let inner = deep;
for (let level = 0; level < 50; level += 1) {
  inner["a"] = {};
  inner = inner["a"] as Record<string, unknown>;
}

test.each<[string, unknown]>([
  ["Bash", {}],
  ["Bash", { command: null }],
  ["Bash", { command: 1 }],
  ["Bash", { command: ["rm", "-rf", "x"] }],
  ["Bash", { Command: "ls" }],
  ["Bash", null],
  ["Bash", undefined],
  ["Bash", "ls"],
  ["Bash", ["ls"]],
  ["Bash", { command: "" }],
  ["Bash", { command: " \n" }],
  ["Write", { content: "a" }],
  ["Write", { file_path: "/a" }],
  ["Write", { file_path: 1, content: "a" }],
  ["Write", { file_path: "", content: "a" }],
  ["Edit", { file_path: "/a" }],
  ["MultiEdit", { file_path: "/a" }],
  ["MultiEdit", { file_path: "/a", edits: [{}] }],
  ["Read", {}],
  ["WebFetch", { prompt: "p" }],
  ["PowerShell", { command: "ls" }],
  ["mcp__a__b", deep],
  ["mcp__a__b", { list: new Array(3_000).fill("a") }],
])("a call of %s with %j is denied as unreadable", (tool, input) => {
  expect(familyOf(readToolCall(tool, input, top))).toBe("unreadable");
});

test.each<[string, Record<string, unknown>, string]>([
  ["CronCreate", { cron: "* * * * *", prompt: "go on" }, "guard-and-contract"],
  ["RemoteTrigger", { prompt: "go on" }, "guard-and-contract"],
  ["WebSearch", { query: `what is ${fakeKeys.anthropic}` }, "data-out"],
  ["WebSearch", { query: "how to rm -rf" }, "allow"],
  ["Monitor", { command: "rm -rf src" }, "delete-trees"],
  ["TodoWrite", { todos: [{ content: "rm -rf dist" }] }, "allow"],
  ["Write", { file_path: "/etc/cron.d/x", content: "" }, "guard-and-contract"],
  ["Write", { file_path: "/home/dev/.config/systemd/user/x.service", content: "" }, "guard-and-contract"],
  ["Write", { file_path: "/home/dev/.ssh/authorized_keys", content: "" }, "guard-and-contract"],
  ["mcp__files__write_file", { path: ".git/hooks/pre-commit" }, "guard-and-contract"],
  ["mcp__shell__run", { command: "git push --force" }, "force-push"],
  ["mcp__shell__run", { command: "rm", args: ["-rf", "src"] }, "delete-trees"],
  ["mcp__shell__run", { argv: ["ls", "-la"] }, "allow"],
  ["mcp__git__push", { branch: "main", force: true }, "force-push"],
  ["mcp__git__push", { branch: "main", force: false }, "allow"],
  ["mcp__os__kill_process", { pid: 4242 }, "end-of-loop"],
  ["mcp__os__kill_process", { pid: 777 }, "allow"],
  ["mcp__files__move_file", { source: ".claude/settings.json", destination: "/tmp/x" }, "guard-and-contract"],
  ["mcp__drive__upload", { path: "/home/dev/.ssh/id_rsa" }, "data-out"],
  ["mcp__drive__upload", { path: "docs/a.md" }, "allow"],
])("a call of %s with %j: %s", (tool, input, family) => {
  expect(familyOf(readToolCall(tool, input, top))).toBe(family);
});

test("the reason of a broken call is one line, whatever the tool is called", () => {
  const action = readToolCall("a\nb\u001b[31m", null, top);
  expect(action.kind === "broken" && /^[\x20-\x7e]+$/.test(action.reason)).toBe(true);
});
