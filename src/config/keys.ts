/**
 * Every setting, once: its check, default, meaning and whether it is a cap. The types, the environment's names, the JSON Schema, the file that
 * `init` writes and the table in docs/config.md all come from here.
 */
import { type AllowedByPerson, allowedList, type DeniedByPerson, deniedList } from "./guard-kinds.ts";
import {
  anyPath,
  baseUrl,
  command,
  count,
  days,
  duration,
  folderPaths,
  type Key,
  key,
  largerIsLooser,
  largerOrNoneIsLooser,
  longerIsLooser,
  money,
  oneOf,
  orNull,
  pathPatterns,
  shorterIsLooser,
  treePath,
  treePaths,
  variableName,
  variableNames,
  variables,
  weakerIsLooser,
} from "./key.ts";
import { limits } from "./limit-keys.ts";

const agent = {
  kind: key(oneOf("command", "claude-code"), {
    default: "command",
    unit: "word",
    about: "`command` runs `agent.command`; `claude-code` runs your own Claude Code behind guards that were proved first.",
  }),
  command: key<readonly [string, ...string[]] | null>(command(), {
    default: null,
    example: ["codex", "exec", "-"],
    unit: "words",
    about: "The program that does the work, and its arguments. The prompt comes on its standard input.",
  }),
  program: key(anyPath(), {
    default: "claude",
    unit: "path",
    about: "With `claude-code`: its name in PATH, or a path.",
  }),
  model: key<string | null>(orNull(anyPath("the name of a model")), {
    default: null,
    example: "opus",
    unit: "name",
    about: "With `claude-code`: the model; null = the program's own choice.",
  }),
  mcpServers: key(oneOf("approved", "none"), {
    default: "approved",
    unit: "word",
    about:
      "With `claude-code`: the MCP servers it gets besides ours: your own and those of the repository that you approved in it, or none.",
    cap: weakerIsLooser("none", "approved"),
  }),
  repositorySettings: key(oneOf("ignored", "approved"), {
    default: "approved",
    unit: "word",
    about:
      "Settings for agents, hooks and MCP servers that the repository brings: the run begins once you have approved all of them (`midwatch trust`), or goes without them, which only `claude-code` can.",
    cap: weakerIsLooser("ignored", "approved"),
  }),
  passEnv: key(variableNames(), {
    default: [],
    example: ["AWS_*"],
    unit: "names",
    about: "Variables that reach the agent besides the usual ones; `*` at the end is a prefix.",
  }),
  env: key(variables(), {
    default: {},
    example: { NODE_ENV: "test" },
    unit: "names and texts",
    about: "Variables that are set for the agent. Keep secrets out of the project's file.",
    secret: true,
  }),
  containment: key(oneOf("auto", "namespace", "partial"), {
    default: "auto",
    unit: "word",
    about: "How processes are held: `namespace` insists on a pid namespace, `auto` takes one where it works, `partial` takes none.",
    cap: weakerIsLooser("namespace", "auto", "partial"),
  }),
  sandbox: key(oneOf("auto", "on", "off"), {
    default: "auto",
    unit: "word",
    about:
      "Whether the agent and the criteria may write only where they have to, and see nothing of ours: `on` insists, `auto` takes a sandbox where one works and says so where none does.",
    cap: weakerIsLooser("on", "auto", "off"),
  }),
  writable: key<readonly string[]>(folderPaths(), {
    default: [],
    example: ["~/.pub-cache", "/run/docker.sock"],
    unit: "paths",
    about:
      "In the sandbox: what may be written besides the tree, caches and the agent's own folder. A socket of Docker gives everything away.",
    personal: true,
  }),
};

const retention = {
  events: key(days("3650d"), { default: "90d", unit: "duration", about: "How long events are kept in the store.", cap: shorterIsLooser }),
  logs: key(days("3650d"), {
    default: "30d",
    unit: "duration",
    about: "How long the raw output of windows is kept.",
    cap: shorterIsLooser,
  }),
  answers: key(days("3650d"), {
    default: "90d",
    unit: "duration",
    about:
      "How long the recorded answers of a model to jobs that are done are kept after their batch has ended. The jobs' own answers stay.",
    cap: shorterIsLooser,
  }),
  batches: key(days("3650d"), {
    default: "90d",
    unit: "duration",
    about: "How long after its end a batch stays in the store, before it moves to a file of its own.",
    cap: shorterIsLooser,
  }),
};

const gateway = {
  mode: key(oneOf("auto", "on", "off"), {
    default: "auto",
    unit: "word",
    about:
      "Whether calls to models pass through our door, where each is booked and capped before it is paid. `auto`: for `claude-code` with an API key in the environment; not for a sign-in, not for `command`. `on` insists.",
    cap: weakerIsLooser("on", "auto", "off"),
  }),
  anthropic: key<string | null>(orNull(baseUrl()), {
    default: null,
    example: "https://api.anthropic.com",
    unit: "address",
    about: "Where the gateway sends calls of the Anthropic format. null = ANTHROPIC_BASE_URL, else Anthropic.",
    personal: true,
  }),
  openai: key<string | null>(orNull(baseUrl()), {
    default: null,
    example: "https://api.openai.com/v1",
    unit: "address",
    about: "Where the gateway sends calls of the OpenAI format. null = OPENAI_BASE_URL, else OpenAI.",
    personal: true,
  }),
  unpriced: key(oneOf("refuse", "allow"), {
    default: "refuse",
    unit: "word",
    about: "A model without a known price: its calls are refused (`midwatch prices set` mends it), or made and counted for no cap.",
    cap: weakerIsLooser("refuse", "allow"),
  }),
};

const guard = {
  deny: key<readonly DeniedByPerson[]>(deniedList(), {
    default: [],
    example: [{ command: "terraform apply", reason: "the state is shared" }],
    unit: "rules",
    about: "With `claude-code`: what is denied beyond the rules, and why. The project's file adds to yours. See [guards](guards.md).",
    adds: true,
  }),
  allow: key<readonly AllowedByPerson[]>(allowedList(), {
    default: [],
    example: [{ command: "npm publish --tag next", reason: "releases go out at night" }],
    unit: "rules",
    about:
      "Commands that pass although a rule denies them, word for word, `*` within a word. Never settings, hooks, config, state or the run itself.",
    personal: true,
  }),
};

const batch = {
  slots: key(count(64), { default: 4, unit: "slots", about: "Jobs of a batch at once, for each supervisor of it." }),
  attempts: key(count(1000), {
    default: 3,
    unit: "attempts",
    about: "Tries of a job before it is failed and waits for a person.",
    cap: largerIsLooser,
  }),
  lease: key(duration("24h"), {
    default: "10m",
    unit: "duration",
    about: "How long a job stays with a slot that is not heard of any more; it is renewed at a third of it.",
  }),
  time: key(duration("168h"), {
    default: "1h",
    unit: "duration",
    about: "Clock of one attempt of a job; past it the attempt failed.",
    cap: longerIsLooser,
  }),
  cap: key(money(100_000), {
    default: 150,
    unit: "US$",
    about: "Money of a batch; when it is spent the batch pauses.",
    cap: largerIsLooser,
  }),
  jobCap: key<number | null>(orNull(money(100_000)), {
    default: null,
    example: 1,
    unit: "US$",
    about: "Money of one job, over all its attempts; when it is spent the job is failed. null = no limit of its own.",
    cap: largerOrNoneIsLooser,
  }),
  answerMiB: key(count(1024), { default: 16, unit: "MiB", about: "The most that the answer of one job may have." }),
  jobMiB: key(count(256), { default: 50, unit: "MiB", about: "The most that one job of a list may have." }),
};

const evaluation = {
  keyEnv: key(variableName(), {
    default: "MIDWATCH_EVAL_KEY",
    unit: "name",
    about: "The variable with the provider's key of evaluations. No other key is ever used for one, and this one for nothing else.",
    personal: true,
  }),
  provider: key(oneOf("anthropic", "openai"), {
    default: "anthropic",
    unit: "word",
    about: "Whose key that is; an evaluation reaches this provider and no other.",
    personal: true,
  }),
  cap: key(money(100_000), {
    default: 50,
    unit: "US$",
    about: "Money of one version of an evaluation; when it is spent it pauses.",
    cap: largerIsLooser,
  }),
  jobCap: key<number | null>(orNull(money(100_000)), {
    default: null,
    example: 1,
    unit: "US$",
    about: "Money of one job of an evaluation, over all its attempts. null = no limit of its own.",
    cap: largerOrNoneIsLooser,
  }),
  day: key<number | null>(orNull(money(1_000_000)), {
    default: null,
    example: 50,
    unit: "US$",
    about: "Money of a day, over all evaluations; `limits.day` is about everything else. null = no limit.",
    cap: largerOrNoneIsLooser,
  }),
  month: key<number | null>(orNull(money(10_000_000)), {
    default: null,
    example: 500,
    unit: "US$",
    about: "The same for a month.",
    cap: largerOrNoneIsLooser,
  }),
};

export const keys = {
  plan: key(treePath("file"), { default: "tasks.md", unit: "path", about: "The task list a run works through." }),
  handoff: key(treePath("file"), {
    default: ".midwatch/handoff.md",
    unit: "path",
    about: "The note that each window leaves for the next.",
    environment: false,
  }),
  bookkeeping: key(treePaths(), {
    default: [],
    example: ["docs/journal.md"],
    unit: "paths",
    about:
      "Files and folders that are about the work and are not the work, besides plan, handoff, midwatch.jsonc and the folder .midwatch.",
  }),
  agent,
  limits,
  gateway,
  guard,
  batch,
  eval: evaluation,
  leftovers: key(oneOf("ask", "next-window"), {
    default: "ask",
    unit: "word",
    about: "What a window that ended badly left in the tree: a person is asked, or the next window gets it.",
  }),
  recheck: key(oneOf("after-window", "before-done"), {
    default: "before-done",
    unit: "word",
    about: "When the criteria of closed tasks are run again.",
    cap: weakerIsLooser("after-window", "before-done"),
  }),
  integrity: key(oneOf("refuse", "report", "off"), {
    default: "refuse",
    unit: "word",
    about:
      "What speaks against a claimed finish (a test that notices nothing, a bent check) refuses it, is only reported, or is not looked for.",
    cap: weakerIsLooser("refuse", "report", "off"),
  }),
  protect: key(pathPatterns(), {
    default: [],
    example: ["test/golden/**"],
    unit: "patterns",
    about: "Files that no window may change: a claim after which they differ is refused. The project's file adds to yours.",
    adds: true,
  }),
  onProviderLimit: key(oneOf("wait", "stop"), {
    default: "wait",
    unit: "word",
    about: "A provider's limit or outage is waited out, or ends the run with exit code 75.",
  }),
  onQuestion: key(oneOf("wait", "stop"), {
    default: "stop",
    unit: "word",
    about:
      "A run in the foreground waits for a person's answer, or ends with exit code 3 until `midwatch resume`; one in the background waits.",
  }),
  prompt: key<string | null>(orNull(anyPath()), {
    default: null,
    example: "docs/prompt.md",
    unit: "path",
    about: "A file whose text stands in for our prompt template. null = ours.",
  }),
  logMiB: key(count(4096), { default: 64, unit: "MiB", about: "Raw output that is kept of each window." }),
  retention,
};

type ValuesOf<T> = { readonly [K in keyof T]: T[K] extends Key<infer V> ? V : ValuesOf<T[K]> };

/** All settings in the words and units of the file, checked. */
export type Config = ValuesOf<typeof keys>;

export type KeyGroup = { readonly [name: string]: Key<unknown> | KeyGroup };

export function isKey(entry: Key<unknown> | KeyGroup): entry is Key<unknown> {
  return "schema" in entry;
}

/** Dotted path -> key, in the order of the file. */
export const keysByPath: ReadonlyMap<string, Key<unknown>> = new Map(flatten(keys, ""));

function flatten(group: KeyGroup, prefix: string): [string, Key<unknown>][] {
  return Object.entries(group).flatMap(([name, entry]) =>
    isKey(entry) ? [[`${prefix}${name}`, entry] as [string, Key<unknown>]] : flatten(entry, `${prefix}${name}.`),
  );
}
