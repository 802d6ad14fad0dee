/** Where settings come from, the stronger later. A layer is a list of what it says, each with its place, before anything is checked. */
export const layerNames = ["default", "user", "project", "environment", "flag"] as const;
export type LayerName = (typeof layerNames)[number];

export interface Setting {
  /** Dotted path of a known key. */
  readonly path: string;
  readonly value: unknown;
  readonly layer: LayerName;
  /** "midwatch.jsonc:12", "MIDWATCH_LIMITS_RUN", "--run-usd", "default" */
  readonly place: string;
  /** The place of something inside the value: a list's third entry may stand on another line. */
  placeOf(inner: readonly PropertyKey[]): string;
}

/** A flag as the command line hands it over. A text is read as the key needs it: "40" is a number for `limits.run`. */
export interface Flag {
  readonly path: string;
  /** As the user typed it: "--run-usd". */
  readonly flag: string;
  readonly value: unknown;
}

/** A settings file that was found. */
export interface ConfigFile {
  readonly path: string;
  /** What messages call it. */
  readonly label: string;
  readonly text: string;
}
