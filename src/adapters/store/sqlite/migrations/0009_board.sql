-- The board: tasks that a run has, boards without a file, teammates and their inboxes. Tables whose rules change are made anew; what was in them stays.

CREATE TABLE plan_new (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('list', 'prompt', 'board')),
  repository TEXT NOT NULL,
  worktree TEXT NOT NULL, -- empty = of all the repository's worktrees
  path TEXT NOT NULL,
  text TEXT, -- JSON string: older Node cuts a plain text at a NUL
  UNIQUE (worktree, repository, kind, path),
  CHECK ((kind = 'board') = (worktree = ''))
) STRICT;
INSERT INTO plan_new SELECT id, kind, repository, worktree, path, text FROM plan;
DROP TABLE plan;
ALTER TABLE plan_new RENAME TO plan;

CREATE TABLE run_new (
  id TEXT PRIMARY KEY,
  plan INTEGER NOT NULL REFERENCES plan (id),
  worktree TEXT NOT NULL,
  branch TEXT,
  settings TEXT NOT NULL, -- JSON
  phase TEXT NOT NULL CHECK (phase IN ('running', 'waiting-person', 'waiting-provider', 'paused', 'ended')),
  phase_since INTEGER NOT NULL,
  state TEXT NOT NULL, -- JSON
  decision TEXT, -- JSON
  stop_reason TEXT CHECK (stop_reason IN (
    'finished', 'finished-with-failures', 'person', 'money', 'limit', 'failing', 'stalled', 'no-task',
    'windows', 'clock', 'stopped', 'refused', 'broken', 'idle')),
  stop_detail TEXT NOT NULL DEFAULT '',
  request TEXT NOT NULL DEFAULT 'none' CHECK (request IN ('none', 'pause', 'stop-after-window', 'stop-now')),
  supervisor TEXT, -- JSON
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  waited_person_ms INTEGER NOT NULL DEFAULT 0 CHECK (waited_person_ms >= 0),
  waited_provider_ms INTEGER NOT NULL DEFAULT 0 CHECK (waited_provider_ms >= 0),
  CHECK ((phase = 'ended') = (ended_at IS NOT NULL)),
  CHECK ((phase = 'ended') = (stop_reason IS NOT NULL))
) STRICT;
INSERT INTO run_new
  SELECT run.id, run.plan, plan.worktree, run.branch, run.settings, run.phase, run.phase_since, run.state, run.decision, run.stop_reason, run.stop_detail,
    run.request, run.supervisor, run.started_at, run.ended_at, run.waited_person_ms, run.waited_provider_ms
  FROM run JOIN plan ON plan.id = run.plan ORDER BY run.rowid;
DROP TABLE run;
ALTER TABLE run_new RENAME TO run;
CREATE INDEX run_by_plan ON run (plan);
CREATE INDEX run_by_worktree ON run (worktree, started_at);

CREATE TRIGGER run_ends_once BEFORE UPDATE OF phase ON run WHEN OLD.phase = 'ended'
BEGIN
  SELECT RAISE (ABORT, 'an ended run stays ended');
END;

CREATE TABLE task_new (
  plan INTEGER NOT NULL REFERENCES plan (id),
  key TEXT NOT NULL,
  wording TEXT NOT NULL, -- JSON: what the plan says of it
  ticked INTEGER NOT NULL CHECK (ticked IN (0, 1)),
  position INTEGER NOT NULL,
  priority REAL NOT NULL, -- as in the wording
  state TEXT NOT NULL DEFAULT 'pending'
    CHECK (state IN ('pending', 'in-progress', 'checking', 'done', 'failed', 'blocked', 'waiting-person')),
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  done_by TEXT CHECK (done_by IN ('verified', 'claimed', 'person')),
  reason TEXT NOT NULL DEFAULT '',
  last_evidence TEXT NOT NULL DEFAULT '',
  removed_at INTEGER, -- no longer in the plan: kept, and taken up again where it comes back
  owner TEXT REFERENCES run (id),
  until_wall INTEGER, -- on a board that several work on: how long the owner has it
  until_boot REAL,
  boot_id TEXT,
  PRIMARY KEY (plan, key),
  CHECK ((state = 'done') = (done_by IS NOT NULL)),
  CHECK ((state IN ('failed', 'blocked', 'waiting-person')) = (reason <> '')),
  CHECK ((state IN ('in-progress', 'checking')) = (owner IS NOT NULL)),
  CHECK (until_wall IS NULL OR owner IS NOT NULL),
  CHECK ((until_wall IS NULL) = (until_boot IS NULL) AND (until_wall IS NULL) = (boot_id IS NULL))
) STRICT;
INSERT INTO task_new (plan, key, wording, ticked, position, priority, state, attempts, done_by, reason, last_evidence, removed_at)
  SELECT plan, key, wording, ticked, position, coalesce(wording ->> '$.priority', 0),
    -- What a question held up waits for a person.
    iif(state = 'blocked', 'waiting-person', state), attempts, done_by, reason, last_evidence, removed_at
  FROM task;
DROP TABLE task;
ALTER TABLE task_new RENAME TO task;
-- The next to be claimed is among the first entries, as near on a long board as on a short one.
CREATE INDEX task_pending ON task (plan, priority, position, key, state, removed_at) WHERE state = 'pending' AND removed_at IS NULL;
-- Where thousands wait for one, each of them is asked about it: by the two indexes alone.
CREATE INDEX task_done ON task (plan, key, state, removed_at) WHERE state = 'done' AND removed_at IS NULL;
CREATE INDEX task_owned ON task (owner) WHERE owner IS NOT NULL;

-- The same moves as taskMoves in src/core/task.ts; a test compares the two.
CREATE TRIGGER task_moves_legally BEFORE UPDATE OF state ON task
WHEN OLD.state <> NEW.state AND NOT (
  (OLD.state = 'pending' AND NEW.state IN ('in-progress', 'checking', 'done', 'failed', 'blocked', 'waiting-person'))
  OR (OLD.state = 'in-progress' AND NEW.state IN ('pending', 'checking', 'done', 'failed', 'blocked', 'waiting-person'))
  OR (OLD.state = 'checking' AND NEW.state IN ('pending', 'in-progress', 'done', 'failed', 'blocked', 'waiting-person'))
  OR (OLD.state = 'done' AND NEW.state = 'pending')
  OR (OLD.state = 'failed' AND NEW.state IN ('pending', 'done'))
  OR (OLD.state = 'blocked' AND NEW.state IN ('pending', 'done', 'failed'))
  OR (OLD.state = 'waiting-person' AND NEW.state IN ('pending', 'done', 'failed', 'blocked'))
)
BEGIN
  SELECT RAISE (ABORT, 'no such move of a task');
END;

-- No owner is passed over: whoever has a task loses it first.
CREATE TRIGGER task_has_one_owner BEFORE UPDATE OF owner ON task
WHEN OLD.owner IS NOT NULL AND NEW.owner IS NOT NULL AND OLD.owner <> NEW.owner
BEGIN
  SELECT RAISE (ABORT, 'another run has this task');
END;

-- What a task waits for, from its wording: to be asked of each candidate of a claim.
CREATE TABLE task_need (
  plan INTEGER NOT NULL,
  task TEXT NOT NULL,
  need TEXT NOT NULL,
  PRIMARY KEY (plan, task, need),
  FOREIGN KEY (plan, task) REFERENCES task (plan, key)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO task_need SELECT task.plan, task.key, need.value FROM task, json_each(task.wording, '$.dependsOn') AS need;

CREATE TABLE task_move_new (
  id INTEGER PRIMARY KEY,
  plan INTEGER NOT NULL,
  task TEXT NOT NULL,
  run TEXT REFERENCES run (id), -- null = no run: a person at the board
  window TEXT REFERENCES window (id),
  move TEXT NOT NULL CHECK (move IN (
    'add', 'edit', 'remove',
    'start', 'check', 'refuse', 'release', 'close', 'fail', 'block', 'ask', 'unblock', 'reopen', 'retry')),
  from_state TEXT, -- null = it was not there
  to_state TEXT, -- null = it is there no more
  why TEXT NOT NULL,
  by TEXT NOT NULL,
  at INTEGER NOT NULL,
  FOREIGN KEY (plan, task) REFERENCES task (plan, key)
) STRICT;
INSERT INTO task_move_new SELECT * FROM task_move;
DROP TABLE task_move;
ALTER TABLE task_move_new RENAME TO task_move;
CREATE INDEX task_move_by_task ON task_move (plan, task);
CREATE INDEX task_move_by_window ON task_move (window);

CREATE TRIGGER task_move_is_kept BEFORE UPDATE ON task_move
BEGIN
  SELECT RAISE (ABORT, 'moves are only added');
END;

-- Teammates of a board: who they are, and what they do now.
CREATE TABLE member (
  plan INTEGER NOT NULL REFERENCES plan (id),
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  team TEXT NOT NULL,
  run TEXT NOT NULL REFERENCES run (id), -- its latest
  activity TEXT NOT NULL CHECK (activity IN ('working', 'idle', 'gone')),
  since INTEGER NOT NULL,
  looks INTEGER NOT NULL DEFAULT 0 CHECK (looks >= 0), -- while idle
  PRIMARY KEY (plan, name)
) STRICT;

CREATE TABLE message (
  id INTEGER PRIMARY KEY,
  plan INTEGER NOT NULL REFERENCES plan (id),
  member TEXT NOT NULL, -- for whom
  sender TEXT NOT NULL, -- `person`, or a member
  text TEXT NOT NULL,
  at INTEGER NOT NULL,
  window TEXT REFERENCES window (id) -- which was told; null = unread
) STRICT;
CREATE INDEX message_unread ON message (plan, member) WHERE window IS NULL;
CREATE INDEX message_by_window ON message (window) WHERE window IS NOT NULL;
