// Package spam makes the honest record of unsolicited contact: which
// strangers wrote, what each message tripped, when they were told to stop,
// what arrived afterwards, and how many contacts fall into any twelve months.
//
//   - Rules read a message: reasons, links, numbers, a suggested category.
//   - Scan walks the archive in batches and writes findings and events.
//   - Count turns findings, events and judgments into every number there is.
//   - A Dossier holds one sender or entity with all of it; Markdown, JSON, CSV
//     and HTML are made from it, and Export writes them with a manifest.
//
// It reads and reports. It sends nothing, opens no link, asks no carrier, and
// has no clock: the same archive, settings, address book and as-of time give
// the same result to the byte. What the record consists of is defined in
// package record; where it is kept is another room's business, reached
// through the interfaces of archive.go.
package spam
