package signal

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rowSeeds are lines that are read by hand, and lines that must not be.
var rowSeeds = []string{
	oneRow,
	`{"date":"2024-03-20T10:00:05","sender":null,"body":"a\n\"b\" \\ \/ \t é \u00e9 \ud83d\ude00","quote":"","sticker":"🐺","reactions":[["Me","👍"],["Jim",null]],"attachments":[{"name":"a","path":"media/a","missing_kind":null},{"name":"","path":"","missing_kind":"media"}],"deleted":true,"call":true,"missed":true}`,
	`{"sticker":{"id":"1","packId":"p","packKey":"k","emoji":"x","extension":null},"edits":[{"date":"d","body":"b"}],"id":"i","disappearing":true}`,
	` { "body" : "x" , "call" : false } `,
	`{}`, `{"body":"x"}{`, `{"body":"x",}`, `{"body":"x" "quote":"y"}`, `{"body":1}`, `{"deleted":"yes"}`, `{"Body":"x"}`, `{"BODY":"x","body":"y"}`,
	`{"body":"x","body":"y"}`, `{"body":"\ud800"}`, `{"body":"\udc00\ud800"}`, `{"body":"\ud83dx"}`, `{"body":"\x"}`, `{"body":"\u12"}`, `{"body":"\u12zz"}`, `{"body":"`, `{"body":"\`, `{"body":"\"`,
	"{\"body\":\"a\tb\"}", "{\"body\":\"\xff\"}", `{"new":{"deep":[1,2,{"x":"]"}]},"body":"x"}`, `{"reactions":[["Me"]]}`, `{"reactions":[["Me","a","b"]]}`, `{"reactions":{}}`, `{"reactions":[[]}`,
	`{"sticker":5}`, `{"sticker":[]}`, `{"sticker":{"id":5}}`, `{"sticker":"","sticker":"x"}`, `{"reactions":null,"reactions":[["a","b"]]}`, `{"attachments":""}`, `{"call":null}`, `null`, `[]`, `"x"`, ``, ` `, `{"a"}`, `{"sender":"a","sender":null}`,
}

// FuzzRow compares reading by hand with encoding/json: where the first gives
// a row, the second gives the same.
func FuzzRow(f *testing.F) {
	for _, s := range rowSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var got, want row
		gotErr := got.parse(line)
		wantErr := json.Unmarshal(line, &want)
		if (gotErr == nil) != (wantErr == nil) {
			t.Fatalf("parse %q: error %v, encoding/json says %v", line, gotErr, wantErr)
		}
		if wantErr != nil {
			return
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(rowSticker{}), cmpEmptySlices); diff != "" {
			t.Errorf("parse %q (-encoding/json +by hand):\n%s", line, diff)
		}
	})
}

// TestRowByHand: the lines that the exporter writes are read by hand.
func TestRowByHand(t *testing.T) {
	t.Parallel()
	for _, line := range rowSeeds[:4] {
		var r row
		s := rowScan{text: line}
		if !s.object(&r) {
			t.Errorf("left to encoding/json: %s", line)
		}
	}
}

// TestRowAllocations bounds what an ordinary line costs.
func TestRowAllocations(t *testing.T) {
	line := []byte(oneRow)
	var r row
	if n := testing.AllocsPerRun(100, func() { _ = r.parse(line) }); n > 3 {
		t.Errorf("%.0f allocations a line, want 3 or fewer", n)
	}
}
