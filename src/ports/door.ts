/** The agent's door: what a window may ask of us over loopback. The engine answers, the gateway speaks HTTP. */
import type { Evidence } from "../core/evidence.ts";
import type { UpstreamPlan } from "../core/upstream.ts";
import type { CallDesk } from "./calls.ts";
import type { WireFormat } from "./wire-format.ts";

export interface WindowDoor {
  tasks(): Promise<DoorTasks>;
  claim(task: string): Promise<ClaimAnswer>;
  ask(question: DoorQuestion): Promise<{ readonly id: string; readonly text: string }>;
  /** A journal entry, at most 200 characters are kept. */
  note(text: string): Promise<void>;
  budget(): Promise<DoorBudget>;
  /** While this door is open somebody came with a secret that opens none, such as another window's. Absent = nobody wants to know. */
  stranger?(): void;
  /** Writes the handoff note; a note that would not parse is refused with the reason. */
  handoff(note: DoorNote): Promise<{ readonly written: boolean; readonly reason: string }>;
  /** What a teammate has besides; null = the window is nobody's. */
  readonly team: TeamDoor | null;
}

export interface TeamDoor {
  /** Nothing more to do in this window: from here on only our own tools run. */
  idle(): Promise<{ readonly idle: true; readonly next: string }>;
  /** Puts a message into a teammate's inbox. */
  tell(member: string, text: string): Promise<{ readonly told: boolean; readonly reason: string }>;
  /** Whether it has said that it is idle. */
  readonly isIdle: () => boolean;
}

export interface DoorNote {
  readonly status: "CHECKPOINT" | "AWAITING-HUMAN" | "DONE" | "BLOCKED";
  readonly next: string;
  readonly question: string;
  readonly body: string;
}

export interface DoorTasks {
  readonly limit: number;
  readonly tasks: readonly {
    readonly key: string;
    readonly title: string;
    readonly objective: string;
    readonly criteria: readonly string[];
    /** `pending` = to be done; `done`, `failed`; `blocked` = waits for a person. */
    readonly state: string;
  }[];
}

export type ClaimAnswer =
  | { readonly kind: "done"; readonly doneBy: "verified" | "claimed"; readonly evidence: readonly Evidence[] }
  /** All else holds: a person is asked, and the task is blocked until there is an answer. */
  | { readonly kind: "waits"; readonly question: string; readonly reason: string; readonly evidence: readonly Evidence[] }
  | { readonly kind: "refused"; readonly reason: string; readonly evidence: readonly Evidence[] };

export interface DoorQuestion {
  readonly question: string;
  readonly task: string | null;
  readonly options: readonly string[];
  readonly defaultAnswer: string | null;
  readonly minutes: number | null;
}

export interface DoorBudget {
  readonly windowCapMicroUsd: number;
  readonly runSpentMicroUsd: number;
  readonly runCapMicroUsd: number;
  readonly tasksClosed: number;
  readonly taskLimit: number;
}

export interface OpenedDoor {
  readonly url: string;
  readonly toolsUrl: string;
  /** Base URL of each upstream, by its name, for the agent's environment; empty without a desk. */
  readonly modelUrls: Readonly<Record<string, string>>;
  /** Stands for the key that we hold; worth nothing elsewhere. */
  readonly token: string;
  /** Shuts it: no further request is served. Answers on their way are ended as if the agent had hung up; resolves when each is booked. */
  close(): Promise<void>;
}

/** A provider behind the door, in whatever format it speaks. Its name is part of the path. */
export interface Upstream extends Omit<UpstreamPlan, "name"> {
  readonly name: string;
  readonly format: WireFormat;
}

export interface Doors {
  /** A fresh secret URL for one window or attempt. @param door  null = no tools behind it; @param desk  null = no models */
  open(door: WindowDoor | null, desk: CallDesk | null): Promise<OpenedDoor>;
  /** Shuts all; answers that would be read to their end are ended too. Resolves when each is booked. */
  close(): Promise<void>;
}
