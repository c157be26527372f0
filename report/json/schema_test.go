package json

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/sample"
	"github.com/seatrial/seatrial/trace"
)

// schema is a JSON Schema document and the part of its rules that
// docs/report-schema.json uses. A keyword it does not know is an error, so
// that the schema cannot state what is not checked here.
type schema struct {
	root map[string]any
}

func loadSchema(t *testing.T) schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "report-schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s schema
	if err := json.Unmarshal(text, &s.root); err != nil {
		t.Fatal(err)
	}
	return s
}

// check returns what is wrong with value, a line each.
func (s schema) check(node map[string]any, value any, at string) []string {
	var wrong []string
	for _, keyword := range slices.Sorted(maps.Keys(node)) {
		wrong = append(wrong, s.keyword(node, keyword, node[keyword], value, at)...)
	}
	return wrong
}

func (s schema) keyword(node map[string]any, keyword string, rule, value any, at string) []string {
	bad := func(format string, args ...any) []string {
		return []string{at + ": " + fmt.Sprintf(format, args...)}
	}
	switch keyword {
	case "$schema", "$id", "$defs", "title", "description":
	case "$ref":
		target, err := s.definition(rule.(string))
		if err != nil {
			return bad("%v", err)
		}
		return s.check(target, value, at)
	case "const":
		if value != rule {
			return bad("%v is not %v", value, rule)
		}
	case "enum":
		if !slices.Contains(rule.([]any), value) {
			return bad("%v is not one of %v", value, rule)
		}
	case "type":
		if got := typeOf(value); got != rule {
			return bad("is %s, want %s", got, rule)
		}
	case "minimum":
		if n, ok := value.(float64); ok && n < rule.(float64) {
			return bad("%v is below %v", n, rule)
		}
	case "pattern":
		if text, ok := value.(string); ok && !regexp.MustCompile(rule.(string)).MatchString(text) {
			return bad("%q does not match %s", text, rule)
		}
	case "items":
		var wrong []string
		list, _ := value.([]any)
		for i, item := range list {
			wrong = append(wrong, s.check(rule.(map[string]any), item, fmt.Sprintf("%s[%d]", at, i))...)
		}
		return wrong
	case "required", "properties", "additionalProperties":
		object, _ := value.(map[string]any)
		return s.object(node, keyword, rule, object, at)
	default:
		return bad("the schema uses %q, which this test does not check", keyword)
	}
	return nil
}

func (s schema) object(node map[string]any, keyword string, rule any, object map[string]any, at string) []string {
	var wrong []string
	properties, _ := node["properties"].(map[string]any)
	switch keyword {
	case "required":
		for _, name := range rule.([]any) {
			if _, there := object[name.(string)]; !there {
				wrong = append(wrong, fmt.Sprintf("%s: %s is missing", at, name))
			}
		}
	case "properties":
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if property, known := properties[name].(map[string]any); known {
				wrong = append(wrong, s.check(property, object[name], at+"."+name)...)
			}
		}
	case "additionalProperties":
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if _, known := properties[name]; !known && rule == false {
				wrong = append(wrong, fmt.Sprintf("%s: %s is not in the schema", at, name))
			}
		}
	}
	return wrong
}

func (s schema) definition(ref string) (map[string]any, error) {
	name, local := strings.CutPrefix(ref, "#/$defs/")
	target, found := s.root["$defs"].(map[string]any)[name].(map[string]any)
	if !local || !found {
		return nil, fmt.Errorf("the schema has no %s", ref)
	}
	return target, nil
}

func typeOf(value any) string {
	switch v := value.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case float64:
		if v == float64(int64(v)) {
			return "integer"
		}
		return "number"
	}
	return "null"
}

func (s schema) validate(t *testing.T, text []byte) []string {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	return s.check(s.root, value, "$")
}

func goldens(t *testing.T) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", "*.json"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no golden reports: %v", err)
	}
	all := make(map[string][]byte)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = text
	}
	return all
}

// TestGoldenReports reads each golden report, writes it again, byte for byte
// the same, and holds it to the published schema.
func TestGoldenReports(t *testing.T) {
	s := loadSchema(t)
	for name, text := range goldens(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			r, err := Read(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := Write(&b, r); err != nil {
				t.Fatal(err)
			}
			if b.String() != string(text) {
				t.Errorf("written again it is\n%s", b.String())
			}
			for _, wrong := range s.validate(t, text) {
				t.Error(wrong)
			}
		})
	}
}

// TestEmptyReportHasItsArrays: a clean or an empty run has [] and never null.
func TestEmptyReportHasItsArrays(t *testing.T) {
	var b bytes.Buffer
	r := &finding.Report{Verdict: finding.Inconclusive}
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "null") {
		t.Error(b.String())
	}
	for _, wrong := range loadSchema(t).validate(t, b.Bytes()) {
		t.Error(wrong)
	}
	if r.Schema != "" || r.Results != nil {
		t.Error("Write changed its argument")
	}
}

// TestSimulationFitsItsSchema: the other document that a check writes.
func TestSimulationFitsItsSchema(t *testing.T) {
	s := loadSchema(t)
	node, err := s.definition("#/$defs/simulation")
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range []*finding.Simulation{
		{},
		{
			Tool: "seatrial", Version: "v1", Kubernetes: "v1.36.3", Command: "seatrial check --simulate .", Seed: 1 << 52, Text: "1 node", End: "at rest", AtRest: true,
			CutShort: true, Interrupted: true, Trace: &trace.Trace{Steps: []trace.Step{{Actor: "event", Action: "strikes"}}},
		},
	} {
		var b bytes.Buffer
		if err := WriteSimulation(&b, run); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "null") {
			t.Error(b.String())
		}
		var value any
		if err := json.Unmarshal(b.Bytes(), &value); err != nil {
			t.Fatal(err)
		}
		for _, wrong := range s.check(node, value, "$") {
			t.Error(wrong)
		}
	}
	if err := WriteSimulation(closed{}, &finding.Simulation{}); err == nil {
		t.Error("a failing writer goes unnoticed")
	}
}

// TestSchemaRefusesBrokenReports shows that the schema, and the check of it
// above, can fail.
func TestSchemaRefusesBrokenReports(t *testing.T) {
	s := loadSchema(t)
	good := string(goldens(t)[filepath.Join("testdata", "violated.json")])
	for _, c := range []struct{ old, new, want string }{
		{`"verdict": "violated"`, `"verdict": true`, "not one of"},
		{`"verdict": "violated"`, `"verdict": "ok"`, "not one of"},
		{`report/v1alpha1`, `report/v2`, "is not seatrial.dev/report/v1alpha1"},
		{`"states": 38`, `"states": -1`, "below 0"},
		{`"states": 38`, `"states": "38"`, "is string, want integer"},
		{`"SEA1001"`, `"ST1001"`, "does not match"},
		{`"tool"`, `"tools"`, "tool is missing"},
		{`"tool"`, `"tools"`, "tools is not in the schema"},
		{`"actor": "kubelet"`, `"act": "kubelet"`, "actor is missing"},
		{`"warnings": [`, `"warnings": null, "x": [`, "is null, want array"},
	} {
		broken := strings.Replace(good, c.old, c.new, 1)
		if broken == good {
			t.Fatalf("%s is not in the report", c.old)
		}
		if got := strings.Join(s.validate(t, []byte(broken)), "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.new, got, c.want)
		}
	}
}

// TestSchemaListsEveryField compares the schema with the Go types, in both
// directions: the fields, which of them are required, and their types.
func TestSchemaListsEveryField(t *testing.T) {
	s := loadSchema(t)
	seen := make(map[reflect.Type]bool)
	var compare func(typ reflect.Type, ref string)
	compare = func(typ reflect.Type, ref string) {
		if seen[typ] {
			return
		}
		seen[typ] = true
		node, err := s.definition(ref)
		if err != nil {
			t.Fatal(err)
		}
		properties := node["properties"].(map[string]any)
		var want, required []string
		for i := range typ.NumField() {
			name, options, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			want = append(want, name)
			if options != "omitempty" {
				required = append(required, name)
			}
			property, _ := properties[name].(map[string]any)
			field := typ.Field(i).Type
			for field.Kind() == reflect.Slice || field.Kind() == reflect.Pointer {
				if items, isList := property["items"].(map[string]any); isList && field.Kind() == reflect.Slice {
					property = items
				}
				field = field.Elem()
			}
			if field.Kind() == reflect.Struct {
				ref, _ := property["$ref"].(string)
				compare(field, ref)
			}
		}
		if got := slices.Sorted(maps.Keys(properties)); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: the schema has %v, the type %v", typ, got, want)
		}
		var stated []string
		for _, name := range node["required"].([]any) {
			stated = append(stated, name.(string))
		}
		if !slices.Equal(slices.Sorted(slices.Values(stated)), slices.Sorted(slices.Values(required))) {
			t.Errorf("%s: the schema requires %v, the type always writes %v", typ, stated, required)
		}
	}
	compare(reflect.TypeFor[finding.Report](), "#/$defs/report")
	compare(reflect.TypeFor[finding.Simulation](), "#/$defs/simulation")
	if len(seen) < 10 {
		t.Errorf("only %d types were compared", len(seen))
	}
}

func TestReadRefusesBadReports(t *testing.T) {
	for text, want := range map[string]string{
		``:                                      "EOF",
		`{}`:                                    `schema is ""`,
		`{"schema":"other"}`:                    `schema is "other"`,
		`{"schema":"` + finding.Schema + `"} 1`: "something follows",
		`{"results":1}`:                         "cannot unmarshal",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", text, err, want)
		}
	}
}

func TestWriteReportsErrors(t *testing.T) {
	if err := Write(closed{}, &finding.Report{}); err == nil {
		t.Error("a failing writer goes unnoticed")
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, os.ErrClosed }

// TestASetupIsWrittenOnce: traces that happen in one cluster share what is written
// of it, and have it again when they are read.
func TestASetupIsWrittenOnce(t *testing.T) {
	setup := func(version string) *trace.Setup {
		return &trace.Setup{Kubernetes: version, Objects: []json.RawMessage{json.RawMessage(`{"kind":"Node"}`)}, Workloads: []trace.Workload{}}
	}
	r := &finding.Report{Verdict: finding.Violated}
	for _, s := range []*trace.Setup{setup("v1"), setup("v2"), setup("v1"), nil} {
		r.Results = append(r.Results, finding.Result{Name: "x", Verdict: finding.Violated, Trace: &trace.Trace{Setup: s}})
	}
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), `"kind": "Node"`); n != 2 {
		t.Errorf("two setups are written %d times", n)
	}
	for _, wrong := range loadSchema(t).validate(t, b.Bytes()) {
		t.Error(wrong)
	}
	back, err := Read(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	for i, result := range back.Results {
		if !reflect.DeepEqual(result.Trace.Setup, r.Results[i].Trace.Setup) || result.Trace.SetupOf != nil {
			t.Errorf("result %d: %+v", i, result.Trace.Setup)
		}
	}
	if r.Setups != nil || r.Results[0].Trace.Setup == nil || back.Setups != nil {
		t.Error("writing or reading changed what is in memory")
	}
	for _, c := range []struct{ old, new, want string }{
		{`"setupOf": 1`, `"setupOf": 2`, "results[1].trace: setupOf is 2 of 2 setups"},
		{`"kubernetes": "v1"`, `"kubernetes": ""`, "results[0].trace: the setup: kubernetes is missing"},
		{`"setups": [`, `"setups": [null,`, "setups[0] is null"},
	} {
		broken := strings.Replace(b.String(), c.old, c.new, 1)
		if _, err := Read(strings.NewReader(broken)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.new, err, c.want)
		}
	}
}

// TestReference: a trace to compare with has its setup again, which is in the file
// once if both have the same.
func TestReference(t *testing.T) {
	r := sample.Large(2, 5)
	one := *r.Results[0].Trace
	one.Steps = one.Steps[:2]
	r.Results[0].Reference = &one
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), `"setups"`); n != 1 || strings.Count(b.String(), `"setupOf": 0`) != 2 {
		t.Errorf("%d lists of setups in\n%s", n, b.String())
	}
	back, err := Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	got := back.Results[0].Traces()
	if len(got) != 2 || len(got[0].Steps) != 2 || len(got[1].Steps) != 5 || got[0].Setup == nil || got[0].Setup != got[1].Setup {
		t.Errorf("it has the traces %+v", got)
	}
}
