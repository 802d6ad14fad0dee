/** A process that locks trees: `node locks-probe.ts FOLDER`, then `acquire TREE` or `release` a line; each is answered by a line of JSON. */
import { createInterface } from "node:readline";
import { createTreeLocks } from "../../src/adapters/locks/tree-lock.ts";

const locks = createTreeLocks(process.argv[2] ?? "");
const releases: (() => void)[] = [];
const say = (answer: string) => process.stdout.write(`${JSON.stringify(answer)}\n`);

say("ready");
for await (const line of createInterface({ input: process.stdin })) {
  const [word, tree = ""] = line.split(" ");
  if (word === "acquire") {
    const lock = await locks.acquire(tree);
    if (lock.kind === "held") releases.push(lock.release);
    say(lock.kind);
  } else {
    for (const release of releases.splice(0)) release();
    say("released");
  }
}
