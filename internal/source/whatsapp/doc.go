// Package whatsapp reads what WhatsApp and its best known exporter leave on
// disk: the text of "Export chat" (ChatText) and the result.json of
// WhatsApp-Chat-Exporter (ChatExporter).
//
// # The text export
//
// One file is one chat. It has no ids, no reactions, no reply links, no zone
// and no word on whose phone it came from; even the order of day and month is
// left to the reader. All of that is settled once per file, in a first pass
// over it (survey), and a second pass hands the messages over. Both passes
// need memory that does not grow with the file.
//
// A line that has the shape of a header is a message, whoever wrote it: a
// person who pastes or types such a line into a message cannot be told from
// WhatsApp by the text alone. So:
//
//   - A file has one frame, that of its first header: brackets or a dash, with
//     or without seconds, a comma, a half of the day. A line in another frame
//     is text of the message before it, and a note counts such lines.
//   - A line in the file's frame that does not fit its place becomes a message
//     of its own with Suspect set, never one of the owner's: the time runs
//     against the lines around it, the date is written in another style, the
//     sender is a third person in a chat of two, or the line follows a line
//     break of the kind that only stands inside messages.
//   - A forged line with the right style, a known sender and a fitting time
//     stays undetected. Nothing in the file tells it apart.
//
// WhatsApp puts a left-to-right mark before text it made itself. That mark is
// preferred over wording, which is localised; where words are needed, the
// table in phrases.txt holds them for some thirty languages.
package whatsapp
