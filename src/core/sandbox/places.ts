/**
 * The view of one run's agent and criteria. Closed by default: what is not named here is read only, and folders in which sockets lie by which other
 * programs of the person's would act for the agent (tmux, X11, D-Bus, Docker) are empty but for what is named.
 */
import { agentFolders } from "./agent-folders.ts";
import type { Place } from "./place.ts";

export interface SandboxFacts {
  readonly kind: "command" | "claude-code";
  /** The working tree and its git dirs. */
  readonly tree: readonly string[];
  /** Our folders. */
  readonly ours: readonly string[];
  /** The folder of this program, which a project may have among its packages. */
  readonly program: string;
  /** What the person named; `~/` is their home. */
  readonly writable: readonly string[];
  /** Of the agent. */
  readonly env: Readonly<Record<string, string>>;
}

export function sandboxPlaces({ kind, tree, ours, program, writable, env }: SandboxFacts): readonly Place[] {
  const home = env["HOME"];
  return [
    ...temporary(env),
    ...running(env),
    ...(home?.startsWith("/") ? inHome(kind, home, env) : []),
    ...otherSockets.map((path): Place => ({ path, access: "hidden" })),
    ...writable.map((path) => named(path, home ?? "")),
    { path: program, access: "read" },
    ...ours.map((path): Place => ({ path, access: "hidden", always: true })),
    ...tree.map((path): Place => ({ path, access: "write", always: true })),
  ];
}

function inHome(kind: SandboxFacts["kind"], home: string, env: SandboxFacts["env"]): readonly Place[] {
  return [
    { path: home, access: "seen" },
    ...caches(home, env).map((path): Place => ({ path, access: "write" })),
    ...alwaysMade(home, env).map((path): Place => ({ path, access: "write", make: true })),
    ...agentFolders({ kind, home, env }),
    ...socketFolders.map((name): Place => ({ path: `${home}/${name}`, access: "hidden" })),
  ];
}

/** A folder of the person's home is made for them; a device or a socket is there or is not. */
function named(text: string, home: string): Place {
  const path = text.replace(/^~(?=\/|$)/, home);
  return path.startsWith(`${home}/`) ? { path, access: "write", make: true } : { path, access: "write" };
}

/** Other windows, tmux and X11 have sockets in the machine's own /tmp. One that the person put elsewhere is for this, and may be large. */
function temporary(env: SandboxFacts["env"]): readonly Place[] {
  const own = env["TMPDIR"];
  const common: readonly Place[] = ["/tmp", "/var/tmp"].map((path) => ({ path, access: "private", mode: "1777" }));
  if (own === undefined || !own.startsWith("/")) return common;
  const isBelow = /^\/(var\/)?tmp(\/|$)/.test(own);
  return [...common, isBelow ? { path: own, access: "private", mode: "0700" } : { path: own, access: "write" }];
}

/** Names are looked up, keys are used, local databases are spoken to; nothing is started. */
const usedInRun = [
  ...["systemd/resolve", "resolvconf", "NetworkManager", "connman", "nscd", "current-system", "booted-system", "wrappers", "opengl-driver"],
  ...["postgresql", "mysqld"],
];

function running(env: SandboxFacts["env"]): readonly Place[] {
  const runtime = env["XDG_RUNTIME_DIR"];
  const agents = [env["SSH_AUTH_SOCK"], ...(runtime === undefined ? [] : [`${runtime}/gnupg`, `${runtime}/keyring`])];
  return [
    { path: "/run", access: "private", mode: "0755" },
    ...usedInRun.map((name): Place => ({ path: `/run/${name}`, access: "seen" })),
    ...(runtime === undefined ? [] : [{ path: runtime, access: "private", mode: "0700" } as const]),
    ...agents.flatMap((path): readonly Place[] => (path?.startsWith("/") ? [{ path, access: "seen" }] : [])),
  ];
}

/** Of package tools: without them each window fetches anew what it needs. No folder in which programs of the person's search path lie. */
function caches(home: string, env: SandboxFacts["env"]): readonly string[] {
  const cargo = env["CARGO_HOME"] ?? `${home}/.cargo`;
  const go = env["GOPATH"] ?? `${home}/go`;
  const below = [
    ...[".local/share/pnpm/store", ".yarn/berry", ".bun/install/cache", ".deno", ".m2/repository", ".gradle/caches", ".gradle/wrapper"],
    ...[".gradle/daemon", ".gradle/native", ".ivy2/cache", ".nuget/packages", ".composer/cache", ".bundle/cache", ".pub-cache", ".hex"],
  ];
  return [...below.map((name) => `${home}/${name}`), `${cargo}/registry`, `${cargo}/git`, `${go}/pkg`];
}

/** These two nearly every tool expects to be able to make. */
function alwaysMade(home: string, env: SandboxFacts["env"]): readonly string[] {
  return [env["XDG_CACHE_HOME"] ?? `${home}/.cache`, `${home}/.npm`];
}

/** Of containers, outside of /run: whoever reaches their sockets starts what is not held. */
const socketFolders = [".docker/run", ".docker/desktop", ".orbstack/run", ".colima", ".lima", ".rd"];
const otherSockets = ["/var/lib/lxd", "/var/snap/lxd", "/var/lib/incus"];
