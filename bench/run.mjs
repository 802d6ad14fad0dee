/** Runs every bench in a process of its own, one after another; exits with 1 when one missed its bound. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const wanted = process.argv.slice(2);
const benches = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".mjs") && name !== "run.mjs" && name !== "measure.mjs");
for (const name of benches.filter((one) => wanted.length === 0 || wanted.includes(one.replace(".mjs", "")))) {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, name)], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
