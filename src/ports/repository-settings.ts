import type { Approvals, SettingsFile, SettingsPlace } from "../core/repository-settings.ts";

/** What a repository brings for agent programs, and what of it a person has approved. */
export interface RepositorySettings {
  /** As it lies there now, by path. Starts nothing, follows links to what would be read. */
  find(places: readonly SettingsPlace[]): Promise<readonly SettingsFile[]>;
  /** Of this repository, from the person's own folder. Throws MidwatchError kind environment for a damaged file. */
  approvals(): Promise<Approvals>;
  /** In the place of all before; empty = none. Throws the same. */
  approve(approvals: Approvals): Promise<void>;
}
