package field_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/field"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/instrument"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/internal/pace"
)

const examples = "../../../../../examples/configtest"

// truth is what is said by hand of an example.
type truth struct {
	Config, Root string
	Parameters   []struct {
		ID      parameter.ID
		Aliases []parameter.ID
	}
	Tests []struct {
		Test               string
		Reads, Sets, Makes []parameter.ID
	}
	Seeded []struct {
		Change                     string
		Culprit, Breaks, Hardcoded []string
	}
}

// id has what the identities of an example begin with in front.
func (x *truth) id(name parameter.ID) parameter.ID {
	if name.Kind() == "" {
		return parameter.ID(x.Root) + "." + name
	}
	return name
}

func (x *truth) ids(names []parameter.ID) []parameter.ID {
	out := []parameter.ID{}
	for _, name := range names {
		out = append(out, x.id(name))
	}
	slices.Sort(out)
	return out
}

func readTruth(t *testing.T, example string) *truth {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(examples, example, "truth.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var x truth
	if err := yaml.Unmarshal(text, &x); err != nil {
		t.Fatal(err)
	}
	return &x
}

// built is a module whose tests are built with rewritten sources.
type built struct {
	sources  *field.Sources
	runner   *run.Runner
	programs []run.Program
}

func build(t *testing.T, folder string, environment ...string) *built {
	t.Helper()
	pace.Sample(t, 4)
	m, err := run.Find(t.Context(), folder, "", append(os.Environ(), environment...), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sources, err := field.Analyze(t.Context(), m, []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	packages, err := m.Packages(t.Context(), []string{"./..."}, "")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := instrument.Prepare(t.Context(), m, t.TempDir(), t.TempDir(), sources.Replace)
	if err != nil {
		t.Fatal(err)
	}
	programs, err := m.Compile(t.Context(), run.Build{Flags: plan.Flags, Environment: plan.Environment, Folder: t.TempDir()}, packages)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		if p.Problem != "" {
			t.Errorf("%s: %s", p.Name, p.Problem)
		}
	}
	return &built{sources, &run.Runner{Module: m, Folder: t.TempDir(), Timeout: time.Minute}, programs}
}

// run runs a test; its package is in front of its name, if it is not the root.
func (b *built) run(t *testing.T, test string, inject map[parameter.ID]string) *run.Outcome {
	t.Helper()
	return b.runBeside(t, test, run.Values{Inject: inject})
}

// runBeside is the same with all that a process is given.
func (b *built) runBeside(t *testing.T, test string, v run.Values) *run.Outcome {
	t.Helper()
	for _, p := range b.programs {
		if name := strings.TrimPrefix(test, p.Name+"."); slices.Contains(p.Tests, name) && (name != test || p.Name == ".") {
			o, err := b.runner.Test(t.Context(), p, name, v)
			if err != nil {
				t.Fatal(err)
			}
			return o
		}
	}
	t.Fatalf("there is no test %s", test)
	return nil
}

// did is what a test does with parameters.
type did struct{ reads, sets, makes []parameter.ID }

// does sums up events: what it sets it does not read.
func does(o *run.Outcome, classes *parameter.Classes) did {
	out := did{[]parameter.ID{}, []parameter.ID{}, []parameter.ID{}}
	of := map[parameter.ID]bool{}
	for _, e := range o.Events {
		if e.Verb == record.Made && e.At == record.Test {
			out.makes = append(out.makes, e.Subject)
		}
	}
	for _, e := range o.Events {
		id := classes.Of(e.Subject)
		if e.Verb == record.Set && e.At == record.Test {
			of[id] = true
			out.sets = append(out.sets, id)
		}
	}
	for _, e := range o.Events {
		if id := classes.Of(e.Subject); e.Verb == record.Read && !of[id] {
			out.reads = append(out.reads, id)
		}
	}
	for _, all := range []*[]parameter.ID{&out.reads, &out.sets, &out.makes} {
		slices.Sort(*all)
		*all = slices.Compact(*all)
	}
	return out
}

// classes joins what the sources say, and what was recorded.
func (b *built) classes(o *run.Outcome) *parameter.Classes {
	var c parameter.Classes
	for _, pair := range b.sources.Aliases {
		c.Join(pair[0], pair[1])
	}
	for _, e := range o.Events {
		if e.Verb == record.Hand {
			c.Join(e.Subject, parameter.ID(e.Value))
		}
	}
	return &c
}

// TestTruth: what each test of a service reads, sets and makes is what was found by hand.
func TestTruth(t *testing.T) {
	for _, example := range []string{"janitor", "gateway", "mailer", "thumbs"} {
		t.Run(example, func(t *testing.T) {
			x := readTruth(t, example)
			b := build(t, filepath.Join(examples, example), "GOWORK=off")
			if len(b.sources.Problems) > 0 {
				t.Errorf("the problems are %q", b.sources.Problems)
			}
			for _, test := range x.Tests {
				o := b.run(t, test.Test, nil)
				c := b.classes(o)
				got, want := does(o, c), did{of(c, x.ids(test.Reads)), of(c, x.ids(test.Sets)), []parameter.ID{}}
				for _, m := range test.Makes {
					want.makes = append(want.makes, "field:"+m)
				}
				if o.Ending != run.Passed || !slices.Equal(got.reads, want.reads) || !slices.Equal(got.sets, want.sets) || !slices.Equal(got.makes, want.makes) {
					t.Errorf("%s %s:\n got %v\nwant %v\n%v\n%s", test.Test, o.Ending, got, want, o.Events, o.Output)
				}
			}
			c := b.classes(&run.Outcome{})
			leaves := map[parameter.ID]bool{}
			for _, r := range b.sources.Roots {
				for _, l := range r.Leaves {
					leaves[l.ID] = true
				}
			}
			for _, p := range x.Parameters {
				for _, id := range append(p.Aliases, p.ID) {
					if id = x.id(id); id.Kind() == parameter.Field {
						if !leaves[id] {
							t.Errorf("%s is not found", id)
						}
						delete(leaves, id)
					}
				}
				for _, alias := range p.Aliases {
					library := p.ID.Kind() == parameter.Viper || p.ID.Kind() == parameter.Koanf
					static := alias.Kind() == parameter.Field || !library // other names of keys are recorded by libraries
					if static && c.Of(x.id(alias)) != c.Of(x.id(p.ID)) {
						t.Errorf("%s is not known to be %s", alias, p.ID)
					}
				}
			}
			if len(leaves) > 0 {
				t.Errorf("found are also %v", leaves)
			}
		})
	}
}

func of(c *parameter.Classes, ids []parameter.ID) []parameter.ID {
	for i := range ids {
		ids[i] = c.Of(ids[i])
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// TestSeeded: each change of the janitor, injected as a document, breaks the tests that it ought to, and no other one.
func TestSeeded(t *testing.T) {
	pace.Slow(t)
	folder := filepath.Join(examples, "janitor")
	x, b := readTruth(t, "janitor"), build(t, folder, "GOWORK=off")
	before, err := change.Read(t.Context(), folder, x.Config)
	if err != nil {
		t.Fatal(err)
	}
	for _, seeded := range x.Seeded {
		after, err := change.Read(t.Context(), folder, seeded.Change)
		if err != nil {
			t.Fatal(err)
		}
		document := map[string]any{}
		for _, c := range change.Between(before, after) {
			nest(t, document, strings.Split(c.Path, "."), c.New.Reveal())
		}
		text, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		var broken []string
		for _, test := range x.Tests {
			o := b.run(t, test.Test, map[parameter.ID]string{parameter.ID(x.Root): string(text)})
			if o.Ending.Fails() {
				broken = append(broken, test.Test)
			}
			for _, e := range o.Events {
				if e.Verb == record.Gave && e.At != "" {
					t.Errorf("%s: %s is refused: %s", seeded.Change, e.Subject, e.At)
				}
			}
		}
		want := slices.Concat(seeded.Breaks, seeded.Hardcoded)
		slices.Sort(want)
		slices.Sort(broken)
		if !slices.Equal(broken, want) {
			t.Errorf("%s (%s) breaks %v, want %v", seeded.Change, text, broken, want)
		}
	}
}

func nest(t *testing.T, in map[string]any, path []string, value string) {
	t.Helper()
	for _, p := range path[:len(path)-1] {
		below, is := in[p].(map[string]any)
		if !is {
			below = map[string]any{}
			in[p] = below
		}
		in = below
	}
	var v any
	if err := yaml.Unmarshal([]byte(value), &v); err != nil {
		t.Fatal(err)
	}
	in[path[len(path)-1]] = v
}
