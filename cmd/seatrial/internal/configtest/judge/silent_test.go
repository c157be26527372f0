package judge

import (
	"context"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// TestSilent: a parameter of which is read what is read without it proves nothing, but for one that says just that; nor
// does one of which a program has made that after it has read it, or a word that is none of those that a type takes.
func TestSilent(t *testing.T) {
	for _, tc := range []struct {
		kind          parameter.Kind
		value         string
		read, without []string
		words         []string
		proved        bool
	}{
		{"env", "adult=52;child=26", []string{"map[adult:50]"}, []string{"map[adult:50]"}, nil, false},
		{"env", "adult=52,child=26", []string{"map[adult:52 child:26]"}, []string{"map[adult:50]"}, nil, true},
		{"env", "adult=50", []string{"map[adult:50]"}, []string{"map[adult:50]"}, nil, true},
		{"env", "1m", []string{"1m0s"}, []string{"1m0s"}, nil, true},
		{"env", "x", []string{"30"}, []string{"30"}, nil, false},
		{"env", "information", []string{"info"}, []string{"info"}, nil, false},
		{"env", "INFO", []string{"info"}, []string{"info"}, nil, true},
		{"env", "30sec", []string{"30s"}, []string{"30s"}, nil, false},
		{"env", "truee", []string{"true"}, []string{"true"}, nil, false},
		{"env", "yes", []string{"true"}, []string{"false"}, nil, true},
		{"env", "4x", []string{"4"}, []string{"4"}, nil, false},
		{"env", "a=1.0", []string{"map[a:1]"}, []string{"map[a:1]"}, nil, true},
		{"field", `"verbos"`, []string{"info"}, []string{"info"}, nil, false},
		{"field", `"warn"`, []string{"warn"}, []string{"warn"}, nil, true},
		{"field", `"verbos"`, []string{"info"}, []string{"off"}, []string{"debug", "warn"}, false},
		{"field", `"warn"`, []string{"4"}, []string{"0"}, []string{"debug", "warn"}, true},
		{"flag", "verbos", []string{"info"}, []string{"info"}, nil, false},
		{"viper", `"fsat"`, []string{"fsat", "safe"}, []string{"", "safe"}, nil, false},
		{"viper", `"safe"`, []string{"safe"}, []string{"safe"}, nil, true},
		{"viper", `60`, []string{"60", "1m0s"}, []string{"60", "1m0s"}, nil, true},
		{"viper", `0`, []string{"0", "8"}, []string{"8"}, nil, true},
	} {
		one := silent(t, tc.kind, "old", tc.value, "before", tc.read, tc.without, tc.words)
		if _, proved := one.Proofs[0]; proved != tc.proved || (len(one.Silent) == 1) == proved {
			t.Errorf("%s, read as %s: proved %t, silent %v", tc.value, tc.read, proved, one.Silent)
		}
		if len(one.Dropped) > 0 {
			t.Errorf("%s, read as %s: the old value was not seen to be taken, so that the new one may be", tc.value, tc.read)
		}
	}
}

// TestDropped: where the old value was read as it is said, and of the new one is read what is read without it, that is
// dropped, unless it begins with what is read.
func TestDropped(t *testing.T) {
	for _, tc := range []struct{ old, value, was, read, without, want string }{
		{"20", "x", "20", "30", "30", "30"},
		{"20", "40", "20", "30", "30", "30"},
		{"json", "jsno", "json", "text", "text", "text"},
		{"20s", "x", "20s", "30s", "30s", "30s"},
		{"20s", "30sec", "20s", "30s", "30s", ""},
		{"warn", "INFORMATION", "warn", "info", "info", ""},
		{"json", "jsno", "1", "text", "text", ""}, // a program that makes something else of the old one may do so of the new one
		{"20", "40", "20", "35", "30", ""},
	} {
		one := silent(t, "env", tc.old, tc.value, tc.was, []string{tc.read}, []string{tc.without}, nil)
		if got := one.Dropped[0].Value; got != tc.want {
			t.Errorf("of %s in the place of %s is read %s, without it %s: instead of it %q, want %q", tc.value, tc.old, tc.read, tc.without, got, tc.want)
		}
	}
}

// TestDroppedBesideNothing: what is read as nothing at another place is not what is told.
func TestDroppedBesideNothing(t *testing.T) {
	one := silent(t, "env", "json", "jsno", "json", []string{"text", ""}, []string{"text", ""}, nil)
	if got := one.Dropped[0].Value; got != "text" {
		t.Errorf("instead of it is read %q", got)
	}
}

// silent is what becomes of a test that reads some values where there was another one, and others where there is none.
func silent(t *testing.T, kind parameter.Kind, old, now, was string, reads, without, words []string) *Judged {
	t.Helper()
	id := parameter.New(kind, "SHOP")
	c := choose.Change{
		Change: change.Change{Identity: change.Identity{Path: "SHOP"}},
		Class:  &parameter.Class{ID: id, Aliases: []parameter.ID{"field:Options.Shop"}}, IDs: []parameter.ID{id}, Old: &old, New: &now,
	}
	b := &Bench{Changes: []choose.Change{c}, Workers: 1, Words: func(int) []string { return words }, Trial: func(_ context.Context, _ choose.Test, v choose.Values) (*run.Outcome, error) {
		read := []string{was}
		switch {
		case v[0] == nil:
			read = without
		case *v[0] == now:
			read = reads
		}
		out := &run.Outcome{Ending: run.Passed}
		for _, value := range read {
			out.Events = append(out.Events, record.Event{Verb: record.Read, Subject: "field:Options.Shop", Value: value, At: "a.go:1"})
		}
		return out, nil
	}}
	out, err := b.All(t.Context(), []choose.Test{{Name: "TestShop", Reads: []int{0}}})
	if err != nil {
		t.Fatal(err)
	}
	return out[0]
}

// TestSilentBesideAll: what is read beside all that is deployed, and only there, is looked at in the same way.
func TestSilentBesideAll(t *testing.T) {
	all := changes(2)
	all[1].Unchanged, all[1].Old = true, all[1].New
	bad := "x"
	all[0].New = &bad
	read := func(c choose.Change, value string) record.Event {
		return record.Event{Verb: record.Read, Subject: c.IDs[0], Value: value, At: "a.go:1"}
	}
	b := &Bench{Changes: all, Workers: 1, Trial: func(_ context.Context, _ choose.Test, v choose.Values) (*run.Outcome, error) {
		out := &run.Outcome{Ending: run.Passed, Events: []record.Event{read(all[1], "on")}}
		if v[1] != nil { // it turns on what reads the other one
			value := "5"
			if v[0] != nil && *v[0] == "0" {
				value = "0"
			}
			out.Events = append(out.Events, read(all[0], value))
		}
		return out, nil
	}}
	out, err := b.All(t.Context(), []choose.Test{{Name: "TestShop", Reads: []int{0}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, proved := out[0].Proofs[0]; proved || len(out[0].Silent) != 1 {
		t.Errorf("proved %t, silent %v", proved, out[0].Silent)
	}
}

// TestSilentFile: of a test that opens the file that changes it is not known what it reads without a change, and a word
// that a type does not take is known for one all the same.
func TestSilentFile(t *testing.T) {
	for words, proved := range map[string]bool{"": true, "low": false} {
		old, now := `"low"`, `"debug"`
		id := parameter.New("field", "Options.Level")
		c := choose.Change{Change: change.Change{Identity: change.Identity{Path: "level"}}, Class: &parameter.Class{ID: id}, IDs: []parameter.ID{id}, Old: &old, New: &now}
		b := &Bench{Changes: []choose.Change{c}, Workers: 1, Words: func(int) []string {
			if words == "" {
				return nil
			}
			return []string{words, "high"}
		}, Trial: func(_ context.Context, _ choose.Test, v choose.Values) (*run.Outcome, error) {
			value := "1"
			if v[0] != nil && *v[0] == now {
				value = "2"
			}
			return &run.Outcome{Ending: run.Passed, Events: []record.Event{{Verb: record.Read, Subject: id, Value: value, At: "a.go:1"}}}, nil
		}}
		out, err := b.All(t.Context(), []choose.Test{{Name: "TestLevel", Reads: []int{0}, File: "shop.yaml"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, is := out[0].Proofs[0]; is != proved || (len(out[0].Silent) == 1) == proved {
			t.Errorf("with the words %q: proved %t, silent %v", words, is, out[0].Silent)
		}
	}
}

// TestStays: where the default is what the old value says, and is read with the new one as well, which cannot stand for
// that, the new one is dropped, if another value is seen to be read.
func TestStays(t *testing.T) {
	for _, tc := range []struct{ old, value, read, other, otherRead, sibling, want string }{
		{"4", "four", "4", "8", "8", "", "4"},
		{"4", "400", "4", "8", "8", "", "4"},
		{"5s", "30", "5s", "8s", "8s", "", "5s"},
		{"true", "of", "true", "false", "false", "", "true"},
		{"4", "four", "4", "8", "4", "", ""}, // the test has it from elsewhere
		{"4", "4", "4", "8", "8", "", ""},
		{"5s", "5", "5s", "8s", "8s", "6s", ""},
		{"5s", "5", "5s", "8s", "8s", "5s", "5s"},
		{"1h", "60", "1h0m0s", "2h", "2h0m0s", "1h1m0s", ""},
		{"24h", "1d", "24h0m0s", "2h", "2h0m0s", "48h0m0s", ""},
		{"true", "on", "true", "false", "false", "", ""},
		{"warn", "warning", "warn", "info", "info", "", ""}, // there may be two words for one
		{"4", "0", "4", "8", "8", "", ""},                   // nothing may be meant
	} {
		id := parameter.New("env", "SHOP")
		c := choose.Change{
			Change: change.Change{Identity: change.Identity{Path: "SHOP"}},
			Class:  &parameter.Class{ID: id, Aliases: []parameter.ID{"field:Options.Shop"}}, IDs: []parameter.ID{id}, Old: &tc.old, New: &tc.value,
		}
		b := &Bench{Changes: []choose.Change{c}, Workers: 1, Others: func(choose.Test, int, []string) []string {
			return map[bool][]string{false: {tc.other}}[tc.other == "false"]
		}, Trial: func(_ context.Context, _ choose.Test, v choose.Values) (*run.Outcome, error) {
			read := tc.read
			switch {
			case v[0] == nil:
			case *v[0] == tc.other:
				read = tc.otherRead
			case *v[0] == value.Sibling(tc.value):
				read = tc.sibling
			}
			return &run.Outcome{Ending: run.Passed, Events: []record.Event{{Verb: record.Read, Subject: "field:Options.Shop", Value: read, At: "a.go:1"}}}, nil
		}}
		out, err := b.All(t.Context(), []choose.Test{{Name: "TestShop", Reads: []int{0}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := out[0].Dropped[0].Value; got != tc.want || (len(out[0].Unproved) == 0) != (tc.want != "" || len(out[0].Proofs) > 0) {
			t.Errorf("%s in the place of %s: instead of it is read %q, want %q; unproved %v", tc.value, tc.old, got, tc.want, out[0].Unproved)
		}
	}
}
