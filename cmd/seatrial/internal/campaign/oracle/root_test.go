package oracle_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// TestRoot: what has one cause is one group.
func TestRoot(t *testing.T) {
	service, config := history.Key{Resource: "services", Name: "a"}, history.Key{Resource: "configmaps", Name: "a"}
	cases := []struct {
		name string
		all  []oracle.Deviation
		// want has a group a line: the text of the lead, and of the others.
		want []string
	}{
		{name: "nothing"},
		{name: "a crash brings all", all: []oracle.Deviation{
			{Oracle: "twin", Object: service, Path: "spec.type", Text: "type", Class: "twin services spec.type spec.x"},
			{Oracle: "crash", Text: "panic", Class: "crash panic spec.x"},
		}, want: []string{"panic: type"}},
		{name: "one field of several objects, by several oracles", all: []oracle.Deviation{
			{Oracle: "consistency", Object: service, Path: "metadata.labels.team", Text: "stale", Class: "consistency services metadata.labels.team spec.x"},
			{Oracle: "twin", Object: config, Path: "metadata.labels.team", Text: "config", Class: "twin configmaps metadata.labels.team spec.x"},
			{Oracle: "twin", Object: service, Path: "metadata.labels.team", Text: "service", Class: "twin services metadata.labels.team spec.x"},
			{Oracle: "twin", Object: service, Path: "spec.type", Text: "type", Class: "twin services spec.type spec.x"},
		}, want: []string{"config: service stale", "type:"}},
		{name: "effects", all: []oracle.Deviation{
			{Oracle: "twin", Object: key, Path: "status.size", Text: "status", Class: "twin things.example.com status.size spec.x"},
			{Oracle: "twin", Object: service, Path: "spec.type", Text: "type", Class: "twin services spec.type spec.x"},
			{Oracle: "health", Object: key, Text: "health", Class: "health things.example.com not ready spec.x"},
		}, want: []string{"type: status health"}},
		{name: "effects alone", all: []oracle.Deviation{
			{Oracle: "health", Object: key, Text: "health", Class: "health things.example.com not ready spec.x"},
			{Oracle: "twin", Object: key, Path: "status.size", Text: "status", Class: "twin things.example.com status.size spec.x"},
		}, want: []string{"health: status"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, g := range oracle.Root(c.all, "spec.x") {
				line := g.Lead.Text + ":"
				for _, d := range g.Others {
					line += " " + d.Text
				}
				if !strings.HasSuffix(g.Class, " spec.x") || strings.Count(g.Class, "spec.x") != 1 {
					t.Errorf("the class is %q", g.Class)
				}
				got = append(got, line)
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestClass: it is the same for the same cause, wherever sentinels and positions are.
func TestClass(t *testing.T) {
	class := func(value, index string) string {
		next := "{kind: Service, metadata: {name: a, annotations: {" + value + ": x}}, spec: {list: [" + index + "y]}}"
		found := oracle.Judge(twins(t, property("spec.labels{}", value), "", thing+next, thing+"{kind: Service, metadata: {name: a, annotations: {}}, spec: {list: ["+index+"z]}}", ""), only("twin"))
		var classes []string
		for _, d := range found {
			classes = append(classes, d.Class)
		}
		return strings.Join(classes, "\n")
	}
	const want = "twin services metadata.annotations.* spec.labels{}\ntwin services spec.list[] spec.labels{}"
	for _, got := range []string{class("st-1", ""), class("st-22", "a, b, ")} {
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
