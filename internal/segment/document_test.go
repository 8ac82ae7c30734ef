package segment

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBuilderAdd(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, tags, want string }{
		{"words and tags", "See you, Ana", "§c1 §me", "see you ana §c1 §me"},
		{"tags alone", "", "§c1", "§c1"},
		{"nothing to segment", "...", "§c1", "§c1"},
		{"pairs and emoji", "去北京👍", "§c1", "去北 北京 京 §e1f44d §c1"},
		{"words like tags", "§c1 zqc1", "§c2", "c1 zqc1 §c2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var b Builder
			if got := b.Add(test.text, test.tags); got != test.want {
				t.Errorf("Add(%q, %q) = %q, want %q", test.text, test.tags, got, test.want)
			}
			words := strings.TrimSuffix(strings.TrimSuffix(test.want, test.tags), " ")
			if got := Fold(test.text); got != words {
				t.Errorf("Fold(%q) = %q, but the builder wrote %q", test.text, got, words)
			}
		})
	}
}

func TestBuilderTake(t *testing.T) {
	t.Parallel()
	var b Builder
	b.Add("tea tea coffee", "§c1")
	b.Add("Tea", "§c1")
	if diff := cmp.Diff(map[string]int64{"tea": 2, "coffee": 1}, b.Take()); diff != "" {
		t.Errorf("messages of each word (-want +got):\n%s", diff)
	}
	b.Add("coffee", "")
	if diff := cmp.Diff(map[string]int64{"coffee": 1}, b.Take()); diff != "" {
		t.Errorf("messages of each word since the last Take (-want +got):\n%s", diff)
	}
	if got := b.Take(); len(got) != 0 {
		t.Errorf("Take after Take = %v, want nothing", got)
	}
}

func TestTags(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 3, 31, 23, 30, 0, 0, time.FixedZone("", -2*3600))
	tags := []string{ConversationTag(12), SenderTag(12), OwnerTag, ChatTag("signal", "group"), MonthTag(at), KindTag("link")}
	if diff := cmp.Diff([]string{"§c12", "§h12", "§me", "§ssignalgroup", "§m202404", "§klink"}, tags); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
	for _, tag := range tags {
		if Fold(tag) == tag {
			t.Errorf("a text can hold the word %q, which is a tag", tag)
		}
	}
}

func BenchmarkBuilder(b *testing.B) {
	const text = "See you tomorrow at the station, the train leaves at 6:40 and it will not wait"
	var builder Builder
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		builder.Add(text, "§c1 §ssignalgroup §m202403 §me")
	}
}
