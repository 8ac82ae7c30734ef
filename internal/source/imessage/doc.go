// Package imessage reads the text files that imessage-exporter writes from
// the Messages app of macOS and iOS, versions 1 to 4.
//
// A file is one conversation. A record is a date line, a sender line, the
// text and one empty line:
//
//	May 17, 2022  5:29:42 PM (Read by you after 1 hour, 49 seconds)
//	Ana
//	Is the lease signed?
//	Tapbacks:
//	    Loved by Me
//	    May 17, 2022  5:31:00 PM
//	    Me
//	    Since noon.
//
//	May 17, 2022  5:31:00 PM
//	Me
//	Since noon.
//	This message responded to an earlier message.
//
// The hour is padded with a space, months are English whatever the language
// of the machine, and the clock is that of the exporting machine with no zone
// or offset. A reply stands twice, as a copy under the message it answers and
// in its own place; the copy tells which message that is. Group events are
// one line with no sender.
//
// What the format cannot say:
//   - A contact who is saved under the name Me cannot be told from the owner,
//     who is called Me unless the export was made with another name.
//   - The subject of a message is its first line of text, and the title of a
//     link preview follows the link as text.
//   - Empty lines at the end of a text cannot be told from the exporter's own
//     and are dropped.
//   - Text is written as it is, so a message can hold lines that look like a
//     record. Such lines stay text, or give a message marked as suspect that
//     is never the owner's, when their sender, their place in time or their
//     shape betrays them. Lines that copy a record exactly, name a sender of
//     the conversation and fit between the times around them leave no trace
//     by which anybody could tell.
package imessage
