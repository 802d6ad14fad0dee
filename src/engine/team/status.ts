/** Who does what on a board (K5), as one value. */
import type { Processes } from "../../ports/processes.ts";
import type { Store } from "../../ports/store.ts";
import type { MemberRecord } from "../../ports/team.ts";
import { isSupervised } from "../people.ts";

export interface MemberStatus extends Omit<MemberRecord, "activity"> {
  /** `lost`: its process is gone and said nothing. */
  readonly activity: MemberRecord["activity"] | "lost";
  readonly tasks: readonly string[];
  readonly unread: number;
  /** Why its run ended; null = it has not. */
  readonly stopReason: string | null;
}

export async function teamStatus(store: Store, processes: Processes, board: number): Promise<readonly MemberStatus[]> {
  const [members, tasks] = await Promise.all([store.teams.members(board), store.boards.tasks(board)]);
  return Promise.all(
    members.map(async (member): Promise<MemberStatus> => {
      const [run, unread] = await Promise.all([store.run(member.run), store.teams.unread(member.run)]);
      const isLost = member.activity !== "gone" && (run === null || !isSupervised(run, processes));
      return {
        ...member,
        activity: isLost ? "lost" : member.activity,
        tasks: tasks.filter(({ owner }) => owner === member.run).map(({ key }) => key),
        unread,
        stopReason: run?.stopReason ?? null,
      };
    }),
  );
}
