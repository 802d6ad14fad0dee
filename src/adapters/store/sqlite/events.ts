/** The log: rows are only added, in the transaction of the rows that they describe. */
import type { RunId, WindowId } from "../../../core/ids.ts";
import type { NewEvent, StoredEvent } from "../../../ports/store.ts";
import type { Database, Row } from "./database.ts";
import { int, json, maybeText, text } from "./rows.ts";

const add = "INSERT INTO event (at, run, window, kind, data) VALUES (:now, :run, :window, :kind, :data)";
const after = "SELECT * FROM event WHERE run = :run AND id > :after ORDER BY id LIMIT :limit";
const recent = "SELECT * FROM event WHERE run = :run AND kind = :kind ORDER BY id DESC LIMIT :limit";

/** To be called inside a write. */
export function addEvents(db: Database, run: RunId, events: readonly NewEvent[], now: number): void {
  for (const { kind, window, data } of events)
    db.noteNewest({ event: db.insert(add, { now, run, window: window ?? null, kind, data: JSON.stringify(data) }) });
}

export function eventsAfter(db: Database, run: RunId, id: number, limit: number): readonly StoredEvent[] {
  return db.all(after, { run, after: id, limit }).map(toEvent);
}

/** The last ones of a kind, oldest first. */
export function recentEvents(db: Database, run: RunId, kind: string, limit: number): readonly StoredEvent[] {
  return db.all(recent, { run, kind, limit }).map(toEvent).reverse();
}

function toEvent(row: Row): StoredEvent {
  const window = maybeText(row, "window");
  const event = {
    id: int(row, "id"),
    at: int(row, "at"),
    run: text(row, "run") as RunId,
    kind: text(row, "kind"),
    data: json<StoredEvent["data"]>(row, "data"),
  };
  return window === null ? event : { ...event, window: window as WindowId };
}
