/** Questions: what is asked, who answers, and what the answer does; and what the commands print for programs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exitCodes } from "../../src/core/exit-codes.ts";
import { agent, boxes, makeNight, type Night } from "./kit.ts";
import { finish } from "./program.ts";

/** A run that stands at a question of its agent's: a colour of three. */
async function asked(extra: readonly string[] = []): Promise<Night> {
  const night = makeNight({ agent: agent("ask-at-door.mjs", "", ...extra) });
  expect(await night.run(["run", "--json"])).toMatchObject({
    code: 3,
    report: { questions: [{ id: "Q1", text: "Which colour?", answer: null }] },
  });
  return night;
}

test.for([
  ["its number", "2", "green"],
  ["its letter", "c", "blue"],
  ["its text in another case", "RED", "red"],
] as const)("an option is chosen by %s", async ([, choice, answer]) => {
  const night = await asked();
  expect(await night.run(["answer", "q1", choice])).toMatchObject({ code: 0, stdout: `Q1: ${answer}\n` });
  expect((await night.status()).questions).toEqual([]);
});

test("a number that is no option is refused with the options", async () => {
  const night = await asked();
  const end = await night.run(["answer", "Q1", "7"]);
  expect(end).toMatchObject({
    code: 2,
    stdout: "",
    stderr: 'midwatch: Q1 takes one of: red, green, blue\n  next: for example: midwatch answer Q1 "red"\n',
  });
  expect((await night.status()).questions).toMatchObject([{ id: "Q1", state: "open" }]);
});

test("a question of the agent's is answered in other words, too", async () => {
  const night = await asked();
  await night.run(["answer", "Q1", "purple,", "as", "in", "the", "logo"]);
  expect((await night.report()).questions).toMatchObject([{ id: "Q1", answer: "purple, as in the logo" }]);
});

test("the first answer wins, and the second is told", async () => {
  const night = await asked();
  await night.run(["answer", "Q1", "red"]);
  expect(await night.run(["answer", "Q1", "blue"])).toMatchObject({ code: 1, stdout: "Q1 was answered already: red (person)\n" });
  expect(await night.report()).toMatchObject({ questions: [{ id: "Q1", answer: "red", answeredBy: "person" }] });
});

test("of many answers at once one wins", async () => {
  const night = await asked();
  const ends = await Promise.all(["red", "green", "blue", "red"].map((colour) => night.run(["answer", "Q1", colour])));
  expect(ends.map(({ code }) => code).sort()).toEqual([0, 1, 1, 1]);
});

test("a question that does not exist is refused", async () => {
  const night = await asked();
  expect(await night.run(["answer", "Q9", "red"])).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no question Q9") });
});

test("a question with a default is answered by it at its deadline, the run having waited", async () => {
  const night = makeNight({ agent: agent("ask-at-door.mjs", "T-1", "green", "0.02") });
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({
    code: 0,
    report: { questions: [{ id: "Q1", answer: "green", answeredBy: "default" }], interventions: { byDefault: 1, byPerson: 0 } },
  });
  expect(end.report?.waitedPersonMs).toBeGreaterThan(0);
  expect(night.prompt(2)).toContain("- Which colour? -> green (the default: nobody answered in time)");
});

test("a person who is faster than the default wins", async () => {
  const night = makeNight({ agent: agent("ask-at-door.mjs", "T-1", "green", "10") });
  const run = night.start(["run", "--json"]);
  await run.event("run.phase-changed", (event) => event.data["to"] === "waiting-person");
  await night.run(["answer", "Q1", "blue"]);
  expect(await finish(run)).toMatchObject({ code: 0, report: { questions: [{ answer: "blue", answeredBy: "person" }] } });
});

test("a question about one task holds up that task alone, and the others go on", async () => {
  const night = makeNight({ plan: boxes("T-1", "T-2"), agent: agent("ask-at-door.mjs", "T-1"), config: { limits: { tasksPerWindow: 1 } } });
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({
    code: 3,
    report: {
      tasks: {
        list: [
          { key: "T-1", state: "waiting-person" },
          { key: "T-2", state: "done" },
        ],
      },
    },
  });
  await night.run(["answer", "Q1", "red"]);
  expect(await night.run(["resume", "--json"])).toMatchObject({ code: 0, report: { tasks: { verified: 2 } } });
  expect(night.prompt(3)).toContain("- Which colour? -> red");
});

test("stop is an answer to a question of the harness's, and ends the run", async () => {
  const night = makeNight({ agent: agent("leave-state.sh", "untracked") });
  expect(await night.run(["run", "--json"])).toMatchObject({ code: 3 });
  await night.run(["answer", "Q1", "stop"]);
  expect(await night.run(["resume", "--json"])).toMatchObject({ code: 130, report: { stopReason: "stopped" } });
});

test("every command with --json prints one value, and nothing beside it", async () => {
  const night = await asked();
  const commands = ["status", "why", "report", "config show", "doctor", "init", "run --dry-run", "answer Q1 red"];
  for (const command of commands) {
    const { stdout, stderr } = await night.run([...command.split(" "), "--json"]);
    expect(stderr, command).toBe("");
    expect(Object.keys(JSON.parse(stdout)), command).not.toEqual([]);
  }
});

test("run --json prints one value a line: the events in order, then the result", async () => {
  const night = makeNight();
  const { stdout } = await night.run(["run", "--json"]);
  const values = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const ids = values.slice(0, -1).map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  expect(values.at(-1)).toMatchObject({ kind: "result", exitCode: 0, report: { stopReason: "finished" } });
});

test("the exit codes of the help are those of the program", async () => {
  const { stdout } = await makeNight().run(["--help"]);
  const listed = [...stdout.slice(stdout.indexOf("Exit codes:")).matchAll(/^ +(\d+) {2}(.+)$/gm)].map(([, code, meaning]) => [
    Number(code),
    meaning,
  ]);
  expect(Object.fromEntries(listed)).toEqual(exitCodes);
});

test("the exit codes of the README are those of the program", () => {
  const text = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  const table = [...text.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, meaning]) => [Number(code), meaning]);
  expect(Object.fromEntries(table)).toEqual(exitCodes);
});
