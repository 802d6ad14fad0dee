-- What the last attempt of a job that failed left behind, for whoever asks why: one row a job, bounded, replaced by the next failure.
CREATE TABLE job_failure (
  job INTEGER PRIMARY KEY REFERENCES job (number),
  fence INTEGER NOT NULL CHECK (fence >= 1),
  answer TEXT, -- the beginning of what it gave as its answer
  answer_bytes INTEGER NOT NULL CHECK (answer_bytes >= 0), -- of the whole
  stderr TEXT NOT NULL -- its end
) STRICT;
