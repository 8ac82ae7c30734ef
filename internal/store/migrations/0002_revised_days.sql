-- Days of conversations, UTC and counted from 1970-01-01, in which messages
-- changed or went after they had come. What is derived from whole days and
-- kept outside of this file is remade by this list.
CREATE TABLE revised_days (
  conversation_id INTEGER NOT NULL,
  day             INTEGER NOT NULL,
  revision        INTEGER NOT NULL,      -- ascending; the latest of the day
  PRIMARY KEY (conversation_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX revised_days_revision ON revised_days(revision);
