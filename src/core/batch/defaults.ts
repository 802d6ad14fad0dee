import type { BatchSettings } from "./settings.ts";

/** What the settings say of a batch that is added; the rest is the command line's: what the work is, and where. */
export type BatchDefaults = Omit<BatchSettings, "work" | "cwd" | "matching" | "onDivergence" | "volatile"> & {
  /** The most that one job of the list may have. */
  readonly maxJobBytes: number;
};
