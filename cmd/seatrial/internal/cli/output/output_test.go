package output

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/finding"
	reportjson "github.com/seatrial/seatrial/report/json"
)

// TestParse: what cannot be written is refused with a line, and the rest goes on.
func TestParse(t *testing.T) {
	folder := t.TempDir()
	text := Output{Format: Text}
	cases := []struct {
		name    string
		flags   []string
		outputs []Output
		refused []string
	}{
		{"nothing", nil, []Output{text}, nil},
		{"a file beside the text", []string{"json=x"}, []Output{{JSON, "x"}, text}, nil},
		{"- is standard output", []string{"json=-"}, []Output{{JSON, ""}}, nil},
		{"a name with a =", []string{"json=a=b"}, []Output{{JSON, "a=b"}, text}, nil},
		{"two on standard output", []string{"json", "text"}, []Output{{JSON, ""}}, []string{"-o text: standard output takes one format; give the others a file, as in -o text=FILE"}},
		{"two in one file", []string{"json=x", "text=./x"}, []Output{{JSON, "x"}, text}, []string{"-o text=./x: ./x is given twice"}},
		{"a folder", []string{"json=" + folder}, []Output{text}, []string{"this is a folder"}},
		{"no folder", []string{"json=" + folder + "/no/x"}, []Output{text}, []string{"its folder: no such file or directory"}},
		{"no name", []string{"json="}, []Output{text}, []string{"-o json=: the file's name is missing"}},
		{"an unknown format keeps its place", []string{"xml", "json=x"}, []Output{{JSON, "x"}}, []string{"-o xml: the format is one of "}},
		{"an unknown format in a file", []string{"xml=x"}, []Output{text}, []string{"-o xml=x: the format is one of "}},
		{"nothing is left", []string{"xml"}, nil, []string{"-o xml: the format is one of "}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p, err := Parse(c.flags, Reports)
			if diff := cmp.Diff(c.outputs, p.Outputs); diff != "" || len(p.Refused) != len(c.refused) {
				t.Errorf("%s\nrefused %v", diff, p.Refused)
			}
			for i, want := range c.refused {
				if !strings.Contains(p.Refused[i].Error(), want) || strings.Contains(p.Refused[i].Error(), "\n") {
					t.Errorf("refused with %q, want %q", p.Refused[i], want)
				}
			}
			if (err != nil) != (len(c.outputs) == 0) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestEveryFormat renders every shared report in every format: each has something
// to say of it, twice the same.
func TestEveryFormat(t *testing.T) {
	env := func(string) string { return "" }
	for _, name := range reports(t) {
		for _, format := range formats {
			t.Run(filepath.Base(name)+" as "+format.Name, func(t *testing.T) {
				var first, second bytes.Buffer
				for _, b := range []*bytes.Buffer{&first, &second} {
					if err := format.render(b, Document{Report: load(t, name)}, Setting{Width: 80, Env: env}); err != nil {
						t.Fatal(err)
					}
				}
				if first.Len() == 0 || first.String() != second.String() {
					t.Errorf("%d bytes, then %d", first.Len(), second.Len())
				}
			})
		}
	}
}

// TestFormatsAreListed: what registers itself is in the help and the errors.
func TestFormatsAreListed(t *testing.T) {
	for _, want := range []string{"github", "json", "junit", "markdown", "sarif", "text"} {
		if !slices.Contains(Names(), want) || !strings.Contains(Help(), "\n  "+want+" ") && !strings.HasPrefix(Help(), "  "+want+" ") {
			t.Errorf("%s is not in %q or in\n%s", want, Names(), Help())
		}
	}
	if !slices.IsSorted(Names()) {
		t.Errorf("%q", Names())
	}
}

// TestPlaceThatCannotBeWritten: found out only when it comes to it, and the
// command line's fault.
func TestPlaceThatCannotBeWritten(t *testing.T) {
	s, out, _ := iostreams.Test("", iostreams.Terminal{})
	kept := filepath.Join(t.TempDir(), "kept.json")
	p := Plan{Outputs: []Output{{JSON, "/dev/null/x"}, {JSON, kept}, {Text, ""}}}
	code, err := p.Write(console.New(s, ""), Document{Report: &finding.Report{Verdict: finding.Violated}})
	if code != finding.CodeInput || err == nil || err.Error() != "write /dev/null/x: not a directory" {
		t.Errorf("code %d, %v", code, err)
	}
	if _, err := os.Stat(kept); err != nil || !strings.HasPrefix(out.String(), "VIOLATED") {
		t.Errorf("another output is lost: %v, %q", err, out)
	}
}

// TestStepSummary: inside a workflow the annotations go where -o says, and the
// Markdown is added to the file that the variable names. If that cannot be, the
// annotations are written all the same.
func TestStepSummary(t *testing.T) {
	file := filepath.Join(t.TempDir(), "summary")
	if err := os.WriteFile(file, []byte("before\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	d := Document{Report: &finding.Report{Verdict: finding.Violated, Results: []finding.Result{{Name: "mine", Subject: "x", Verdict: finding.Violated}}}}
	for _, c := range []struct {
		file string
		want finding.Code
	}{{"", 0}, {file, 0}, {filepath.Join(file, "no"), finding.CodeInput}} {
		s, out, _ := iostreams.Test("", iostreams.Terminal{Env: map[string]string{summaryVariable: c.file}})
		code, err := Plan{Outputs: []Output{{Format: "github"}}}.Write(console.New(s, ""), d)
		if code != c.want || (err != nil) != (c.want != 0) || !strings.HasPrefix(out.String(), "::error title=mine::x violates mine\n") {
			t.Errorf("%q: code %d, %v, %q", c.file, code, err, out)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(got), "before\n## ❌ seatrial: violated\n") {
		t.Errorf("%q, %v", got, err)
	}
}

// TestOwnForms: a document's own text goes before that of its report.
func TestOwnForms(t *testing.T) {
	d := Document{Report: &finding.Report{Verdict: finding.Holds}, Own: map[string]func(io.Writer, Setting) error{
		Text: func(w io.Writer, _ Setting) error { _, err := io.WriteString(w, "own"); return err },
	}}
	var text, data bytes.Buffer
	if err := find(Text).render(&text, d, Setting{}); err != nil || text.String() != "own" {
		t.Errorf("%q, %v", &text, err)
	}
	if err := find(JSON).render(&data, d, Setting{}); err != nil || !json.Valid(data.Bytes()) {
		t.Errorf("%q, %v", &data, err)
	}
}

// reports are the files that the tests of all formats share.
func reports(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("../../../../../report/json/testdata/*.json")
	if err != nil || len(found) < 5 {
		t.Fatalf("%q, %v", found, err)
	}
	return found
}

func load(t *testing.T, file string) *finding.Report {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := reportjson.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
