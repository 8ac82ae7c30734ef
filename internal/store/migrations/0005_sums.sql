-- Sums that pages show of the whole archive, kept up with activity.
CREATE TABLE month_totals (
  month    INTEGER NOT NULL,             -- as in activity
  source   TEXT NOT NULL,
  messages INTEGER NOT NULL,             -- without missing ones
  PRIMARY KEY (month, source)
) STRICT, WITHOUT ROWID;
INSERT INTO month_totals(month, source, messages)
  SELECT a.month, c.source, sum(a.messages) FROM activity a JOIN conversations c ON c.id = a.conversation_id GROUP BY 1, 2;

-- What a handle sent, the owner's own messages aside: how many messages, and
-- the months of the first and the last of them; all 0 when there is none.
ALTER TABLE handles ADD COLUMN messages INTEGER NOT NULL DEFAULT 0;
ALTER TABLE handles ADD COLUMN first_month INTEGER NOT NULL DEFAULT 0;
ALTER TABLE handles ADD COLUMN last_month INTEGER NOT NULL DEFAULT 0;
UPDATE handles SET messages = t.messages, first_month = t.first, last_month = t.last FROM (
  SELECT sender_id, sum(messages) AS messages, min(month) AS first, max(month) AS last FROM activity WHERE sender_id > 0 GROUP BY sender_id) t
  WHERE handles.id = t.sender_id;

-- The largest conversations of a time. By the time alone they are no longer
-- looked for.
CREATE INDEX conversations_size ON conversations(messages, first_ts, last_ts);
DROP INDEX conversations_recent;
