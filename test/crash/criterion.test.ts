/** A criterion that runs when the supervisor is killed belongs to nobody any more. In the sandbox it ends with it; else the next start ends it before it runs the criterion again. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasSandbox } from "../sandbox/kit.ts";
import { eventually } from "../scenario/program.ts";
import { Night } from "./night.ts";

/** The first time it never ends, in a process of another session too. */
const check = '[ ! -e "$SCENE/again" ] || exit 0\ntouch "$SCENE/again"\nsetsid sleep 1000 &\nsleep 1000\n';

test("a criterion whose supervisor was killed is ended by the next start", { timeout: 60_000 }, async ({ onTestFinished }) => {
  const night = new Night({ plan: '- [ ] T-1 Write T-1.txt\n  - run: sh "$SCENE/check"\n' });
  onTestFinished(night.close);
  writeFileSync(join(night.folder, "check"), check);
  const first = night.start(["run", "--no-sandbox"]);
  await eventually(() => existsSync(join(night.folder, "again")), "the criterion");
  process.kill(first.pid, "SIGKILL");
  await first.ended;
  expect(night.living().length).toBeGreaterThan(0);
  expect((await night.start(["run", "--no-sandbox"]).ended).code).toBe(0);
  await eventually(() => night.living().length === 0, "the end of the criterion");
});

test.skipIf(!hasSandbox)("a criterion in the sandbox ends with its supervisor", { timeout: 60_000 }, async ({ onTestFinished }) => {
  const night = new Night({ plan: '- [ ] T-1 Write T-1.txt\n  - run: sh "$SCENE/check"\n' });
  onTestFinished(night.close);
  writeFileSync(join(night.folder, "check"), check);
  const first = night.start(["run"]);
  await eventually(() => existsSync(join(night.folder, "again")), "the criterion");
  process.kill(first.pid, "SIGKILL");
  await first.ended;
  await eventually(() => night.living().length === 0, "the end of the criterion");
});
