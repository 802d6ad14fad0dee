-- A round of a job: how often a person has had its models asked anew. What was paid is served again within its round only, and is never paid twice within one.
ALTER TABLE job ADD COLUMN round INTEGER NOT NULL DEFAULT 0 CHECK (round >= 0);
ALTER TABLE attempt ADD COLUMN round INTEGER NOT NULL DEFAULT 0 CHECK (round >= 0);
ALTER TABLE call ADD COLUMN round INTEGER NOT NULL DEFAULT 0 CHECK (round = 0 OR (round > 0 AND owner = 'job'));

CREATE TRIGGER job_round_is_a_persons_word BEFORE UPDATE OF round ON job
WHEN NEW.round <> OLD.round AND NOT (NEW.round = OLD.round + 1 AND OLD.state = 'failed' AND NEW.state = 'pending')
BEGIN
  SELECT RAISE (ABORT, 'a round begins when a failed job is tried again, and never otherwise');
END;

DROP TRIGGER call_intent_stays;
CREATE TRIGGER call_intent_stays
BEFORE UPDATE OF number, id, source, owner, parent, key, seq, try, task, attempt, fence, hash, request, tariff, scopes, upper, sent_at, round ON call
BEGIN
  SELECT RAISE (ABORT, 'what was asked for is not changed afterwards');
END;
