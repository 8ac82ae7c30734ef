CREATE TABLE settings (
  key   TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE roots (
  id       INTEGER PRIMARY KEY,
  path     TEXT NOT NULL UNIQUE,
  owner    TEXT NOT NULL DEFAULT '[]',   -- JSON list of the owner's names there
  zone     TEXT NOT NULL DEFAULT '',     -- declared IANA zone of wall readings
  added_at INTEGER NOT NULL
) STRICT;
CREATE TABLE imports (
  id          INTEGER PRIMARY KEY,
  started_at  INTEGER NOT NULL,
  finished_at INTEGER,
  status      TEXT NOT NULL,             -- running, done, partial, failed, interrupted
  pid         INTEGER NOT NULL,
  version     TEXT NOT NULL,
  scanned     INTEGER NOT NULL DEFAULT 0,
  read        INTEGER NOT NULL DEFAULT 0,
  added       INTEGER NOT NULL DEFAULT 0,
  changed     INTEGER NOT NULL DEFAULT 0,
  missing     INTEGER NOT NULL DEFAULT 0,
  restored    INTEGER NOT NULL DEFAULT 0,
  skipped     INTEGER NOT NULL DEFAULT 0,
  errors      INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE import_problems (
  id        INTEGER PRIMARY KEY,
  import_id INTEGER NOT NULL REFERENCES imports(id),
  severity  TEXT NOT NULL,               -- note, skipped, error
  path      TEXT NOT NULL,
  line      INTEGER NOT NULL DEFAULT 0,
  offset    INTEGER NOT NULL DEFAULT 0,
  pointer   TEXT NOT NULL DEFAULT '',
  reason    TEXT NOT NULL,
  excerpt   TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX import_problems_import ON import_problems(import_id);
CREATE TABLE files (
  id        INTEGER PRIMARY KEY,
  root_id   INTEGER NOT NULL REFERENCES roots(id),
  path      TEXT NOT NULL,
  member    TEXT NOT NULL DEFAULT '',
  folder    TEXT NOT NULL DEFAULT '',    -- what attachment paths are relative to, inside the root
  source    TEXT NOT NULL,
  format    TEXT NOT NULL,
  size      INTEGER NOT NULL,
  mtime     INTEGER NOT NULL,            -- unix nanoseconds
  sha256    BLOB,
  import_id INTEGER REFERENCES imports(id), -- the import that last read it whole
  UNIQUE (path, member)
) STRICT;
CREATE INDEX files_root ON files(root_id);
CREATE TABLE people (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL
) STRICT;
CREATE TABLE handles (
  id        INTEGER PRIMARY KEY,
  source    TEXT NOT NULL,
  native    TEXT NOT NULL,
  normal    TEXT NOT NULL,               -- comparable form; equal strong forms are one person
  kind      INTEGER NOT NULL,
  name      TEXT NOT NULL,
  owner     INTEGER NOT NULL DEFAULT 0,
  person_id INTEGER NOT NULL REFERENCES people(id), messages INTEGER NOT NULL DEFAULT 0, first_month INTEGER NOT NULL DEFAULT 0, last_month INTEGER NOT NULL DEFAULT 0,
  UNIQUE (source, native)
) STRICT;
CREATE INDEX handles_normal ON handles(normal);
CREATE INDEX handles_person ON handles(person_id);
CREATE TABLE conversations (
  id       INTEGER PRIMARY KEY,
  source   TEXT NOT NULL,
  key      TEXT NOT NULL,
  name     TEXT NOT NULL,
  kind     INTEGER NOT NULL,
  messages INTEGER NOT NULL DEFAULT 0,   -- without missing ones
  first_ts INTEGER NOT NULL DEFAULT 0,
  last_ts  INTEGER NOT NULL DEFAULT 0, block_first INTEGER NOT NULL DEFAULT 0, block_last INTEGER NOT NULL DEFAULT 0,
  UNIQUE (source, key)
) STRICT;
CREATE TABLE participants (
  conversation_id INTEGER NOT NULL REFERENCES conversations(id),
  handle_id       INTEGER NOT NULL REFERENCES handles(id),
  PRIMARY KEY (conversation_id, handle_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX participants_handle ON participants(handle_id);
CREATE TABLE file_conversations (
  file_id         INTEGER NOT NULL REFERENCES files(id),
  conversation_id INTEGER NOT NULL REFERENCES conversations(id),
  messages        INTEGER NOT NULL,
  PRIMARY KEY (file_id, conversation_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_conversations_conversation ON file_conversations(conversation_id);
CREATE TABLE file_blocks (
  file_id         INTEGER NOT NULL REFERENCES files(id),
  conversation_id INTEGER NOT NULL REFERENCES conversations(id),
  block           INTEGER NOT NULL,
  digest          INTEGER NOT NULL,
  PRIMARY KEY (file_id, conversation_id, block)
) STRICT, WITHOUT ROWID;
CREATE TABLE messages (
  id              INTEGER PRIMARY KEY,   -- given once, never renumbered, never given again
  hash            BLOB NOT NULL,
  conversation_id INTEGER NOT NULL REFERENCES conversations(id),
  sender_id       INTEGER,
  direction       INTEGER NOT NULL,
  ts              INTEGER NOT NULL,      -- unix microseconds, the order
  traits          INTEGER NOT NULL,      -- kind, basis, precision and what else fits in bits: traits.go
  body            TEXT NOT NULL,
  file_id         INTEGER NOT NULL,
  import_id       INTEGER NOT NULL,      -- the import that brought it
  line            INTEGER NOT NULL,
  offset          INTEGER NOT NULL,      -- 0 when the line says it
  digest          INTEGER NOT NULL,      -- of everything a re-import may change
  missing_since   INTEGER REFERENCES imports(id)
) STRICT;
CREATE INDEX messages_hash ON messages(substr(hash, 1, 5));
CREATE INDEX messages_conversation ON messages(conversation_id, ts);
CREATE INDEX messages_missing ON messages(conversation_id) WHERE missing_since IS NOT NULL;
CREATE TABLE specifics (
  message_id  INTEGER PRIMARY KEY REFERENCES messages(id),
  raw_time    TEXT,                      -- NULL when it is the plain rendering of ts
  zone_offset INTEGER,                   -- seconds added to ts to read the wall clock, when a zone was declared
  native_id   TEXT,
  pointer     TEXT,                      -- JSON pointer
  suspect     TEXT
) STRICT;
CREATE TABLE message_files (
  message_id INTEGER NOT NULL REFERENCES messages(id),
  file_id    INTEGER NOT NULL REFERENCES files(id),
  line       INTEGER NOT NULL,
  offset     INTEGER NOT NULL,
  pointer    TEXT,
  PRIMARY KEY (message_id, file_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_files_file ON message_files(file_id);
CREATE TABLE replies (
  message_id  INTEGER PRIMARY KEY REFERENCES messages(id),
  target_hash BLOB,
  quote       TEXT
) STRICT;
CREATE TABLE reactions (
  message_id INTEGER NOT NULL REFERENCES messages(id),
  seq        INTEGER NOT NULL,
  sender_id  INTEGER REFERENCES handles(id),
  from_me    INTEGER NOT NULL,
  emoji      TEXT NOT NULL,
  count      INTEGER NOT NULL,
  ts         INTEGER,
  PRIMARY KEY (message_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE edits (
  message_id INTEGER NOT NULL REFERENCES messages(id),
  seq        INTEGER NOT NULL,           -- 0 is the oldest version
  body       TEXT NOT NULL,
  ts         INTEGER,
  PRIMARY KEY (message_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE details (
  message_id INTEGER NOT NULL REFERENCES messages(id),
  seq        INTEGER NOT NULL,
  name       TEXT NOT NULL,
  value      TEXT NOT NULL,
  PRIMARY KEY (message_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE attachments (
  id              INTEGER PRIMARY KEY,
  message_id      INTEGER NOT NULL REFERENCES messages(id),
  conversation_id INTEGER NOT NULL,
  sender_id       INTEGER,
  direction       INTEGER NOT NULL,
  ts              INTEGER NOT NULL,
  hidden          INTEGER NOT NULL,      -- its message is missing
  kind            INTEGER NOT NULL,
  name            TEXT NOT NULL,
  path            TEXT NOT NULL,         -- inside the file's root, empty when not held
  mime            TEXT NOT NULL,
  size            INTEGER NOT NULL,      -- bytes, 0 when unknown
  absent          TEXT NOT NULL,         -- why path is empty
  sticker         INTEGER NOT NULL
) STRICT;
CREATE INDEX attachments_message ON attachments(message_id);
CREATE INDEX attachments_time ON attachments(hidden, ts);
CREATE INDEX attachments_kind ON attachments(hidden, kind, ts);
CREATE INDEX attachments_conversation ON attachments(conversation_id, hidden, ts);
CREATE TABLE urls (
  id           INTEGER PRIMARY KEY,
  url          TEXT NOT NULL UNIQUE,
  domain       TEXT NOT NULL,            -- registrable domain, or the host where there is none
  messages     INTEGER NOT NULL,         -- without missing ones
  last_ts      INTEGER NOT NULL,
  last_message INTEGER NOT NULL
) STRICT;
CREATE INDEX urls_recent ON urls(last_ts) WHERE messages > 0;
CREATE INDEX urls_domain ON urls(domain, last_ts) WHERE messages > 0;
CREATE TABLE links (
  message_id      INTEGER NOT NULL REFERENCES messages(id),
  url_id          INTEGER NOT NULL REFERENCES urls(id),
  conversation_id INTEGER NOT NULL,
  sender_id       INTEGER,
  direction       INTEGER NOT NULL,
  ts              INTEGER NOT NULL,
  hidden          INTEGER NOT NULL,
  PRIMARY KEY (message_id, url_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_url ON links(url_id, hidden, ts, message_id);
CREATE INDEX links_conversation ON links(conversation_id, hidden, ts, url_id, message_id);
CREATE INDEX links_time ON links(hidden, ts, url_id, message_id);
CREATE VIRTUAL TABLE fts USING fts5(words, content='', contentless_delete=1, tokenize='ascii');
CREATE TABLE terms (
  term TEXT NOT NULL PRIMARY KEY,
  docs INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE reindex (
  message_id INTEGER PRIMARY KEY
) STRICT;
CREATE TABLE revised_days (
  conversation_id INTEGER NOT NULL,
  day             INTEGER NOT NULL,
  revision        INTEGER NOT NULL,      -- ascending; the latest of the day
  PRIMARY KEY (conversation_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX revised_days_revision ON revised_days(revision);
CREATE TABLE person_log (
  id     INTEGER PRIMARY KEY,
  at     INTEGER NOT NULL,
  action TEXT NOT NULL,              -- merge, split, undo
  moves  TEXT NOT NULL,              -- JSON list of which handle went from which person to which
  reason TEXT NOT NULL,
  undoes INTEGER UNIQUE REFERENCES person_log(id)
) STRICT;
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
CREATE UNIQUE INDEX spam_findings_hash ON spam_findings(ruleset_id, thread_id, hash);
CREATE INDEX spam_findings_sender ON spam_findings(ruleset_id, sender_id, sort);
CREATE INDEX spam_findings_after ON spam_findings(ruleset_id, sender_id) WHERE after_optout = 1;
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
CREATE TABLE spam_generations (
  ruleset_id INTEGER NOT NULL REFERENCES spam_rulesets(id),
  env_id     INTEGER NOT NULL REFERENCES spam_envs(id),
  findings   INTEGER NOT NULL,
  PRIMARY KEY (ruleset_id, env_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE spam_state (
  conversation_id INTEGER PRIMARY KEY,
  hash            BLOB NOT NULL,
  ruleset_id      INTEGER NOT NULL REFERENCES spam_rulesets(id),
  env_id          INTEGER NOT NULL REFERENCES spam_envs(id),
  messages        INTEGER NOT NULL
) STRICT;
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
CREATE TABLE spam_intervals (
  sender_id INTEGER NOT NULL REFERENCES spam_senders(id),
  clock     INTEGER NOT NULL,
  from_sort INTEGER NOT NULL,
  to_sort   INTEGER NOT NULL,        -- 0 while in force
  PRIMARY KEY (sender_id, clock, from_sort, to_sort)
) STRICT, WITHOUT ROWID;
CREATE TABLE spam_categories (
  id          INTEGER PRIMARY KEY,
  hash        BLOB NOT NULL,
  category    TEXT NOT NULL,
  recorded_at INTEGER NOT NULL
) STRICT;
CREATE INDEX spam_categories_hash ON spam_categories(hash);
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
CREATE TABLE activity (
  conversation_id INTEGER NOT NULL,
  month           INTEGER NOT NULL,      -- UTC, 12 * year + month - 1
  sender_id       INTEGER NOT NULL,      -- handle; 0 is nobody, -1 the owner
  messages        INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, month, sender_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX attachments_sender ON attachments(sender_id, hidden, ts);
CREATE INDEX links_sender ON links(sender_id, hidden, ts, url_id, message_id);
CREATE TABLE month_totals (
  month    INTEGER NOT NULL,             -- as in activity
  source   TEXT NOT NULL,
  messages INTEGER NOT NULL,             -- without missing ones
  PRIMARY KEY (month, source)
) STRICT, WITHOUT ROWID;
CREATE INDEX conversations_size ON conversations(messages, first_ts, last_ts);
PRAGMA user_version = 6;
