package choose

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestLoading: what nobody reads is tried with tests that load it: those that read most of what comes with it, and then
// those that set it.
func TestLoading(t *testing.T) {
	m := &parameter.Map{Types: []parameter.ID{"field:Config"}}
	for _, id := range []parameter.ID{"field:Config.port", "field:Config.host", "field:Config.name", "flag:--verbose", "env:LONELY", "viper:a"} {
		m.Parameters = append(m.Parameters, parameter.Class{ID: id})
	}
	m.Packages = []parameter.Package{{Path: ".", Tests: []parameter.Test{
		{Name: "TestHost", Reads: []parameter.ID{"field:Config.host"}},
		{Name: "TestBoth", Reads: []parameter.ID{"field:Config.host", "field:Config.name"}},
		{Name: "TestSets", Reads: []parameter.ID{"field:Config.host", "field:Config.name"}, Sets: []parameter.ID{"field:Config.port"}},
		{Name: "TestFails", Ends: "failed", Reads: []parameter.ID{"field:Config.host"}},
		{Name: "TestOwn", Sets: []parameter.ID{"viper:a"}},
		{Name: "TestFlag", Reads: []parameter.ID{"flag:--verbose"}},
	}}}
	for id, want := range map[parameter.ID]string{
		"field:Config.port": "TestBoth TestHost",
		"field:Config.host": "", // it is read
		"env:LONELY":        "",
		"viper:a":           "TestOwn",
	} {
		class, _ := m.Class(id)
		changes := []Change{{Class: &class, IDs: []parameter.ID{id}}}
		var got []string
		for _, test := range Loading(m, changes, Tests(m, changes)) {
			if len(test.Loads) > 0 {
				got = append(got, test.Name)
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %s, want %s", id, text, want)
		}
	}
}

// TestFurther: of what those that were run show nothing of, others are run that load it.
func TestFurther(t *testing.T) {
	m := &parameter.Map{Types: []parameter.ID{"field:Config"}}
	for _, id := range []parameter.ID{"field:Config.port", "field:Config.host", "field:Config.name"} {
		m.Parameters = append(m.Parameters, parameter.Class{ID: id})
	}
	m.Packages = []parameter.Package{{Path: ".", Tests: []parameter.Test{
		{Name: "TestPort", Reads: []parameter.ID{"field:Config.port", "field:Config.name", "field:Config.host"}},
		{Name: "TestHost", Reads: []parameter.ID{"field:Config.host"}},
		{Name: "TestNothing"},
	}}}
	class, _ := m.Class("field:Config.port")
	changes := []Change{{Class: &class, IDs: []parameter.ID{"field:Config.port"}}}
	run := Tests(m, changes)
	if found := Further(m, changes, []int{0}, run); len(found) != 1 || found[0].Name != "TestHost" || len(found[0].Loads) != 1 {
		t.Errorf("beside %v: %v", run, found)
	}
	if found := Further(m, changes, nil, run); len(found) > 0 {
		t.Errorf("nothing is open, and %v are run", found)
	}
}

// TestLoadingOwn: one of the tests is of the package in which the type is, where it is checked.
func TestLoadingOwn(t *testing.T) {
	m := &parameter.Map{Types: []parameter.ID{"field:config.App"}}
	for _, id := range []parameter.ID{"field:config.App.port", "field:config.App.host", "field:config.App.name"} {
		m.Parameters = append(m.Parameters, parameter.Class{ID: id})
	}
	both := []parameter.ID{"field:config.App.host", "field:config.App.name"}
	m.Packages = []parameter.Package{
		{Path: "serve", Tests: []parameter.Test{{Name: "TestA", Reads: both}, {Name: "TestB", Reads: both}, {Name: "TestC", Reads: both}, {Name: "TestD", Reads: both}}},
		{Path: "internal/config", Tests: []parameter.Test{{Name: "TestLoad", Sets: both[:1]}}},
	}
	class, _ := m.Class("field:config.App.port")
	changes := []Change{{Class: &class, IDs: []parameter.ID{"field:config.App.port"}}}
	var got []string
	for _, test := range Loading(m, changes, nil) {
		got = append(got, test.Name)
	}
	if text := strings.Join(got, " "); text != "TestA TestB TestLoad" {
		t.Errorf("loaded by %s", text)
	}
}
