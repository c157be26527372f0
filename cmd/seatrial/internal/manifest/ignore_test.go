package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParseIgnore(t *testing.T) {
	for line, want := range map[string]Ignore{
		"SEA1004: batch work":                       {Rule: "SEA1004", Reason: "batch work"},
		" available :  a: b ":                       {Rule: "available", Reason: "a: b"},
		"SEA1004 until=2026-12-31: batch work":      {Rule: "SEA1004", Reason: "batch work", Until: "2026-12-31"},
		"SEA1004: batch work until=2026-12-31":      {Rule: "SEA1004", Reason: "batch work", Until: "2026-12-31"},
		"SEA1004: batch work, until=2026-12-31.":    {Rule: "SEA1004", Reason: "batch work", Until: "2026-12-31"},
		"SEA1004: batch work (until=2026-12-31)":    {Rule: "SEA1004", Reason: "batch work", Until: "2026-12-31"},
		"SEA1004: set until=x there":                {Rule: "SEA1004", Reason: "set until=x there"},
		"my property of mine: reason":               {Rule: "my property of mine", Reason: "reason"},
		"SEA1004: we know of this, but not until=2": {},
		"SEA1004":                     {},
		"SEA1004:":                    {},
		": a":                         {},
		"SEA1004: until=2026-12-31":   {},
		"SEA1004 until=2026-02-30: a": {},
		"SEA1004 until=: a":           {},
		"SEA1 until=2026-01-01: a until=2026-01-02": {},
	} {
		got, err := parseIgnore(line)
		if (err != nil) != (want == Ignore{}) {
			t.Errorf("%q: %v", line, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", line, diff)
		}
	}
}

const annotated = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations:
    seatrial.dev/ignore: |
      SEA1001: known
      pods-run until=2026-12-31: and this
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: a, image: a}]}
`

func loaded(t *testing.T, text string) (*Input, error) {
	t.Helper()
	return Load(t.Context(), []string{"-"}, strings.NewReader(text), Options{Rules: []string{"SEA1001", "no-endless-eviction", "pods-run"}})
}

func TestIgnoreAnnotation(t *testing.T) {
	in, err := loaded(t, annotated)
	if err != nil {
		t.Fatal(err)
	}
	want := []Ignore{
		{Object: "Deployment default/web", Rule: "SEA1001", Reason: "known"},
		{Object: "Deployment default/web", Rule: "pods-run", Reason: "and this", Until: "2026-12-31"},
	}
	if diff := cmp.Diff(want, in.Ignores, cmpopts.IgnoreFields(Ignore{}, "Location")); diff != "" {
		t.Error(diff)
	}
	if at := in.Ignores[0].Location; at.FileLine() != "<stdin>:6" {
		t.Errorf("%+v", at)
	}
	if d := in.Digests; len(d) != 1 || d[0].Bytes != len(annotated) || len(d[0].SHA256) != 64 {
		t.Errorf("%+v", d)
	}
	for change, want := range map[string]string{
		"SEA1001: known|SEA1001":      `<stdin>:6: seatrial.dev/ignore: "SEA1001" has no reason: write RULE: reason`,
		"SEA1001: known|SEA1002: x":   `no rule "SEA1002"`,
		"SEA1001: known|pods-runs: x": `did you mean`,
		"2026-12-31|soon":             `until=soon is no day: write until=YYYY-MM-DD`,
	} {
		from, to, _ := strings.Cut(change, "|")
		if _, err := loaded(t, strings.Replace(annotated, from, to, 1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", change, err)
		}
	}
}

// FuzzIgnore: whatever an annotation holds, it is read or refused with one line.
func FuzzIgnore(f *testing.F) {
	f.Add("SEA1004 until=2026-12-31: batch work")
	f.Add("a: b until=")
	f.Fuzz(func(t *testing.T, line string) {
		i, err := parseIgnore(line)
		switch {
		case err != nil:
			if i != (Ignore{}) {
				t.Errorf("%+v and %v", i, err)
			}
		case strings.TrimSpace(i.Rule) == "" || strings.TrimSpace(i.Reason) == "" || i.Until != "" && len(i.Until) != len("2006-01-02"):
			t.Errorf("%q: %+v", line, i)
		}
	})
}

// TestIgnoreOfNothing: an annotation that can have no effect is not passed over.
func TestIgnoreOfNothing(t *testing.T) {
	in, err := loaded(t, `apiVersion: example.com/v1
kind: Ship
metadata:
  name: a
  annotations: {seatrial.dev/ignore: "SEA1001: known"}
---
apiVersion: example.com/v1
kind: Ship
metadata: {name: b}
`)
	if err != nil {
		t.Fatal(err)
	}
	var about []string
	for _, w := range in.Warnings {
		if strings.Contains(w.Message, IgnoreAnnotation) {
			about = append(about, w.Message)
		}
	}
	want := []string{"seatrial.dev/ignore of Ship/a has no effect: it is left out, and no finding is about it"}
	if diff := cmp.Diff(want, about); diff != "" {
		t.Error(diff)
	}
}
