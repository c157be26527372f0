package output

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/xeipuuv/gojsonschema"

	"github.com/seatrial/seatrial/finding"
)

// TestSARIFIsValid holds what is written for every shared report, and for one
// without any result, to the public schema of SARIF 2.1.0.
func TestSARIFIsValid(t *testing.T) {
	schema := sarifSchema(t)
	all := map[string]*finding.Report{"nothing": {Verdict: finding.Holds}}
	for _, name := range reports(t) {
		all[filepath.Base(name)] = load(t, name)
	}
	change := finding.Change{File: "a.yaml", Line: 3, Old: []string{"replicas: 1"}, New: []string{"replicas: 2"}}
	all["suggested"] = &finding.Report{Verdict: finding.Violated, Results: []finding.Result{{
		Rule: "SEA1001", Name: "no-endless-eviction", Verdict: finding.Violated,
		Suggestions: []finding.Suggestion{{Title: "raise replicas", Cost: "one pod more", Changes: []finding.Change{change, {File: "b.yaml", Line: 1, Old: []string{"x"}}}}},
	}}}
	rules := []finding.Rule{{ID: "SEA1001", Name: "no-endless-eviction", Title: "pods go", Means: "for ever", Why: "two want two things", Level: finding.LevelError}}
	for name, r := range all {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := find("sarif").Report(&b, Document{Report: r, Rules: rules}, Setting{}); err != nil {
				t.Fatal(err)
			}
			if err := valid(schema, b.Bytes()); err != nil {
				t.Errorf("%v\n%s", err, &b)
			}
		})
	}
}

// TestSARIFSchemaBites: what is not SARIF is refused.
func TestSARIFSchemaBites(t *testing.T) {
	schema := sarifSchema(t)
	const fine = `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"message":{"text":"a"},"kind":"open"}]}]}`
	if err := valid(schema, []byte(fine)); err != nil {
		t.Error(err)
	}
	for name, change := range map[string][2]string{
		"no tool":           {`"tool":{"driver":{"name":"x"}},`, ``},
		"no such kind":      {`"open"`, `"maybe"`},
		"a message is due":  {`"message":{"text":"a"},`, ``},
		"no such field":     {`"kind"`, `"sort"`},
		"results are null":  {`[{"message":{"text":"a"},"kind":"open"}]`, `null`},
		"another version":   {`2.1.0`, `2.0.0`},
		"not even a number": {`"kind":"open"`, `"ruleIndex":"1"`},
	} {
		if err := valid(schema, []byte(strings.Replace(fine, change[0], change[1], 1))); err == nil {
			t.Errorf("%s: passes", name)
		}
	}
}

func valid(schema *gojsonschema.Schema, doc []byte) error {
	result, err := schema.Validate(gojsonschema.NewBytesLoader(doc))
	if err != nil {
		return err
	}
	var wrong []error
	for _, e := range result.Errors() {
		wrong = append(wrong, errors.New(e.String()))
	}
	return errors.Join(wrong...)
}

// sarifSchema is the public schema, out of the source of a library that carries
// it: the library itself judges only what it has read into its own types, which
// is not what was written.
func sarifSchema(t *testing.T) *gojsonschema.Schema {
	t.Helper()
	_ = sarif.Report{} // keeps the library among the requirements
	folder, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	source, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(folder)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	ast.Inspect(source, func(n ast.Node) bool {
		if s, ok := n.(*ast.ValueSpec); ok && s.Names[0].Name == "schema" {
			text, err = strconv.Unquote(s.Values[0].(*ast.BasicLit).Value)
		}
		return true
	})
	if err != nil || len(text) < 50_000 {
		t.Fatalf("the schema is not where it was: %v, %d bytes", err, len(text))
	}
	schema, err := gojsonschema.NewSchema(gojsonschema.NewStringLoader(text))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
