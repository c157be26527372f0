package choose

import (
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestDocuments: a file that two loaders decode, each its part, is a document of both types: a key is a parameter of
// whoever has it, of both if both have it, and what the old version has for the other one no loader refuses. A type
// that no test comes to with the file is none of it.
func TestDocuments(t *testing.T) {
	m := &parameter.Map{Types: []parameter.ID{"field:a.Server", "field:b.Sweep", "field:c.Other"}, Strict: []parameter.ID{"field:a.Server"}}
	for _, id := range []parameter.ID{
		"field:a.Server.root", "field:a.Server.port", "field:a.Server.host", "field:b.Sweep.root", "field:b.Sweep.keep", "field:c.Other.root", "field:c.Other.keep", "file:shop.yaml",
	} {
		m.Parameters = append(m.Parameters, parameter.Class{ID: id})
	}
	m.Packages = []parameter.Package{{Path: "a", Tests: []parameter.Test{
		{Name: "TestServes", Reads: []parameter.ID{"field:a.Server.root", "file:shop.yaml"}},
		{Name: "TestSweeps", Reads: []parameter.ID{"field:b.Sweep.root", "field:b.Sweep.keep", "file:shop.yaml"}},
		{Name: "TestOther", Reads: []parameter.ID{"field:c.Other.root"}},
	}}}
	parse := func(text string) []change.Setting {
		settings, err := change.Parse("etc/shop.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return settings
	}
	before, after := parse("root: /a\nport: 1\nhost: x\nkeep: 5\n"), parse("root: /b\nport: 1\nhost: x\nkeep: 6\nkeeps: 1\n")
	linked := Link(m, change.Between(before, after), before, after)
	of := map[string][]parameter.ID{}
	for _, c := range linked {
		of[c.Path] = c.IDs
	}
	if !slices.Equal(of["root"], []parameter.ID{"field:a.Server.root", "field:b.Sweep.root"}) || !slices.Equal(of["keep"], []parameter.ID{"field:b.Sweep.keep"}) || len(of["keeps"]) > 0 {
		t.Errorf("the parameters are %v", of)
	}
	inject, _, _ := Inject(linked, Before(linked).With(linked, []int{0, 1}))
	if inject["field:a.Server"] != `{"root":"/b"}` || inject["field:b.Sweep"] != `{"keep":6,"root":"/b"}` || len(inject) != 2 {
		t.Errorf("what is given is %v", inject)
	}
	var reads [][]int
	for _, test := range Tests(m, linked) {
		reads = append(reads, test.Reads)
	}
	if len(reads) != 2 || !slices.Equal(reads[0], []int{0}) || !slices.Equal(reads[1], []int{0, 1}) {
		t.Errorf("the tests read %v", reads)
	}
}

// TestFilesOfOneObject: of two files that an object holds, the one that has most of a type is what is decoded into it,
// also if another one has a key that is called alike.
func TestFilesOfOneObject(t *testing.T) {
	m := &parameter.Map{Types: []parameter.ID{"field:Config"}, Strict: []parameter.ID{"field:Config"}}
	for _, id := range []parameter.ID{"field:Config.name", "field:Config.port", "field:Config.host"} {
		m.Parameters = append(m.Parameters, parameter.Class{ID: id})
	}
	parse := func(config, alerts string) []change.Setting {
		settings, err := change.Parse("cm.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app}\ndata:\n  config.yaml: |\n"+config+"  alerts.yaml: |\n"+alerts))
		if err != nil {
			t.Fatal(err)
		}
		return settings
	}
	before := parse("    name: a\n    port: 1\n", "    name: slow\n    expr: x\n")
	after := parse("    name: b\n    port: 2\n", "    name: slower\n    expr: x\n    severity: high\n")
	of := map[string]int{}
	for _, c := range Link(m, change.Between(before, after), before, after) {
		if c.Class != nil {
			of[c.In+" "+c.Path]++
		}
	}
	if len(of) != 2 || of["ConfigMap app config.yaml name"] != 1 || of["ConfigMap app config.yaml port"] != 1 {
		t.Errorf("the parameters are %v", of)
	}
}

// TestOneKeyAlike: a file that has one key of many in common with a type is none of its documents, unless a test opens
// a file of that name.
func TestOneKeyAlike(t *testing.T) {
	m := &parameter.Map{Types: []parameter.ID{"field:State"}}
	for _, name := range []string{"name", "seen", "taken", "left", "right"} {
		m.Parameters = append(m.Parameters, parameter.Class{ID: parameter.ID("field:State." + name)})
	}
	parse := func(text string) []change.Setting {
		settings, err := change.Parse("shop.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return settings
	}
	before, after := parse("name: a\nport: 1\nhost: x\nkeep: 5\nwait: 1s\n"), parse("name: b\nport: 1\nhost: x\nkeep: 5\nwait: 1s\n")
	known := func() bool { return Link(m, change.Between(before, after), before, after)[0].Class != nil }
	if known() {
		t.Error("one key is enough")
	}
	m.Packages = []parameter.Package{{Path: "a", Tests: []parameter.Test{{Name: "TestState", Reads: []parameter.ID{"field:State.name", "file:etc/shop.yaml"}}}}}
	if !known() {
		t.Error("a test opens that")
	}
	m.Packages = nil
	if before, after = parse("name: a\n"), parse("name: b\n"); !known() {
		t.Error("it is all that the file says")
	}
}
