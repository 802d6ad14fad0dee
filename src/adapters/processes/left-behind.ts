/** Who in a namespace has lost its parents: daemons, and children of what has ended. They end with the leader, and are named. */
import { readChildren, readName, readRow } from "./proc-table.ts";

const firstLookMs = 50;
const lookEveryMs = 500;
const mostNames = 10;

export class LeftBehind {
  readonly #init: number;
  #timer: NodeJS.Timeout;
  #leader: number | null = null;
  #names: ReadonlyMap<number, string> = new Map();

  /** @param init  to which the namespace gives its orphans */
  constructor(init: number) {
    this.#init = init;
    this.#timer = setTimeout(() => this.#lookOn(), firstLookMs);
  }

  /** A look at an end that is under way keeps what was seen before. */
  look(): void {
    const children = readChildren(this.#init).flatMap((pid) => readRow(pid) ?? []);
    const oldest = [...children].sort((one, other) => one.startTicks - other.startTicks || one.pid - other.pid)[0];
    if (oldest === undefined) return;
    this.#leader ??= oldest.pid;
    const orphans = children.filter(({ pid }) => pid !== this.#leader);
    this.#names = new Map(orphans.map(({ pid }) => [pid, this.#names.get(pid) ?? readName(pid)]));
  }

  close(): readonly string[] {
    clearTimeout(this.#timer);
    return [...new Set(this.#names.values())].slice(0, mostNames);
  }

  #lookOn(): void {
    this.look();
    this.#timer = setTimeout(() => this.#lookOn(), lookEveryMs);
  }
}
