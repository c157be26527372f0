package finding

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

const quotedFile = `apiVersion: v1
kind: Secret
data:
  password: aHVudGVyMg==
---
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
---
kind: PodDisruptionBudget
spec:
  minAvailable: 4
`

func reportAbout(lines ...int) *Report {
	r := &Report{}
	for _, n := range lines {
		r.Results = append(r.Results, Result{Causes: []Cause{{Location: Location{File: "a.yaml", Line: n}}}})
	}
	return r
}

func quote(r *Report, text string) string {
	r.Quote(func(file string) ([]byte, bool) { return []byte(text), file == "a.yaml" })
	var said []string
	for _, s := range r.Sources {
		said = append(said, fmt.Sprintf("%s:%d-%d", s.File, s.Line, s.Line+len(s.Text)-1))
	}
	return strings.Join(said, " ")
}

func TestQuoteKeepsTheLinesAroundALocation(t *testing.T) {
	long := strings.Repeat("- x\n", 100)
	cases := []struct {
		name   string
		report *Report
		text   string
		want   string
	}{
		{"nothing is said of a file", reportAbout(), quotedFile, ""},
		{"not beyond the document, where a Secret is", reportAbout(10), quotedFile, "a.yaml:6-10"},
		{"two documents are two quotes", reportAbout(14, 10), quotedFile, "a.yaml:6-10 a.yaml:12-14"},
		{"a line that is not there", reportAbout(99, 0), quotedFile, ""},
		{"in the middle", reportAbout(50), long, "a.yaml:45-54"},
		{"quotes that touch are one", reportAbout(50, 60, 50), long, "a.yaml:45-64"},
		{"quotes that do not are two", reportAbout(50, 61), long, "a.yaml:45-54 a.yaml:56-65"},
		{"the first line and the last", reportAbout(1, 100), long, "a.yaml:1-5 a.yaml:95-100"},
		{"an empty file", reportAbout(1), "", ""},
		{
			"what blocks a verdict, not what is left out without harm",
			&Report{Omissions: []Omission{{Location: Location{File: "a.yaml", Line: 7}}, {Location: Location{File: "a.yaml", Line: 13}, Blocking: true}}},
			quotedFile, "a.yaml:12-14",
		},
		{"a file that nobody has", &Report{Omissions: []Omission{{Location: Location{File: "b.yaml", Line: 7}, Blocking: true}}}, quotedFile, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := quote(c.report, c.text); got != c.want {
				t.Errorf("quotes %q, want %q", got, c.want)
			}
		})
	}
}

func TestQuotesAreSmallAndValid(t *testing.T) {
	r := reportAbout(1, 2)
	quote(r, strings.Repeat("é", 1000)+"\r\n\xffz\r\n")
	want := []string{strings.Repeat("é", quoteColumnsMax-1) + "…", "\uFFFDz"}
	if got := r.Sources[0].Text; !reflect.DeepEqual(got, want) {
		t.Errorf("quotes %q", got)
	}
	var all []int
	for n := range 5000 {
		all = append(all, n*12+1)
	}
	r = reportAbout(all...)
	quote(r, strings.Repeat("x\n", 60_000))
	n := 0
	for _, s := range r.Sources {
		n += len(s.Text)
	}
	if n == 0 || n > quoteLinesMax {
		t.Errorf("%d lines are kept", n)
	}
}

func TestQuotedFindsTheSourceOfALocation(t *testing.T) {
	r := &Report{Sources: []Source{{File: "a", Line: 3, Text: []string{"x", "y"}}, {File: "a", Line: 9, Text: []string{"z"}}}}
	for line, want := range map[int]*Source{2: nil, 3: &r.Sources[0], 4: &r.Sources[0], 5: nil, 9: &r.Sources[1], 10: nil} {
		if got := r.Quoted(Location{File: "a", Line: line}); got != want {
			t.Errorf("line %d: %v", line, got)
		}
	}
	if r.Quoted(Location{File: "b", Line: 3}) != nil {
		t.Error("another file is quoted")
	}
}
