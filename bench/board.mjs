/**
 * A board of 5,000 tasks: the list is imported, the next task claimed, and each command run as a whole process, beside `node -e 0` of the same Node and beside L.
 * Two boards for the claim: one where each task waits for an earlier one, and one where all of them wait for the one that is being worked on.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../src/adapters/store/sqlite/open.ts";
import { claim, memberRun } from "../test/contract/board-kit.ts";
import { planned } from "../test/contract/store-samples.ts";
import { createSheet, durableWriteMs, inScratch, median } from "./measure.mjs";

const tasks = 5000;
const rounds = 15;
const program = join(import.meta.dirname, "../bin/midwatch.js");

/** Three in four wait for one or two earlier ones. */
const needsOf = (n) => [...new Set(n % 4 === 0 ? [] : [Math.floor(n / 2), n - 1])].filter((need) => need > 0 && need < n);
const line = (n) =>
  `- [ ] T-${n} Task ${n} of the list\n${
    needsOf(n).length === 0
      ? ""
      : `  - after: ${needsOf(n)
          .map((need) => `T-${need}`)
          .join(", ")}\n`
  }  - priority: ${n % 5}\n  - run: npm test\n  What it is about.\n`;
const list = `# The list\n\n${Array.from({ length: tasks }, (_, n) => line(n + 1)).join("")}`;

const time = async (work) => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

/** Milliseconds of a claim, once the tables are in memory. */
async function claimMs(folder, name, list) {
  const store = await openStore({ folder });
  const repository = `/bench/${name}/.git`;
  await store.boards.put(repository, list, { by: "person", changes: [] }, 1000);
  await store.createRun(memberRun(name, repository), 1000);
  const sample = [];
  for (let round = 0; round < rounds; round += 1) {
    let task = null;
    sample.push(
      await time(async () => {
        task = await claim(store, name);
      }),
    );
    if (task === null && name !== "waiting") throw new Error(`the board ${name} has no task left`);
  }
  await store.close();
  return { first: sample[0], middle: median(sample.slice(1)) };
}

await inScratch(async (folder) => {
  const repo = join(folder, "repository");
  mkdirSync(repo);
  const env = { ...process.env, HOME: folder, XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") };
  const run = (...args) => spawnSync(process.execPath, args, { cwd: repo, env, encoding: "utf8", maxBuffer: 1 << 28 });
  spawnSync("git", ["init", "--quiet"], { cwd: repo, env });
  writeFileSync(join(repo, "list.md"), list);
  const timeOf = (args) => {
    const startedAt = performance.now();
    const { status, stderr } = run(...args);
    if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
    return performance.now() - startedAt;
  };
  const sheet = createSheet(`board: ${tasks} tasks with dependencies, median of ${rounds}`);
  const node = median(Array.from({ length: rounds }, () => timeOf(["-e", "0"])));
  const L = durableWriteMs();
  const importMs = timeOf([program, "task", "import", "list.md"]);
  const commands = {
    "task list": ["list"],
    "task list --json": ["list", "--json"],
    "task why": ["why", `T-${tasks}`],
    "task show": ["show", "T-2500"],
    "task add": ["add", "One more", "--check", "run: true"],
    "task edit": ["edit", "T-2501", "--priority", "high"],
    "task done": ["done", "T-1"],
    "task retry": ["retry", "T-9"],
    "task block": ["block", "T-9", "--why", "later"],
    "task export": ["export"],
    "task export --marks": ["export", "--marks", "list.md"],
  };
  // What takes each of them back, so that the next round finds the same board.
  const undo = {
    "task done": ["retry", "T-1", "--why", "again"],
    "task retry": ["block", "T-9", "--why", "later"],
    "task block": ["retry", "T-9"],
  };
  sheet.row("L, node -e 0", `${L.toFixed(2)} ms, ${node.toFixed(1)} ms`);
  sheet.bound("task import", importMs, 2000, " ms");
  sheet.bound("task import, nothing new", timeOf([program, "task", "import", "list.md"]), 2000, " ms");
  run(program, "task", "block", "T-9", "--why", "later");
  for (const [name, args] of Object.entries(commands)) {
    if (name === "task block") run(program, "task", "retry", "T-9");
    const sample = Array.from({ length: 5 }, () => {
      const ms = timeOf([program, "task", ...args]);
      if (undo[name] !== undefined) run(program, "task", ...undo[name]);
      return ms;
    });
    sheet.bound(name, median(sample), 300, " ms");
    sheet.row("", `${(median(sample) / node).toFixed(1)} x node -e 0`);
  }
  const claims = {
    chain: Array.from({ length: tasks }, (_, n) =>
      planned(`T-${n + 1}`, { priority: n % 5, dependsOn: needsOf(n + 1).map((need) => `T-${need}`) }),
    ),
    waiting: Array.from({ length: tasks }, (_, n) => planned(`T-${n}`, { priority: 1, dependsOn: n === 0 ? [] : ["T-0"] })),
  };
  for (const [name, board] of Object.entries(claims)) {
    const { first, middle } = await claimMs(join(folder, "claims"), name, board);
    sheet.bound(`claimTask, ${name}`, middle, 5, " ms");
    sheet.row("", `${(middle / L).toFixed(1)} L; the first ${first.toFixed(1)} ms`);
  }
  sheet.finish();
});
