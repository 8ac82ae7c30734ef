-- The longest row of ids that messages of a conversation got one after the
-- other, both 0 when none is long. What somebody looks for in a conversation
-- is looked for between them, instead of everywhere and then picked out.
ALTER TABLE conversations ADD COLUMN block_first INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN block_last INTEGER NOT NULL DEFAULT 0;
UPDATE conversations SET block_first = b.first, block_last = b.last FROM (
  SELECT conversation_id, first, last, max(last - first) FROM (
    SELECT conversation_id, min(id) AS first, max(id) AS last FROM (
      SELECT conversation_id, id, id - row_number() OVER (PARTITION BY conversation_id ORDER BY id) AS row FROM messages)
    GROUP BY conversation_id, row HAVING count(*) >= 256)
  GROUP BY conversation_id) b
  WHERE conversations.id = b.conversation_id;
