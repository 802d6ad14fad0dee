/** Teammates: who they are, what they do, and their inboxes. A message is told one window; where a death cut that window short, it is unread again. */
import type { RunId, TaskKey, WindowId } from "../../../core/ids.ts";
import type { Activity, DonePlace, MemberRecord, Message, TeamStore } from "../../../ports/team.ts";
import type { Database, Row } from "./database.ts";
import { addEvents } from "./events.ts";
import { planOfGoing } from "./plans.ts";
import { int, maybeText, prose, text } from "./rows.ts";

const join = `INSERT INTO member (plan, name, role, team, run, activity, since) VALUES (:plan, :name, :role, :team, :run, 'working', :now)
  ON CONFLICT DO UPDATE SET role = :role, team = :team, run = :run, activity = 'working', since = :now, looks = 0`;
const activity = `UPDATE member SET since = iif(activity = :activity, since, :now), activity = :activity, looks = :looks
  WHERE run = :run AND (activity <> :activity OR looks <> :looks) RETURNING name`;
const list = "SELECT member.*, run.worktree FROM member JOIN run ON run.id = member.run WHERE member.plan = :plan ORDER BY name";
const tell = `INSERT INTO message (plan, member, sender, text, at) SELECT plan, name, :sender, :text, :now FROM member WHERE plan = :plan AND name = :member`;
const inbox =
  "plan = (SELECT plan FROM member WHERE run = :run) AND member = (SELECT name FROM member WHERE run = :run) AND window IS NULL";
/** The last time that it was closed: by whom, and where, if it was measured. */
const places = `SELECT task_move.task, task_move.by, run.branch, run.worktree,
    (SELECT head FROM claim WHERE claim.window = task_move.window AND claim.task = task_move.task AND head IS NOT NULL ORDER BY id DESC LIMIT 1) AS head
  FROM task_move JOIN run ON run.id = task_move.run
  WHERE task_move.plan = :plan AND task_move.task IN (SELECT value FROM json_each(:tasks)) AND move = 'close'
    AND task_move.id = (SELECT max(id) FROM task_move AS later WHERE later.plan = task_move.plan AND later.task = task_move.task) ORDER BY task_move.id`;

export function joinTeams(db: Database): TeamStore {
  return {
    join: async (run, member, now) =>
      db.write("joinTeam", "ordinary", () => {
        db.run(join, { plan: planOfGoing(db, run), run, now, name: member.name, role: prose(member.role), team: prose(member.team) });
        addEvents(db, run, [{ kind: "member.joined", data: { ...member } }], now);
      }),
    setActivity: async (run, now, looks, at) => setActivity(db, run, now, looks, at),
    members: async (board) => db.read(() => db.all(list, { plan: board }).map(toMember)),
    tell: async (board, { member, sender, text: said }, now) =>
      db.write("tellMember", "ordinary", () => db.run(tell, { plan: board, member, sender, text: prose(said), now }) > 0),
    unread: async (run) => db.read(() => int(db.get(`SELECT count(*) AS count FROM message WHERE ${inbox}`, { run }) ?? {}, "count")),
    told: async (window) => db.read(() => db.all("SELECT * FROM message WHERE window = :window ORDER BY id", { window }).map(toMessage)),
    donePlaces: async (board, tasks) => db.read(() => db.all(places, { plan: board, tasks: JSON.stringify(tasks) }).map(toPlace)),
  };
}

function setActivity(db: Database, run: RunId, does: Activity, looks: number, now: number): void {
  db.write("setActivity", "last-word", () => {
    const row = db.get(activity, { run, activity: does, looks, now });
    if (row !== undefined && looks === 0)
      addEvents(db, run, [{ kind: `member.${pastTense[does]}`, data: { name: text(row, "name") } }], now);
  });
}

const pastTense: Readonly<Record<Activity, string>> = { working: "began", idle: "idled", gone: "left" };

/** To be called inside a write: this window is told what its member has not been told. */
export function giveMessages(db: Database, run: RunId, window: WindowId): void {
  db.run(`UPDATE message SET window = :window WHERE ${inbox}`, { run, window });
}

/** To be called inside a write: nobody heard them. */
export function takeMessagesBack(db: Database, window: WindowId): void {
  db.run("UPDATE message SET window = NULL WHERE window = :window", { window });
}

function toMember(row: Row): MemberRecord {
  return {
    name: text(row, "name"),
    role: text(row, "role"),
    team: text(row, "team"),
    run: text(row, "run") as RunId,
    worktree: text(row, "worktree"),
    activity: text(row, "activity") as Activity,
    since: int(row, "since"),
    looks: int(row, "looks"),
  };
}

function toMessage(row: Row): Message {
  return {
    id: int(row, "id"),
    member: text(row, "member"),
    sender: text(row, "sender"),
    text: text(row, "text"),
    at: int(row, "at"),
    window: maybeText(row, "window") as WindowId | null,
  };
}

function toPlace(row: Row): DonePlace {
  return {
    task: text(row, "task") as TaskKey,
    by: text(row, "by"),
    branch: maybeText(row, "branch"),
    worktree: text(row, "worktree"),
    commit: maybeText(row, "head"),
  };
}
