package telegram

import (
	"strconv"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// deletedAccount is how Telegram's own apps show a person whose account is
// gone; the export writes null.
const deletedAccount = "Deleted account"

// Before exports wrote ids as "user123" (2021), they wrote numbers. The
// oldest ones are bare user ids; later ones, and the ids of all chats, carry
// the kind of peer in the upper half: 1<<32 for users, 2<<32 for groups and
// channels. Ids were 32 bits wide then.
const (
	userFlag = 1 << 32
	chatFlag = 2 << 32
	lowHalf  = 1<<32 - 1
)

// peerID turns the value of a from_id, actor_id or the like into one
// spelling: "user1", "chat1" or "channel1". A number with the flag of groups
// and channels does not say which of the two it is; inChannel decides.
func peerID(raw []byte, inChannel bool) string {
	if len(raw) == 0 || isNull(raw) {
		return ""
	}
	n, ok := integer(raw)
	if !ok {
		return decodeString(raw)
	}
	switch n &^ lowHalf {
	case userFlag:
		return "user" + strconv.FormatInt(n&lowHalf, 10)
	case chatFlag:
		if inChannel {
			return "channel" + strconv.FormatInt(n&lowHalf, 10)
		}
		return "chat" + strconv.FormatInt(n&lowHalf, 10)
	}
	return "user" + strconv.FormatInt(n, 10)
}

// isOldPeerID reports whether raw is an id from before 2021. Only then do
// chat ids carry a flag.
func isOldPeerID(raw []byte) bool {
	return len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
}

// handle names the person or channel with this id and name, either of which
// may be missing.
func handle(id, name string) msg.Handle {
	switch {
	case id != "":
		return msg.Handle{ID: id, Name: name, Kind: msg.HandleAccount}
	case name != "":
		return msg.Handle{ID: name, Name: name, Kind: msg.HandleName}
	}
	return msg.Handle{}
}

// called is what to call h in a sentence.
func called(h msg.Handle) string {
	switch {
	case h.Name != "":
		return h.Name
	case h.ID != "":
		return deletedAccount + " (" + strings.TrimPrefix(h.ID, "user") + ")"
	}
	return "Somebody"
}
