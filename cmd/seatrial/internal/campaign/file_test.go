package campaign

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// inFile is an operator that writes all that the resource says as lines of one file, of which it keeps some as they
// were.
func inFile(kept ...string) func(map[string]any, history.Object) map[string]any {
	return func(spec map[string]any, old history.Object) map[string]any {
		was := map[string]string{}
		text, made := old.At("data", "app.conf").(string)
		for line := range strings.Lines(text) {
			name, _, _ := strings.Cut(line, " = ")
			was[name] = line
		}
		var all strings.Builder
		for _, name := range slices.Sorted(maps.Keys(spec)) {
			line := fmt.Sprintf("%s = %v\n", name, spec[name])
			if old, is := was[name]; made && is && slices.Contains(kept, name) {
				line = old
			}
			all.WriteString(line)
		}
		return map[string]any{"app.conf": "# made\n[app]\n" + all.String()}
	}
}

// Two mistakes in one file are two findings, also where one is seen behind the other, and one that all of the file
// shows is one.
func TestLinesOfFile(t *testing.T) {
	const sequence = "spec.size=2 spec.size=3 spec.text=a spec.text=b spec.more=c spec.more=d"
	for _, test := range []struct {
		name     string
		operator func(map[string]any, history.Object) map[string]any
		want     []string
	}{
		{"nothing", inFile(), nil},
		{"one line", inFile("size"), []string{"twin spec.size: spec.size=2"}},
		{"two lines", inFile("size", "text"), []string{"twin spec.size: spec.size=2", "twin spec.text: spec.text=a spec.text=b"}},
		{"the whole file", func(spec map[string]any, old history.Object) map[string]any {
			if data, _ := old.At("data").(map[string]any); data != nil {
				return data
			}
			return inFile()(spec, nil)
		}, []string{"twin spec.size: spec.size: removed (1 → none)"}},
	} {
		one := made(&fake{operator: test.operator}, sequence)
		if err := one.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := told(one.out); !slices.Equal(got, test.want) || len(one.out.Gone) > 0 {
			t.Errorf("%s: found %q, want %q", test.name, got, test.want)
			for _, f := range one.out.Gone {
				t.Errorf("gone: %s: %s: %s, instead %q", f.cause, f.Deviations[0].Text, told(&Outcome{Findings: []*Finding{f}}), f.instead)
			}
		}
	}
}

// Whoever only adds to a map leaves an entry behind each change: that is one mistake, whichever property has made the
// entry.
func TestEntriesThatStay(t *testing.T) {
	entries := func(spec map[string]any, old history.Object) map[string]any {
		data, _ := old.At("data").(map[string]any)
		all := maps.Clone(data)
		if all == nil {
			all = map[string]any{}
		}
		for name, v := range spec {
			all[fmt.Sprintf("%s-%v", name, v)] = "claimed"
		}
		return all
	}
	one := made(&fake{operator: entries}, "spec.size=2 spec.size=3 spec.text=a spec.text=b spec.more=c spec.more=d")
	if err := one.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := told(one.out), []string{"twin spec.size: spec.size: removed (1 → none)"}; !slices.Equal(got, want) || len(one.out.Gone) > 0 {
		t.Errorf("found %q, want %q", got, want)
	}
}

// What is known of some lines of a text is not known of others.
func TestWithoutLines(t *testing.T) {
	of := func(path string, lines ...string) oracle.Deviation {
		return oracle.Deviation{Oracle: "twin", Object: mapKey, Path: path, Lines: lines}
	}
	for _, test := range []struct {
		name          string
		found, before oracle.Deviation
		want          []string
		known         bool
	}{
		{"the same line", of("data.a", "x"), of("data.a", "x"), nil, true},
		{"another line, too", of("data.a", "x", "y"), of("data.a", "x"), []string{"y"}, false},
		{"another line", of("data.a", "y"), of("data.a", "x"), []string{"y"}, false},
		{"of which the lines are not known", of("data.a", "y"), of("data.a"), nil, true},
		{"another file", of("data.a", "x"), of("data.b", "x"), []string{"x"}, false},
	} {
		left := without([]oracle.Deviation{test.found}, []oracle.Deviation{test.before})
		if known := len(left) == 0; known != test.known || !known && !slices.Equal(left[0].Lines, test.want) {
			t.Errorf("%s: left %+v", test.name, left)
		}
	}
}

// TestWholeCause: a cause goes as far as the operator changes what it is about by itself.
func TestWholeCause(t *testing.T) {
	const where = "configmaps web data.*"
	for _, test := range []struct {
		updated []string
		want    string
	}{
		{nil, where},
		{[]string{where, where + part + "b"}, where + part + "a"},
		{[]string{where, where + part + "a"}, where + part + "a" + part + "x"},
	} {
		updated := map[string]bool{}
		for _, u := range test.updated {
			updated[u] = true
		}
		if got := wholeCause(where+part+"a"+part+"x", updated); got != test.want {
			t.Errorf("where %q are changed: %q, want %q", test.updated, got, test.want)
		}
	}
}
