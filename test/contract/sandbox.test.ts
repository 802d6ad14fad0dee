/** Places as mounts on a real file system, as arguments of bubblewrap and as a profile of sandbox-exec; and the hints that output gives. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { fileArguments } from "../../src/adapters/processes/sandbox/bubblewrap.ts";
import { MadeFolders } from "../../src/adapters/processes/sandbox/made-folders.ts";
import { type Mount, settle } from "../../src/adapters/processes/sandbox/mounts.ts";
import { RefusedWrites } from "../../src/adapters/processes/sandbox/refused-writes.ts";
import { seatbeltProfile } from "../../src/adapters/processes/sandbox/seatbelt.ts";
import { viewOf } from "../../src/adapters/processes/sandbox/view.ts";
import type { Place } from "../../src/core/sandbox/place.ts";

let folder = "";
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "midwatch-sandbox-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["home/.claude", "home/.cache", "state/scratch/r", "tree", "tmp/bin"]) mkdirSync(at(name), { recursive: true });
  for (const name of ["home/.claude/settings.json", "tmp/bin/agent", "real.json"]) writeFileSync(at(name), "", { mode: 0o755 });
});

/** `access path`, in the order in which they are mounted. */
function shown(mounts: readonly Mount[]): readonly string[] {
  return mounts.map((mount) => `${mount.access} ${mount.at.slice(folder.length + 1)}`);
}

const place = (access: Place["access"], name: string, more: Partial<Place> = {}): Place => ({ path: at(name), access, ...more });

describe("mounts", () => {
  test.each<[string, () => readonly Place[], readonly string[]]>([
    ["what is not there is left out", () => [place("write", "gone"), place("write", "tree")], ["write tree"]],
    [
      "what is to be seen is as what is around it",
      () => [place("write", "home"), place("seen", "home/.cache"), place("seen", "tree")],
      ["write home"],
    ],
    ["but for an empty folder", () => [place("private", "home"), place("seen", "home/.cache")], ["private home", "seen home/.cache"]],
    ["what lies deeper comes later", () => [place("read", "home/.claude"), place("write", "home")], ["write home", "read home/.claude"]],
    ["what changes nothing is left out", () => [place("read", "home"), place("write", "tree"), place("write", "tree/a")], ["write tree"]],
    ["of one path the stronger word counts", () => [place("hidden", "state"), place("write", "state")], ["hidden state"]],
    ["a tree that is the home is written", () => [place("read", "home"), place("write", "home", { always: true })], ["write home"]],
    [
      "nothing that a person names opens what is hidden",
      () => [place("hidden", "state"), place("write", "state/scratch")],
      ["hidden state"],
    ],
    [
      "the tree does, and so does a copy of ours",
      () => [place("hidden", "state"), place("write", "state/scratch", { always: true })],
      ["hidden state", "write state/scratch"],
    ],
    [
      "what is ours is hidden before it is there, where it could be made",
      () => [place("write", "home"), place("hidden", "home/.config/ours", { always: true }), place("hidden", "home/.docker/run")],
      ["write home", "hidden home/.config/ours"],
    ],
    ["where one may not, it need not be", () => [place("hidden", "home/.config/ours", { always: true })], []],
  ])("%s", (_title, places, mounts) => {
    expect(shown(settle(places()))).toEqual(mounts);
  });

  test("a link is followed, and one in a folder that is empty is replaced by what it leads to", () => {
    symlinkSync(at("tree"), at("link"));
    symlinkSync(at("real.json"), at("home/.claude/linked.json"));
    expect(shown(settle([place("write", "link")]))).toEqual(["write tree"]);
    expect(settle([place("private", "home/.claude"), place("read", "home/.claude/linked.json")]).at(-1)).toMatchObject({
      source: at("real.json"),
      at: at("home/.claude/linked.json"),
    });
  });

  test("a link that an agent may have made in the tree opens nothing outside of it", () => {
    symlinkSync(at("tmp"), at("home/.npm"));
    symlinkSync(at("home/.cache"), at("home/.yarn"));
    const home = place("write", "home", { always: true });
    expect(shown(settle([home, place("write", "home/.npm"), place("write", "home/.yarn")]))).toEqual(["write home"]);
    expect(shown(settle([place("write", "home/.npm")]))).toEqual(["write tmp"]);
  });

  test("what is hidden deep in the tree is not moved away with a folder above it", () => {
    mkdirSync(at("home/.local/state/ours"), { recursive: true });
    const places = [place("write", "home", { always: true }), place("hidden", "home/.local/state/ours")];
    expect(shown(settle(places))).toEqual(["write home", "write home/.local", "write home/.local/state", "hidden home/.local/state/ours"]);
  });

  test("a program below /tmp is seen with what lies beside it, and our scratch folder is written", () => {
    const start = { command: [at("tmp/bin/agent"), at("tmp/bin")] as const, cwd: at("state/scratch/r"), env: {} };
    const places = [place("private", "tmp"), place("hidden", "state")];
    expect(shown(viewOf(start, places, ""))).toEqual(["hidden state", "write state/scratch/r", "private tmp", "seen tmp/bin"]);
  });

  test("a folder of the search path is seen, and no socket's folder in /run becomes one", () => {
    const start = { command: ["agent"] as const, cwd: at("tree"), env: { PATH: at("tmp") } };
    expect(shown(viewOf(start, [place("private", "tmp")], `${at("tmp/bin")}:/run/user/0`))).toEqual(["private tmp", "seen tmp/bin"]);
  });
});

test("a folder that is made for a start is there as long as anything runs, and stays if something was put into it", () => {
  const [npm, cache] = [place("write", "home/.npm", { make: true }), place("write", "home/.pub", { make: true })];
  const deep = place("write", "home/a/b", { make: true });
  const folders = new MadeFolders();
  folders.open([npm, cache, deep]);
  folders.open([npm, cache, deep]);
  expect(shown(settle([npm, cache, deep]))).toEqual(["write home/.npm", "write home/.pub"]);
  writeFileSync(at("home/.npm/kept"), "");
  folders.close();
  expect(existsSync(cache.path)).toBe(true);
  folders.close();
  expect([existsSync(npm.path), existsSync(cache.path)]).toEqual([true, false]);
});

test("bubblewrap mounts in that order, and closes what is hidden at the end", () => {
  const mounts = settle([
    place("hidden", "state"),
    place("write", "state/scratch/r", { always: true }),
    place("private", "tmp", { mode: "1777" }),
  ]);
  expect(fileArguments(mounts)).toEqual([
    ...["--ro-bind", "/", "/", "--dev", "/dev"],
    ...["--perms", "0700", "--tmpfs", at("state"), "--bind", at("state/scratch/r"), at("state/scratch/r")],
    ...["--perms", "1777", "--tmpfs", at("tmp"), "--remount-ro", at("state")],
  ]);
});

test.each<[string, Mount, string]>([
  ["the tree", { access: "write", source: "/w", at: "/w" }, '(allow file-read* file-write* (subpath "/w"))'],
  ["settings", { access: "read", source: "/s", at: "/s" }, '(deny file-write* (subpath "/s"))'],
  ["our state", { access: "hidden", source: "/o", at: "/o" }, '(deny file-read* file-write* (subpath "/o"))'],
  ["a name with quotes", { access: "write", source: '/a"\\b', at: '/a"\\b' }, '(allow file-read* file-write* (subpath "/a\\"\\\\b"))'],
])("the profile of sandbox-exec has a line for %s", (_title, mount, line) => {
  const lines = seatbeltProfile([mount]).split("\n");
  expect(lines).toContain(line);
  expect(lines.indexOf(line)).toBeGreaterThan(lines.indexOf("(deny file-write*)"));
  expect(lines.slice(0, 4)).toEqual(["(version 1)", "(allow default)", "(deny signal)", "(allow signal (target same-sandbox))"]);
});

test.each([
  ["touch: cannot touch '/etc/x': Read-only file system", ["/etc/x"]],
  ["./a.sh: line 6: /root/x: Read-only file system", ["/root/x"]],
  ["npm error EROFS: read-only file system, mkdir '/root/.npm'", ["/root/.npm"]],
  ["OSError: [Errno 30] Read-only file system: '/srv/a'", ["/srv/a"]],
  ["open /var/lib/x: read-only file system\nfine /y", ["/var/lib/x"]],
  ['{"content":"first /a\\nmkdir: cannot create directory \u2018/b\u2019: Read-only file system"}', ["/b"]],
  ["a read-only file", []],
  ["Read-only file system", []],
])("of %j the path that was refused is known", (text, paths) => {
  const refused = new RefusedWrites();
  refused.push(Buffer.from(text));
  expect(refused.read()).toEqual(paths);
});

test("a message that comes in pieces tells its path as well, and once", () => {
  const refused = new RefusedWrites();
  for (const piece of ["touch: ", "cannot touch '/etc/x'", ": Read-only", " file system", "\n", "and more"])
    refused.push(Buffer.from(piece));
  expect(refused.read()).toEqual(["/etc/x"]);
});
