import { type GitMeasured, judgeGit } from "../../core/criteria/git.ts";
import type { Evaluate, Measuring } from "./measuring.ts";

export const evaluateGit: Evaluate<"git"> = async (measuring, criterion) => {
  const { workspace } = measuring.ports;
  const ground = await workspace.inspect(measuring.bookkeeping);
  if (ground.failure !== "") return { verdict: "cannot-tell", detail: `git could not tell: ${ground.failure}` };
  const paths = criterion.expect.flatMap((one) => ("path" in one ? [one.path] : []));
  const since =
    paths.length > 0 || criterion.expect.some(({ kind }) => kind === "message") ? await measureSince(measuring, paths) : nothing;
  const samples = [ground.staged, ground.changed, ground.untracked, ground.conflicted];
  const dirty = [...new Set(samples.flatMap((sample) => sample.paths))];
  return judgeGit(criterion, { ...since, dirty, branch: ground.branch });
};

type Since = Pick<GitMeasured, "changed" | "messages" | "failure">;

const nothing: Since = { changed: new Map(), messages: null, failure: "" };

async function measureSince({ ports, base: findBase }: Measuring, paths: readonly string[]): Promise<Since> {
  const base = await findBase();
  if (base === null) return { ...nothing, failure: "nobody said which commit is the base" };
  const messages = await ports.workspace.messagesSince(base);
  const changed = new Map<string, boolean | null>();
  let failure = messages.kind === "failed" ? messages.detail : "";
  for (const path of new Set(paths)) {
    const seen = await ports.workspace.pathsChanged(base, [path], 1);
    if (seen.kind === "failed") failure = seen.detail;
    changed.set(path, seen.kind === "failed" ? null : seen.paths.length > 0);
  }
  return { changed, messages: messages.kind === "failed" ? null : messages.messages, failure };
}
