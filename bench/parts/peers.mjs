/**
 * What the contenders need and this checkout does not have: packages, installed by npm into a folder that goes with the run, and a PostgreSQL of their own from what the
 * system has (`apt-get install postgresql`). Each gives `absent` with what is missing, and the bench says so instead of a figure.
 */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const pgBoss = "pg-boss@12.38.0";
export const dbosSdk = "@dbos-inc/dbos-sdk@5.3.0";

const programs = "/usr/lib/postgresql";
const run = (command, args, options = {}) => spawnSync(command, args, { encoding: "utf8", ...options });

/** @returns the module at `path` of a package that npm installs into `folder`; null = it cannot be had */
async function importPeer(folder, spec, path) {
  const modules = join(folder, "modules");
  mkdirSync(modules, { recursive: true });
  if (run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", modules, spec]).status !== 0) return null;
  return import(pathToFileURL(join(modules, "node_modules", path)).href);
}

/** With its own settings but for where it listens: what it commits is durable, as ours is. */
async function startPostgres(folder) {
  const [newest] = existsSync(programs) ? readdirSync(programs).sort((one, other) => Number(other) - Number(one)) : [];
  if (newest === undefined) return null;
  const cluster = join(folder, "cluster");
  mkdirSync(cluster);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    const [uid, gid] = ["-u", "-g"].map((flag) => Number(run("id", [flag, "postgres"]).stdout));
    spawnSync("chmod", ["755", folder]);
    chownSync(cluster, uid, gid);
  }
  const asPostgres = (name, ...args) => {
    const program = join(programs, newest, "bin", name);
    const command = isRoot ? ["runuser", "-u", "postgres", "--", program, ...args] : [program, ...args];
    return run(command[0], command.slice(1), { cwd: cluster, stdio: "ignore" }).status === 0;
  };
  const [data, port] = [join(cluster, "data"), await freePort()];
  const options = ["-p", port, "-k", cluster, "-c", "listen_addresses=127.0.0.1"].join(" ");
  const isUp =
    asPostgres("initdb", "-D", data, "-A", "trust", "-U", "postgres") &&
    asPostgres("pg_ctl", "-D", data, "-w", "-l", join(cluster, "log"), "-o", options, "start");
  if (!isUp) return null;
  return {
    url: `postgres://postgres@127.0.0.1:${port}`,
    stop: () => asPostgres("pg_ctl", "-D", data, "-m", "fast", "-w", "stop"),
  };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

/** A contender on PostgreSQL. @param start  gives what the bench asks of it, and `close` */
async function startPeer(folder, { spec, path }, start) {
  const peer = await importPeer(folder, spec, path);
  if (peer === null) return { kind: "absent", what: spec };
  const postgres = await startPostgres(folder);
  if (postgres === null) return { kind: "absent", what: "PostgreSQL" };
  const { close, ...started } = await start(peer, postgres.url);
  return {
    kind: "started",
    ...started,
    async stop() {
      await close();
      postgres.stop();
    },
  };
}

export function startBoss(folder) {
  return startPeer(folder, { spec: pgBoss, path: "pg-boss/dist/index.js" }, async ({ PgBoss }, url) => {
    const boss = new PgBoss({ connectionString: `${url}/postgres`, max: 2, supervise: false, schedule: false });
    boss.on("error", () => undefined);
    await boss.start();
    await boss.createQueue("jobs");
    return { boss, close: () => boss.stop({ graceful: false }) };
  });
}

/** @param job  what the workflow does: it is given a function that makes one recorded step of another */
export function startDbos(folder, job) {
  return startPeer(folder, { spec: dbosSdk, path: "@dbos-inc/dbos-sdk/dist/src/index.js" }, async ({ DBOS }, url) => {
    const workflow = DBOS.registerWorkflow(() => job((step) => DBOS.runStep(step, { name: "call" })), { name: "job" });
    DBOS.setConfig({ name: "bench", systemDatabaseUrl: `${url}/dbos`, logLevel: "error", runAdminServer: false });
    await DBOS.launch();
    return { run: () => workflow(), close: () => DBOS.shutdown() };
  });
}
