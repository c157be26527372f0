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
			{Oracle: "twin", Object: service, Path: "spec.type", Text: "type", Place: "spec.type"},
			{Oracle: "crash", Text: "panic", Place: "panic"},
		}, want: []string{"panic: type"}},
		{name: "one field of several objects, by several oracles", all: []oracle.Deviation{
			{Oracle: "consistency", Object: service, Path: "metadata.labels.team", Text: "stale", Place: "metadata.labels.team"},
			{Oracle: "twin", Object: config, Path: "metadata.labels.team", Text: "config", Place: "metadata.labels.team"},
			{Oracle: "twin", Object: service, Path: "metadata.labels.team", Text: "service", Place: "metadata.labels.team"},
			{Oracle: "twin", Object: service, Path: "spec.type", Text: "type", Place: "spec.type"},
		}, want: []string{"config: service stale", "type:"}},
		{name: "effects", all: []oracle.Deviation{
			{Oracle: "twin", Object: key, Path: "status.size", Text: "status", Place: "status.size"},
			{Oracle: "twin", Object: service, Path: "spec.type", Text: "type", Place: "spec.type"},
			{Oracle: "health", Object: key, Text: "health", Place: "not ready"},
		}, want: []string{"type: status health"}},
		{name: "a sum of what is wrong", all: []oracle.Deviation{
			{Oracle: "twin", Object: service, Path: "metadata.annotations[checksum/config]", Expected: "12", Found: "13", Text: "named", Place: "metadata.annotations.*"},
			{Oracle: "twin", Object: service, Path: "metadata.labels.of", Expected: "6b86b273ff34fce1", Found: "d4735e3a265e16ee", Text: "sum", Place: "metadata.labels.of"},
			{Oracle: "twin", Object: service, Path: "spec.from", Expected: "web-5f6d8c9b7d", Found: "web-7c9d5b8f6b", Text: "drawn", Place: "spec.from"},
			{Oracle: "twin", Object: service, Path: "spec.type", Expected: "st-p1-o1", Found: "st-p1-o2", Text: "type", Place: "spec.type"},
			{Oracle: "twin", Object: service, Path: "spec.port", Expected: int64(20017), Found: int64(20018), Text: "port", Place: "spec.port"},
		}, want: []string{"type: named sum drawn", "port:"}},
		{name: "a sum alone", all: []oracle.Deviation{
			{Oracle: "twin", Object: service, Path: "metadata.labels.of", Expected: "6b86b273ff34fce1", Found: "d4735e3a265e16ee", Text: "sum", Place: "metadata.labels.of"},
			{Oracle: "twin", Object: key, Path: "status.size", Text: "status", Place: "status.size"},
		}, want: []string{"sum: status"}},
		{name: "what a status says that is not so", all: []oracle.Deviation{
			{Oracle: "health", Object: key, Text: "health", Place: "not ready"},
			{Oracle: "status", Object: key, Path: "status.readyReplicas", Text: "status", Place: "status.readyReplicas"},
		}, want: []string{"status: health"}},
		{name: "effects alone", all: []oracle.Deviation{
			{Oracle: "health", Object: key, Text: "health", Place: "not ready"},
			{Oracle: "twin", Object: key, Path: "status.size", Text: "status", Place: "status.size"},
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
				if g.Property != "spec.x" {
					t.Errorf("it is about %q", g.Property)
				}
				got = append(got, line)
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestPlace: it is the same for the same cause, wherever sentinels and positions are.
func TestPlace(t *testing.T) {
	place := func(value, index string) string {
		next := "{kind: Service, metadata: {name: a, annotations: {" + value + ": x}}, spec: {list: [" + index + "y]}}"
		found := oracle.Judge(twins(t, property("spec.labels{}", value), "", thing+next, thing+"{kind: Service, metadata: {name: a, annotations: {}}, spec: {list: ["+index+"z]}}", ""), only("twin"))
		var places []string
		for _, d := range found {
			places = append(places, d.Place)
		}
		return strings.Join(places, "\n")
	}
	const want = "metadata.annotations.*\nspec.list[]"
	for _, got := range []string{place("st-1", ""), place("st-22", "a, b, ")} {
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
