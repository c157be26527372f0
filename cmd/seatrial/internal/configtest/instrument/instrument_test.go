package instrument_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/instrument"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/internal/pace"
)

const examples = "../../../../../examples/configtest"

// truth is what is said by hand of an example.
type truth struct {
	Parameters []struct {
		ID      parameter.ID
		Aliases []parameter.ID
	}
	Tests []struct {
		Test        string
		Reads, Sets []parameter.ID
	}
}

// built is a module with its tests built as a plan says.
type built struct {
	plan     *instrument.Plan
	runner   *run.Runner
	programs []run.Program
}

func build(t *testing.T, folder string, environment ...string) built {
	t.Helper()
	m, err := run.Find(t.Context(), folder, "", append(os.Environ(), environment...), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	packages, err := m.Packages(t.Context(), []string{"./..."}, "")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := instrument.Prepare(t.Context(), m, t.TempDir(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	programs, err := m.Compile(t.Context(), run.Build{Flags: plan.Flags, Environment: plan.Environment, Folder: t.TempDir()}, packages)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		if p.Problem != "" {
			t.Fatalf("%s: %s", p.Name, p.Problem)
		}
	}
	return built{plan, &run.Runner{Module: m, Folder: t.TempDir(), Timeout: time.Minute}, programs}
}

// run runs a test; its package is in front of its name, if it is not the root.
func (b built) run(t *testing.T, test string, inject map[parameter.ID]string) *run.Outcome {
	t.Helper()
	return b.runBeside(t, test, run.Values{Inject: inject})
}

func (b built) runBeside(t *testing.T, test string, v run.Values) *run.Outcome {
	t.Helper()
	for _, p := range b.programs {
		if slices.Contains(p.Tests, test) {
			o, err := b.runner.Test(t.Context(), p, test, v)
			if err != nil {
				t.Fatal(err)
			}
			return o
		}
	}
	t.Fatalf("there is no test %s", test)
	return nil
}

// TestTruth: of services with viper and koanf, what each test reads and sets is what was found by hand.
func TestTruth(t *testing.T) {
	for _, c := range []struct {
		example string
		kind    parameter.Kind
	}{{"thumbs", parameter.Viper}, {"mailer", parameter.Koanf}} {
		t.Run(c.example, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(examples, c.example, "truth.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			var x truth
			if err := yaml.Unmarshal(text, &x); err != nil {
				t.Fatal(err)
			}
			b := build(t, filepath.Join(examples, c.example), "GOWORK=off")
			var wanted, classes parameter.Classes
			for _, test := range x.Tests {
				o := b.run(t, test.Test, nil)
				var reads, sets []parameter.ID
				for _, e := range o.Events {
					if e.Verb == record.Hand {
						classes.Join(e.Subject, parameter.ID(e.Value))
					}
				}
				for _, e := range o.Events {
					if e.Verb == record.Set && e.At == record.Test {
						sets = append(sets, classes.Of(e.Subject))
					}
				}
				slices.Sort(sets)
				sets = slices.Compact(sets)
				for _, e := range o.Events {
					if e.Verb == record.Read && e.Subject.Kind() == c.kind && !slices.Contains(sets, e.Subject) {
						reads = append(reads, e.Subject)
					}
				}
				slices.Sort(reads)
				reads = slices.Compact(reads)
				slices.Sort(test.Reads)
				slices.Sort(test.Sets)
				// What is decoded into a struct at once is seen where its fields are read.
				test.Reads = slices.DeleteFunc(test.Reads, func(id parameter.ID) bool { return strings.HasPrefix(string(id), "koanf:limit.") })
				if !slices.Equal(reads, test.Reads) || !slices.Equal(sets, test.Sets) {
					t.Errorf("%s reads %v and sets %v, want %v and %v\n%s", test.Test, reads, sets, test.Reads, test.Sets, o.Output)
				}
			}
			for _, p := range x.Parameters {
				for _, a := range p.Aliases {
					if a.Kind() != parameter.Field {
						wanted.Join(p.ID, a)
					}
				}
			}
			for _, want := range wanted.All() {
				for _, id := range append(want.Aliases, want.ID) {
					if classes.Of(id) != want.ID {
						t.Errorf("%s is not known as %s", id, want.ID)
					}
				}
			}
		})
	}
}

// TestInjected: an injected value arrives where the program says nothing else, and not where the test does.
func TestInjected(t *testing.T) {
	pace.Slow(t)
	for _, c := range []struct {
		example, test string
		inject        map[parameter.ID]string
		want          run.Ending
	}{
		{"thumbs", "TestCacheKeeps", map[parameter.ID]string{"viper:cache.ttl": `300`}, run.Failed},
		{"thumbs", "TestCacheKeeps", map[parameter.ID]string{"viper:cache.ttl": `"200s"`}, run.Passed},
		{"thumbs", "TestCacheIsBounded", map[parameter.ID]string{"viper:cache.size": `7`}, run.Passed},
		{"mailer", "TestPausesGrow", map[parameter.ID]string{"koanf:retry.attempts": `70`}, run.Failed},
		{"mailer", "TestPausesGrow", map[parameter.ID]string{"koanf:retry.attempts": `6`}, run.Passed},
		{"mailer", "TestFirstMessageGoesAtOnce", map[parameter.ID]string{"koanf:limit.burst": `0`}, run.Failed},
		{"mailer", "TestLimitFills", map[parameter.ID]string{"koanf:limit.burst": `9`}, run.Passed},
		{"gateway", "TestRequestsEndBeforeTheProcess", map[parameter.ID]string{"flag:--request-timeout": "40s"}, run.Failed},
		{"gateway", "TestRequestsEndBeforeTheProcess", map[parameter.ID]string{"flag:--request-timeout": "25s"}, run.Passed},
		{"gateway", "TestRequestsEndBeforeTheProcess", map[parameter.ID]string{"flag:--request-timeout": "40s" + record.Again + "25s"}, run.Passed}, // given twice: the last one holds
		{"gateway", "TestRequestsEndBeforeTheProcess", map[parameter.ID]string{"flag:--request-timeout": "soon"}, run.Failed},
		{"gateway", "TestRequestsEndBeforeTheProcess", map[parameter.ID]string{"flag:--max-in-flight": "many"}, run.Failed}, // also what it does not read
		{"gateway", "TestTooMany", map[parameter.ID]string{"flag:--max-in-flight": "5"}, run.Passed},
	} {
		b := build(t, filepath.Join(examples, c.example), "GOWORK=off")
		if o := b.run(t, c.test, c.inject); o.Ending != c.want {
			t.Errorf("%s %s with %v: %s, want %s\n%s\n%v", c.example, c.test, c.inject, o.Ending, c.want, o.Output, o.Events)
		}
	}
}

// shelf is a module with a library of its own version, used by what is kept in four ways.
func shelf(t *testing.T) string {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"app/go.mod":      "module example.com/app\n\ngo 1.24\n\nrequire github.com/spf13/pflag v1.0.5\n\nreplace github.com/spf13/pflag => ../pflag\n",
		"app/app.go":      "package app\n\nimport \"github.com/spf13/pflag\"\n\nfunc Size() int {\n\tf := pflag.NewFlagSet(\"app\", pflag.ContinueOnError)\n\tf.Int(\"size\", 3, \"\")\n\t_ = f.Parse(nil)\n\tn, _ := f.GetInt(\"size\")\n\treturn n\n}\n",
		"app/app_test.go": "package app\n\nimport \"testing\"\n\nfunc TestSize(t *testing.T) {\n\tif n := Size(); n != 3 {\n\t\tt.Errorf(\"the size is %d\", n)\n\t}\n}\n",
	} {
		if err := os.MkdirAll(filepath.Join(folder, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestKept: a library is found and instrumented wherever the module has it from, and nothing in the module changes.
func TestKept(t *testing.T) {
	pace.Slow(t)
	thumbs, err := run.Find(t.Context(), filepath.Join(examples, "thumbs"), "", append(os.Environ(), "GOWORK=off"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	said, err := thumbs.Command(t.Context(), nil, "list", "-m", "-f", "{{.Dir}}", "github.com/spf13/pflag")
	if err != nil {
		t.Fatal(err)
	}
	for name, more := range map[string]func(t *testing.T, folder string) (environment string){
		"replaced": func(*testing.T, string) string { return "GOWORK=off" },
		"in a vendor directory": func(t *testing.T, folder string) string {
			m := &run.Module{Directory: filepath.Join(folder, "app"), Go: "go", Environment: append(os.Environ(), "GOWORK=off")}
			if _, err := m.Command(t.Context(), nil, "mod", "vendor"); err != nil {
				t.Fatal(err)
			}
			return "GOWORK=off"
		},
		"in a workspace": func(t *testing.T, folder string) string {
			if err := os.WriteFile(filepath.Join(folder, "go.work"), []byte("go 1.24\n\nuse ./app\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			return "GOWORK=" + filepath.Join(folder, "go.work")
		},
		"beside it in a workspace": func(t *testing.T, folder string) string {
			if err := os.WriteFile(filepath.Join(folder, "go.work"), []byte("go 1.24\n\nuse (\n\t./app\n\t./pflag\n)\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			mod := filepath.Join(folder, "app", "go.mod")
			if err := os.WriteFile(mod, []byte("module example.com/app\n\ngo 1.24\n\nrequire github.com/spf13/pflag v1.0.5\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			return "GOWORK=" + filepath.Join(folder, "go.work")
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder := shelf(t)
			if err := os.CopyFS(filepath.Join(folder, "pflag"), os.DirFS(strings.TrimSpace(string(said)))); err != nil {
				t.Fatal(err)
			}
			environment := more(t, folder)
			before := tree(t, folder)
			b := build(t, filepath.Join(folder, "app"), environment)
			o := b.run(t, "TestSize", nil)
			read := record.Event{Verb: record.Read, Subject: "flag:--size", Value: "3", At: "app.go:9"}
			if o.Ending != run.Passed || !slices.Contains(o.Events, read) {
				t.Errorf("it %s, with %v\n%v", o.Ending, o.Events, b.plan.Libraries)
			}
			if o := b.run(t, "TestSize", map[parameter.ID]string{"flag:--size": "4"}); o.Ending != run.Failed || !strings.Contains(o.Output, "the size is 4") {
				t.Errorf("with 4 it %s\n%s", o.Ending, o.Output)
			}
			if after := tree(t, folder); after != before {
				t.Errorf("the module has changed:\n%s", cmp.Diff(before, after))
			}
		})
	}
}

// TestParts: values arrive in parts that are decoded as a whole, known to the program or not, above what the program
// has in itself, and below what a test has in a file.
func TestParts(t *testing.T) {
	pace.Slow(t)
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(examples, "thumbs"))); err != nil {
		t.Fatal(err)
	}
	source := `package main

import (
	"os"
	"path/filepath"
	"testing"
)

type part struct{ Width, Most int }

func TestParts(t *testing.T) {
	var p part
	var all struct{ Image part }
	v := built()
	if v.UnmarshalKey("image", &p) != nil || v.Unmarshal(&all) != nil || p != all.Image {
		t.Fatal(p, all)
	}
	t.Fatal(p.Width, p.Most, v.GetInt("image.most"))
}

func TestNull(t *testing.T) {
	v := built()
	v.SetDefault("image.width", 30)
	v.SetDefault("image.most", 40)
	t.Fatal(v.GetInt("image.width"), v.GetInt("image.most"), v.Get("image.name"), v.AllSettings())
}

func TestOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.yaml")
	os.WriteFile(file, []byte("image: {width: 5}"), 0o600)
	v := fromFile(file)
	t.Fatal(v.GetInt("image.width"))
}
`
	program := `package main

import (
	"strings"

	"github.com/spf13/viper"
)

func built() *viper.Viper {
	v := viper.New()
	v.SetConfigType("yaml")
	_ = v.ReadConfig(strings.NewReader("image: {width: 3}"))
	return v
}

func fromFile(file string) *viper.Viper {
	v := viper.New()
	v.SetConfigFile(file)
	_ = v.ReadInConfig()
	return v
}
`
	for name, text := range map[string]string{"parts.go": program, "parts_test.go": source} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := build(t, folder, "GOWORK=off")
	for _, c := range []struct {
		test   string
		inject map[parameter.ID]string
		want   string
	}{
		{"TestParts", nil, ": 3 0 0\n"},
		{"TestParts", map[parameter.ID]string{"viper:image.width": "7", "viper:image.most": "9"}, ": 7 9 9\n"},
		{"TestNull", map[parameter.ID]string{"viper:image.width": "null", "viper:image.most": "9", "viper:image.name": "null"}, ": 30 9 <nil> map[image:map[most:9 width:30]]\n"},
		{"TestOwn", map[parameter.ID]string{"viper:image.width": "7"}, ": 5\n"},
	} {
		if o := b.run(t, c.test, c.inject); !strings.Contains(o.Output, c.want) {
			t.Errorf("%s with %v has not %q\n%s\n%v", c.test, c.inject, c.want, o.Output, o.Events)
		}
	}
}

// tree is all that there is in a folder.
func tree(t *testing.T, folder string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(folder, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		info, _ := d.Info()
		out.WriteString(name + " " + info.Mode().String() + " " + info.ModTime().String() + " " + string(text[:min(len(text), 20)]) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestUnknown: a version in which a function is not what it was in others is not instrumented, and listed with the
// reason.
func TestUnknown(t *testing.T) {
	folder := shelf(t)
	for name, text := range map[string]string{
		"pflag/go.mod":  "module github.com/spf13/pflag\n\ngo 1.24\n",
		"pflag/flag.go": "package pflag\n\ntype FlagSet struct{}\n\ntype ErrorHandling int\n\nconst ContinueOnError ErrorHandling = 0\n\nfunc NewFlagSet(string, ErrorHandling) *FlagSet { return nil }\n\nfunc (f *FlagSet) Int(string, int, string) {}\n\nfunc (f *FlagSet) Parse([]string) error { return nil }\n\nfunc (f *FlagSet) GetInt(string) (int, error) { return 3, nil }\n",
	} {
		if err := os.MkdirAll(filepath.Join(folder, "pflag"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := build(t, filepath.Join(folder, "app"), "GOWORK=off")
	want := "this version is not known: it has no function FlagSet.ParseAll like that of others"
	if !slices.Contains(b.plan.Libraries, instrument.Library{Path: "github.com/spf13/pflag", Version: "v1.0.5", Problem: want}) {
		t.Errorf("the libraries are %v", b.plan.Libraries)
	}
	if o := b.run(t, "TestSize", nil); o.Ending != run.Passed {
		t.Errorf("it %s\n%s", o.Ending, o.Output)
	}
}

// TestTakenBack: a version in which what is added does not compile is used as it is, and listed with the reason.
func TestTakenBack(t *testing.T) {
	folder := shelf(t)
	for name, text := range map[string]string{
		"pflag/go.mod": "module github.com/spf13/pflag\n\ngo 1.24\n",
		"pflag/flag.go": "package pflag\n\ntype FlagSet struct{}\n\ntype ErrorHandling int\n\nconst ContinueOnError ErrorHandling = 0\n\n" +
			"func NewFlagSet(string, ErrorHandling) *FlagSet { return nil }\n\nfunc (f *FlagSet) Int(string, int, string) {}\n\nfunc (f *FlagSet) Parse([]string) error { return nil }\n\n" +
			"func (f *FlagSet) ParseAll() error { return nil }\n\ntype Flag struct {\n\tName    string\n\tChanged bool\n}\n\nfunc (f *FlagSet) Set(name, value string) {}\n\nfunc (f *FlagSet) getFlagType(name string) {}\n\nfunc (f *FlagSet) GetInt(string) (int, error) { return 3, nil }\n",
	} {
		if err := os.MkdirAll(filepath.Join(folder, "pflag"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := build(t, filepath.Join(folder, "app"), "GOWORK=off")
	at := slices.IndexFunc(b.plan.Libraries, func(l instrument.Library) bool { return l.Path == "github.com/spf13/pflag" })
	if at < 0 || !strings.HasPrefix(b.plan.Libraries[at].Problem, "this version is not known: with what records added it does not compile: ") || !strings.Contains(b.plan.Libraries[at].Problem, "normalizeFlagName") {
		t.Errorf("the libraries are %v", b.plan.Libraries)
	}
	if o := b.run(t, "TestSize", nil); o.Ending != run.Passed {
		t.Errorf("it %s\n%s", o.Ending, o.Output)
	}
}
