/**
 * One connection and the way in which everything is read and written through it: prepared once, napping while another process writes,
 * errors translated at this door. A write is one BEGIN IMMEDIATE transaction; `step` names its two fault points.
 */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementResultingChanges, StatementSync } from "node:sqlite";
import { faultPoint } from "../../../faults.ts";
import { isBusy, isDiskFull } from "./errors.ts";
import { napWhileBusy } from "./nap.ts";

/** By name, or in order: binding by name takes twice as long, which counts where calls are booked. */
export type Params = Readonly<Record<string, SQLInputValue>> | readonly SQLInputValue[];
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** `last-word`: tells what ended, stopped or already runs, and may use up the reserve on a full disk. `ordinary`: leads to more work, and may not. */
export type Urgency = "ordinary" | "last-word";

/**
 * `often`: booked for each call to a provider, hundreds a second. Around it the files are looked at from time to time only, and it writes nothing that
 * another write's facts depend on.
 */
export type Pace = "seldom" | "often";

/** The newest numbers that a transaction has given: what the witness is told. */
export interface Newest {
  readonly event?: number;
  readonly call?: number;
}

/** What stands around a write; a store in memory has none of it. */
export interface Surroundings {
  /** Throws when the file is not the one that was opened, cannot be written, or (ordinary writes) has no reserve beside it. */
  beforeWrite(urgency: Urgency, pace: Pace): void;
  /** Refuses to write into tables of another version: a newer program may have changed them while we had them open. */
  inTransaction(version: number): void;
  afterWrite(newest: Newest): void;
  freeReserve(): boolean;
  translate(error: unknown): unknown;
  close(): void;
}

export class Database {
  readonly #connection: DatabaseSync;
  readonly #surroundings: Surroundings;
  readonly #busyMs: number;
  readonly #statements = new Map<string, StatementSync>();
  /** See `fact`. */
  readonly #facts = new Map<string, unknown>();
  #newest: Newest = {};
  #dataVersion: unknown = null;
  #isOpen = true;

  constructor(connection: DatabaseSync, surroundings: Surroundings, busyMs: number) {
    this.#connection = connection;
    this.#surroundings = surroundings;
    this.#busyMs = busyMs;
  }

  get(sql: string, params: Params = {}): Row | undefined {
    const statement = this.#prepare(sql);
    return this.#nap(() => (isOrdered(params) ? statement.get(...params) : statement.get(params)));
  }

  all(sql: string, params: Params = {}): readonly Row[] {
    const statement = this.#prepare(sql);
    return this.#nap(() => (isOrdered(params) ? statement.all(...params) : statement.all(params)));
  }

  /** Number of rows changed. */
  run(sql: string, params: Params = {}): number {
    return Number(this.#change(sql, params).changes);
  }

  /** Id of the added row. */
  insert(sql: string, params: Params): number {
    return Number(this.#change(sql, params).lastInsertRowid);
  }

  /** To be called inside a write that has given a number. */
  noteNewest(newest: Newest): void {
    this.#newest = { ...this.#newest, ...newest };
  }

  /**
   * What `read` found in this transaction or in an earlier one, as long as it must still be true: until another connection commits (SQLite's data_version
   * says so inside our transaction, when nobody else can write), until a write of ours that is not `often`, and until a transaction fails.
   * To be called inside a write that is `often`.
   */
  fact<T>(name: string, read: () => T): T {
    if (!this.#facts.has(name)) this.#facts.set(name, read());
    return this.#facts.get(name) as T;
  }

  read<T>(work: () => T): T {
    return this.#translated(work);
  }

  /** All of `work` or nothing; durable when it returns. On a full disk a last word gives up the reserve and is tried once more: `work` may run twice. */
  write<T>(step: string, urgency: Urgency, work: () => T, pace: Pace = "seldom"): T {
    const result = this.#translated(() => {
      this.#surroundings.beforeWrite(urgency, pace);
      if (pace === "seldom") this.#facts.clear();
      try {
        return this.#transact(step, work);
      } catch (error) {
        if (urgency === "ordinary" || !isDiskFull(error) || !this.#surroundings.freeReserve()) throw error;
        return this.#transact(step, work);
      }
    });
    faultPoint(`store.${step}.after-commit`);
    return result;
  }

  /**
   * A write within `work` outlives this process, but a power cut only from the next write on. For what may be lost together with everybody who knew of it.
   * The pragma works when it is prepared, so it is none of the kept statements.
   */
  unsynced<T>(work: () => T): T {
    this.#connection.exec("PRAGMA synchronous = NORMAL");
    try {
      return work();
    } finally {
      this.#connection.exec("PRAGMA synchronous = FULL");
    }
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#statements.clear();
    this.#connection.close();
    this.#surroundings.close();
  }

  #transact<T>(step: string, work: () => T): T {
    try {
      this.run("BEGIN IMMEDIATE");
      this.#noticeOthers();
      this.#newest = {};
      const result = work();
      faultPoint(`store.${step}.before-commit`);
      this.run("COMMIT");
      this.#surroundings.afterWrite(this.#newest);
      return result;
    } catch (error) {
      this.#facts.clear();
      this.#rollBack();
      throw this.#surroundings.translate(error);
    }
  }

  /** The tables' version can only have changed by another connection's commit, and so can what was read before. */
  #noticeOthers(): void {
    const dataVersion = this.get("PRAGMA data_version")?.["data_version"];
    if (dataVersion === this.#dataVersion) return;
    this.#facts.clear();
    this.#surroundings.inTransaction(Number(this.get("PRAGMA user_version")?.["user_version"]));
    this.#dataVersion = dataVersion;
  }

  #change(sql: string, params: Params): StatementResultingChanges {
    const statement = this.#prepare(sql);
    return this.#nap(() => (isOrdered(params) ? statement.run(...params) : statement.run(params)));
  }

  #rollBack(): void {
    try {
      this.run("ROLLBACK");
    } catch {
      // No transaction is open: it never began, or SQLite has rolled it back itself.
    }
  }

  #translated<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#surroundings.translate(error);
    }
  }

  #nap<T>(work: () => T): T {
    return napWhileBusy(work, isBusy, this.#busyMs);
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function isOrdered(params: Params): params is readonly SQLInputValue[] {
  return Array.isArray(params);
}
