-- Until when the slots of a seat begin nothing, and why: told by its supervisor for whoever looks. It decides nothing.
CREATE TABLE batch_wait (
  batch INTEGER NOT NULL REFERENCES batch (number),
  seat TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('provider', 'fault', 'money')),
  until INTEGER NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (batch, seat)
) STRICT, WITHOUT ROWID;
