package configtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/pace"
)

const examples = "../../../../examples/configtest"

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
		Change, Class, Misspelt                        string
		Culprit, Breaks, Hardcoded, Overridden, Unread []string
	}
	Generate struct{ Dormant, Silent []string }
}

// id is an identity as the truth has it.
func (x truth) id(name string) parameter.ID {
	if parameter.ID(name).Kind() == "" {
		name = x.Root + "." + name
	}
	return parameter.ID(name)
}

// read reads the truth of an example.
func read(t *testing.T, example string) truth {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(examples, example, "truth.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var x truth
	if err := yaml.Unmarshal(text, &x); err != nil {
		t.Fatal(err)
	}
	return x
}

// options are those of a session on a module. What it builds is kept where its map is: several sessions with one cache
// build once.
func options(t *testing.T, folder, cache string) Options {
	t.Helper()
	o := Options{Directory: folder, Packages: []string{"./..."}, Cache: cache, Environment: append(os.Environ(), "GOWORK=off")}
	if cache != "" {
		o.Builds = filepath.Join(cache, "builds")
	}
	return o
}

// TestExamples: what is found out about a service is what was written of it by hand before: its parameters, what each
// test reads and sets, and of each change what it breaks, what nobody reads and what says nothing.
func TestExamples(t *testing.T) {
	for _, example := range []string{"gateway", "janitor", "mailer", "thumbs"} {
		t.Run(example, func(t *testing.T) {
			if example != "gateway" {
				pace.Slow(t)
			}
			x := read(t, example)
			s, err := begin(t.Context(), options(t, filepath.Join(examples, example), t.TempDir()))
			if err != nil {
				t.Fatal(err)
			}
			defer s.close()
			m, err := s.mapped(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			x.compare(t, m)
			for _, seeded := range x.Seeded {
				x.diff(t, s, example, seeded.Change)
			}
		})
	}
}

// compare holds a map to the truth.
func (x truth) compare(t *testing.T, m *parameter.Map) {
	t.Helper()
	known := map[parameter.ID]bool{}
	of := func(name string) parameter.ID {
		c, is := m.Class(x.id(name))
		if !is {
			t.Errorf("%s is not known", name)
		}
		return c.ID
	}
	for _, p := range x.Parameters {
		known[of(p.ID)] = true
		for _, a := range p.Aliases {
			if of(a) != of(p.ID) {
				t.Errorf("%s and %s are not known to be one", p.ID, a)
			}
		}
	}
	for _, c := range m.Parameters {
		if !known[c.ID] {
			t.Errorf("%s is no parameter", c.ID)
		}
	}
	tests := map[string]parameter.Test{}
	for _, p := range m.Packages {
		if p.Problem != "" {
			t.Errorf("%s: %s", p.Path, p.Problem)
		}
		for _, one := range p.Tests {
			tests[strings.TrimPrefix(p.Path+"."+one.Name, "..")] = one
		}
	}
	if len(tests) != len(x.Tests) {
		t.Errorf("there are %d tests, want %d", len(tests), len(x.Tests))
	}
	for _, want := range x.Tests {
		got := tests[want.Test]
		for _, c := range []struct {
			what string
			got  []parameter.ID
			want []string
		}{{"reads", got.Reads, want.Reads}, {"sets", got.Sets, want.Sets}} {
			var ids []parameter.ID
			for _, id := range c.want {
				ids = append(ids, of(id))
			}
			if !slices.Equal(c.got, sorted(ids)) {
				t.Errorf("%s %s %v, want %v", want.Test, c.what, c.got, ids)
			}
		}
		var makes []string
		for _, id := range got.Makes {
			makes = append(makes, id.Name())
		}
		if slices.Sort(makes); got.Ends != "" || !slices.Equal(makes, want.Makes) {
			t.Errorf("%s makes %v, want %v; it ends %q", want.Test, makes, want.Makes, got.Ends)
		}
	}
}

// diff holds what is found of a change to the truth.
func (x truth) diff(t *testing.T, on *session, example, file string) {
	t.Helper()
	folder := filepath.Join(examples, example)
	before, err := change.Read(t.Context(), folder, x.Config)
	if err != nil {
		t.Fatal(err)
	}
	after, err := change.Read(t.Context(), folder, file)
	if err != nil {
		t.Fatal(err)
	}
	out, err := on.diff(t.Context(), Version{Settings: before}, Version{Settings: after})
	if err != nil {
		t.Fatal(err)
	}
	want := x.Seeded[slices.IndexFunc(x.Seeded, func(s struct {
		Change, Class, Misspelt                        string
		Culprit, Breaks, Hardcoded, Overridden, Unread []string
	},
	) bool {
		return s.Change == file
	})]
	var culprits []parameter.ID
	var breaks, hard []string
	for _, one := range out.Tests {
		for _, c := range one.Culprits {
			if c.HardCoded {
				hard = append(hard, testName(one))
				continue
			}
			breaks = append(breaks, testName(one))
			for _, i := range c.Changes {
				culprits = append(culprits, out.Changes[i].Class.ID)
			}
		}
	}
	var ids []parameter.ID
	for _, name := range want.Culprit {
		at := slices.IndexFunc(out.Changes, func(c choose.Change) bool {
			return c.Class != nil && slices.Contains(c.Class.Identities(), x.id(name))
		})
		if at < 0 {
			t.Errorf("%s: no change is of %s", file, name)
			continue
		}
		ids = append(ids, out.Changes[at].Class.ID)
	}
	equal := func(got, want []string) bool {
		slices.Sort(got)
		slices.Sort(want)
		return slices.Equal(got, want)
	}
	if !slices.Equal(sorted(culprits), sorted(ids)) || !equal(breaks, want.Breaks) || !equal(hard, want.Hardcoded) {
		t.Errorf("%s: %v breaks %v, and hard-coded are %v, want %v, %v and %v", file, culprits, breaks, hard, want.Culprit, want.Breaks, want.Hardcoded)
	}
	x.reasons(t, file, out, want.Overridden, want.Unread, len(want.Breaks) > 0 || want.Misspelt != "")
	said := slices.ContainsFunc(out.Report("").Results, func(r finding.Result) bool { return r.Name == "known-keys" && r.Subject == want.Misspelt })
	if want.Misspelt != "" && !said {
		t.Errorf("%s: it is not said that %s is misspelt", file, want.Misspelt)
	}
}

// reasons looks at what is said of changes that break nothing.
func (x truth) reasons(t *testing.T, file string, out *Outcome, overridden, unread []string, broken bool) {
	t.Helper()
	r := out.Report("")
	if (r.Verdict == finding.Violated) != broken {
		t.Errorf("%s: the verdict is %s", file, r.Verdict)
	}
	for _, c := range []struct {
		names []string
		want  string
	}{{overridden, "overridden by the test"}, {unread, "not exercised by any test"}} {
		for _, name := range c.names {
			said := slices.ContainsFunc(r.Results, func(result finding.Result) bool {
				return result.Verdict == finding.Inconclusive && strings.HasSuffix(name, result.Subject) && strings.Contains(result.Reason, c.want)
			})
			if !said {
				t.Errorf("%s: it is not said that %s is %s: %+v", file, name, c.want, r.Results)
			}
		}
	}
}

// TestAgain: a second run takes what the first one has seen, and says the same; when the code of a package changes, its
// tests run again, and no others.
func TestAgain(t *testing.T) {
	folder, cache := t.TempDir(), t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(examples, "janitor"))); err != nil {
		t.Fatal(err)
	}
	ran := func() (*parameter.Map, int) {
		t.Helper()
		o, all := options(t, folder, cache), 0
		o.Progress = func(p Progress) { all = max(all, p.All) }
		m, err := Map(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return m, all
	}
	first, tests := ran()
	second, again := ran()
	if !reflect.DeepEqual(first, second) || tests != 23 || again != 0 {
		t.Errorf("%d tests ran, and then %d; the maps are\n%+v\nand\n%+v", tests, again, first, second)
	}
	file := filepath.Join(folder, "quota", "quota_test.go")
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, []byte(strings.Replace(string(text), "q.SoftPercent, time.Second", "80, time.Second", 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, again := ran(); again != 3 {
		t.Errorf("%d tests ran after those of quota had changed, want its 3", again)
	}
}

// TestElsewhere: what is kept of a package is not believed when a type of it has become one of configuration by what a
// package does that no test is built from.
func TestElsewhere(t *testing.T) {
	pace.Slow(t)
	folder, cache := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/shop\n\ngo 1.24\n")
	write("knob/knob.go", "package knob\n\ntype Knobs struct{ Size int }\n\nfunc (k *Knobs) Half() int { return k.Size / 2 }\n")
	write("knob/knob_test.go", "package knob\n\nimport \"testing\"\n\nfunc TestHalf(t *testing.T) { new(Knobs).Half() }\n")
	const main = "package main\n\nimport (\n\t\"flag\"\n\n\t\"example.com/shop/knob\"\n)\n\nfunc main() {\n\tvar k knob.Knobs\n\tflag.IntVar(&k.Size, \"NAME\", 2, \"\")\n\t_ = k.Half()\n}\n"
	for _, name := range []string{"", "size", "width"} {
		var want []parameter.ID
		if name != "" {
			write("main.go", strings.Replace(main, "NAME", name, 1))
			want = []parameter.ID{parameter.New(parameter.Flag, "--"+name)}
		}
		m, err := Map(t.Context(), options(t, folder, cache))
		if err != nil {
			t.Fatal(err)
		}
		if reads := m.Packages[0].Tests[0].Reads; !slices.Equal(reads, want) {
			t.Errorf("with --%s it reads %v, want %v", name, reads, want)
		}
	}
}

// TestUnchanged: without a difference no test is run, and all holds.
func TestUnchanged(t *testing.T) {
	before, err := change.Read(t.Context(), filepath.Join(examples, "thumbs"), "config.yaml")
	if err != nil {
		t.Fatal(err)
	}
	out, err := Diff(t.Context(), Options{Directory: "no such folder"}, Version{Settings: before}, Version{Settings: before})
	if err != nil {
		t.Fatal(err)
	}
	if r := out.Report(""); r.Verdict != finding.Holds || r.Bound.Text != "nothing differs between the two versions" {
		t.Errorf("it is %s: %s", r.Verdict, r.Bound.Text)
	}
}

// TestFile: a test that opens the file that changes finds the other version there, reads what it minds, and the module
// stays as it is.
func TestFile(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":            "module example.com/shop\n\ngo 1.24\n",
		"deploy/shop.json":  `{"port": 80, "name": "shop"}`,
		"next.json":         `{"port": 0, "name": "shop"}`,
		"other.json":        `{"port": 81, "name": "shop"}`,
		"shop/shop.go":      "package shop\n",
		"shop/shop_test.go": "package shop\n\nimport (\n\t\"encoding/json\"\n\t\"os\"\n\t\"testing\"\n)\n\ntype config struct{ Port int }\n\nfunc TestPort(t *testing.T) {\n\ttext, err := os.ReadFile(\"../deploy/shop.json\")\n\tvar c config\n\tif err == nil {\n\t\terr = json.Unmarshal(text, &c)\n\t}\n\tif err != nil || c.Port == 0 {\n\t\tt.Errorf(\"there is no port: %v\", err)\n\t}\n}\n",
	} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	version := func(name string) Version {
		t.Helper()
		v := Version{File: filepath.Join(folder, name)}
		var err error
		if v.Text, err = os.ReadFile(v.File); err == nil {
			v.Settings, err = change.Parse(name, v.Text)
		}
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	o := options(t, folder, t.TempDir())
	for next, want := range map[string]finding.Verdict{"next.json": finding.Violated, "other.json": finding.Holds} {
		out, err := Diff(t.Context(), o, version("deploy/shop.json"), version(next))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report(""); r.Verdict != want || want == finding.Violated && r.Results[0].Subject != "port" {
			t.Errorf("%s: %s, %+v", next, r.Verdict, r.Results)
		}
	}
	if text, err := os.ReadFile(filepath.Join(folder, "deploy/shop.json")); err != nil || string(text) != `{"port": 80, "name": "shop"}` {
		t.Errorf("the file is %s, %v", text, err)
	}
}

// said is what a comparison says of each change of a file, and why if that is asked.
func said(t *testing.T, folder, cache, file, old, now string, why bool) string {
	t.Helper()
	o, err := Diff(t.Context(), options(t, folder, cache), version(t, file, old), version(t, file, now))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, r := range o.Report(folder).Results {
		text := fmt.Sprintf("%s %s", r.Verdict, r.Subject)
		if why && r.Reason != "" {
			text += ": " + r.Reason
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}
