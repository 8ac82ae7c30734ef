-- What people decided about who is who. The handles themselves say what holds;
-- this is how it came about, so that every step can be undone.
CREATE TABLE person_log (
  id     INTEGER PRIMARY KEY,
  at     INTEGER NOT NULL,
  action TEXT NOT NULL,              -- merge, split, undo
  moves  TEXT NOT NULL,              -- JSON list of which handle went from which person to which
  reason TEXT NOT NULL,
  undoes INTEGER UNIQUE REFERENCES person_log(id)
) STRICT;

-- The record of unsolicited contact. Findings refer to messages by their hash
-- and to nothing of the archive that an import may take away.

-- One scan each.
CREATE TABLE spam_runs (
  id           INTEGER PRIMARY KEY,
  started_at   INTEGER NOT NULL,
  heartbeat_at INTEGER NOT NULL,
  finished_at  INTEGER,
  pid          INTEGER NOT NULL,
  version      TEXT NOT NULL,
  ruleset      TEXT NOT NULL,
  env          TEXT NOT NULL,
  reset        INTEGER NOT NULL,
  only_thread  INTEGER NOT NULL,     -- the one conversation it was told to scan, 0 for all
  counters     TEXT NOT NULL,        -- JSON
  error        TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX spam_runs_open ON spam_runs(heartbeat_at) WHERE finished_at IS NULL;

-- Texts that findings and cursors repeat.
CREATE TABLE spam_rulesets (
  id      INTEGER PRIMARY KEY,
  version TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE spam_envs (
  id  INTEGER PRIMARY KEY,
  env TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE spam_threads (
  id              INTEGER PRIMARY KEY,
  conversation_id INTEGER NOT NULL,
  source          TEXT NOT NULL,
  key             TEXT NOT NULL,
  UNIQUE (source, key)
) STRICT;
CREATE TABLE spam_lines (
  id      INTEGER PRIMARY KEY,
  owner   TEXT NOT NULL,             -- number or address of the owner, as the source records it
  service TEXT NOT NULL,
  UNIQUE (owner, service)
) STRICT;

-- Ids of senders are given once: a reset takes senders away, and those that
-- are found again get back the ids that people may have noted.
CREATE TABLE spam_sender_ids (
  id  INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE spam_senders (
  id               INTEGER PRIMARY KEY REFERENCES spam_sender_ids(id),
  key              TEXT NOT NULL UNIQUE,
  kind             TEXT NOT NULL,
  identifier       TEXT NOT NULL,
  name             TEXT NOT NULL,
  first_sort       INTEGER NOT NULL DEFAULT 0,
  first_time       TEXT NOT NULL DEFAULT '',  -- JSON; empty before any message
  last_sort        INTEGER NOT NULL DEFAULT 0,
  last_time        TEXT NOT NULL DEFAULT '',
  -- Below: a person's. A scan raises the status from seen to watch while no
  -- person gave one, and writes nothing else.
  status           TEXT NOT NULL DEFAULT 'seen',
  status_by_person INTEGER NOT NULL DEFAULT 0,
  enrolled         INTEGER NOT NULL DEFAULT 0,
  suspected_entity TEXT NOT NULL DEFAULT '',
  consent_status   TEXT NOT NULL DEFAULT 'no_consent_on_record',
  consent_notes    TEXT NOT NULL DEFAULT '',
  notes            TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX spam_senders_status ON spam_senders(status);

-- What people said of senders, in the order they said it.
CREATE TABLE spam_judgments (
  id          INTEGER PRIMARY KEY,
  sender_id   INTEGER NOT NULL REFERENCES spam_senders(id),
  field       TEXT NOT NULL,
  old         TEXT NOT NULL,
  new         TEXT NOT NULL,
  recorded_at INTEGER NOT NULL
) STRICT;
CREATE INDEX spam_judgments_sender ON spam_judgments(sender_id);

CREATE TABLE spam_findings (
  id           INTEGER PRIMARY KEY,
  hash         BLOB NOT NULL,
  ruleset_id   INTEGER NOT NULL REFERENCES spam_rulesets(id),
  env_id       INTEGER NOT NULL REFERENCES spam_envs(id),
  run_id       INTEGER NOT NULL REFERENCES spam_runs(id),
  sender_id    INTEGER NOT NULL REFERENCES spam_senders(id),
  thread_id    INTEGER NOT NULL REFERENCES spam_threads(id),
  line_id      INTEGER REFERENCES spam_lines(id),
  direction    INTEGER NOT NULL,
  clock        INTEGER NOT NULL,
  sort         INTEGER NOT NULL,
  micros       INTEGER NOT NULL,
  raw_time     TEXT,                 -- NULL when it is the plain rendering of micros
  traits       INTEGER NOT NULL,     -- spam_traits.go
  body_sha256  BLOB NOT NULL,
  body_bytes   INTEGER NOT NULL,
  text_key     BLOB,
  marks        TEXT,                 -- JSON: what only some messages have
  after_optout INTEGER NOT NULL DEFAULT 0
) STRICT;
-- A hash belongs to one thread for good. Led by the thread, what one batch
-- writes lies on few pages.
CREATE UNIQUE INDEX spam_findings_hash ON spam_findings(ruleset_id, thread_id, hash);
CREATE INDEX spam_findings_sender ON spam_findings(ruleset_id, sender_id, sort);
CREATE INDEX spam_findings_after ON spam_findings(ruleset_id, sender_id) WHERE after_optout = 1;

-- Figures of senders, kept up with the findings so that lists need not count
-- them.
CREATE TABLE spam_figures (
  ruleset_id   INTEGER NOT NULL REFERENCES spam_rulesets(id),
  sender_id    INTEGER NOT NULL REFERENCES spam_senders(id),
  inbound      INTEGER NOT NULL,
  outbound     INTEGER NOT NULL,
  candidates   INTEGER NOT NULL,
  after_optout INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (ruleset_id, sender_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE spam_reasons (
  ruleset_id INTEGER NOT NULL REFERENCES spam_rulesets(id),
  sender_id  INTEGER NOT NULL REFERENCES spam_senders(id),
  reason     TEXT NOT NULL,          -- up to its colon
  findings   INTEGER NOT NULL,
  PRIMARY KEY (ruleset_id, sender_id, reason)
) STRICT, WITHOUT ROWID;
CREATE TABLE spam_sources (
  ruleset_id INTEGER NOT NULL REFERENCES spam_rulesets(id),
  sender_id  INTEGER NOT NULL REFERENCES spam_senders(id),
  source     TEXT NOT NULL,
  findings   INTEGER NOT NULL,
  PRIMARY KEY (ruleset_id, sender_id, source)
) STRICT, WITHOUT ROWID;
-- How many findings of a generation were made under which environment.
CREATE TABLE spam_generations (
  ruleset_id INTEGER NOT NULL REFERENCES spam_rulesets(id),
  env_id     INTEGER NOT NULL REFERENCES spam_envs(id),
  findings   INTEGER NOT NULL,
  PRIMARY KEY (ruleset_id, env_id)
) STRICT, WITHOUT ROWID;

-- How far each conversation has been examined.
CREATE TABLE spam_state (
  conversation_id INTEGER PRIMARY KEY,
  hash            BLOB NOT NULL,
  ruleset_id      INTEGER NOT NULL REFERENCES spam_rulesets(id),
  env_id          INTEGER NOT NULL REFERENCES spam_envs(id),
  messages        INTEGER NOT NULL
) STRICT;

-- Appended only; a correction supersedes.
CREATE TABLE spam_events (
  id          INTEGER PRIMARY KEY,
  sender_id   INTEGER NOT NULL REFERENCES spam_senders(id),
  type        TEXT NOT NULL,
  time        TEXT NOT NULL,         -- JSON
  sort        INTEGER NOT NULL,
  clock       INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  origin      TEXT NOT NULL,         -- scan, manual
  tier        TEXT NOT NULL,
  hash        TEXT NOT NULL,
  text        TEXT NOT NULL,
  details     TEXT NOT NULL,
  evidence    TEXT NOT NULL,
  supersedes  INTEGER NOT NULL,      -- the event that this one corrects, or 0
  UNIQUE (sender_id, type, time, origin, hash, details, evidence, supersedes)
) STRICT;
CREATE INDEX spam_events_supersedes ON spam_events(supersedes) WHERE supersedes <> 0;

-- Stretches in which an opt-out was in force.
CREATE TABLE spam_intervals (
  sender_id INTEGER NOT NULL REFERENCES spam_senders(id),
  clock     INTEGER NOT NULL,
  from_sort INTEGER NOT NULL,
  to_sort   INTEGER NOT NULL,        -- 0 while in force
  PRIMARY KEY (sender_id, clock, from_sort, to_sort)
) STRICT, WITHOUT ROWID;

-- People's words on the categories of messages.
CREATE TABLE spam_categories (
  id          INTEGER PRIMARY KEY,
  hash        BLOB NOT NULL,
  category    TEXT NOT NULL,
  recorded_at INTEGER NOT NULL
) STRICT;
CREATE INDEX spam_categories_hash ON spam_categories(hash);

-- Names under which people group senders.
CREATE TABLE spam_entities (
  id          INTEGER PRIMARY KEY,
  name        TEXT NOT NULL,
  notes       TEXT NOT NULL,
  recorded_at INTEGER NOT NULL
) STRICT;
CREATE TABLE spam_members (
  id          INTEGER PRIMARY KEY,
  entity_id   INTEGER NOT NULL REFERENCES spam_entities(id),
  sender_id   INTEGER NOT NULL REFERENCES spam_senders(id),
  basis       TEXT NOT NULL,
  evidence    TEXT NOT NULL,
  added_at    INTEGER NOT NULL,
  removed_at  INTEGER,
  removed_why TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE UNIQUE INDEX spam_members_current ON spam_members(sender_id) WHERE removed_at IS NULL;
CREATE INDEX spam_members_entity ON spam_members(entity_id);
