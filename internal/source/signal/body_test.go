package signal

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// plainParts is parts for comparing, with the links in the order of the text.
type plainParts struct {
	Quote, Body, Reactions, Sticker string
	Links                           []string
	Deleted                         bool
}

func plain(p parts) plainParts {
	v := plainParts{Quote: p.quote, Body: p.body, Reactions: p.reactions, Sticker: p.sticker, Deleted: p.deleted}
	for i := len(p.links) - 1; i >= 0; i-- {
		l := p.links[i]
		mark := ""
		if l.image {
			mark = "!"
		}
		v.Links = append(v.Links, mark+l.label+l.missing+"="+l.ref)
	}
	return v
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text string
		want plainParts
	}{
		"text":                     {"hi  ", plainParts{Body: "hi"}},
		"empty":                    {"  ", plainParts{}},
		"text ends in spaces":      {"hi    ", plainParts{Body: "hi  "}},
		"text begins with spaces":  {" hi  ", plainParts{Body: " hi"}},
		"lines":                    {"one\n\ntwo  ", plainParts{Body: "one\n\ntwo"}},
		"deleted":                  {"(This message was deleted)", plainParts{Deleted: true}},
		"deleted, typed":           {"(This message was deleted)  ", plainParts{Body: "(This message was deleted)"}},
		"quote":                    {"\n\n> a\n\nb  ", plainParts{Quote: "a", Body: "b"}},
		"quote of two lines":       {"\n\n> a\n> b\n\nc  ", plainParts{Quote: "a\nb", Body: "c"}},
		"quote, bare marks":        {"\n\n> a\n>b\n>\n>d\n\nc  ", plainParts{Quote: "a\nb\n\nd", Body: "c"}},
		"quote of 1.4":             {"\n>\n> a\n>\nb  ", plainParts{Quote: "a", Body: "b"}},
		"quote without text":       {"\n\n> a\n\n  ", plainParts{Quote: "a"}},
		"quote of a quote":         {"\n\n> > a\n> b\n\nc  ", plainParts{Quote: "> a\nb", Body: "c"}},
		"quote of a header":        {"\n\n> [2024-08-01 19:33:38] Me: a\n\nb  ", plainParts{Quote: "[2024-08-01 19:33:38] Me: a", Body: "b"}},
		"quote typed after text":   {"a\n\n> b\n\nc  ", plainParts{Body: "a\n\n> b\n\nc"}},
		"quote typed first":        {"> b\n\nc  ", plainParts{Body: "> b\n\nc"}},
		"empty quote":              {"\n\n> \n\nc  ", plainParts{Body: "\n\n> \n\nc"}},
		"reactions":                {"hi  \n(- Aya: 👍, Jim2: ❤️ -)", plainParts{Body: "hi", Reactions: "Aya: 👍, Jim2: ❤️"}},
		"reactions, merged":        {"hi  \n(- Aya:  👍 -)", plainParts{Body: "hi", Reactions: "Aya:  👍"}},
		"reactions, typed":         {"hi\n(- Aya: 👍 -)  ", plainParts{Body: "hi\n(- Aya: 👍 -)"}},
		"reactions, typed first":   {"(- Aya: 👍 -)  ", plainParts{Body: "(- Aya: 👍 -)"}},
		"reactions in the middle":  {"a  \n(- Aya: 👍 -)\nb  ", plainParts{Body: "a  \n(- Aya: 👍 -)\nb"}},
		"reactions, no colon":      {"hi  \n(- Aya -)", plainParts{Body: "hi  \n(- Aya -)"}},
		"reactions, no emoji":      {"hi  \n(- Aya:  -)", plainParts{Body: "hi  \n(- Aya:  -)"}},
		"reactions, long emoji":    {"hi  \n(- Aya: " + strings.Repeat("👍", 17) + " -)", plainParts{Body: "hi  \n(- Aya: " + strings.Repeat("👍", 17) + " -)"}},
		"reactions, odd name":      {"hi  \n(- A B: 👍 -)", plainParts{Body: "hi  \n(- A B: 👍 -)"}},
		"reactions then image":     {"hi  \n(- Aya: 👍 -)![a.jpg](./media/a.jpg)  ", plainParts{Body: "hi", Reactions: "Aya: 👍", Links: []string{"!a.jpg=media/a.jpg"}}},
		"image then reactions":     {"hi  ![a.jpg](./media/a.jpg)  \n(- Aya: 👍 -)", plainParts{Body: "hi", Reactions: "Aya: 👍", Links: []string{"!a.jpg=media/a.jpg"}}},
		"two attachments":          {"hi  ![a.jpg](./media/a.jpg)  [b.pdf](./media/b.pdf)  ", plainParts{Body: "hi", Links: []string{"!a.jpg=media/a.jpg", "b.pdf=media/b.pdf"}}},
		"attachment alone":         {"  [b.pdf](./media/b.pdf)  ", plainParts{Links: []string{"b.pdf=media/b.pdf"}}},
		"space in the name":        {"  [a b.pdf](./media/a%20b.pdf)  ", plainParts{Links: []string{"a b.pdf=media/a%20b.pdf"}}},
		"brackets in the name":     {"  [a](b)[1].pdf](./media/a](b)[1].pdf)  ", plainParts{Links: []string{"a](b)[1].pdf=media/a](b)[1].pdf"}}},
		"merged attachment":        {"hi    [b.pdf](././media/b.pdf)  ", plainParts{Body: "hi  ", Links: []string{"b.pdf=media/b.pdf"}}},
		"attachment, typed":        {"see [b.pdf](./media/b.pdf)  ", plainParts{Body: "see [b.pdf](./media/b.pdf)"}},
		"attachment, no spaces":    {"hi  [b.pdf](./media/b.pdf)", plainParts{Body: "hi  [b.pdf](./media/b.pdf)"}},
		"attachment in the middle": {"hi  [b.pdf](./media/b.pdf)  \nx  ", plainParts{Body: "hi  [b.pdf](./media/b.pdf)  \nx"}},
		"web link":                 {"hi  [menu](https://food.example/)  ", plainParts{Body: "hi  [menu](https://food.example/)"}},
		"link to elsewhere":        {"hi  [x](./../secret)  ", plainParts{Body: "hi  [x](./../secret)"}},
		"label over two lines":     {"hi  [a\nb](./media/b.pdf)  ", plainParts{Body: "hi  [a\nb](./media/b.pdf)"}},
		"media not exported":       {"hi  (media not exported)  ", plainParts{Body: "hi", Links: []string{"media not exported="}}},
		"attachment not exported":  {"  (attachment not exported)  ", plainParts{Links: []string{"attachment not exported="}}},
		"not exported, typed":      {"(media not exported)  ", plainParts{Body: "(media not exported)"}},
		"sticker":                  {"  [🐺](../exported_stickers/p/1.webp)  ", plainParts{Links: []string{"🐺=../exported_stickers/p/1.webp"}}},
		"sticker, no file":         {"  \n(( 🐺 ))", plainParts{Sticker: "🐺"}},
		"sticker with reactions":   {"  \n(- Aya: 👍 -)\n(( 🐺 ))", plainParts{Reactions: "Aya: 👍", Sticker: "🐺"}},
		"sticker link, reactions":  {"  \n(- Aya: 👍 -)[🐺](../exported_stickers/p/1.webp)  ", plainParts{Reactions: "Aya: 👍", Links: []string{"🐺=../exported_stickers/p/1.webp"}}},
		"sticker, typed":           {"hi\n(( 🐺 ))  ", plainParts{Body: "hi\n(( 🐺 ))"}},
		"everything":               {"\n\n> q\n\nhi  \n(- Aya: 👍 -)![a.jpg](./media/a.jpg)  (media not exported)  ", plainParts{Quote: "q", Body: "hi", Reactions: "Aya: 👍", Links: []string{"!a.jpg=media/a.jpg", "media not exported="}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var p parts
			p.split(tc.text, true)
			if diff := cmp.Diff(tc.want, plain(p)); diff != "" {
				t.Errorf("split(%q) (-want +got):\n%s", tc.text, diff)
			}
		})
	}
}

func TestSplitByHand(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text string
		want plainParts
	}{
		"text":                {"hi", plainParts{Body: "hi"}},
		"text with spaces":    {"hi  ", plainParts{Body: "hi  "}},
		"reactions":           {"hi\n(- Me: 👍, MJ: 1️⃣ -)", plainParts{Body: "hi", Reactions: "Me: 👍, MJ: 1️⃣"}},
		"no emoji":            {"hi\n(- todo: buy -)", plainParts{Body: "hi\n(- todo: buy -)"}},
		"emoji and words":     {"hi\n(- Me: 👍 nice -)", plainParts{Body: "hi\n(- Me: 👍 nice -)"}},
		"image":               {"hi ![cabin](media/cabin.jpg)", plainParts{Body: "hi", Links: []string{"!cabin=media/cabin.jpg"}}},
		"file, escaped":       {"[the lease](media/the%20lease.pdf)", plainParts{Links: []string{"the lease=media/the%20lease.pdf"}}},
		"web link":            {"see [menu](https://food.example/)", plainParts{Body: "see [menu](https://food.example/)"}},
		"quote, spaces gone":  {"\n\n> a\n\nb", plainParts{Quote: "a", Body: "b"}},
		"spaces gone, media":  {"hi  ![a.jpg](./media/a.jpg)", plainParts{Body: "hi", Links: []string{"!a.jpg=media/a.jpg"}}},
		"words in label":      {"a [b [c](media/c.pdf)", plainParts{Body: "a [b", Links: []string{"c=media/c.pdf"}}},
		"sticker":             {"x\n(( 🐺 ))", plainParts{Body: "x", Sticker: "🐺"}},
		"empty":               {"", plainParts{}},
		"a closing bracket":   {")", plainParts{Body: ")"}},
		"label without start": {"c](media/c.pdf)", plainParts{Body: "c](media/c.pdf)"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var p parts
			p.split(tc.text, false)
			if diff := cmp.Diff(tc.want, plain(p)); diff != "" {
				t.Errorf("split(%q) (-want +got):\n%s", tc.text, diff)
			}
		})
	}
}

func TestKindOf(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text string
		kind msg.Kind
		body string
	}{
		"text":                    {"hi  ", msg.Text, "hi"},
		"deleted":                 {"(This message was deleted)", msg.Deleted, ""},
		"sticker":                 {"  \n(( 🐺 ))", msg.Sticker, "🐺"},
		"sticker, no emoji":       {"  \n(( sticker ))", msg.Sticker, ""},
		"sticker link":            {"  [🐺](../exported_stickers/p/1.webp)  ", msg.Sticker, "🐺"},
		"sticker link, no emoji":  {"  [sticker](../exported_stickers/p/1.webp)  ", msg.Sticker, ""},
		"text and sticker":        {"hi  \n(( 🐺 ))", msg.Text, "hi"},
		"call":                    {"Incoming call  ", msg.Call, "Incoming call"},
		"call, quoted":            {"\n\n> hi\n\nIncoming call  ", msg.Text, "Incoming call"},
		"call with an attachment": {"Incoming call  [b.pdf](./media/b.pdf)  ", msg.Text, "Incoming call"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var p parts
			var m msg.Message
			p.split(tc.text, true)
			p.kindOf(&m)
			if m.Kind != tc.kind || m.Body != tc.body {
				t.Errorf("%q is %s %q, want %s %q", tc.text, m.Kind, m.Body, tc.kind, tc.body)
			}
		})
	}
}

func TestIsCall(t *testing.T) {
	t.Parallel()
	for text, duration := range map[string]string{
		"Incoming call":                               "",
		"Outgoing call":                               "",
		"Incoming voice call (accepted, 3m 2s)":       "3m 2s",
		"Incoming video call (accepted)":              "",
		"Incoming voice call (declined)":              "",
		"Missed video call":                           "",
		"Missed call":                                 "",
		"Outgoing call (unanswered)":                  "",
		"Outgoing group call (accepted, 12s)":         "12s",
		"Outgoing voice call (declined by recipient)": "",
	} {
		if !isCall(text) {
			t.Errorf("isCall(%q) = false", text)
		}
		if got := callDuration(text); got != duration {
			t.Errorf("callDuration(%q) = %q, want %q", text, got, duration)
		}
	}
	for _, text := range []string{
		"", "call", "Incoming", "Incoming call me", "Incoming calls", "Incoming call (", "Incoming call ()",
		"Incoming call (What?)", "Missed a b call", "incoming call", "Incoming call\n", "Outgoingcall",
	} {
		if isCall(text) {
			t.Errorf("isCall(%q) = true", text)
		}
	}
}

func TestHiddenLinks(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"none":          {"hi", nil},
		"plain":         {"[menu](https://food.example/menu)", nil},
		"parentheses":   {"[wiki](https://wiki.example/Lake_(Alps)) and [b](http://b.example/(x)y)", []string{"https://wiki.example/Lake_(Alps)", "http://b.example/(x)y"}},
		"never closed":  {"[wiki](https://wiki.example/Lake_(Alps)", nil},
		"other scheme":  {"[wiki](httpx://wiki.example/Lake_(Alps))", nil},
		"space":         {"[wiki](https://wiki.example/Lake (Alps))", nil},
		"hostile":       {strings.Repeat("](http(", 5000), nil},
		"endless":       {"](https://x.example/" + strings.Repeat("(", 5000), nil},
		"ends in mid":   {"](http", nil},
		"bare brackets": {"](https://)", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, hiddenLinks(tc.text)); diff != "" {
				t.Errorf("hiddenLinks (-want +got):\n%s", diff)
			}
		})
	}
}
