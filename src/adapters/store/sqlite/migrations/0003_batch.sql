-- Batches and their jobs. Times are milliseconds since 1970, or since the machine's boot where the name says so.

CREATE TABLE batch (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  version TEXT NOT NULL,
  settings TEXT NOT NULL, -- JSON
  most_attempts INTEGER NOT NULL CHECK (most_attempts >= 1),
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paused', 'closed', 'archived')),
  reason TEXT NOT NULL DEFAULT '',
  request TEXT NOT NULL DEFAULT 'none' CHECK (request IN ('none', 'stop', 'stop-now')),
  added_at INTEGER NOT NULL,
  closed_at INTEGER,
  archived_to TEXT,
  -- How many jobs it has, and between which numbers they lie: no index for either. Jobs after the last are still being added, and are not there yet.
  jobs INTEGER NOT NULL DEFAULT 0 CHECK (jobs >= 0),
  first_job INTEGER NOT NULL DEFAULT 0,
  last_job INTEGER NOT NULL DEFAULT 0,
  adding TEXT, -- who is at it
  is_new INTEGER NOT NULL DEFAULT 0 CHECK (is_new IN (0, 1)), -- its first list is still being added: it is not there yet
  CHECK ((state IN ('closed', 'archived')) = (closed_at IS NOT NULL)),
  CHECK (state <> 'archived' OR archived_to IS NOT NULL)
) STRICT;

-- Small rows, many on a page: what a job is about lies in job_payload, what came of it in job_answer. The running attempt is here, ended ones are in attempt.
CREATE TABLE job (
  number INTEGER PRIMARY KEY, -- rises in the order of the list
  batch INTEGER NOT NULL REFERENCES batch (number),
  id TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'running', 'done', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0), -- those that count, since it was added or retried
  fence INTEGER NOT NULL DEFAULT 0 CHECK (fence >= 0),
  reason TEXT NOT NULL DEFAULT '',
  not_before INTEGER NOT NULL DEFAULT 0 CHECK (not_before >= 0),
  given_back_at INTEGER, -- since when it waits for not_before: a clock that went back behind this lets it go
  added_at INTEGER NOT NULL,
  ended_at INTEGER,
  slot TEXT,
  started_at INTEGER,
  until_wall INTEGER,
  until_boot REAL,
  boot_id TEXT,
  UNIQUE (batch, id),
  CHECK ((state = 'running') = (slot IS NOT NULL)),
  CHECK ((state = 'running') = (started_at IS NOT NULL)),
  CHECK ((state = 'running') = (until_wall IS NOT NULL)),
  CHECK ((state = 'running') = (until_boot IS NOT NULL)),
  CHECK ((state = 'running') = (boot_id IS NOT NULL)),
  CHECK ((state IN ('done', 'failed')) = (ended_at IS NOT NULL)),
  CHECK (state <> 'failed' OR reason <> ''),
  CHECK (state NOT IN ('running', 'done') OR (attempts >= 1 AND fence >= 1))
) STRICT;
-- The next to be claimed is the first entry of (batch, 0): as near with a million pending as with one.
CREATE INDEX job_pending ON job (batch, not_before) WHERE state = 'pending';
CREATE INDEX job_running ON job (batch) WHERE state = 'running';
CREATE INDEX job_failed ON job (batch) WHERE state = 'failed';

-- The same moves as jobMoves in src/core/batch/job.ts; a test compares the two.
CREATE TRIGGER job_moves_legally BEFORE UPDATE OF state ON job
WHEN OLD.state <> NEW.state AND NOT (
  (OLD.state = 'pending' AND NEW.state = 'running')
  OR (OLD.state = 'running' AND NEW.state IN ('done', 'pending', 'failed'))
  OR (OLD.state = 'failed' AND NEW.state = 'pending')
)
BEGIN
  SELECT RAISE (ABORT, 'no such move of a job');
END;

CREATE TRIGGER job_claim_is_fenced BEFORE UPDATE OF state, fence ON job
WHEN NEW.fence <> OLD.fence + (OLD.state = 'pending' AND NEW.state = 'running')
BEGIN
  SELECT RAISE (ABORT, 'a fencing number rises by one with each claim, and with nothing else');
END;

CREATE TRIGGER job_stays_itself BEFORE UPDATE OF number, batch, id, added_at ON job
BEGIN
  SELECT RAISE (ABORT, 'a job stays what it was added as');
END;

CREATE TRIGGER job_is_kept BEFORE DELETE ON job
WHEN (SELECT state <> 'archived' AND OLD.number <= last_job FROM batch WHERE number = OLD.batch)
BEGIN
  SELECT RAISE (ABORT, 'only jobs of an archived batch are removed, and those that were never there as a whole');
END;

CREATE TABLE job_payload (
  job INTEGER PRIMARY KEY REFERENCES job (number),
  body BLOB NOT NULL -- JSON, in UTF-8
) STRICT;

CREATE TRIGGER job_payload_is_not_changed BEFORE UPDATE ON job_payload
BEGIN
  SELECT RAISE (ABORT, 'the same id is the same job');
END;

-- Attempts that ended, one row a claim.
CREATE TABLE attempt (
  batch INTEGER NOT NULL,
  job INTEGER NOT NULL,
  fence INTEGER NOT NULL CHECK (fence >= 1),
  attempt INTEGER NOT NULL CHECK (attempt >= 1),
  slot TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  end TEXT NOT NULL CHECK (end IN ('done', 'failed', 'released', 'returned')),
  reason TEXT NOT NULL,
  PRIMARY KEY (batch, job, fence)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER attempt_is_not_changed BEFORE UPDATE ON attempt
BEGIN
  SELECT RAISE (ABORT, 'an attempt stays as it ended');
END;

-- The answer of a job: a small one here, a large one in a file of the folder answers.
CREATE TABLE job_answer (
  job INTEGER PRIMARY KEY REFERENCES job (number),
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  body BLOB,
  file TEXT,
  CHECK ((body IS NULL) <> (file IS NULL))
) STRICT;
CREATE UNIQUE INDEX job_answer_by_file ON job_answer (file) WHERE file IS NOT NULL;

CREATE TRIGGER job_answer_is_not_changed BEFORE UPDATE ON job_answer
BEGIN
  SELECT RAISE (ABORT, 'the first answer stays');
END;
