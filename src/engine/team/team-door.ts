/** What a window of a teammate has besides the others: to say that it is idle (K1), and a word to a teammate. */
import type { Member } from "../../core/run-settings.ts";
import type { TeamDoor } from "../../ports/door.ts";
import type { RunContext } from "../context.ts";

/** @param before  carried out before what the agent says here is recorded */
export function teamDoor({ ports, run }: RunContext, { name }: Member, before: () => Promise<void>): TeamDoor {
  const { store, clock } = ports;
  let isIdle = false;
  return {
    async idle() {
      await before();
      isIdle = true;
      return { idle: true, next: "end your turn now: whatever comes next starts a fresh window" };
    },
    async tell(member, text) {
      await before();
      const board = await store.boards.ofRun(run);
      if (member === name) return { told: false, reason: "that is you: write it into the journal or the handoff note" };
      if (await store.teams.tell(board.id, { member, sender: name, text }, clock.now())) return { told: true, reason: "" };
      const others = (await store.teams.members(board.id)).map((one) => one.name).filter((one) => one !== name);
      return {
        told: false,
        reason: `there is no ${member} on this board; there ${others.length === 1 ? "is" : "are"} ${others.join(", ") || "nobody"}`,
      };
    },
    isIdle: () => isIdle,
  };
}
