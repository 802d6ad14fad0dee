-- One user's state. Times are milliseconds since 1970. Columns marked JSON hold the values of src/core as they are:
-- nothing here looks into them. What must never be wrong is a column with a rule.

-- A plan in a working tree. Runs come and go; the tasks and how far they came stay with the plan.
CREATE TABLE plan (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('list', 'prompt')),
  repository TEXT NOT NULL,
  worktree TEXT NOT NULL,
  path TEXT NOT NULL,
  text TEXT, -- JSON string: older Node cuts a plain text at a NUL
  UNIQUE (worktree, repository, kind, path)
) STRICT;

CREATE TABLE run (
  id TEXT PRIMARY KEY,
  plan INTEGER NOT NULL REFERENCES plan (id),
  branch TEXT,
  settings TEXT NOT NULL, -- JSON
  phase TEXT NOT NULL CHECK (phase IN ('running', 'waiting-person', 'waiting-provider', 'paused', 'ended')),
  phase_since INTEGER NOT NULL,
  state TEXT NOT NULL, -- JSON
  decision TEXT, -- JSON
  stop_reason TEXT CHECK (stop_reason IN (
    'finished', 'finished-with-failures', 'person', 'money', 'limit', 'failing', 'stalled', 'no-task',
    'windows', 'clock', 'stopped', 'refused', 'broken')),
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
CREATE INDEX run_by_plan ON run (plan);

CREATE TRIGGER run_ends_once BEFORE UPDATE OF phase ON run WHEN OLD.phase = 'ended'
BEGIN
  SELECT RAISE (ABORT, 'an ended run stays ended');
END;

CREATE TABLE window (
  id TEXT PRIMARY KEY,
  run TEXT NOT NULL REFERENCES run (id),
  number INTEGER NOT NULL CHECK (number >= 1),
  state TEXT NOT NULL CHECK (state IN ('open', 'ended')),
  opened_at INTEGER NOT NULL,
  ended_at INTEGER,
  base TEXT NOT NULL,
  branch TEXT,
  note_hash TEXT,
  plan_text TEXT, -- JSON string
  tasks TEXT NOT NULL, -- JSON
  task_limit INTEGER NOT NULL,
  process TEXT, -- JSON
  log_path TEXT NOT NULL,
  result TEXT, -- JSON
  UNIQUE (run, number),
  CHECK ((state = 'ended') = (ended_at IS NOT NULL)),
  CHECK ((state = 'ended') = (result IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX window_open_once ON window (run) WHERE state = 'open';

CREATE TRIGGER window_ends_once BEFORE UPDATE OF state, result ON window WHEN OLD.state = 'ended'
BEGIN
  SELECT RAISE (ABORT, 'an ended window stays as it ended');
END;

CREATE TABLE task (
  plan INTEGER NOT NULL REFERENCES plan (id),
  key TEXT NOT NULL,
  wording TEXT NOT NULL, -- JSON: what the plan says of it
  ticked INTEGER NOT NULL CHECK (ticked IN (0, 1)),
  position INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'done', 'failed', 'blocked')),
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  done_by TEXT CHECK (done_by IN ('verified', 'claimed', 'person')),
  reason TEXT NOT NULL DEFAULT '',
  last_evidence TEXT NOT NULL DEFAULT '',
  removed_at INTEGER, -- no longer in the plan: kept, and taken up again where it comes back
  PRIMARY KEY (plan, key),
  CHECK ((state = 'done') = (done_by IS NOT NULL)),
  CHECK ((state IN ('failed', 'blocked')) = (reason <> ''))
) STRICT;

-- The same moves as taskMoves in src/core/task.ts; a test compares the two.
CREATE TRIGGER task_moves_legally BEFORE UPDATE OF state ON task
WHEN OLD.state <> NEW.state AND NOT (
  (OLD.state = 'pending' AND NEW.state IN ('done', 'failed', 'blocked'))
  OR (OLD.state = 'done' AND NEW.state = 'pending')
  OR (OLD.state = 'failed' AND NEW.state IN ('pending', 'done'))
  OR (OLD.state = 'blocked' AND NEW.state IN ('pending', 'done', 'failed'))
)
BEGIN
  SELECT RAISE (ABORT, 'no such move of a task');
END;

CREATE TABLE task_move (
  id INTEGER PRIMARY KEY,
  plan INTEGER NOT NULL,
  task TEXT NOT NULL,
  run TEXT NOT NULL REFERENCES run (id),
  window TEXT REFERENCES window (id),
  move TEXT NOT NULL CHECK (move IN ('close', 'fail', 'block', 'unblock', 'reopen', 'retry')),
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  why TEXT NOT NULL,
  by TEXT NOT NULL,
  at INTEGER NOT NULL,
  FOREIGN KEY (plan, task) REFERENCES task (plan, key)
) STRICT;
CREATE INDEX task_move_by_task ON task_move (plan, task);
CREATE INDEX task_move_by_window ON task_move (window);

CREATE TABLE claim (
  id INTEGER PRIMARY KEY,
  run TEXT NOT NULL REFERENCES run (id),
  window TEXT NOT NULL REFERENCES window (id),
  plan INTEGER NOT NULL,
  task TEXT NOT NULL,
  refused INTEGER NOT NULL CHECK (refused IN (0, 1)),
  at INTEGER NOT NULL,
  FOREIGN KEY (plan, task) REFERENCES task (plan, key)
) STRICT;
CREATE INDEX claim_by_window ON claim (window);
CREATE INDEX claim_by_run ON claim (run);

CREATE TABLE evidence (
  id INTEGER PRIMARY KEY,
  claim INTEGER NOT NULL REFERENCES claim (id),
  criterion TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('holds', 'fails', 'cannot-tell')),
  detail TEXT NOT NULL,
  duration_ms INTEGER NOT NULL,
  head TEXT NOT NULL
) STRICT;
CREATE INDEX evidence_by_claim ON evidence (claim);

CREATE TABLE question (
  number INTEGER PRIMARY KEY,
  run TEXT NOT NULL REFERENCES run (id),
  window TEXT REFERENCES window (id),
  source TEXT NOT NULL,
  text TEXT NOT NULL,
  context TEXT NOT NULL,
  options TEXT NOT NULL, -- JSON
  default_answer TEXT,
  deadline_at INTEGER,
  task TEXT,
  state TEXT NOT NULL CHECK (state IN ('open', 'answered')),
  asked_at INTEGER NOT NULL,
  answer TEXT,
  answered_by TEXT,
  answered_at INTEGER,
  CHECK ((state = 'answered') = (answer IS NOT NULL)),
  CHECK ((state = 'answered') = (answered_by IS NOT NULL)),
  CHECK ((state = 'answered') = (answered_at IS NOT NULL))
) STRICT;
CREATE INDEX question_by_run ON question (run);
CREATE UNIQUE INDEX question_open_once ON question (run, text, ifnull(task, '')) WHERE state = 'open';

CREATE TRIGGER question_first_answer_wins BEFORE UPDATE ON question WHEN OLD.state = 'answered'
BEGIN
  SELECT RAISE (ABORT, 'an answered question keeps its answer');
END;

-- Numbers that are drawn in the transaction that uses them, and never a second time.
CREATE TABLE counter (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;
INSERT INTO counter VALUES ('question', 0);

-- The log. AUTOINCREMENT: an id is never given twice, not even after its row was pruned.
CREATE TABLE event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  run TEXT NOT NULL REFERENCES run (id),
  window TEXT REFERENCES window (id),
  kind TEXT NOT NULL,
  data TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX event_by_run ON event (run);
CREATE INDEX event_by_kind ON event (run, kind);

CREATE TRIGGER event_is_not_changed BEFORE UPDATE ON event
BEGIN
  SELECT RAISE (ABORT, 'events are only added');
END;

-- 0 but for the moment in which old events are removed.
CREATE TABLE retention (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  before INTEGER NOT NULL
) STRICT;
INSERT INTO retention VALUES (1, 0);

CREATE TRIGGER event_is_kept BEFORE DELETE ON event
WHEN OLD.at >= (SELECT before FROM retention) OR (SELECT ended_at FROM run WHERE id = OLD.run) IS NULL
BEGIN
  SELECT RAISE (ABORT, 'only old events of ended runs are removed, by the retention');
END;
