/**
 * The MCP servers that the person has and approved for this repository, as Claude Code 2.1.332 keeps them. What a repository brings (`.mcp.json`) counts only by
 * the person's word. Their text may hold secrets: it is handed on and never told, logged or stored. Never throws; what cannot be read gives none, and a remark.
 */
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { toolServer } from "./command-line.ts";

export interface ApprovedServers {
  /** Name to configuration, as the files have it. */
  readonly servers: Readonly<Record<string, object>>;
  /** For the person, a line each; nothing of the files' text. */
  readonly remarks: readonly string[];
}

export interface ServersPlace {
  /** Real path of the working tree's top. */
  readonly top: string;
  /** The agent's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a file of the tree says what the person approved (`midwatch trust`); one that does not counts for nothing. */
  readonly isApproved: (path: string, text: string) => boolean;
}

export const noServers: ApprovedServers = { servers: {}, remarks: [] };

const maxBytes = 32 << 20;

/** Local servers stand before those of the repository, and those before the user's own, as in the program. */
export function readApprovedServers({ top, env, isApproved }: ServersPlace): ApprovedServers {
  const remarks: string[] = [];
  const read = (path: string) => readObject(path, remarks);
  const readOfTree = (path: string) => readObject(join(top, path), remarks, (text) => isApproved(path, text));
  const home = env["HOME"] ?? "";
  const folder = env["CLAUDE_CONFIG_DIR"] || (home === "" ? "" : join(home, ".claude"));
  if (folder === "") return noServers;
  const main = read(join(env["CLAUDE_CONFIG_DIR"] || home, ".claude.json"));
  const project = projectOf(main, top);
  // Since 2.1 an approval lies in the local settings, and counts in a folder that the person trusts.
  const own = read(join(folder, "settings.json"));
  const local = project["hasTrustDialogAccepted"] === true ? readOfTree(".claude/settings.local.json") : {};
  const words = [project, own, local];
  const shared = Object.entries(serversOf(readOfTree(".mcp.json"))).filter(([name]) => isEnabled(name, words));
  const found = { ...serversOf(main), ...Object.fromEntries(shared), ...serversOf(project) };
  return { servers: pick(found, new Set(textsOf(project["disabledMcpServers"])), remarks), remarks };
}

function isEnabled(name: string, words: readonly JsonObject[]): boolean {
  const says = (key: string) => words.some((word) => textsOf(word[key]).includes(name));
  if (says("disabledMcpjsonServers")) return false;
  return says("enabledMcpjsonServers") || words.some((word) => word["enableAllProjectMcpServers"] === true);
}

/** Ours is ours, whatever the person calls theirs. */
function pick(found: JsonObject, disabled: ReadonlySet<string>, remarks: string[]): Readonly<Record<string, object>> {
  const kept = Object.entries(found).filter((entry): entry is [string, object] => isObject(entry[1]) && !disabled.has(entry[0]));
  if (kept.some(([name]) => name === toolServer)) remarks.push(`an MCP server named ${toolServer} is not passed on: the name is ours`);
  return Object.fromEntries(kept.filter(([name]) => name !== toolServer));
}

/** Claude Code keeps a project under the top of its main working tree. */
function projectOf(main: JsonObject, top: string): JsonObject {
  const projects = fieldsOf(main["projects"]);
  const place = mainTop(top);
  return Object.hasOwn(projects, place) ? fieldsOf(projects[place]) : {};
}

/** A linked working tree has a file `.git` that leads to `<main>/.git/worktrees/<name>`. */
function mainTop(top: string): string {
  const text = readText(join(top, ".git"));
  const line = typeof text === "string" ? /^gitdir: (.+?)\n?$/.exec(text)?.[1] : undefined;
  if (line === undefined) return top;
  const parent = dirname(resolve(top, line));
  return parent.endsWith("/.git/worktrees") ? dirname(dirname(parent)) : top;
}

function serversOf(fields: JsonObject): JsonObject {
  return fieldsOf(fields["mcpServers"]);
}

function readObject(path: string, remarks: string[], counts: (text: string) => boolean = () => true): JsonObject {
  const text = readText(path);
  if (text === null || !counts(text)) return {};
  const value = text === "unreadable" ? undefined : parse(text);
  if (isObject(value)) return fieldsOf(value);
  remarks.push(`${path} cannot be read: its MCP servers and approvals are left out`);
  return {};
}

/** Null where there is no file. */
function readText(path: string): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.isDirectory()) return null;
    return found.isFile() && found.size <= maxBytes ? readFileSync(path, "utf8") : "unreadable";
  } catch {
    return "unreadable"; // not ours to read, or gone by now
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined; // told as a remark: the words of the error would hold a piece of the file
  }
}

function fieldsOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
