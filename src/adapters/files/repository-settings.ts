/**
 * Looks for settings of agent programs in a working tree, and keeps what a person approved of them in one file of the state folder: repository's real path ->
 * path -> SHA-256. What lies in the tree was made by anybody: links are followed to what a program would read, and everything has a bound.
 */
import { type Stats, statSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { MidwatchError } from "../../core/error.ts";
import { isObject } from "../../core/json.ts";
import type { Approvals, SettingsFile, SettingsPlace } from "../../core/repository-settings.ts";
import type { RepositorySettings } from "../../ports/repository-settings.ts";
import { writeAtomic } from "./atomic-write.ts";
import { readRegular } from "./regular-file.ts";

export interface SettingsSpot {
  /** Real path of the working tree's top. */
  readonly top: string;
  /** Real path by which the repository's approvals are kept: the same for all its working trees. */
  readonly repository: string;
  /** The state folder. */
  readonly state: string;
}

const maxFiles = 1000;
const maxFileBytes = 16 << 20;
const maxDepth = 12;
const maxApprovalBytes = 32 << 20;

export function createRepositorySettings({ top, repository, state }: SettingsSpot): RepositorySettings {
  const path = join(state, "trust.json");
  const readAll = () => readTrust(path);
  return {
    find: (places) => findSettings(top, places),
    approvals: async () => approvalsOf((await readAll())[repository]),
    async approve(approvals) {
      const { [repository]: _before, ...others } = await readAll();
      const repositories = Object.keys(approvals).length === 0 ? others : { ...others, [repository]: approvals };
      await writeAtomic(path, `${JSON.stringify({ version: 1, repositories }, null, 2)}\n`, new Set());
    },
  };
}

async function readTrust(path: string): Promise<Readonly<Record<string, unknown>>> {
  const read = await readRegular(path, maxApprovalBytes, true);
  if (read.kind === "absent") return {};
  const value = read.kind === "file" ? parse(read.bytes) : null;
  if (isObject(value) && value["version"] === 1 && isObject(value["repositories"])) return value["repositories"];
  throw new MidwatchError("environment", "E_TRUST_DAMAGED", `${path} cannot be read as approvals of yours`, {
    hint: "move it away, then look at each repository again with: midwatch trust",
  });
}

function approvalsOf(value: unknown): Approvals {
  const pairs = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === "string"));
}

async function findSettings(top: string, places: readonly SettingsPlace[]): Promise<readonly SettingsFile[]> {
  const found: SettingsFile[] = [];
  for (const place of places) await lookAt({ top, path: place.path, except: place.except ?? "", depth: 0, above: [], found });
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

interface Look {
  readonly top: string;
  readonly path: string;
  readonly except: string;
  readonly depth: number;
  /** Real paths of the folders around it: a link back into one of them has no end. */
  readonly above: readonly string[];
  readonly found: SettingsFile[];
}

async function lookAt(look: Look): Promise<void> {
  const { top, path, found } = look;
  const full = join(top, path);
  const seen = statOf(full);
  if (seen === null || path === look.except) return;
  if (found.length >= maxFiles) return void addTrouble(found, path, `more than ${maxFiles} files of settings`);
  if (seen === "unreadable") return void found.push({ path, hash: null, about: "it cannot be looked at" });
  if (!seen.isDirectory()) return void found.push(await readSettings(full, path));
  const real = await realpath(full).catch(() => full); // gone since: its list is empty
  if (look.depth >= maxDepth || look.above.includes(real))
    return void found.push({ path, hash: null, about: "folders in folders without end" });
  const names = await readdir(full).catch(() => null);
  if (names === null) return void found.push({ path, hash: null, about: "the folder cannot be listed" });
  for (const name of names.sort()) await lookAt({ ...look, path: `${path}/${name}`, depth: look.depth + 1, above: [...look.above, real] });
}

/** Once: the rest is not looked at either. */
function addTrouble(found: SettingsFile[], path: string, about: string): void {
  if (found.length === maxFiles) found.push({ path, hash: null, about });
}

/** Null = it is not there, which a link that leads nowhere is not either. */
function statOf(path: string): Stats | "unreadable" | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return "unreadable"; // a loop of links, or not ours to look into
  }
}

async function readSettings(full: string, path: string): Promise<SettingsFile> {
  const read = await readRegular(full, maxFileBytes, true);
  switch (read.kind) {
    case "file":
      return { path, hash: read.hash, about: outermostNames(read.bytes, path) };
    case "not-regular":
      return { path, hash: null, about: `it is a ${read.what}` };
    case "too-large":
      return { path, hash: null, about: `it has ${read.bytes} bytes` };
    case "unreadable":
      return { path, hash: null, about: `it cannot be read (${read.error})` };
    case "absent":
      return { path, hash: null, about: "it is gone again" };
  }
}

/** Of a JSON file: `hooks, permissions`, and of servers their names. */
function outermostNames(bytes: Uint8Array, path: string): string {
  const value = path.endsWith(".json") ? parse(bytes) : null;
  if (!isObject(value)) return "";
  const names = Object.keys(value).map((name) => {
    const inside = value[name];
    return (name === "mcpServers" || name === "hooks") && isObject(inside) ? `${name} (${Object.keys(inside).join(", ")})` : name;
  });
  return names.join(", ").slice(0, 200);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null; // no JSON: nothing to tell of it
  }
}
