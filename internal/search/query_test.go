package search

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// outline shows a parsed query: [a b] for AND, {a b} for OR, -a for NOT, "a"
// for a phrase, a* for a beginning, name=value for a filter.
func outline(n node) string {
	list := func(kids []node) string {
		parts := make([]string, len(kids))
		for i, kid := range kids {
			parts[i] = outline(kid)
		}
		return strings.Join(parts, " ")
	}
	switch n := n.(type) {
	case nil:
		return ""
	case andNode:
		return "[" + list(n.kids) + "]"
	case orNode:
		return "{" + list(n.kids) + "}"
	case notNode:
		return "-" + outline(n.kid)
	case filterNode:
		return n.name + "=" + n.value
	case textNode:
		text := n.text
		if n.phrase {
			text = `"` + text + `"`
		}
		if n.prefix {
			text += "*"
		}
		return text
	}
	return fmt.Sprintf("%T", n)
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, query, want string }{
		{"nothing", "", ""},
		{"white space", " \t\n", ""},
		{"a word", "key", "key"},
		{"words", "key  car", "[key car]"},
		{"words around a no-break space", "key\u00a0car", "[key car]"},
		{"phrase", `"car key"`, `"car key"`},
		{"phrase right behind a word", `lost"car key"`, `[lost "car key"]`},
		{"quotation marks of other kinds", "“car key” „a b“ «c d»", `["car key" "a b" "c d"]`},
		{"empty phrase", `"" key`, "key"},
		{"phrase of one word", `"keys"`, `"keys"`},
		{"excluded word", "key -car", "[key -car]"},
		{"excluded phrase", `key -"car park"`, `[key -"car park"]`},
		{"excluded group", "key -(car park)", "[key -[car park]]"},
		{"excluded first", "-car key", "[-car key]"},
		{"excluded in a group", "(-car key)", "[-car key]"},
		{"excluded behind a tab", "key\t-car", "[key -car]"},
		{"excluded twice", "key -(-car)", "[key car]"},
		{"a dash", "key - car", "[key car]"},
		{"dashes", "key -- car --x", "[key car --x]"},
		{"hyphen in a word", "e-mail", "e-mail"},
		{"minus before a parenthesis closes", "(key -)", "key"},
		{"either", "key OR car", "{key car}"},
		{"either, written as a bar", "key | car || park", "{key car park}"},
		{"either binds looser than both", "a b OR c d", "{[a b] [c d]}"},
		{"or in lower case is a word", "key or car", "[key or car]"},
		{"both, written out", "key AND car && park", "[key car park]"},
		{"and in lower case is a word", "key and car", "[key and car]"},
		{"OR at either end", "OR key OR", "key"},
		{"OR alone", "OR", ""},
		{"OR twice", "key OR OR car", "{key car}"},
		{"parentheses", "(a OR b) c", "[{a b} c]"},
		{"parentheses that change nothing", "(a b) ((c))", "[a b c]"},
		{"empty parentheses", "() a (())", "a"},
		{"parentheses against a word", "a(b)c", "[a b c]"},
		{"beginning", "key*", "key*"},
		{"beginning of a divided word", "e-mai*", "e-mai*"},
		{"star alone", "* key", "key"},
		{"star elsewhere", "*key k*y", "[*key k*y]"},
		{"stars", "key***", "key*"},
		{"filter", "from:ana", "from=ana"},
		{"filter in capitals", "From:Ana IN:x", "[from=Ana in=x]"},
		{"filter with spaces", `in:"Book club" key`, "[in=Book club key]"},
		{"filter with a typographic quotation mark", "in:“Book club”", "in=Book club"},
		{"filter value with a colon", "from:signal:ana", "from=signal:ana"},
		{"all filters", "from:a with:b in:c source:d has:e is:f before:g after:h on:i domain:j",
			"[from=a with=b in=c source=d has=e is=f before=g after=h on=i domain=j]"},
		{"excluded filter", "key -from:ana", "[key -from=ana]"},
		{"filter in a phrase is text", `"from:ana"`, `"from:ana"`},
		{"URL", "https://example.com/a?b=c:d", "https://example.com/a?b=c:d"},
		{"time of day", "12:30", "12:30"},
		{"word before a colon", "note:this Re:that x:y mailto:a@example.org", "[note:this Re:that x:y mailto:a@example.org]"},
		{"word that only resembles an operator", "wish: wishes:many", "[wish: wishes:many]"},
		{"apostrophes", "don't 'quoted' rock'n'roll", "[don't 'quoted' rock'n'roll]"},
		{"inches", `27" monitor`, `[27" monitor]`},
		{"inches at the end", `monitor 27"`, `[monitor 27"]`},
		{"feet and inches", `6'2" tall, 5"x7" frame (2")`, `[6'2" tall, 5"x7" frame 2"]`},
		{"inches beside a phrase", `27" "wide screen"`, `[27" "wide screen"]`},
		{"phrase that ends in a number", `"size 5" shoe`, `["size 5" shoe]`},
		{"phrase right behind a number", `2024"xmas party"`, `[2024 "xmas party"]`},
		{"telephone number", "+1 555-0100", "[+1 555-0100]"},
		{"punctuation is left out", "??? key !!! …", "key"},
		{"faces", "key :) car ;-( (a OR b) c :'((", "[key car {a b} c]"},
		{"no face before a word", "key :(car)", "[key car]"},
		{"filter with a wide colon", "from：ana IN：“Book club” 时间：三点", "[from=ana in=Book club 时间：三点]"},
		{"emoji", "👍 ❤️", "[👍 ❤️]"},
		{"another script", "手机 OR สวัสดี", "{手机 สวัสดี}"},
		{"invalid bytes", "key\xff \xfe", "key\xff"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			root, err := parse(test.query)
			if err != nil {
				t.Fatalf("parse(%q): %v", test.query, err)
			}
			if diff := cmp.Diff(test.want, outline(root)); diff != "" {
				t.Errorf("parse(%q) (-want +got):\n%s", test.query, diff)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, query string
		position    int
		problem     string
	}{
		{"quotation mark at the beginning", `"key`, 0, "a quotation mark is never closed"},
		{"quotation mark at the end", `key"`, 3, "a quotation mark is never closed"},
		{"third quotation mark", `"a" b "c`, 6, "a quotation mark is never closed"},
		{"quotation mark behind letters of two bytes", `für "x`, 5, "a quotation mark is never closed"},
		{"quotation mark of a filter", `a in:"book club`, 5, "a quotation mark is never closed"},
		{"parenthesis never closed", "a (b c", 2, "a parenthesis is never closed"},
		{"inner parenthesis never closed", "(a (b c)", 0, "a parenthesis is never closed"},
		{"parenthesis never opened", "a b) c", 3, "a parenthesis is closed that was never opened"},
		{"parenthesis first", ")", 0, "a parenthesis is closed that was never opened"},
		{"too deep", strings.Repeat("(", 21) + "a" + strings.Repeat(")", 21), 20, "parentheses are nested too deep"},
		{"too many words", strings.Repeat("a ", 501), 1000, "the query is longer than 500 words"},
		{"too many words in one", strings.Repeat("a-", 501), 0, "the query is longer than 500 words"},
		{"too many words of a phrase", `b "` + strings.Repeat("a ", 501) + `"`, 2, "the query is longer than 500 words"},
		{"too many characters of a script without spaces", "b " + strings.Repeat("手机", 300), 2, "the query is longer than 500 words"},
		{"filter without value", "a from:", 2, "from: has no value"},
		{"filter before a space", "from: ana", 0, "from: has no value"},
		{"filter with an empty value", `a in:"" b`, 2, "in: has no value"},
		{"filter before a parenthesis", "in:(a)", 0, "in: has no value"},
		{"misspelled filter", "a form:ana", 2, "form: is no operator"},
		{"misspelled filter in capitals", "Sorce:signal", 0, "sorce: is no operator"},
		{"another word for a filter", "a sender:ana", 2, "sender: is no operator"},
		{"another word for a thing", "type:image", 0, "type: is no operator"},
		{"another word with a quoted value", `chat:"Book club"`, 0, "chat: is no operator"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := parse(test.query)
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("parse(%q) gives %v, want a SyntaxError", test.query, err)
			}
			if syntax.Position != test.position || syntax.Problem != test.problem || syntax.Remedy == "" {
				t.Errorf("parse(%q) = %+v, want position %d: %s", test.query, *syntax, test.position, test.problem)
			}
			place := utf8.RuneCountInString(test.query[:test.position]) + 1
			if want := fmt.Sprintf("position %d: %s; %s", place, test.problem, syntax.Remedy); !strings.Contains(err.Error(), want) {
				t.Errorf("error is %q, want it to contain %q", err, want)
			}
		})
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b     string
		distance int
	}{
		{"", "", 0}, {"a", "", 1}, {"key", "key", 0}, {"key", "keys", 1}, {"key", "ky", 1}, {"key", "kez", 1}, {"key", "kye", 1}, {"form", "from", 1},
		{"accomodation", "accommodation", 1}, {"acomodation", "accommodation", 2}, {"kitten", "sitting", 3}, {"héllo", "hello", 1}, {"ab", "ba", 1}, {"abcd", "badc", 2},
	} {
		for limit := range 4 {
			if got, want := within(test.a, test.b, limit), test.distance <= limit; got != want {
				t.Errorf("within(%q, %q, %d) = %v, want %v", test.a, test.b, limit, got, want)
			}
			if got, want := within(test.b, test.a, limit), test.distance <= limit; got != want {
				t.Errorf("within(%q, %q, %d) = %v, want %v", test.b, test.a, limit, got, want)
			}
		}
	}
}
