/** Teammates of a board and their inboxes. Each method is one transaction. */
import type { RunId, TaskKey, WindowId } from "../core/ids.ts";
import type { Member } from "../core/run-settings.ts";

export type Activity = "working" | "idle" | "gone";

export interface MemberRecord extends Member {
  /** Its latest run. */
  readonly run: RunId;
  readonly worktree: string;
  readonly activity: Activity;
  readonly since: number;
  /** While idle: how often it has looked. */
  readonly looks: number;
}

export interface Message {
  readonly id: number;
  readonly member: string;
  /** `person`, or the name of a member. */
  readonly sender: string;
  readonly text: string;
  readonly at: number;
  /** Which was told; null = unread. */
  readonly window: WindowId | null;
}

/** Where a done task's work lies. */
export interface DonePlace {
  readonly task: TaskKey;
  readonly by: string;
  readonly branch: string | null;
  readonly worktree: string;
  /** Null = nobody measured it at one. */
  readonly commit: string | null;
}

export interface TeamStore {
  /** Takes the name on the run's board, from an earlier run of that name too: whether that one still works is the caller's to know. */
  join(run: RunId, member: Member, now: number): Promise<void>;
  setActivity(run: RunId, activity: Activity, looks: number, now: number): Promise<void>;
  /** By name. */
  members(board: number): Promise<readonly MemberRecord[]>;
  /** Into the inbox of a member who has ever been on the board. @returns false when there is none of that name */
  tell(board: number, message: Pick<Message, "member" | "sender" | "text">, now: number): Promise<boolean>;
  /** How many the run's member has not been told. They are told the next window that opens, which is said in its transaction. */
  unread(run: RunId): Promise<number>;
  /** What this window was told, oldest first. */
  told(window: WindowId): Promise<readonly Message[]>;
  donePlaces(board: number, tasks: readonly TaskKey[]): Promise<readonly DonePlace[]>;
}
