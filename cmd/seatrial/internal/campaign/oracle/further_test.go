package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
)

// TestFurther: that values of a list's first item go somewhere says nothing of the others.
func TestFurther(t *testing.T) {
	const dead = "nothing comes of items of spec.servers behind the first: 2 times others were added, and they are nowhere, nor did the operator write anything; " +
		"values of spec.servers[].host go to data.first of configmaps *"
	for _, c := range []struct {
		name string
		// spec is what the seed says beside the list of servers, first what the first of these has, and item what an
		// added one has beside its host.
		spec, first, item string
		// items are the hosts of those that are added, each behind the first alone.
		items []string
		// rendered is what comes of the added ones.
		rendered string
		want     string
	}{
		{name: "two of which nothing comes", items: []string{"st-2", "st-3"}, want: dead},
		{name: "one is not enough", items: []string{"st-2"}},
		{name: "they arrive", items: []string{"st-2", "st-3"}, rendered: ", second: %"},
		{name: "they are chosen by name", spec: ", use: one", items: []string{"st-2", "st-3"}},
		{name: "another text is no name of one", spec: ", use: two", items: []string{"st-2", "st-3"}, want: dead},
		{name: "they are not enabled", item: "enabled", items: []string{"st-2", "st-3"}},
		{name: "they lack what the first is about", first: ", ports: [{name: a}]", items: []string{"st-2", "st-3"}},
		{name: "they lack what is empty in the first", first: ", ports: []", items: []string{"st-2", "st-3"}, want: dead},
	} {
		t.Run(c.name, func(t *testing.T) {
			tracer := oracle.NewTracer()
			seed := "{kind: Thing, metadata: {name: a}, spec: {servers: [{name: one, host: a.example" + c.first + "}]" + c.spec + "}}\n"
			add := func(o *operation.Operation, first, rest string) {
				objects := "{kind: ConfigMap, metadata: {name: a}, data: {first: " + first + rest + "}}"
				k := done(t, o, seed, seed+objects)
				k.Last().Start = state(t, seed)
				tracer.Add(k, nil)
			}
			for _, host := range c.items {
				item := map[string]any{"name": "n-" + host, "host": host}
				if c.item != "" {
					item[c.item] = false
				}
				add(&operation.Operation{
					Property: "spec.servers", Case: "item added", Sentinels: []string{host},
					Changes: []operation.Change{{Path: []any{"spec", "servers", 1}, Value: item}},
				}, "a.example", strings.ReplaceAll(c.rendered, "%", host))
			}
			o := set("spec.servers[].host", "st-9")
			o.Changes[0].Path = []any{"spec", "servers", 0, "host"}
			add(o, "st-9", "")
			got, operations := "", 0
			for _, d := range tracer.Judge(nil) {
				got += d.Text
				operations = len(d.Operations)
			}
			if unsure := slices.Equal(tracer.Unsure(), []string{"spec.servers"}); unsure != (len(c.items) == 1) {
				t.Errorf("more are asked for: %t", unsure)
			}
			if got != c.want || c.want != "" && operations != 3 {
				t.Errorf("got %q of %d operations\nwant %q", got, operations, c.want)
			}
		})
	}
}

// TestPartOfFurtherItems: that a part of the first item goes somewhere says nothing of that of another one, of which
// other parts do.
func TestPartOfFurtherItems(t *testing.T) {
	const dead = "nothing comes of spec.servers[].host of an item behind the first: another value is nowhere, nor did the operator write anything, " +
		"while what the first item says goes to data.first of configmaps *"
	const seed = "{kind: Thing, metadata: {name: a}, spec: {servers: [{host: a.example, zone: lorem}, {host: b.example, zone: ipsum}]}}\n"
	for _, c := range []struct {
		name string
		// second is what there is of the other item when its host is st-2.
		second, want string
	}{
		{name: "its host is nowhere", second: ", second: ipsum", want: dead},
		{name: "it arrives", second: ", second: ipsum st-2"},
		{name: "nothing is of that item", second: ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tracer := oracle.NewTracer()
			for i, host := range []string{"st-1", "st-2"} {
				o := set("spec.servers[].host", host)
				o.Changes[0].Path = []any{"spec", "servers", i, "host"}
				first := []string{"st-1", "a.example"}[i]
				k := done(t, o, seed, seed+"{kind: ConfigMap, metadata: {name: a}, data: {first: "+first+c.second+"}}")
				k.Last().Start = state(t, seed)
				tracer.Add(k, nil)
			}
			got := ""
			for _, d := range tracer.Judge(nil) {
				got += d.Text
			}
			if got != c.want {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
		})
	}
}
