/** A repository found as the program finds it, for the tests of what is then done with it. */
import { findWorkspace } from "../../src/adapters/git/finding.ts";
import type { WorkspaceLocation } from "../../src/ports/workspace.ts";
import { gitEnv } from "../fixtures/repositories.ts";

/** Where it is; it must be there. */
export async function locate(path: string, env: Readonly<Record<string, string>> = gitEnv): Promise<WorkspaceLocation> {
  const finding = await findWorkspace(env, path);
  if (finding.kind !== "found") throw new Error(finding.detail);
  return finding.location;
}
