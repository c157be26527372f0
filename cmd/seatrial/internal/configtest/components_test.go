package configtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/component"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/pace"
)

// compared are the manifests of the example against others.
func compared(t *testing.T, after string) *component.Comparison {
	t.Helper()
	shared := filepath.Join(examples, "shared")
	file := filepath.Join(shared, "seatrial.components.yaml")
	all, err := component.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := component.Compare(t.Context(), all, file, component.Manifests{Name: filepath.Join(shared, "manifests.yaml")}, component.Manifests{Name: after})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestComponents: a value of a file that two programs share is tried on both, and what only one of them reads is no
// question to the other.
func TestComponents(t *testing.T) {
	o := options(t, "", t.TempDir())
	for _, c := range []struct {
		seeded string
		want   []string
		code   finding.Code
	}{
		{"patience-without-unit", []string{
			"violated mailer: smtp.timeout: TestGreeting: the greeting is \"\"", "violated thumbs: cache.ttl: TestCacheKeeps: a thumbnail is gone after a second",
		}, finding.CodeViolated},
		{"less-patience", []string{"holds mailer: smtp.timeout: ", "holds thumbs: cache.ttl: "}, finding.CodeHolds},
		{"unknown-format", []string{"violated thumbs: image.format: TestFormatIsAsTold"}, finding.CodeViolated},
	} {
		got, err := DiffComponents(t.Context(), o, compared(t, filepath.Join(examples, "shared", "seeded", c.seeded+".yaml")))
		if err != nil {
			t.Fatal(err)
		}
		r := got.Report()
		matches := len(r.Results) == len(c.want)
		var lines []string
		for i, result := range r.Results {
			line := fmt.Sprintf("%s %s: %s", result.Verdict, result.Subject, result.Message)
			lines = append(lines, line)
			matches = matches && strings.HasPrefix(line, c.want[i]) && strings.HasSuffix(result.Causes[0].Location.File, c.seeded+".yaml")
		}
		if !matches || r.Code() != c.code {
			t.Errorf("%s: it exits with %d, and says\n%s\nwant %d\n%s", c.seeded, r.Code(), strings.Join(lines, "\n"), c.code, strings.Join(c.want, "\n"))
		}
		if !slices.ContainsFunc(r.Assumptions, func(a string) bool { return strings.Contains(a, " is for thumbs: no code here is known that reads it") }) {
			t.Errorf("%s: it assumes %q", c.seeded, r.Assumptions)
		}
	}
}

// TestComponentsStart: a program is started with the files that its container has.
func TestComponentsStart(t *testing.T) {
	pace.Slow(t)
	text, err := os.ReadFile(filepath.Join(examples, "shared", "manifests.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	after := filepath.Join(t.TempDir(), "manifests.yaml")
	if err := os.WriteFile(after, []byte(strings.Replace(string(text), "from: noreply@example.com", "from: ''", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	o := options(t, "", t.TempDir())
	o.Start = Start{Command: []string{"{main}", "{args}"}, Within: time.Second}
	c := compared(t, after)
	for i := range c.Parts {
		if c.Parts[i].Name == "thumbs" {
			c.Parts[i].Main = ""
		}
	}
	got, err := DiffComponents(t.Context(), o, c)
	if err != nil {
		t.Fatal(err)
	}
	var starts []string
	r := got.Report()
	for _, result := range r.Results {
		if result.Name == "starts" {
			starts = append(starts, fmt.Sprintf("%s %s: %s", result.Verdict, result.Subject, result.Message))
		}
	}
	if want := "violated mailer: . {args}: it starts with the old version, and with the new one it exited with code 1: mailer: message.from is empty: no server takes that"; len(starts) != 1 || starts[0] != want {
		t.Errorf("it says %q, want %q", starts, want)
	}
	if want := "thumbs was not started: the file of components does not say what its main is"; !slices.Contains(r.Assumptions, want) {
		t.Errorf("it assumes %q", r.Assumptions)
	}
}

// TestGaps: a change that nobody can be asked about is no pass, also if nothing else is wrong.
func TestGaps(t *testing.T) {
	got, err := DiffComponents(t.Context(), Options{}, &component.Comparison{
		Gaps: []component.Gap{{Subject: "ConfigMap a b", Reason: "it differs", Location: finding.Location{File: "values.yaml", Line: 3}}}, Notes: []string{"a note"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := got.Report(); r.Code() != finding.CodeInconclusive || len(r.Results) != 1 || r.Results[0].Reason != "it differs" || r.Results[0].Causes[0].Location.Line != 3 || !slices.Contains(r.Assumptions, "a note") {
		t.Errorf("the report is %+v", r)
	}
	if got, err = DiffComponents(t.Context(), Options{}, &component.Comparison{}); err != nil || got.Report().Code() != finding.CodeHolds {
		t.Errorf("where nothing differs, it is %+v, %v", got, err)
	}
}
