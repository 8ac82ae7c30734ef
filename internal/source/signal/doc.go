// Package signal reads what signal-export writes for each Signal chat: the
// Markdown transcript (chat.md, formerly index.md) of every era of that
// program, and data.json, which holds one JSON object per line.
//
// A transcript is a sequence of
//
//	[2022-08-10 19:33:38] Aya: text␣␣
//
// with what belongs to a message around its text: a quoted message before it;
// reactions, sticker and attachments after it. Nothing in it is escaped, so a
// text can contain lines that look like a message of their own. The eras
// differ in how times are written and in what stands between two messages;
// the reader finds out per file (see layout) and uses the difference to tell
// a message from a line in a text. What remains in doubt is handed over as a
// message with Suspect set and is never the owner's.
package signal
