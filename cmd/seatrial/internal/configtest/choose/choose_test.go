package choose

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// truth is what is said by hand of an example.
type truth struct {
	Config, Root string
	Parameters   []struct {
		ID      string
		Aliases []string
	}
	Tests []struct {
		Test               string
		Reads, Sets, Makes []string
	}
	Seeded []struct {
		Change, Class                                  string
		Culprit, Breaks, Hardcoded, Overridden, Unread []string
	}
}

// id is an identity as the truth has it.
func (x truth) id(name string) parameter.ID {
	if parameter.ID(name).Kind() == "" {
		name = x.Root + "." + name
	}
	return parameter.ID(name)
}

// mapped is the map that the truth is.
func (x truth) mapped() *parameter.Map {
	classes := &parameter.Classes{}
	for _, p := range x.Parameters {
		classes.Add(x.id(p.ID))
		for _, a := range p.Aliases {
			classes.Join(x.id(p.ID), x.id(a))
		}
	}
	m := &parameter.Map{Parameters: classes.All(), Types: []parameter.ID{parameter.ID(x.Root)}}
	for _, t := range x.Tests {
		to := parameter.Test{Name: t.Test}
		for _, id := range t.Reads {
			to.Reads = append(to.Reads, classes.Of(x.id(id)))
		}
		for _, id := range t.Sets {
			to.Sets = append(to.Sets, classes.Of(x.id(id)))
		}
		if len(m.Packages) == 0 {
			m.Packages = []parameter.Package{{Path: "."}}
		}
		m.Packages[0].Tests = append(m.Packages[0].Tests, to)
	}
	return m
}

// TestExamples: with the maps that were made by hand, every seeded change finds its parameter, and the tests that it
// breaks are among those that are chosen; what is not read, and what is overridden, is known as that.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../../../../examples/configtest/*/truth.yaml")
	if err != nil || len(files) < 4 {
		t.Fatalf("there are %v, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var x truth
		if err := yaml.Unmarshal(text, &x); err != nil {
			t.Fatal(err)
		}
		m, folder := x.mapped(), filepath.Dir(file)
		before, err := change.Read(t.Context(), folder, x.Config)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range x.Seeded {
			after, err := change.Read(t.Context(), folder, s.Change)
			if err != nil {
				t.Fatal(err)
			}
			changes := Link(m, change.Between(before, after), before, after)
			tests := Tests(m, changes)
			at := func(name string) int {
				return slices.IndexFunc(changes, func(c Change) bool {
					return c.Class != nil && slices.Contains(c.Class.Identities(), x.id(name))
				})
			}
			for _, id := range slices.Concat(s.Culprit, s.Overridden, s.Unread) {
				if at(id) < 0 {
					t.Errorf("%s %s: no change is of %s", filepath.Base(folder), s.Change, id)
				}
			}
			for _, name := range slices.Concat(s.Breaks, s.Hardcoded) {
				if !slices.ContainsFunc(tests, func(t Test) bool { return t.Name == name && len(t.Reads) > 0 }) {
					t.Errorf("%s %s: %s is not chosen", filepath.Base(folder), s.Change, name)
				}
			}
			for _, id := range slices.Concat(s.Overridden, s.Unread) {
				if slices.ContainsFunc(tests, func(t Test) bool { return slices.Contains(t.Reads, at(id)) }) {
					t.Errorf("%s %s: a test reads %s", filepath.Base(folder), s.Change, id)
				}
			}
		}
	}
}

// TestInject: how values come to a process, by the kind of the parameter.
func TestInject(t *testing.T) {
	m := &parameter.Map{Types: []parameter.ID{"field:config.Config", "field:config.Endpoint", "field:example.com/a/config.Config"}, Parameters: []parameter.Class{
		{ID: "viper:cache.ttl", Aliases: []parameter.ID{"env:CACHE_TTL"}},
		{ID: "flag:--workers", Aliases: []parameter.ID{"field:config.Config.sweep.workers"}},
		{ID: "field:config.Config.quota.per"},
		{ID: "field:config.Config.kind"},
		{ID: "field:config.Endpoint.kind"},
		{ID: "field:example.com/a/config.Config.list"},
		{ID: "env:LEVEL"},
		{ID: "env:OLD"},
	}}
	for name, c := range map[string]struct{ file, before, after, want string }{
		"a key of viper":             {"a.yaml", "Cache: {TTL: 1s}", "Cache: {TTL: 2s}", `alias env:CACHE_TTL=2s viper:cache.ttl="2s"`},
		"a field":                    {"a.yaml", "kind: x\nsweep: {workers: 1}", "kind: x\nsweep: {workers: 2}", `alias flag:--workers=2 field:config.Config={"sweep":{"workers":2}}`},
		"two fields":                 {"a.yaml", "kind: x\nsweep: {workers: 1}", "kind: b\nsweep: {workers: 2}", `alias flag:--workers=2 field:config.Config={"kind":"b","sweep":{"workers":2}}`},
		"below a field":              {"a.yaml", "kind: x\nquota: {per: {a: 1, b: 2}}", "kind: x\nquota: {per: {a: 3, b: 4}}", `field:config.Config={"quota":{"per":{"a":3,"b":4}}}`},
		"gone":                       {"a.yaml", "kind: x\nsweep: {workers: 1}", "kind: x", ``},
		"a flag":                     {"a.yaml", "apiVersion: v1\nkind: Pod\nspec: {containers: [{args: [-workers=1]}]}", "apiVersion: v1\nkind: Pod\nspec: {containers: [{args: [--workers, '2']}]}", `flag:--workers="2"`},
		"a variable":                 {".env", "LEVEL=1\nOLD=x\n", "LEVEL=2\n", `LEVEL=2 -OLD`},
		"a variable of a ConfigMap":  {"a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {LEVEL: '1'}", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {LEVEL: '2'}", `LEVEL=2`},
		"what is in another object":  {"a.yaml", "apiVersion: v1\nkind: Pod\nspec: {containers: [{env: [{name: LEVEL, value: '1'}]}]}", "apiVersion: v1\nkind: Pod\nspec: {containers: [{env: [{name: LEVEL, valueFrom: {configMapKeyRef: {name: a, key: b}}}]}]}", ``},
		"a type in a package's path": {"a.yaml", "list: [1]", "list: [1, 2]", `field:example.com/a/config.Config={"list":[1,2]}`},
		"what nobody reads":          {"a.yaml", "colour: red", "colour: blue", ``},
	} {
		t.Run(name, func(t *testing.T) {
			before, err := change.Parse(c.file, []byte(c.before))
			if err != nil {
				t.Fatal(err)
			}
			after, err := change.Parse(c.file, []byte(c.after))
			if err != nil {
				t.Fatal(err)
			}
			changes := Link(m, change.Between(before, after), before, after)
			all := make([]int, len(changes))
			for i := range all {
				all[i] = i
			}
			inject, environment, unset := Inject(changes, Before(changes).With(changes, all))
			var got []string
			for id, v := range inject {
				if id.Kind() == parameter.Flag {
					v = `"` + v + `"`
				}
				got = append(got, string(id)+"="+v)
			}
			for name, v := range environment {
				got = append(got, name+"="+v)
			}
			for _, name := range unset {
				got = append(got, "-"+name)
			}
			slices.SortFunc(got, func(a, b string) int { return strings.Compare(strings.TrimPrefix(a, "-"), strings.TrimPrefix(b, "-")) })
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("got %s, want %s", text, c.want)
			}
		})
	}
}

// TestUnnamed: a field that has the name that it has in Go is that of a key however this is written; others are not.
func TestUnnamed(t *testing.T) {
	for _, c := range []struct {
		field, key string
		want       bool
	}{{"Cache.TTL", "cache.ttl", true}, {"Cache.ttl", "cache.ttl", true}, {"cache.ttl", "cache.ttl", true}, {"cache.ttl", "cache.TTL", false}, {"Cache.TTL", "cache", false}} {
		if got := says(c.field, c.key); got != c.want {
			t.Errorf("%s, %s: %v", c.field, c.key, got)
		}
	}
}

// TestAnchors: programs read what aliases stand for. The anchor is no question of its own, unless what it says arrives
// nowhere.
func TestAnchors(t *testing.T) {
	const text = "base: &base\n  timeout: 5s\n  hops: 3\nroute:\n  <<: *base\nother: 1\n"
	m := &parameter.Map{Parameters: []parameter.Class{{ID: "viper:route.timeout"}}}
	before, err := change.Parse("a.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string][]string{"5s": {"route.timeout"}, "3": {"base.hops", "route.hops"}, "1": {"other"}} {
		after, err := change.Parse("a.yaml", []byte(strings.Replace(text, from, "7", 1)))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range Link(m, change.Between(before, after), before, after) {
			got = append(got, c.Path)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("with another %s the changes are %q, want %q", from, got, want)
		}
	}
}

// TestDotted: a name with a dot, below another one, is no key of a library: the map that has it is.
func TestDotted(t *testing.T) {
	classes := &parameter.Classes{}
	for _, id := range []parameter.ID{"koanf:routes", "koanf:routes.example.net", "koanf:a.b"} {
		classes.Add(id)
	}
	settings := func(text string) []change.Setting {
		out, err := change.Parse("c.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	before, after := settings("routes: {example.net: x}\na.b: 1\n"), settings("routes: {example.net: y}\na.b: 2\n")
	var got []string
	for _, c := range Link(&parameter.Map{Parameters: classes.All()}, change.Between(before, after), before, after) {
		got = append(got, string(c.IDs[0])+" "+*c.New)
	}
	if want := []string{`koanf:routes {"example.net":"y"}`, "koanf:a.b 2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSpelt: plain values of YAML that decoders take in several ways are given as they are written, too.
func TestSpelt(t *testing.T) {
	m := &parameter.Map{Types: []parameter.ID{"field:Config"}}
	for _, id := range []parameter.ID{"field:Config.on", "field:Config.part.day", "field:Config.name", "field:Config.labels", "field:Config.code"} {
		m.Parameters = append(m.Parameters, parameter.Class{ID: id})
	}
	parse := func(text string) []change.Setting {
		settings, err := change.Parse("c.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return settings
	}
	before := parse("on: \"no\"\npart: {day: 2024-01-01}\nname: a\nlabels: {a: off}\ncode: 1\n")
	after := parse("on: yes\npart: {day: 2024-01-02}\nname: b\nlabels: {a: on}\ncode: 08\n")
	changes := Link(m, change.Between(before, after), before, after)
	for want, in := range map[string][]int{
		`{"part":{"day":"2024-01-01"}}`:                        nil,
		`{"code":"08","on":"yes","part":{"day":"2024-01-02"}}`: {0, 1, 2, 3, 4},
	} {
		inject, _, _ := Inject(changes, Before(changes).With(changes, in))
		if got := inject["field:Config"+record.Spelt]; got != want {
			t.Errorf("with %v it is %s, want %s", in, got, want)
		}
	}
}

// TestLetters: a flag that is given by its letter comes to the program by its name.
func TestLetters(t *testing.T) {
	m := &parameter.Map{Parameters: []parameter.Class{{ID: "flag:--port", Aliases: []parameter.ID{"flag:--p"}}}}
	value := change.TextOf("1")
	c := Link(m, []change.Change{{Identity: change.Identity{Kind: change.Flag, Path: "--p"}, New: &value}}, nil, nil)
	if inject, _, _ := Inject(c, Before(c).With(c, []int{0})); len(inject) != 2 || inject["flag:--port"] != "1" || inject[record.AliasOf("flag:--p")] != "1" {
		t.Errorf("given is %v", inject)
	}
}
