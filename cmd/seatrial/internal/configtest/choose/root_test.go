package choose

import (
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestDocuments: a file that two loaders decode, each its part, is a document of both types: a key is a parameter of whoever has it, of both if both have it, and what the old version has
// for the other one no loader refuses. A type that no test comes to with the file is none of it.
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
