/** Where a path leads: what a guard has to know before something is written there. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFiles } from "../../src/adapters/files/files.ts";
import { makeFolder } from "../fixtures/repositories.ts";

const placesOf = (path: string) => createFiles().openPlaces()(path);

function makeTree(): string {
  const folder = makeFolder();
  mkdirSync(join(folder, "tree/.git/hooks"), { recursive: true });
  mkdirSync(join(folder, "state"));
  writeFileSync(join(folder, "state/store.db"), "");
  const links: readonly (readonly [at: string, to: string])[] = [
    ["tree/hooks", ".git/hooks"],
    ["tree/out", "../state"],
    ["tree/absolute", join(folder, "state/store.db")],
    ["tree/first", "second"],
    ["tree/second", "hooks/pre-commit"],
    ["tree/round", "round"],
    ["tree/dangling", "nowhere/../gone"],
    ["state/back", "../tree/hooks/x"],
  ];
  for (const [at, to] of links) symlinkSync(to, join(folder, at));
  return folder;
}

test.each([
  ["a path without links", "tree/a/b.txt", []],
  ["a file that is not there yet, behind a link to a folder", "tree/hooks/pre-commit", ["tree/.git/hooks/pre-commit"]],
  ["a link out of the tree", "tree/out/store.db", ["state/store.db"]],
  ["a link to a file, with an absolute target", "tree/absolute", ["state/store.db"]],
  ["a link to a link to a file that is not there", "tree/first", ["tree/.git/hooks/pre-commit"]],
  ["a link in a folder behind a link", "tree/out/back", ["state/back", "tree/.git/hooks/x"]],
  ["a link that leads nowhere", "tree/dangling", ["tree/nowhere/../gone"]],
  ["a link to itself", "tree/round", []],
])("%s", (_title, path, others) => {
  const folder = makeTree();
  expect(placesOf(join(folder, path))).toEqual([join(folder, path), ...others.map((other) => join(folder, other))]);
});

test("what was seen is not looked at again, and the next look sees what is new", () => {
  const folder = makeFolder();
  const path = join(folder, "a");
  const places = createFiles().openPlaces();
  expect(places(path)).toEqual([path]);
  symlinkSync("b", path);
  expect([places(path), placesOf(path)]).toEqual([[path], [path, join(folder, "b")]]);
});

test("nothing is too odd to be looked at", () => {
  for (const path of ["/", "/proc/self/fd/0", "/dev/null/x", `/${"a/".repeat(4000)}b`, `/${"x".repeat(5000)}`, "/\0x"]) {
    expect(placesOf(path)[0]).toBe(path);
  }
});
