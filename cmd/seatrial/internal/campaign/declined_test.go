package campaign

import (
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/history"
)

// keeps does what the resource says, but for spec.size, which stays as it was made.
func keeps(spec map[string]any, old history.Object) map[string]any {
	data := follows(spec, old)
	if size := old.At("data", "size"); size != nil {
		data["size"] = size
	}
	return data
}

// sticks does nothing any more as long as there is another size than it was made with.
func sticks(spec map[string]any, old history.Object) map[string]any {
	data, _ := old.At("data").(map[string]any)
	if data["size"] != nil && data["size"] != spec["size"] {
		return data
	}
	return follows(spec, old)
}

const unchangeable = "spec.size cannot be changed"

// refuses says of another size that it is not taken.
func refuses(spec map[string]any, data, _ history.Object) string {
	if data.At("data", "size") != spec["size"] {
		return unchangeable
	}
	return ""
}

// resents says so for ever.
func resents(spec map[string]any, data, old history.Object) string {
	if old.Text("status", "message") == unchangeable {
		return unchangeable
	}
	return refuses(spec, data, old)
}

// mutters says so once.
func mutters(spec map[string]any, data, old history.Object) string {
	if old.Text("status", "message") == unchangeable {
		return ""
	}
	return refuses(spec, data, old)
}

// What an operator says that it does not do is not held against what comes behind it, as long as it is asked for and
// the operator says so. What it does not do besides is.
func TestDeclined(t *testing.T) {
	for _, test := range []struct {
		name     string
		operator func(map[string]any, history.Object) map[string]any
		says     func(map[string]any, history.Object, history.Object) string
		sequence string
		want     string
	}{
		{"it stands", keeps, refuses, "spec.size=2 spec.text=a spec.text=b", ""},
		{"another of the same", keeps, refuses, "spec.size=2 spec.size=3 spec.text=b", ""},
		{"what comes behind it is not done", sticks, refuses, "spec.size=2 spec.text=a", "twin spec.text"},
		{"it is taken back, and held against it for ever", keeps, resents, "spec.size=2 spec.size=1 spec.text=a", "twin spec.size"},
		{"it is said no more", keeps, mutters, "spec.size=2 spec.text=a", "twin spec.text"},
	} {
		t.Run(test.name, func(t *testing.T) {
			one := made(&fake{operator: test.operator, says: test.says}, test.sequence)
			if err := one.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			got := ""
			if all := told(one.out); len(all) > 0 {
				got, _, _ = strings.Cut(all[0], ":")
			}
			if got != test.want || len(one.out.Findings) > 1 {
				t.Errorf("found %q, want %q", told(one.out), test.want)
			}
		})
	}
}

// TestNothingTaken: a property of which the operator takes no value is named, and none of which it takes one.
func TestNothingTaken(t *testing.T) {
	lab := &fake{
		operator: func(spec map[string]any, old history.Object) map[string]any {
			data := follows(spec, old)
			if text, _ := spec["text"].(string); strings.HasPrefix(text, "sentinel") {
				data["text"] = ""
			}
			return data
		},
		says: func(spec map[string]any, _, _ history.Object) string {
			if text, _ := spec["text"].(string); strings.HasPrefix(text, "sentinel") {
				return "the text " + text + " is not valid"
			}
			return ""
		},
	}
	for sequence, want := range map[string][]string{"spec.text=sentinel-1 spec.text=sentinel-2 spec.size=3": {"spec.text"}, "spec.text=sentinel-1 spec.text=words-1": nil} {
		one := made(lab, sequence)
		if err := one.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := one.out.declined(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", sequence, got, want)
		}
		warned := false
		for _, w := range one.out.Report("x", nil).Warnings {
			warned = warned || strings.HasSuffix(w.Message, "of spec.text")
		}
		if warned != (want != nil) {
			t.Errorf("%s: it is warned of: %t", sequence, warned)
		}
	}
}

// TestDeclinedBehindAnother: what comes behind a change that is declined, and still asked for, may be declined for
// that.
func TestDeclinedBehindAnother(t *testing.T) {
	set := func(name, property string) *operation.Operation {
		return &operation.Operation{Name: name, Property: property, Changes: []operation.Change{{Path: []any{"spec", property}, Value: name}}}
	}
	text, size, other := set("a text", "spec.text"), set("a size", "spec.size"), set("another size", "spec.size")
	for _, c := range []struct {
		name       string
		operations []*operation.Operation
		declined   []bool
		want       []string
	}{
		{"each by itself", []*operation.Operation{text, size}, []bool{false, true}, []string{"spec.size"}},
		{"behind one that is declined", []*operation.Operation{text, size}, []bool{true, true}, []string{"spec.text"}},
		{"behind one of the same property", []*operation.Operation{size, other}, []bool{true, true}, []string{"spec.size"}},
	} {
		out := &Outcome{Plan: &operation.Plan{Sequences: []*operation.Sequence{{Operations: c.operations}}}, Results: []*Result{{}}}
		for i, o := range c.operations {
			out.Results[0].Steps = append(out.Results[0].Steps, StepResult{Operation: o.Name, Quiet: true, Declined: c.declined[i]})
		}
		if got := out.declined(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
