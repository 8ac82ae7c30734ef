// Package large writes exports of any size: what one invented person says to
// friends, in the layout of signal-export, and what strangers text them, in
// that of imessage-exporter. The same size gives the same bytes. It is for
// measurements and for tests of what only shows in large archives.
package large

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Me is what the owner is called in the exports.
const Me = "Me"

// What the exports hold, whatever their size.
const (
	// Talk is the longest conversation, a tenth of all messages, and Loud the
	// stranger who writes most, a fortieth of them but at most mostLoud.
	Talk = "Friend000"
	Loud = "+12125550000"
	// Rare is in one message, in the middle of Talk, and Landmark in every
	// 500th of Talk.
	Rare     = "zyxrare"
	Landmark = "lighthouse"
)

const (
	mostLoud    = 2500
	perFriend   = 2500 // messages of a conversation but Talk, on average
	perStranger = 25
	perPicture  = 200 // messages for one picture
	years       = 8
)

var begin = time.Date(2016, 1, 1, 8, 0, 0, 0, time.UTC)

// Write writes exports of so many messages into the folders "signal" and
// "imessage" of dir, which it makes. Files of the same names are replaced.
func Write(dir string, messages int) error {
	g := &generator{random: rand.New(rand.NewPCG(1, uint64(messages))), words: vocabulary()}
	longest, loudest := messages/10, min(messages/40, mostLoud)
	if err := g.friend(filepath.Join(dir, "signal"), Talk, longest); err != nil {
		return err
	}
	for left, i := messages/2-longest, 1; left > 0; i++ {
		n := min(left, 1+g.random.IntN(2*perFriend))
		if err := g.friend(filepath.Join(dir, "signal"), fmt.Sprintf("Friend%03d", i), n); err != nil {
			return err
		}
		left -= n
	}
	if err := os.MkdirAll(filepath.Join(dir, "imessage"), 0o700); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	if err := g.stranger(dir, Loud, loudest, true); err != nil {
		return err
	}
	for left, i := messages-messages/2-loudest, 1; left > 0; i++ {
		n := min(left, 1+g.random.IntN(2*perStranger))
		if err := g.stranger(dir, fmt.Sprintf("+1%03d%07d", 201+i%700, 5550000+i), n, i%10 == 0); err != nil {
			return err
		}
		left -= n
	}
	return nil
}

// generator makes what is said up.
type generator struct {
	random *rand.Rand
	words  []string
}

// vocabulary are words, the first of them the most frequent.
func vocabulary() []string {
	list := strings.Fields("the i you to and a it of that is in me we for on my was have so but not just be at this with are do what can go ok if know " +
		"get up like good when will your all out there no now time one they see how yeah dinner tomorrow today home work think want about love going " +
		"come back really day too got thanks here then right well need sure let make night trip photo call morning week house food doctor car train ticket boat")
	parts := []string{"ba", "de", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va", "ze"}
	for _, a := range parts {
		for _, b := range parts {
			for _, c := range parts {
				list = append(list, a+b+c)
			}
		}
	}
	return list
}

// sentence is made of n words; frequent ones come often.
func (g *generator) sentence(n int) string {
	said := make([]string, n)
	for i := range said {
		x := g.random.Float64()
		said[i] = g.words[int(x*x*x*float64(len(g.words)))]
	}
	return strings.Join(said, " ")
}

// pace is how far apart n messages are on average.
func pace(n int) time.Duration { return years * 365 * 24 * time.Hour / time.Duration(max(n, 1)) }

// later is when the next message comes, in full seconds.
func (g *generator) later(than time.Time, step time.Duration) time.Time {
	return than.Add(time.Duration(1+g.random.Int64N(int64(2*step/time.Second))) * time.Second)
}

// friend writes a conversation with one person; every tenth is with a group.
func (g *generator) friend(dir, name string, n int) error {
	folder := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Join(folder, "media"), 0o700); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	others := []string{name}
	if strings.HasSuffix(name, "5") {
		others = []string{"Friend001", "Friend002", "Friend003", "Friend004"}
	}
	return writeFile(filepath.Join(folder, "chat.md"), func(w io.Writer) error {
		at, step := begin, pace(n)
		for i := range n {
			at = g.later(at, step)
			sender := Me
			if g.random.IntN(2) == 0 {
				sender = others[g.random.IntN(len(others))]
			}
			body, tail := g.sentence(1+g.random.IntN(18)), ""
			switch {
			case name == Talk && i == n/2:
				body += " " + Rare
			case name == Talk && i%500 == 250:
				body += " " + Landmark
			}
			switch {
			case i%perPicture == perPicture-1:
				file := fmt.Sprintf("%s_00_picture%d.png", at.Format("2006-01-02T15-04-05.000"), i)
				if err := g.picture(filepath.Join(folder, "media", file)); err != nil {
					return err
				}
				tail = "![" + file + "](./media/" + file + ")  "
			case i%40 == 7:
				body += fmt.Sprintf(" https://%s.example.com/%d", g.words[100+g.random.IntN(300)], g.random.IntN(10_000))
			case i%30 == 11:
				tail = "\n(- " + others[0] + ": 👍 -)"
			case i%90 == 50:
				body += "\n" + g.sentence(60)
			}
			if _, err := fmt.Fprintf(w, "[%s] %s: %s  %s\n\n", at.Format(time.DateTime), sender, body, tail); err != nil {
				return err
			}
		}
		return nil
	})
}

// offers are what strangers write about.
var offers = []string{
	"Flash sale! 40%% off everything until midnight: https://shop%d.example/s/%d Reply STOP to end", "Your code is %d%d. Do not share it with anyone",
	"Package %d%d will arrive tomorrow between 9 and 11", "We miss you! Claim your reward %d at https://reward%d.example/c", "Your appointment %d is on Monday at %d, reply C to confirm",
	"This is an attempt to collect debt %d, call (212) 555-0%03d", "Vote on Tuesday! Polls are open from %d to %d", "Have you thought about selling house %d? We buy for cash, call 646-555-0%03d",
}

// stranger writes what somebody sends who is not known; some are told to
// stop, in the middle.
func (g *generator) stranger(dir, number string, n int, stop bool) error {
	return writeFile(filepath.Join(dir, "imessage", number+".txt"), func(w io.Writer) error {
		at, step := begin, pace(n)
		for i := range n {
			at = g.later(at, step)
			sender, body := number, fmt.Sprintf(offers[g.random.IntN(len(offers))], g.random.IntN(1000), g.random.IntN(100))
			if stop && i == n/2 {
				sender, body = Me, "STOP"
			}
			if _, err := fmt.Fprintf(w, "%s %2s%s\n%s\n%s\n\n", at.Format("Jan 02, 2006"), at.Format("3"), at.Format(":04:05 PM"), sender, body); err != nil {
				return err
			}
		}
		return nil
	})
}

// picture writes a small picture of two colours.
func (g *generator) picture(path string) error {
	colours := color.Palette{color.RGBA{uint8(g.random.IntN(256)), uint8(g.random.IntN(256)), uint8(g.random.IntN(256)), 255}, color.White}
	picture := image.NewPaletted(image.Rect(0, 0, 64, 48), colours)
	for i := range picture.Pix {
		picture.Pix[i] = uint8((i/64/8 + i%64/8) % 2)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		return fmt.Errorf("draw picture: %w", err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		return fmt.Errorf("write picture: %w", err)
	}
	return nil
}

func writeFile(path string, write func(io.Writer) error) (err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write export: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w := bufio.NewWriter(file)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}
