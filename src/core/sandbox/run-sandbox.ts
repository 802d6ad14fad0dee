/** What a run's report and status say of its sandbox. A run is taken up by one process after another: one without it counts. */
export type RunSandbox =
  | { readonly kind: "on" }
  | { readonly kind: "off"; readonly why: string }
  /** Not all of the time. */
  | { readonly kind: "partly"; readonly why: string };

/** @param off  why there was none at some time; null = there always was */
export function worstOf(wasOn: boolean, off: string | null): RunSandbox | null {
  if (off !== null) return { kind: wasOn ? "partly" : "off", why: off };
  return wasOn ? { kind: "on" } : null;
}

/** For people; empty where there is nothing to warn of. */
export function describeSandbox(sandbox: RunSandbox | null): string {
  if (sandbox === null || sandbox.kind === "on") return "";
  const when = sandbox.kind === "off" ? "NONE" : "NOT ALL OF THE TIME";
  return `${when}: ${sandbox.why}; the agent could write wherever you can`;
}
