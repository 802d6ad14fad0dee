/** F32 over the built program: whatever an agent, a criterion or an error says of a known secret, nothing that midwatch keeps, prints or sends holds it. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { remains } from "../core/canaries.ts";
import { makeNight } from "./kit.ts";

const own = "tok-7f3a91c2e5d84b60-own";
const inherited = "Zx9Qw8RtLm4Np2Ab7Cd1Ef";
const password = "p%21ss-Vk3xW9zq";

/** Says them in every way it has: its stream in two pieces, its errors, its note, a question, the task list. */
const program = `
import { writeFileSync, appendFileSync } from "node:fs";
const { OWN_TOKEN: own, MIDWATCH_HANDOFF: note, MIDWATCH_WINDOW_NUMBER: number, SCENE: scene, MIDWATCH_URL: url } = process.env;
const others = [${JSON.stringify(inherited)}, ${JSON.stringify(password)}];
const all = [own, ...others];
let prompt = "";
for await (const piece of process.stdin) prompt += piece;
writeFileSync(scene + "/prompt-" + number, prompt);
const say = (text) => new Promise((done) => process.stdout.write(text, done));
const tool = (text) => JSON.stringify({ type: "assistant", message: { id: "m", role: "assistant", content: [{ type: "tool_use", id: "t" + Math.random(), name: "Bash", input: { command: text } }] } }) + "\\n";
await say('{"type":"system","subtype":"init","session_id":"s","model":"scripted","tools":["Bash"],"mcp_servers":[],"claude_code_version":"0"}\\n');
for (const secret of all) {
  const line = tool("curl -H 'x: " + secret + "' " + Buffer.from("u:" + secret).toString("base64") + " " + encodeURIComponent(secret));
  const half = line.indexOf(secret) + 7;
  await say(line.slice(0, half));
  await new Promise((done) => setTimeout(done, 20));
  await say(line.slice(half));
  process.stderr.write("failed with " + secret + "\\n");
}
writeFileSync(scene + "/leak", all.join(" "));
await fetch(url + "/claim", { method: "POST", body: JSON.stringify({ task: "T-1" }) }).then((answer) => answer.text()).then((text) => writeFileSync(scene + "/answer-" + number, text));
if (number === "2") process.exit(3);
writeFileSync(note, "STATUS: CHECKPOINT\\nNEXT: T-1 with " + own + "\\nQUESTION:\\n\\nUse " + all.join(" and ") + ".\\n");
await say('{"type":"result","subtype":"success","is_error":false,"result":"used ' + own + '","total_cost_usd":0.1,"num_turns":1,"session_id":"s"}\\n');
`;

test("of three secrets nothing is left in the state folder, on the terminal, in a prompt or in an answer at the door", async () => {
  const night = makeNight({
    plan: "- [ ] T-1 Never\n  - run: cat ../leak; echo; false\n",
    agent: [process.execPath, "../agent.mjs"],
    files: { ".gitignore": ".midwatch\n" },
  });
  writeFileSync(join(night.folder, "agent.mjs"), program);
  writeFileSync(
    join(night.folder, "config/midwatch/config.jsonc"),
    JSON.stringify({ agent: { env: { SCENE: night.folder, OWN_TOKEN: own }, writable: [night.folder] } }),
  );
  const env = { INHERITED_API_KEY: inherited, DATABASE_URL: `postgres://me:${password}@localhost/x` };
  const end = await night.run(["run", "--json", "--windows", "2"], { env });
  const report = await night.run(["report"], { env });
  const resumed = await night.run(["resume", "--json"], { env });
  const state = join(night.folder, "state");
  const files = readdirSync(state, { recursive: true, encoding: "utf8" }).map((name) => join(state, name));
  const kept = files.filter((path) => statSync(path).isFile());
  const texts: Readonly<Record<string, string>> = {
    ...Object.fromEntries(kept.map((path) => [path, readFileSync(path, "latin1")])),
    ...{ stdout: end.stdout, stderr: end.stderr, report: report.stdout, resumed: resumed.stdout + resumed.stderr },
    ...{ prompt: night.prompt(2), answer: readFileSync(join(night.folder, "answer-1"), "utf8") },
  };
  const left = Object.entries(texts).flatMap(([name, text]) =>
    [own, inherited, password].flatMap((secret) => remains(secret, text).map((piece) => `${name}: ${piece}`)),
  );
  expect(left).toEqual([]);
  // Not because nothing was said at all.
  expect(end.report?.windows.map(({ exit }) => exit)).toEqual(["completed", "crashed"]);
  for (const name of ["stdout", "prompt", "answer", ...kept.filter((path) => path.endsWith(".log"))])
    expect([name, texts[name]?.includes("[redacted OWN_TOKEN]")]).toEqual([name, true]);
  expect(kept.filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
  expect(files.filter((path) => statSync(path).isDirectory() && (statSync(path).mode & 0o077) !== 0)).toEqual([]);
});

const committing = `
printf %s "$OWN_TOKEN" > "$SCENE/token-$MIDWATCH_WINDOW_NUMBER"
echo "key = $OWN_TOKEN" > T-1.txt && git add -A && git commit -qm "T-1" && echo done > T-1.txt && git commit -qam "T-1, clean"
curl -s -d '{"task":"T-1"}' "$MIDWATCH_URL/claim" > "$SCENE/answer"
cat > /dev/null`;

test("a secret that was committed and removed again refuses the claim, and is asked about with its place", async () => {
  const night = makeNight({ agent: ["/bin/sh", "-c", committing] });
  writeFileSync(
    join(night.folder, "config/midwatch/config.jsonc"),
    JSON.stringify({ agent: { env: { SCENE: night.folder, OWN_TOKEN: own }, writable: [night.folder] } }),
  );
  const end = await night.run(["run", "--json"]);
  const answer = readFileSync(join(night.folder, "answer"), "utf8");
  expect(JSON.parse(answer)).toMatchObject({
    kind: "refused",
    reason: expect.stringMatching(
      /^T-1\.txt:1: commit [0-9a-f]{10}: the value of OWN_TOKEN: take it out of the history.* \(secret-committed\)$/,
    ),
  });
  expect(end).toMatchObject({ code: 3, report: { tasks: { verified: 0, open: 1 } } });
  expect(end.report?.questions[0]?.text).toMatch(
    /^The last window committed a secret \(T-1\.txt:1, commit [0-9a-f]{10}: the value of OWN_TOKEN\)\. Take it out/,
  );
  expect(remains(own, answer + end.stdout + end.stderr)).toEqual([]);
  // The settings of the run lie in the store without it; whoever resumes gets it from the config.
  await night.run(["answer", "Q1", "1"]);
  await night.run(["resume", "--json"]);
  expect(readFileSync(join(night.folder, "token-2"), "utf8")).toBe(own);
});
