/** What is found out about models before a night begins: whether the one that is named has a price, and whether its provider answers. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { readCalls } from "./booked.ts";
import { agent, makeNight, type Night } from "./kit.ts";
import { makeSpendNight } from "./money-kit.ts";

const unpriced = {
  line: "no price of mystery-9 is known, so no cap could hold",
  next: "set it with: midwatch prices set mystery-9 --input N --output N",
};
const asks = { agent: { command: [...agent("spend.mjs"), "--model", "mystery-9"] } };

function withConfig(night: Night, config: object): void {
  night.repo.write("midwatch.jsonc", JSON.stringify(config));
  night.repo.git("commit", "-qam", "another agent");
}

test("a model without a price is told by the dry run, by doctor and by run, before anything starts", async () => {
  const night = await makeSpendNight({ windows: { 1: [{ max: 10 }] } });
  withConfig(night, asks);
  const said = `${unpriced.line}; ${unpriced.next}`;
  const dry = await night.run(["run", "--dry-run", "--json"], { env: night.keys });
  expect([dry.code, JSON.parse(dry.stdout).standsAgainstIt]).toEqual([2, [said]]);
  const doctor = await night.run(["doctor", "--json"], { env: night.keys });
  expect(doctor.code).toBe(1);
  expect(JSON.parse(doctor.stdout).findings).toContainEqual({ what: "models", level: "fail", detail: said });
  const run = await night.run(["run"], { env: night.keys });
  expect(run.code).toBe(2);
  expect(run.stderr).toContain(unpriced.line);
  expect(run.stderr).toContain(unpriced.next);
  expect([await readCalls(night), night.calls.filter(({ method }) => method === "POST")]).toEqual([[], []]);
  expect((await night.run(["status"])).stderr).toMatch(/no run/);
  await night.run(["prices", "set", "mystery-9", "--input", "1", "--output", "1"]);
  expect((await night.run(["run", "--dry-run"], { env: night.keys })).code).toBe(0);
});

test.each([
  ["it is allowed", { gateway: { mode: "on", unpriced: "allow" } }],
  ["no gateway would refuse it", { gateway: { mode: "auto" } }],
])("a model without a price stands against nothing where %s", async (_name, personal) => {
  const night = makeNight({ config: asks, personal });
  expect((await night.run(["run", "--dry-run"])).code).toBe(0);
});

interface Heard {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: object;
}

/** A provider that answers every request with `status`, and where it is. */
async function startAnswering(status: number): Promise<{ readonly url: string; readonly heard: Heard[] }> {
  const heard: Heard[] = [];
  const server = createServer(({ method, url, headers }, response) => {
    heard.push({ method, url, headers });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

async function providerLine(urls: Readonly<Record<string, string>>, mode = "on") {
  const night = makeNight({ personal: { gateway: { mode } } });
  const env = { ...urls, ANTHROPIC_API_KEY: "sk-ant-never-told", OPENAI_API_KEY: "sk-never-told" };
  const { stdout } = await night.run(["doctor", "--json"], { env });
  return (JSON.parse(stdout).findings as { what: string }[]).find(({ what }) => what === "provider");
}

const nowhere = "http://127.0.0.1:1";
const host = (url: string) => new URL(url).host;

test("doctor asks each provider whether it answers, with one request that has no key and costs nothing", async () => {
  const [one, other] = [await startAnswering(404), await startAnswering(401)];
  expect(await providerLine({ ANTHROPIC_BASE_URL: one.url, OPENAI_BASE_URL: `${other.url}/v1` })).toEqual({
    ...{ what: "provider", level: "ok" },
    detail: `${host(one.url)} answers; ${host(other.url)} answers`,
  });
  const heard = [...one.heard, ...other.heard];
  expect(heard.map(({ method, url }) => `${method} ${url}`)).toEqual(["HEAD /", "HEAD /v1/"]);
  expect(JSON.stringify(heard)).not.toContain("never-told");
});

test("one provider of two that is silent is a warning, and both are a failure", async () => {
  const one = await startAnswering(404);
  const silent = "127.0.0.1:1 does not answer as it should: ECONNREFUSED";
  expect(await providerLine({ ANTHROPIC_BASE_URL: one.url, OPENAI_BASE_URL: nowhere })).toEqual({
    ...{ what: "provider", level: "warn" },
    detail: `${host(one.url)} answers; ${silent}`,
  });
  expect(await providerLine({ ANTHROPIC_BASE_URL: nowhere, OPENAI_BASE_URL: nowhere })).toEqual({
    ...{ what: "provider", level: "fail" },
    detail: `${silent}; ${silent}`,
  });
});

test("a provider that is down, and one past the gateway, are told as what they are", async () => {
  const down = await startAnswering(503);
  expect(await providerLine({ ANTHROPIC_BASE_URL: down.url, OPENAI_BASE_URL: down.url })).toMatchObject({
    level: "fail",
    detail: expect.stringContaining("does not answer as it should: it answers 503"),
  });
  expect(await providerLine({ ANTHROPIC_BASE_URL: nowhere, OPENAI_BASE_URL: nowhere }, "auto")).toMatchObject({
    level: "ok",
    detail: "not asked: the agent goes there by itself",
  });
});
