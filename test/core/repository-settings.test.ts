/** What of a repository counts as settings for agents, and how it stands to what a person approved. docs/spec/trust.md */
import { expect, test } from "vitest";
import { changedFiles, nameFiles, type SettingsFile, settingsPlaces, standingOf, unapproved } from "../../src/core/repository-settings.ts";

const file = (path: string, hash: string | null = "h1", about = ""): SettingsFile => ({ path, hash, about });

test.each([
  ["a file that nobody saw is new", file("a"), {}, "new"],
  ["one as it was approved is approved", file("a"), { a: "h1" }, "approved"],
  ["one with another byte is changed", file("a", "h2"), { a: "h1" }, "changed"],
  ["one under another path is new, whatever its bytes", file("b"), { a: "h1" }, "new"],
  ["one that cannot be read is never approved", file("a", null), { a: "h1" }, "unreadable"],
  ["a name of every object is no approval", file("constructor"), {}, "new"],
])("%s", (_title, found, approvals, standing) => {
  expect(standingOf(found, approvals)).toBe(standing);
  expect(unapproved([found], approvals)).toEqual(standing === "approved" ? [] : [found]);
});

test("for Claude Code its own places count, for any other program those of every agent", () => {
  const paths = (kind: "claude-code" | "command") => settingsPlaces({ kind }).map(({ path }) => path);
  expect(paths("claude-code")).toEqual([".claude", ".mcp.json"]);
  expect(paths("command")).toEqual(
    expect.arrayContaining([".claude", ".mcp.json", ".codex", ".gemini", ".opencode", "opencode.json", ".pi"]),
  );
});

test("a change is a file that came, went, or has other bytes", () => {
  const before = [file("a"), file("b"), file("c"), file("d", null, "it is a pipe")];
  expect(changedFiles(before, [file("a"), file("b", "h2"), file("e"), file("d", null, "it is a pipe")])).toEqual(["b", "c", "e"]);
});

test("of many files twenty are named", () => {
  const many = Array.from({ length: 22 }, (_, index) => file(`f${index}`));
  expect(nameFiles(many, { f0: "h1" })).toMatch(/^f0 \(approved\), f1 \(new\), .*f19 \(new\), and 2 more$/);
});
