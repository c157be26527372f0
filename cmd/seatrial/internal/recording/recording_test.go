package recording

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/history"
)

// TestCounts: lines TYPE NAME OWNER…; the name is the UID, but for what is behind a dot.
func TestCounts(t *testing.T) {
	for _, test := range []struct {
		name, events, want string
	}{
		{"a child of its owner", "create web, create child web, delete web, delete child web", "child 1 1, web 1 1"},
		{"a child of one that is gone", "create web, delete web, create child web, delete child web", "web 1 1"},
		{"and what is made of it", "create web, delete web, create child web, create grand child, delete child web, delete grand child", "web 1 1"},
		{"it is not collected", "create web, delete web, create child web", "child 1 0, web 1 1"},
		{"it is adopted", "create web, delete web, create child web, create web.2, update child web.2, delete child web.2", "child 1 1, web 2 1"},
		{"and what is made of it then", "create web, delete web, create child web, create web.2, update child web.2, create grand child, delete child web.2, delete grand child", "child 1 1, grand 1 1, web 2 1"},
		{"one owner is there", "create a, create b, delete a, create child a b, delete child a b", "a 1 1, b 1 0, child 1 1"},
		{"an owner of before the run", "create child web, delete child web", "child 1 1"},
		{"no owner", "create web, delete web, create child, delete child", "child 1 1, web 1 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &Recording{}
			for line := range strings.SplitSeq(test.events, ", ") {
				words := strings.Fields(line)
				var owners []any
				for _, uid := range words[2:] {
					owners = append(owners, map[string]any{"uid": uid})
				}
				name, _, _ := strings.Cut(words[1], ".")
				o := history.Object{"metadata": map[string]any{"name": name, "ownerReferences": owners}}
				e := history.Event{Type: history.Type(words[0]), UID: words[1], Key: history.Key{Resource: "things", Name: name}, Object: o}
				if e.Type == history.Delete {
					e.Object, e.Previous = nil, o
				}
				r.Events = append(r.Events, e)
			}
			var got []string
			for key, c := range r.Counts(history.DefaultMask()) {
				got = append(got, fmt.Sprint(key.Name, " ", c.Created, " ", c.Deleted))
			}
			slices.Sort(got)
			if is := strings.Join(got, ", "); is != test.want {
				t.Errorf("%s, want %s", is, test.want)
			}
		})
	}
}

// TestDrawnNames: what is created again under a name that was drawn is one of those with
// drawn names.
func TestDrawnNames(t *testing.T) {
	event := func(kind history.Type, name, prefix string) history.Event {
		o := history.Object{"metadata": map[string]any{"name": name, "generateName": prefix}}
		return history.Event{Type: kind, UID: name, Key: history.Key{Resource: "secrets", Name: name}, Object: o, Previous: o}
	}
	r := &Recording{Events: []history.Event{
		event(history.Create, "web-jn7wr", "web-"), event(history.Delete, "web-jn7wr", "web-"),
		event(history.Create, "web-jn7wr", ""), event(history.Delete, "web-jn7wr", ""),
		event(history.Create, "web-tls", ""),
	}}
	counts := r.Counts(history.DefaultMask())
	drawn, named := counts[history.Key{Resource: "secrets", Name: "web-*"}], counts[history.Key{Resource: "secrets", Name: "web-tls"}]
	if len(counts) != 2 || drawn != (Count{2, 2}) || named != (Count{1, 0}) {
		t.Errorf("%v", counts)
	}
}
