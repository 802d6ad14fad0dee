/** F25: a night of 40 windows. What the supervisor holds does not grow with the windows it has behind it. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agent, boxes, makeNight, type Night } from "./kit.ts";
import { eventually, finish, type Running } from "./program.ts";

const keys = Array.from({ length: 130 }, (_, place) => `T-${place + 1}`);

/** In the supervisor: tells on a signal which resources keep its loop alive. */
const probe = `import { writeFileSync } from "node:fs";
process.on("SIGUSR2", () => writeFileSync(process.env.PROBE, JSON.stringify(process.getActiveResourcesInfo())));
`;

interface Sample {
  readonly rssKb: number;
  readonly descriptors: readonly string[];
  readonly resources: readonly string[];
}

/** Taken while the agent of that window waits for us, so that both samples are of the same moment of a window. */
async function sample(night: Night, run: Running, window: number): Promise<Sample> {
  const { window: id } = await run.event("window.opened", ({ data }) => data["number"] === window);
  await run.event("window.started", (event) => event.window === id);
  await eventually(() => existsSync(join(night.folder, `prompt-${window}`)), "the agent");
  run.signal("SIGUSR2");
  const told = await eventually(() => readJson(join(night.folder, "probe")), "the probe");
  writeFileSync(join(night.folder, "probe"), "");
  const descriptors = readdirSync(`/proc/${run.pid}/fd`).sort();
  const rssKb = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${run.pid}/status`, "utf8"))?.[1]);
  writeFileSync(join(night.folder, `go-${window}`), "");
  return { rssKb, descriptors, resources: told.sort() };
}

function readJson(path: string): string[] | null {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null; // not written yet
  }
}

test.skipIf(process.platform !== "linux")(
  "40 windows of 3 tasks end by the limit, and the last finds the supervisor as the 6th left it",
  async () => {
    const night = makeNight({
      plan: boxes(...keys),
      agent: agent("finish-slowly.sh", "6", "36"),
      config: { limits: { tasksPerWindow: 3 } },
    });
    writeFileSync(join(night.folder, "probe.mjs"), probe);
    const env = { NODE_OPTIONS: `--import=${join(night.folder, "probe.mjs")}`, PROBE: join(night.folder, "probe") };
    const run = night.start(["run", "--json"], { env });
    const early = await sample(night, run, 6);
    const late = await sample(night, run, 36);
    const end = await finish(run);
    expect(end).toMatchObject({ code: 8, stderr: "" });
    expect(end.report).toMatchObject({ stopReason: "windows", tasks: { total: 130, verified: 120, open: 10 } });
    expect(end.report?.windows.map((window) => window.tasksClosed.length)).toEqual(Array(40).fill(3));
    expect(night.repo.git("rev-list", "--count", "HEAD~40..HEAD")).toBe("40");
    expect(night.read("tasks.md").match(/\[x\]/g)).toHaveLength(120);
    // Node takes memory as long as it may: over 130 windows it levels off (109, 140, 167, 172, 173 MB at the 6th, 36th, 66th, 96th and 126th).
    expect(late.rssKb - early.rssKb).toBeLessThan(36 * 1024);
    expect(late.descriptors).toEqual(early.descriptors);
    expect(late.resources).toEqual(early.resources);
  },
);
