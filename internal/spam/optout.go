package spam

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// optOutWords are the texts that are opt-outs when they are a whole message.
type optOutWords struct {
	whole  map[string]record.OptOut
	notice string // the part of the normalised notice that a message must begin with
}

// perSe are the words that 47 CFR 64.1200(a)(10) names as a definite request
// to stop, with the spellings of "opt out".
var perSe = []string{"stop", "quit", "end", "revoke", "opt out", "opt-out", "optout", "cancel", "unsubscribe"}

// industry are what carriers and senders act upon besides, and phrases that
// say nothing but stop.
var industry = []string{
	"stopall", "stop all", "stop-all", "unsub", "remove", "arret", "arrêt", "td", "please stop", "stop please", "please stop this",
	"stop texting", "stop texting me", "please stop texting", "please stop texting me", "stop texting this number", "stop messaging me",
	"please stop messaging me", "stop contacting me", "please stop contacting me", "stop sending me texts", "stop sending me messages",
	"remove me", "please remove me", "remove me please", "remove my number", "please remove my number", "remove me from your list",
	"please remove me from your list", "remove me from this list", "please remove me from this list", "take me off", "take me off your list",
	"please take me off your list", "take me off this list", "please take me off this list", "unsubscribe me", "please unsubscribe",
	"please unsubscribe me", "opt me out", "do not text me", "do not text me again", "dont text me again", "don't text me again",
	"do not contact me", "do not contact me again", "don't contact me again", "do not text this number", "do not contact this number",
}

// optIns reopen: what comes after is not after an opt-out.
var optIns = []string{"start", "unstop", "start all", "startall", "subscribe", "resubscribe", "opt in", "opt-in", "optin", "resume"}

// candidates are words of other languages for stop; a person must confirm
// that they were meant so.
var candidates = []string{
	"no mas", "no más", "no más mensajes", "no mas mensajes", "alto", "baja", "pare", "parar", "basta", "detener", "arrete", "arrête", "arrêtez", "arretez",
	"stopp", "abmelden", "abbestellen", "aufhören", "sair", "cancelar", "annuler", "desinscrire", "désinscrire", "rimuovi", "cancella", "uitschrijven", "avsluta",
	"停止", "退订", "取消", "td退订", "解除", "配信停止", "стоп", "отписаться", "leave me alone",
}

// phrasesOfRefusal make a longer text of the owner a candidate.
var phrasesOfRefusal = []string{
	"stop texting", "stop messaging", "stop contacting", "stop calling", "stop sending", "do not text", "do not contact", "do not call", "dont text",
	"dont contact", "dont call", "unsubscribe", "opt out", "remove me", "remove my number", "take me off", "take my number off",
	"no me escriban", "no me escriba", "no me escribas", "no me llamen", "no me contacten", "dejen de escribir", "ne me contactez plus",
	"ne m'écrivez plus", "keine nachrichten mehr", "nicht mehr schreiben", "nicht mehr kontaktieren", "não me mande", "não me escreva",
}

var refusals = func() *phrases {
	p := &phrases{}
	for _, text := range phrasesOfRefusal {
		p.add(text, 0)
	}
	return p
}()

func newOptOutWords(s Settings) optOutWords {
	o := optOutWords{whole: map[string]record.OptOut{}}
	put := func(list []string, kind record.OptOut) {
		for _, text := range list {
			if text, _ := normalOptOut(text); text != "" && o.whole[text] == record.NoOptOut {
				o.whole[text] = kind
			}
		}
	}
	put(perSe, record.OptOutA)
	put(industry, record.OptOutB)
	put(s.StopKeywords, record.OptOutB)
	put(optIns, record.OptIn)
	put(candidates, record.OptOutC)
	notice := []rune(plainNotice(s.CannedNotice))
	o.notice = string(notice[:int(math.Ceil(float64(len(notice))*s.CannedNoticeMatchRatio))])
	return o
}

// OptOut says whether a message of the owner is an opt-out, and by which
// words. before is the text of the last message that came in before it:
// "yes" reopens only where that one asked for it. Who it went to is not this
// function's business.
func (r *Rules) OptOut(body, before string) (kind record.OptOut, matched string) {
	if r.optOuts.notice != "" && strings.HasPrefix(plainNotice(body), r.optOuts.notice) {
		return record.Notice, ""
	}
	if len(body) > 400 || isEcho(body) { // bytes: no keyword is near as long, no refusal needs so much
		return record.NoOptOut, ""
	}
	text, onlyEmoji := normalOptOut(body)
	if kind := r.optOuts.whole[text]; kind != record.NoOptOut {
		return kind, text
	}
	switch {
	case onlyEmoji && strings.ContainsAny(body, "🛑⛔🚫"):
		return record.OptOutC, strings.TrimSpace(body)
	case text == "yes" && asksForYes(before):
		return record.OptIn, text
	}
	if found := refusals.in(words(body)); found != nil {
		return record.OptOutC, found[0]
	}
	return record.NoOptOut, ""
}

// asksForYes reports whether a message asks for "yes" to be answered to hear
// from its sender again.
func asksForYes(body string) bool {
	list := words(body)
	var yes phrases
	yes.add("reply yes", 0)
	yes.add("text yes", 0)
	yes.add("send yes", 0)
	var again phrases
	for _, w := range []string{"resubscribe", "subscribe", "rejoin", "restart", "opt in", "resume", "receive"} {
		again.add(w, 0)
	}
	return yes.in(list) != nil && again.in(list) != nil
}

// echoes are how phones write a reaction to somebody's message as a text.
var echoes = []string{"liked ", "loved ", "disliked ", "laughed at ", "emphasized ", "emphasised ", "questioned ", "reacted ", "removed a ", "removed an "}

// isEcho reports whether a body only repeats somebody's text: a reaction sent
// as a message, or a quotation.
func isEcho(body string) bool {
	body = strings.TrimSpace(body)
	if strings.HasPrefix(body, ">") {
		return true
	}
	if !strings.ContainsAny(body, "\"“”‘«„") {
		return false
	}
	start := strings.ToLower(body[:min(len(body), 16)])
	for _, echo := range echoes {
		if strings.HasPrefix(start, echo) {
			return true
		}
	}
	return false
}

var fold = cases.Fold()

// normalOptOut returns what is left to compare of a short message: NFKC, case
// folded, without what is invisible, without a device's signature, dashes and
// apostrophes of one kind, spaces collapsed, punctuation, quotes and emoji cut
// off at both ends. onlyEmoji is set when nothing but these was there.
func normalOptOut(body string) (text string, onlyEmoji bool) {
	text = norm.NFKC.String(strings.Map(oneForm, withoutSignature(norm.NFKC.String(body))))
	text = strings.Join(strings.Fields(fold.String(text)), " ")
	cut := strings.TrimFunc(text, isTrimming)
	return cut, cut == "" && text != ""
}

func oneForm(r rune) rune {
	switch {
	case isInvisible(r):
		return -1
	case r == '’', r == 'ʼ', r == '‘':
		return '\''
	case unicode.Is(unicode.Pd, r):
		return '-'
	case r == utf8.RuneError:
		return ' '
	}
	return r
}

// isTrimming reports whether r at the ends of a message says nothing. A
// greater-than sign does: it marks what is quoted.
func isTrimming(r rune) bool {
	return r != '>' && (unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsSymbol(r) || unicode.Is(unicode.Mn, r) || r == 0x20E3)
}

// signatures are how mail programs and phones begin the line that they add.
var signatures = []string{
	"sent from my ", "sent from ", "sent via ", "get outlook for ", "enviado desde ", "enviado do meu ", "von meinem ", "gesendet von ", "envoyé de ",
	"envoyé depuis ", "inviato da ", "verstuurd vanaf ", "skickat från ",
}

// withoutSignature cuts off a last line that a device added.
func withoutSignature(body string) string {
	body = strings.TrimRight(body, " \t\r\n")
	at := strings.LastIndexByte(body, '\n')
	if at < 0 {
		return body
	}
	last := strings.ToLower(strings.TrimLeft(body[at+1:], " -_\t"))
	for _, start := range signatures {
		if strings.HasPrefix(last, start) {
			return body[:at]
		}
	}
	return body
}

// plainNotice is the form in which notices compare.
func plainNotice(text string) string { return strings.Join(words(text), " ") }
