-- Criteria that measure: what kind a row of evidence is of, the figures that were seen, and from which window on it counts where that is still to come.

ALTER TABLE evidence ADD COLUMN kind TEXT; -- null in rows of older versions
ALTER TABLE evidence ADD COLUMN figures TEXT; -- JSON
ALTER TABLE evidence ADD COLUMN counts_from INTEGER;

-- The commit that an answer is about: a yes counts for what was shown.
ALTER TABLE question ADD COLUMN about TEXT;
