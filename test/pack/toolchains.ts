/**
 * The Node and npm versions that an installed midwatch is tried with, brought by npm packages into a folder that git ignores.
 * A version is there whole or not at all: it is installed beside its place and then moved.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");
const cache = join(root, "build/toolchains");
const platform = `${process.platform}-${process.arch}`;

/** Where the file of a package is after `bring`. */
const placeOf = (name: string, version: string, file: string): string => join(cache, `${name}-${version}/node_modules/${name}`, file);

export const nodeOf = (version: string): string => placeOf(`node-${platform}`, version, "bin/node");
export const npmOf = (version: string): string => placeOf("npm", version, "bin/npm-cli.js");

/** Brings what is missing; gives null when all is there, or the reason why not. */
export async function bring(nodes: readonly string[], npms: readonly string[]): Promise<string | null> {
  mkdirSync(cache, { recursive: true });
  const wanted = [...nodes.map((version) => [`node-${platform}`, version] as const), ...npms.map((version) => ["npm", version] as const)];
  const reasons = await Promise.all(wanted.map(([name, version]) => install(name, version)));
  return reasons.find((reason) => reason !== null) ?? null;
}

async function install(name: string, version: string): Promise<string | null> {
  const place = join(cache, `${name}-${version}`);
  if (existsSync(place)) return null;
  const draft = mkdtempSync(join(cache, ".draft-"));
  const options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--prefix", draft];
  const { status, stderr } = await run("npm", ["install", ...options, `${name}@${version}`], { cwd: draft });
  if (status === 0 && !existsSync(place)) renameSync(draft, place);
  rmSync(draft, { recursive: true, force: true });
  return status === 0 ? null : `npm could not install ${name}@${version}: ${stderr.trim().split("\n").at(0)}`;
}

export type Ran = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** Runs a program to its end; never rejects for what the program does. */
export function run(file: string, args: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, stdout, stderr }));
  });
}
