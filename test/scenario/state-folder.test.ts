/** F07: without its store a run does not go on, and says in one line what is wrong with which file; what is damaged is left as it is. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agent, boxes, makeNight, type Night, type Options, type Scene } from "./kit.ts";
import { eventually, finish, type Running } from "./program.ts";
import { findStrays } from "./strays.ts";

const oneLine = /^midwatch: ([^\n]+)\n {2}next: [^\n]+\n$/;
const stateOf = ({ folder }: Night) => join(folder, "state/midwatch");

/** Nobody's rights do not bind root: the night is given to another user then. */
function unprivileged(night: Night): Options {
  if (process.getuid?.() !== 0) return {};
  execFileSync("chown", ["-R", "65534:65534", night.folder]);
  return { uid: 65534 };
}

const twoTasks: Scene = { plan: boxes("T-1", "T-2"), agent: agent("finish-slowly.sh", "1"), config: { limits: { tasksPerWindow: 1 } } };

/** A run whose first window is at work. */
async function startNight(options: (night: Night) => Options = () => ({})): Promise<readonly [Night, Running, Options]> {
  const night = makeNight(twoTasks);
  const asWhom = options(night);
  const run = night.start(["run", "--json"], asWhom);
  await eventually(() => existsSync(join(night.folder, "prompt-1")), "the first window");
  return [night, run, asWhom];
}

async function letGo(night: Night, run: Running) {
  writeFileSync(join(night.folder, "go-1"), "");
  return finish(run);
}

test.for<readonly [string, (night: Night) => void, RegExp]>([
  ["vanishes", (night) => rmSync(stateOf(night), { recursive: true }), /midwatch\.db was removed while it was in use$/],
  ["is moved away", (night) => renameSync(stateOf(night), join(night.folder, "moved")), /midwatch\.db was removed while it was in use$/],
  ["loses its file", (night) => rmSync(join(stateOf(night), "midwatch.db")), /midwatch\.db was removed while it was in use$/],
  ["gets another file in its place", replaceDatabase, /midwatch\.db was replaced while it was in use$/],
])("when the state folder %s in mid-run, the run stops with this window and names the file", async ([, spoil, line]) => {
  const [night, run] = await startNight();
  spoil(night);
  const end = await letGo(night, run);
  expect(end.code).toBe(1);
  expect(oneLine.exec(end.stderr)?.[1]).toMatch(line);
  expect(end.stderr).toContain(stateOf(night));
  expect(existsSync(join(night.folder, "prompt-2"))).toBe(false);
  expect(findStrays(night.folder)).toEqual([]);
});

function replaceDatabase(night: Night): void {
  const database = join(stateOf(night), "midwatch.db");
  const bytes = readFileSync(database);
  rmSync(database);
  writeFileSync(database, bytes);
}

test("when the state folder becomes read-only in mid-run, the run stops with this window, and goes on when it is writable again", async () => {
  const [night, run, asWhom] = await startNight(unprivileged);
  chmodSync(stateOf(night), 0o500);
  const end = await letGo(night, run);
  expect(end.code).toBe(1);
  expect(oneLine.exec(end.stderr)?.[1]).toMatch(/midwatch\.db cannot be written/);
  expect(findStrays(night.folder)).toEqual([]);
  chmodSync(stateOf(night), 0o700);
  expect(await night.run(["run", "--json"], asWhom)).toMatchObject({ code: 0, report: { tasks: { verified: 2 } } });
});

test.for<readonly [string, (night: Night) => Options, RegExp]>([
  ["a file stands in its place", (night) => ({ env: { XDG_STATE_HOME: join(night.repo.path, "a.txt") } }), /a\.txt\/midwatch/],
  ["it cannot be made", unmakeableFolder, /locked\/state\/midwatch/],
  ["it is not writable", readOnlyFolder, /state\/midwatch\/midwatch\.db/],
  [
    "a folder stands in the file's place",
    spoilFile((path) => mkdirSync(path)),
    /midwatch\.db cannot be used: a folder stands in its place/,
  ],
  ["the file is another program's", spoilFile((path) => writeFileSync(path, "x".repeat(8192))), /midwatch\.db is damaged/],
])("a state folder that cannot be used is refused within 2 s, and nothing is written: %s", async ([, place, line]) => {
  const night = makeNight();
  const options = place(night);
  const { durationMs: startMs } = await night.run(["--help"]);
  const end = await night.run(["run", "--json"], options);
  expect(end).toMatchObject({ code: 1, stdout: "" });
  expect(end.durationMs - startMs).toBeLessThan(2000);
  expect(oneLine.exec(end.stderr)?.[1]).toMatch(line);
  expect(existsSync(join(night.folder, "prompt-1"))).toBe(false);
});

function readOnlyFolder(night: Night): Options {
  mkdirSync(stateOf(night), { recursive: true });
  const options = unprivileged(night);
  chmodSync(stateOf(night), 0o500);
  return options;
}

function unmakeableFolder(night: Night): Options {
  const locked = join(night.folder, "locked");
  mkdirSync(locked);
  const options = unprivileged(night);
  chmodSync(locked, 0o500);
  return { ...options, env: { XDG_STATE_HOME: join(locked, "state") } };
}

function spoilFile(spoil: (path: string) => void): (night: Night) => Options {
  return (night) => {
    mkdirSync(stateOf(night), { recursive: true });
    spoil(join(stateOf(night), "midwatch.db"));
    return {};
  };
}

test.for<readonly [string, (path: string) => void, RegExp]>([
  ["filled with garbage", (path) => writeFileSync(path, Buffer.alloc(8192, 7)), /is damaged/],
  ["cut short", (path) => truncateSync(path, 100), /it was cut to 100 bytes/],
  ["emptied", (path) => truncateSync(path, 0), /it is empty, but/],
  ["removed", (path) => rmSync(path), /it is missing, but/],
])("a state file that was %s is named and left as it is by every command", async ([, spoil, line]) => {
  const night = makeNight();
  expect(await night.run(["run", "--json"])).toMatchObject({ code: 0 });
  const path = join(stateOf(night), "midwatch.db");
  spoil(path);
  const before = existsSync(path) ? readFileSync(path) : null;
  for (const command of ["run", "status", "report", "stop"]) {
    const end = await night.run([command]);
    expect(end).toMatchObject({ code: 1, stdout: "" });
    expect(oneLine.exec(end.stderr)?.[1]).toMatch(line);
  }
  expect(existsSync(path) ? readFileSync(path) : null).toEqual(before);
});
