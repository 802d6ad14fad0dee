-- What spoke against a claim, and the commit at which one was accepted: what a later claim changed is counted from there.

ALTER TABLE claim ADD COLUMN head TEXT; -- null where it was not accepted, and in rows of older versions
ALTER TABLE claim ADD COLUMN findings TEXT; -- JSON; null = none
