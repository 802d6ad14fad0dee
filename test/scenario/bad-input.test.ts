/** Whatever a person got wrong is one line that names the place, one that names the next step, the right exit code, and nothing is written. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hashTree } from "../fixtures/repositories.ts";
import { agent, makeNight, type Night, type Options, type Scene } from "./kit.ts";

interface Slip {
  readonly what: string;
  readonly code: number;
  readonly line: RegExp;
  readonly args?: readonly string[];
  readonly scene?: Scene;
  readonly spoil?: (night: Night) => void;
  readonly env?: Options["env"];
}

const config = (text: string): Scene => ({ config: text });
const command = (...words: readonly string[]): Scene => ({ config: JSON.stringify({ agent: { command: words } }) });
const plan = (text: string): Scene => ({ plan: text });
const put = (path: string, bytes: string | Uint8Array) => (night: Night) => writeFileSync(join(night.repo.path, path), bytes);
const folder = (path: string) => (night: Night) => void mkdirSync(join(night.repo.path, path));

const slips: readonly Slip[] = [
  { what: "no settings", scene: { config: null }, code: 2, line: /^agent\.command is not set/ },
  { what: "settings without an agent", scene: config("{}"), code: 2, line: /^agent\.command is not set/ },
  { what: "settings that end in the middle", scene: config('{ "plan": '), code: 2, line: /^midwatch\.jsonc:1/ },
  { what: "settings that are a list", scene: config("[]"), code: 2, line: /^midwatch\.jsonc/ },
  { what: "an empty settings file", scene: config(""), code: 2, line: /^midwatch\.jsonc/ },
  {
    what: "a setting that does not exist",
    scene: config('{\n  "limits": { "window": 1, "wimdows": 3 }\n}'),
    code: 2,
    line: /^midwatch\.jsonc:2.*"?limits\.wimdows"?/,
  },
  { what: "a setting of the wrong kind", scene: config('{ "limits": { "windows": "many" } }'), code: 2, line: /limits\.windows/ },
  {
    what: "a limit that the project's file may not loosen",
    scene: config('{ "limits": { "run": 500 } }'),
    code: 2,
    line: /limits\.run 500 is larger than the default 150/,
  },
  {
    what: "a plan outside of the tree",
    scene: config('{ "plan": "../tasks.md" }'),
    code: 2,
    line: /plan "\.\.\/tasks\.md" leaves the working tree/,
  },
  {
    what: "a handoff note outside of the tree",
    scene: config('{ "handoff": "/tmp/note.md" }'),
    code: 2,
    line: /handoff "\/tmp\/note\.md" is not relative/,
  },
  {
    what: "a handoff note in git's folder",
    scene: config('{ "handoff": ".git/note.md" }'),
    code: 2,
    line: /handoff "\.git\/note\.md" lies in \.git/,
  },
  { what: "settings that are not text", spoil: put("midwatch.jsonc", Buffer.from([0xff, 0xfe, 0x7b])), code: 2, line: /^midwatch\.jsonc/ },
  {
    what: "a folder in place of the settings",
    scene: { config: null },
    spoil: folder("midwatch.jsonc"),
    code: 2,
    line: /^midwatch\.jsonc/,
  },
  {
    what: "broken settings of the person",
    spoil: ({ folder: place }) => writeFileSync(join(place, "config/midwatch/config.jsonc"), "{,}"),
    code: 2,
    line: /config\/midwatch\/config\.jsonc:1/,
  },
  { what: "an empty variable", env: { MIDWATCH_LIMITS_RUN: "" }, code: 2, line: /MIDWATCH_LIMITS_RUN/ },
  { what: "a variable that is no number", env: { MIDWATCH_LIMITS_RUN: "lots" }, code: 2, line: /MIDWATCH_LIMITS_RUN.*lots/ },

  { what: "no plan", scene: { plan: null }, code: 2, line: /^the plan tasks\.md is not there$/ },
  { what: "a plan that is not there by that name", args: ["run", "todo.md"], code: 2, line: /^the plan todo\.md is not there$/ },
  { what: "an empty plan", scene: plan(""), code: 2, line: /^tasks\.md/ },
  { what: "a plan without a task", scene: plan("# Tasks\n\nNothing yet.\n"), code: 2, line: /^tasks\.md/ },
  { what: "the same key twice", scene: plan("- [ ] T-1 One\n- [ ] T-1 Two\n"), code: 2, line: /^tasks\.md:2: .*T-1/ },
  {
    what: "tasks that wait for each other",
    scene: plan("- [ ] T-1 One\n  - after: T-2\n- [ ] T-2 Two\n  - after: T-1\n"),
    code: 2,
    line: /T-1 -> T-2 -> T-1|T-2 -> T-1 -> T-2/,
  },
  { what: "a criterion without a command", scene: plan("- [ ] T-1 One\n  - run:\n"), code: 2, line: /^tasks\.md:\d: .*command/ },
  { what: "conflict markers in the plan", scene: plan("- [ ] T-1 One\n<<<<<<< HEAD\n"), code: 2, line: /^tasks\.md:2: / },
  {
    what: "a folder in place of the plan",
    scene: { plan: null },
    spoil: folder("tasks.md"),
    code: 2,
    line: /^the plan tasks\.md cannot be read \(it is a folder/,
  },
  {
    what: "a plan that is not text",
    spoil: put("tasks.md", Buffer.from([0x2d, 0x20, 0xff])),
    code: 2,
    line: /^the plan tasks\.md cannot be read \(it is not valid UTF-8\)$/,
  },
  {
    what: "a plan of 6 MB",
    spoil: put("tasks.md", "- [ ] T-1 One\n".padEnd(6_000_000, "x")),
    code: 2,
    line: /^the plan tasks\.md cannot be read \(it has 6000000 bytes/,
  },
  { what: "a repeated prompt that is not there", args: ["run", "--prompt", "watch.md"], code: 2, line: /watch\.md/ },
  {
    what: "a plan and a repeated prompt",
    args: ["run", "tasks.md", "--prompt", "a.txt"],
    code: 2,
    line: /^give a plan or --prompt FILE, not both$/,
  },
  {
    what: "no iterations of a repeated prompt",
    args: ["run", "--prompt", "a.txt", "--iterations", "0"],
    code: 2,
    line: /^--iterations takes a whole number from 1, not "0"$/,
  },
  {
    what: "a distance that is a word",
    args: ["run", "--prompt", "a.txt", "--every", "soon"],
    code: 2,
    line: /^--every takes a time such as .*, not "soon"$/,
  },
  { what: "a distance without a repeated prompt", args: ["run", "--every", "10m"], code: 2, line: /--every goes with --prompt/ },

  { what: "an agent that is not there", scene: command("no-such-agent"), code: 6, line: /^there is no program "no-such-agent" in PATH$/ },
  { what: "an agent's path that is not there", scene: command("./agents/none"), code: 6, line: /agents\/none/ },
  { what: "an agent that may not be run", scene: command("./a.txt"), code: 6, line: /a\.txt is not a program that may be run$/ },
  { what: "an agent that is a folder", scene: command("./.git"), code: 6, line: /\.git is not a program that may be run$/ },

  { what: "a limit of no windows", args: ["run", "--windows", "0"], code: 2, line: /--windows/ },
  { what: "a limit that is a word", args: ["run", "--windows", "many"], code: 2, line: /--windows.*many/ },
  { what: "money that is a word", args: ["run", "--max-usd", "all"], code: 2, line: /--max-usd.*all/ },
  { what: "a time in parsecs", args: ["run", "--for", "5 parsecs"], code: 2, line: /--for.*5 parsecs/ },
  { what: "a containment that does not exist", args: ["run", "--containment", "cage"], code: 2, line: /--containment.*cage/ },
  {
    what: "a branch that is there already",
    args: ["run", "--branch", "other"],
    spoil: ({ repo }) => void repo.git("branch", "other"),
    code: 6,
    line: /^the branch other exists already$/,
  },
  { what: "a branch that git does not allow", args: ["run", "--branch", "a..b"], code: 6, line: /a\.\.b/ },

  { what: "status without a run", args: ["status"], code: 2, line: /^there is no run in this working tree yet$/ },
  { what: "report without a run", args: ["report"], code: 2, line: /^there is no run in this working tree yet$/ },
  { what: "stop without a run", args: ["stop"], code: 2, line: /^there is no run in this working tree yet$/ },
  { what: "resume without a run", args: ["resume"], code: 2, line: /^there is no (unfinished )?run in this working tree( yet)?$/ },
  {
    what: "an answer without a run",
    args: ["answer", "Q1", "yes"],
    code: 2,
    line: /^there is no (run in this working tree yet|question Q1)$/,
  },
];

const twoLines = /^midwatch: ([^\n]+)\n(?: {2}next: [^\n]+\n)$/;

test.for(slips)(
  "$what: exit code $code and one line that names it",
  async ({ args = ["run", "--json"], scene = {}, spoil = () => {}, env = {}, code, line }) => {
    const night = makeNight(scene);
    spoil(night);
    night.repo.git("add", ".");
    night.repo.git("commit", "-q", "--allow-empty", "-m", "spoiled");
    const before = hashTree(night.repo.path);
    const end = await night.run(args, { env });
    expect(end).toMatchObject({ code, stdout: "" });
    expect(end.stderr).toMatch(twoLines);
    expect(twoLines.exec(end.stderr)?.[1]).toMatch(line);
    expect(hashTree(night.repo.path)).toBe(before);
  },
);

test.for<readonly [string, readonly string[], RegExp]>([
  ["an unknown command", ["rum"], /unknown command 'rum'.*run/],
  ["an unknown flag", ["run", "--wimdows", "3"], /unknown option '--wimdows'.*--windows/],
  ["a flag without its value", ["run", "--windows"], /'--windows <n>' argument missing/],
  ["an answer without words", ["answer", "Q1"], /missing required argument 'answer'/],
  ["a word too many", ["status", "now"], /too many arguments/],
])("%s is refused with exit code 2 and the way to the help", async ([, args, line]) => {
  const end = await makeNight().run(args);
  expect(end).toMatchObject({ code: 2, stdout: "" });
  expect(end.stderr.replaceAll("\n", " ")).toMatch(line);
  expect(end.stderr).toMatch(/\(see: midwatch (\w+ )?--help\)\n$/);
  expect(end.stderr).not.toContain("    at ");
});

test("init writes what is missing and overwrites nothing", async () => {
  const night = makeNight({ config: "// mine\n{}\n" });
  const before = [night.read("tasks.md"), night.read("midwatch.jsonc")];
  expect(await night.run(["init"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("kept       midwatch.jsonc\nfound      tasks.md\n"),
  });
  expect([night.read("tasks.md"), night.read("midwatch.jsonc")]).toEqual(before);
  expect(night.read(".git/info/exclude")).toContain("/.midwatch/");
});

test("a dry run says what would be done, and does nothing", async () => {
  const night = makeNight({ agent: agent("finish.sh") });
  const before = hashTree(night.repo.path);
  const end = await night.run(["run", "--dry-run"]);
  expect(end).toMatchObject({ code: 0, stdout: expect.stringMatching(/first window {2}T-1 Write T-1\.txt/) });
  expect(hashTree(night.repo.path)).toBe(before);
  expect(await night.run(["status"])).toMatchObject({ code: 2 });
});
