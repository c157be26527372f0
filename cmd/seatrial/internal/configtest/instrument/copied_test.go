package instrument_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/internal/pace"
)

// copies are tests that bring along a file of their own, of the modules in examples.
var copies = map[string]struct{ module, source string }{
	"viper": {"thumbs", `package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/viper"
)

func TestCopied(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.yaml")
	os.WriteFile(file, []byte("image: {width: 5, most: 9, name: a, sizes: [1, 2]}"), 0o600)
	v := viper.New()
	v.SetConfigFile(file)
	_ = v.ReadInConfig()
	t.Fatal(v.GetInt("image.width"), v.GetInt("image.most"), v.GetString("image.name"), v.GetIntSlice("image.sizes"))
}
`},
	"koanf": {"mailer", `package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
)

func TestCopied(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.yaml")
	os.WriteFile(name, []byte("image: {width: 5, most: 9, name: a, sizes: [1, 2]}"), 0o600)
	k := koanf.New(".")
	_ = k.Load(file.Provider(name), yaml.Parser())
	t.Fatal(k.Int("image.width"), k.Int("image.most"), k.String("image.name"), k.Ints("image.sizes"))
}
`},
}

// TestCopied: what a test's file says as it is deployed is not the test's own, if most of it is so.
func TestCopied(t *testing.T) {
	pace.Slow(t)
	for kind, c := range copies {
		t.Run(kind, func(t *testing.T) {
			folder := t.TempDir()
			if err := os.CopyFS(folder, os.DirFS(filepath.Join(examples, c.module))); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, "copied_test.go"), []byte(c.source), 0o600); err != nil {
				t.Fatal(err)
			}
			values := func(text string) map[parameter.ID]string {
				out := map[parameter.ID]string{}
				for _, pair := range strings.Fields(text) {
					key, value, _ := strings.Cut(pair, "=")
					out[parameter.ID(kind+":image."+key)] = value
				}
				return out
			}
			b := build(t, folder, "GOWORK=off")
			copied := run.Values{Inject: values(`width=7 name="c"`), Deployed: values(`width=5 most=9 name="b"`), Whole: []parameter.ID{parameter.ID(kind + ":image.name")}}
			if o := b.runBeside(t, "TestCopied", copied); !strings.Contains(o.Output, ": 7 9 c [1 2]\n") {
				t.Errorf("the name is the test's, though it is to have the deployed one\n%s\n%v", o.Output, o.Events)
			}
			for _, c := range []struct{ deployed, inject, want string }{
				{``, `width=7`, "5 9 a [1 2]"},
				{`width=5 most=9 name="a" sizes=[1,2]`, `width=7`, "7 9 a [1 2]"},
				{`width=5 most=9 name="a" sizes=[1,2]`, `sizes=[3]`, "5 9 a [3]"},
				{`width=5 most=9 name="b"`, `width=7 name="c"`, "7 9 a [1 2]"}, // the name is the test's
				{`width=5 most=8 name="b"`, `width=7`, "5 9 a [1 2]"},          // one value is the same by chance
				{`width=5 most=9 a=1 b=2 c=3`, `width=7`, "5 9 a [1 2]"},       // most of it is not there
			} {
				if o := b.runBeside(t, "TestCopied", run.Values{Inject: values(c.inject), Deployed: values(c.deployed)}); !strings.Contains(o.Output, ": "+c.want+"\n") {
					t.Errorf("%s beside %s has not %q\n%s\n%v", c.inject, c.deployed, c.want, o.Output, o.Events)
				}
			}
		})
	}
}

// TestLeft: a test that finds in a library's own instance what another one has set there is not told apart from that.
func TestLeft(t *testing.T) {
	pace.Slow(t)
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(examples, "thumbs"))); err != nil {
		t.Fatal(err)
	}
	const source = `package main

import (
	"testing"

	"github.com/spf13/viper"
)

func TestLeftA(t *testing.T) { viper.Set("image.width", 1) }
func TestLeftB(t *testing.T) { t.Log(viper.GetInt("image.width")) }
func TestLeftC(t *testing.T) { t.Log(viper.Sub("image")) }
func TestLeftD(t *testing.T) { t.Log(viper.GetInt("image.quality")) }
func TestLeftE(t *testing.T) { t.Log(viper.New().GetInt("image.width")) }
`
	if err := os.WriteFile(filepath.Join(folder, "left_test.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	b := build(t, folder, "GOWORK=off")
	tests := []string{"TestLeftA", "TestLeftB", "TestLeftC", "TestLeftD", "TestLeftE"}
	for _, p := range b.programs {
		if !slices.Contains(p.Tests, tests[0]) {
			continue
		}
		got, err := b.runner.Shared(t.Context(), p, tests, run.Values{}, time.Minute, func(record.Event) bool { return true })
		if known := fmt.Sprint(slices.Sorted(maps.Keys(got))); err != nil || known != "[TestLeftA TestLeftD TestLeftE]" {
			t.Errorf("%s are known, %v", known, err)
		}
	}
}

// TestMerged: what a test merges into a configuration is the test's own, and what the program merges is not.
func TestMerged(t *testing.T) {
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(examples, "thumbs"))); err != nil {
		t.Fatal(err)
	}
	for name, source := range map[string]string{
		"merged.go": "package main\n\nimport \"github.com/spf13/viper\"\n\nfunc merge(v *viper.Viper) { _ = v.MergeConfigMap(map[string]any{\"image\": map[string]any{\"width\": 3}}) }\n",
		"merged_test.go": `package main

import (
	"testing"

	"github.com/spf13/viper"
)

func TestMerged(t *testing.T) {
	v := viper.New()
	_ = v.MergeConfigMap(map[string]any{"image": map[string]any{"Width": 5}})
	t.Fatal(v.GetInt("image.width"))
}

func TestMerges(t *testing.T) {
	v := viper.New()
	merge(v)
	t.Fatal(v.GetInt("image.width"))
}
`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := build(t, folder, "GOWORK=off")
	for test, want := range map[string]string{"TestMerged": ": 5\n", "TestMerges": ": 7\n"} {
		if o := b.run(t, test, map[parameter.ID]string{"viper:image.width": "7"}); !strings.Contains(o.Output, want) {
			t.Errorf("%s has not %q\n%s\n%v", test, want, o.Output, o.Events)
		}
	}
}
