/** Settings for agents that a repository brings: nothing begins before a person has approved them, and nothing that an agent writes there counts. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { boxes, makeNight } from "./kit.ts";

const settings = JSON.stringify({ hooks: { Stop: [] } });
const work = 'mkdir -p .claude && echo "{}" > .claude/settings.json && git add -A && git commit -qm settings; cat > /dev/null';

test("a run is refused with the files named, begins once they are approved, and stops to ask when a window has changed one", async () => {
  const night = makeNight({
    plan: boxes("T-1", "T-2"),
    agent: ["/bin/sh", "-c", work],
    files: { ".claude/settings.json": settings, ".mcp.json": "{}" },
  });
  const refused = await night.run(["run", "--json"]);
  expect(refused.code).toBe(6);
  expect(refused.stderr).toMatch(
    /not approved: \.claude\/settings\.json \(new\), \.mcp\.json \(new\)\n {2}next: look at them, then: midwatch trust\n/,
  );
  const ignoring = await night.run(["run", "--ignore-repo-settings"]);
  expect([ignoring.code, ignoring.stderr]).toEqual([6, expect.stringContaining("midwatch cannot keep /bin/sh -c")]);
  expect(existsSync(join(night.folder, "state/midwatch/trust.json"))).toBe(false);

  const look = await night.run(["trust"]);
  expect([look.code, look.stdout]).toEqual([
    6,
    expect.stringMatching(/^new {2}\.claude\/settings\.json {2}[0-9a-f]{16} {2}hooks \(Stop\)\nnew {2}\.mcp\.json/),
  ]);
  expect(await night.run(["trust", "--yes"])).toMatchObject({ code: 0, stdout: expect.stringContaining("approved: 2 files") });
  expect((await night.run(["run", "--dry-run", "--json"])).code).toBe(0);

  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({ code: 3, report: { windows: [{ number: 1 }] } });
  expect(end.report?.questions.at(-1)?.text).toMatch(
    /not approved: \.claude\/settings\.json \(changed\)\. Look at them, then: midwatch trust\./,
  );
  expect(end.report?.repositorySettings).toEqual({
    how: "approved",
    files: [".claude/settings.json", ".mcp.json"],
    changed: [".claude/settings.json"],
  });
  expect((await night.run(["report"])).stdout).toMatch(
    /repository +its settings for agents were approved: .*changed in the run: \.claude\/settings\.json/,
  );
  expect((await night.run(["trust", "--revoke"])).stdout).toBe("taken back: 2 approvals\n");
  expect(await night.run(["trust", "--list", "--json"])).toMatchObject({ code: 0, stdout: expect.stringContaining('"standing": "new"') });
});
