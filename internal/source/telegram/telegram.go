// Package telegram reads the JSON exports of Telegram Desktop: result.json,
// of the whole account ("Export Telegram data") or of one chat ("Export chat
// history"), as written since 2018.
//
// The file is walked over once, message by message, so its size does not
// matter. Three habits of the exporter shape the code. Control characters in
// texts are escaped as \xHH, which is no JSON, so encoding/json cannot read
// the file. Ids changed their spelling in 2021; they are brought to today's,
// so that an old and a new export of one chat agree. And an export of one
// chat does not say whose it is.
package telegram

import "github.com/msgbrowse/msgbrowse/internal/msg"

// JSON is the source for result.json. The zero value is ready.
type JSON struct{}

// Name implements source.Source.
func (JSON) Name() msg.Source { return msg.Telegram }
