-- Calls to providers: written before they leave, closed once, never taken back. Money is whole micro-dollars.

CREATE TABLE call (
  number INTEGER PRIMARY KEY, -- never given twice: the newest row is never removed (an AUTOINCREMENT would cost a page in each commit)
  id TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('gateway', 'reported')),
  owner TEXT NOT NULL CHECK (owner IN ('window', 'job')),
  parent TEXT NOT NULL, -- the run of a window, the batch of a job
  key TEXT NOT NULL, -- window:<id>, or batch:job:version
  seq INTEGER NOT NULL CHECK (seq >= 1),
  try INTEGER NOT NULL CHECK (try >= 1),
  task TEXT,
  attempt INTEGER,
  fence INTEGER,
  hash TEXT NOT NULL,
  request TEXT NOT NULL, -- JSON, without the hash
  tariff INTEGER, -- no REFERENCES here: rows of tariff and spend are never removed, and a look at them costs each commit
  scopes TEXT NOT NULL, -- JSON: numbers of the sums it counts in
  upper INTEGER CHECK (upper >= 0),
  sent_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'done', 'cut', 'failed', 'unknown')),
  failure TEXT CHECK (failure IN (
    'unreachable', 'refused', 'limited', 'overloaded', 'server-error', 'lost',
    'cut-by-provider', 'cut-by-client', 'error-in-stream', 'unreadable', 'died')),
  late INTEGER NOT NULL DEFAULT 0 CHECK (late IN (0, 1)),
  subagent INTEGER CHECK (subagent IN (0, 1)),
  cost INTEGER CHECK (cost >= 0),
  held INTEGER NOT NULL CHECK (held >= 0), -- what it holds under caps now
  ended_at INTEGER,
  message TEXT, -- JSON string: the provider's id of the answer
  result TEXT, -- JSON: usage, status, times, the provider's id of the request
  UNIQUE (key, seq, try),
  -- So the calls of a run are found by the keys of its windows, those of a batch by what their keys begin with: no index for either.
  CHECK (CASE owner WHEN 'window' THEN key LIKE 'window:%' ELSE substr(key, 1, length(parent) + 1) = parent || ':' END),
  CHECK ((owner = 'job') = (attempt IS NOT NULL)),
  CHECK ((state = 'open') = (ended_at IS NULL)),
  CHECK ((state = 'open') = (result IS NULL)),
  CHECK (state <> 'open' OR (failure IS NULL AND cost IS NULL AND late = 0))
) STRICT;
-- Ids of our own intents are UUIDs that only their maker asks for, and it knows their numbers: an index of them would be one page more in each commit,
-- a tenth of what booking an intent costs. What is told twice from outside must be one row.
CREATE UNIQUE INDEX call_reported_once ON call (id) WHERE source = 'reported';
CREATE INDEX call_by_body ON call (key, hash) WHERE owner = 'job';

-- The same moves as callMoves in src/core/money/call.ts; a test compares the two.
CREATE TRIGGER call_moves_legally BEFORE UPDATE OF state, failure, late, cost, held, ended_at, message, result ON call
WHEN NOT (
  (OLD.state = 'open' AND NEW.state IN ('done', 'cut', 'failed', 'unknown'))
  OR (OLD.state = 'unknown' AND NEW.state IN ('done', 'cut', 'failed'))
)
BEGIN
  SELECT RAISE (ABORT, 'no such move of a call, and a closed one stays as it was closed');
END;

CREATE TRIGGER call_intent_stays
BEFORE UPDATE OF number, id, source, owner, parent, key, seq, try, task, attempt, fence, hash, request, tariff, scopes, upper, sent_at ON call
BEGIN
  SELECT RAISE (ABORT, 'what was asked for is not changed afterwards');
END;

-- Calls of jobs stay: their keys are what keeps an answer from being bought again.
CREATE TRIGGER call_is_kept BEFORE DELETE ON call
WHEN OLD.owner <> 'window' OR OLD.number = (SELECT max(number) FROM call)
  OR OLD.sent_at >= (SELECT before FROM retention) OR (SELECT ended_at FROM run WHERE id = OLD.parent) IS NULL
BEGIN
  SELECT RAISE (ABORT, 'only old calls of ended runs are removed, by the retention');
END;

-- The prices of calls, each list of them once.
CREATE TABLE tariff (
  number INTEGER PRIMARY KEY,
  price TEXT NOT NULL UNIQUE -- JSON: unit prices, the table they come from and its date
) STRICT;

CREATE TRIGGER tariff_is_not_changed BEFORE UPDATE ON tariff
BEGIN
  SELECT RAISE (ABORT, 'a later table changes no past sum');
END;

-- Recorded answers of jobs, as they came over the wire: a small body here, a large one in a file of the folder answers.
CREATE TABLE answer (
  call INTEGER PRIMARY KEY REFERENCES call (number),
  status INTEGER NOT NULL,
  headers TEXT NOT NULL, -- JSON
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  body BLOB,
  file TEXT,
  CHECK ((body IS NULL) <> (file IS NULL))
) STRICT;
CREATE UNIQUE INDEX answer_by_file ON answer (file) WHERE file IS NOT NULL;

-- Sums, changed in the transaction of the row they follow from. A rowid of its own keeps the sums of the present together on few pages.
CREATE TABLE spend (
  number INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('job', 'window', 'task', 'run', 'batch', 'day', 'month')),
  id TEXT NOT NULL,
  spent INTEGER NOT NULL CHECK (spent >= 0),
  held INTEGER NOT NULL CHECK (held >= 0),
  calls INTEGER NOT NULL CHECK (calls >= 0),
  unknown INTEGER NOT NULL CHECK (unknown >= 0),
  UNIQUE (kind, id)
) STRICT;

CREATE TRIGGER spend_never_falls BEFORE UPDATE OF spent, kind, id ON spend
WHEN NEW.spent < OLD.spent OR NEW.kind <> OLD.kind OR NEW.id <> OLD.id
BEGIN
  SELECT RAISE (ABORT, 'what was spent stays spent');
END;

CREATE TRIGGER spend_is_kept BEFORE DELETE ON spend
BEGIN
  SELECT RAISE (ABORT, 'sums are kept');
END;
