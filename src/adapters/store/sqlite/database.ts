/**
 * One connection and the way in which everything is read and written through it: prepared once, napping while another process writes,
 * errors translated at this door. A write is one BEGIN IMMEDIATE transaction; `step` names its two fault points.
 */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { faultPoint } from "../../../faults.ts";
import { isBusy, isDiskFull } from "./errors.ts";
import { napWhileBusy } from "./nap.ts";

export type Params = Readonly<Record<string, SQLInputValue>>;
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** `last-word`: tells what ended, stopped or already runs, and may use up the reserve on a full disk. `ordinary`: leads to more work, and may not. */
export type Urgency = "ordinary" | "last-word";

/** What stands around a write; a store in memory has none of it. */
export interface Surroundings {
  /** Throws when the file is not the one that was opened, cannot be written, or (ordinary writes) has no reserve beside it. */
  beforeWrite(urgency: Urgency): void;
  /** Refuses to write into tables of another version: a newer program may have changed them while we had them open. */
  inTransaction(version: number): void;
  afterWrite(lastEvent: number): void;
  freeReserve(): boolean;
  translate(error: unknown): unknown;
  close(): void;
}

export class Database {
  readonly #connection: DatabaseSync;
  readonly #surroundings: Surroundings;
  readonly #busyMs: number;
  readonly #statements = new Map<string, StatementSync>();
  #isOpen = true;

  constructor(connection: DatabaseSync, surroundings: Surroundings, busyMs: number) {
    this.#connection = connection;
    this.#surroundings = surroundings;
    this.#busyMs = busyMs;
  }

  get(sql: string, params: Params = {}): Row | undefined {
    return this.#nap(() => this.#prepare(sql).get(params));
  }

  all(sql: string, params: Params = {}): readonly Row[] {
    return this.#nap(() => this.#prepare(sql).all(params));
  }

  /** Number of rows changed. */
  run(sql: string, params: Params = {}): number {
    return Number(this.#nap(() => this.#prepare(sql).run(params)).changes);
  }

  /** Id of the added row. */
  insert(sql: string, params: Params): number {
    return Number(this.#nap(() => this.#prepare(sql).run(params)).lastInsertRowid);
  }

  read<T>(work: () => T): T {
    return this.#translated(work);
  }

  /** All of `work` or nothing; durable when it returns. On a full disk a last word gives up the reserve and is tried once more: `work` may run twice. */
  write<T>(step: string, urgency: Urgency, work: () => T): T {
    const result = this.#translated(() => {
      this.#surroundings.beforeWrite(urgency);
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
      this.#surroundings.inTransaction(Number(this.get("PRAGMA user_version")?.["user_version"]));
      const result = work();
      const lastEvent = Number(this.get("SELECT seq FROM sqlite_sequence WHERE name = 'event'")?.["seq"] ?? 0);
      faultPoint(`store.${step}.before-commit`);
      this.run("COMMIT");
      this.#surroundings.afterWrite(lastEvent);
      return result;
    } catch (error) {
      this.#rollBack();
      throw this.#surroundings.translate(error);
    }
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
