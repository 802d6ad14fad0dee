/** What a sandboxed process finds at a path. Everything that no place speaks of is there to be read and not to be written. */

/**
 * `private`: an empty folder of its own, gone with it. `seen`: it is there although it lies in one of these; elsewhere it is as what is around it. `read`: read only, also where
 * what is around it is written. `hidden`: an empty folder in which nothing can be made. Where two speak of one path, the later of this list wins.
 */
export const accesses = ["private", "seen", "read", "write", "hidden"] as const;
export type Access = (typeof accesses)[number];

export interface Place {
  /** Absolute; may lead through links, and need not be there. */
  readonly path: string;
  readonly access: Access;
  /** A folder that is made where there is none, if the one above is there. */
  readonly make?: true;
  /** Of a private folder: what its owner and others may do there. */
  readonly mode?: "0755" | "0700" | "1777";
  /** Written: also where it lies in what is hidden. Hidden: also where it is not there yet. */
  readonly always?: true;
}

export type SandboxState =
  | { readonly kind: "on" }
  /** `wanted` = it was to be on, and does not work here. */
  | { readonly kind: "off"; readonly why: string; readonly wanted: boolean };
