/** Who commits in a tree would be by: without a name and a mail address of the person's, git refuses an agent's commits or makes an author up. */
import { createGit, describeFailure, readOutput } from "./command.ts";
import type { Environment } from "./environment.ts";

export interface Identity {
  readonly name: boolean;
  readonly email: boolean;
}

/** What is set in git's own files, or in `env` by the names that git has for it. Null when git does not answer. */
export async function readIdentity(env: Environment, top: string): Promise<Identity | null> {
  const git = createGit(env, top);
  const [end, output] = await readOutput(git, ["config", "--includes", "--list", "--name-only", "-z"], { cwd: top });
  if (describeFailure(end) !== null) return null;
  const names = new Set(output.toString("utf8").split("\0"));
  const isSet = (word: "name" | "email"): boolean => {
    const said = [`GIT_AUTHOR_${word.toUpperCase()}`, `GIT_COMMITTER_${word.toUpperCase()}`].every((name) => (env[name] ?? "") !== "");
    return said || names.has(`user.${word}`) || (names.has(`author.${word}`) && names.has(`committer.${word}`));
  };
  return { name: isSet("name"), email: isSet("email") || (env["EMAIL"] ?? "") !== "" };
}
