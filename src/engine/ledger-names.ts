/** Calls as people know them: `w1 T-01 #3.1` of a window, with its run in front unless one run was asked for; a job's key as it is. */
import type { CallOwner } from "../core/money/call.ts";
import type { CallRecord } from "../ports/ledger.ts";
import type { RunRecord, Store } from "../ports/store.ts";
import { labelOf } from "./ledger-prove.ts";

type WindowOwner = Extract<CallOwner, { readonly kind: "window" }>;

/** @param run  the one that was asked for; null = calls of any */
export function createNames(store: Store, run: RunRecord | null): (call: Pick<CallRecord, "owner" | "key">) => Promise<string> {
  const ofRuns = new Map<string, Promise<ReadonlyMap<string, number>>>();
  const numbersOf = ({ run: id }: WindowOwner) => {
    const found = ofRuns.get(id) ?? store.windows(id).then((windows) => new Map(windows.map((one) => [one.id as string, one.number])));
    ofRuns.set(id, found);
    return found;
  };
  return async ({ owner, key }) => {
    if (owner.kind === "job") return labelOf({ key });
    const number = (await numbersOf(owner)).get(owner.window);
    if (number === undefined) return labelOf({ key });
    const words = [run === null ? owner.run : null, `w${number}`, owner.task, `#${key.seq}.${key.try}`];
    return words.filter((word) => word !== null).join(" ");
  };
}

/** Of windows whose rows tell their keys only: what stands before the `#`. */
export async function keyNames(store: Store, run: RunRecord | null, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const nameOf = createNames(store, run);
  const names = new Map<string, string>();
  for (const key of new Set(keys)) {
    const [call] = await store.ledger.calls({ key, limit: 1 });
    const name = call === undefined ? key : await nameOf(call);
    names.set(key, name.slice(0, name.lastIndexOf("#")));
  }
  return names;
}
