-- How many messages, missing ones aside, a sender sent in a month of a
-- conversation: what pages say of the whole archive is summed up from here.
CREATE TABLE activity (
  conversation_id INTEGER NOT NULL,
  month           INTEGER NOT NULL,      -- UTC, 12 * year + month - 1
  sender_id       INTEGER NOT NULL,      -- handle; 0 is nobody, -1 the owner
  messages        INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, month, sender_id)
) STRICT, WITHOUT ROWID;
INSERT INTO activity(conversation_id, month, sender_id, messages)
  SELECT conversation_id, 12 * strftime('%Y', second, 'unixepoch') + strftime('%m', second, 'unixepoch') - 1, sender, count(*) FROM (
    -- the years 1 to 9999; division rounds towards zero
    SELECT conversation_id, (min(max(ts, -62135596800000000), 253402300799999999) + 62135596800000000) / 1000000 - 62135596800 AS second,
      iif(direction = 2, -1, coalesce(sender_id, 0)) AS sender
    FROM messages WHERE missing_since IS NULL)
  GROUP BY 1, 2, 3;
-- What one person sent.
CREATE INDEX attachments_sender ON attachments(sender_id, hidden, ts);
CREATE INDEX links_sender ON links(sender_id, hidden, ts, url_id, message_id);
