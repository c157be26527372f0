package field_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// TestFilled: what a library fills that nobody knows is not given values behind the program's defaults. One that only
// looks at it does not fill it, and one that is known does as it is known.
func TestFilled(t *testing.T) {
	body := func(pkg, call string, library ...string) string {
		return "package " + pkg + "\n\nimport library \"" + append(library, "example.org/tongs")[0] + "\"\n\ntype Config struct {\n\tWorkers int `json:\"workers\" yaml:\"workers\" toml:\"workers\"`\n}\n\nfunc Load(text []byte) (*Config, error) {\n\tc := &Config{}\n\terr := " + call +
			"\n\tif c.Workers == 0 {\n\t\tc.Workers = 8\n\t}\n\treturn c, err\n}\n"
	}
	const test = "\n\nimport \"testing\"\n\nfunc TestLoad(t *testing.T) {\n\tc, _ := Load(nil)\n\t_ = c.Workers\n}\n"
	b := build(t, module(t, map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.24\n\nrequire (\n\texample.org/tongs v1.0.0\n\tgithub.com/goccy/go-yaml v1.0.0\n\tgithub.com/pelletier/go-toml v1.0.0\n)\n\nreplace (\n\texample.org/tongs => ./tongs\n\tgithub.com/goccy/go-yaml => ./yaml\n\tgithub.com/pelletier/go-toml => ./toml\n)\n",
		"yaml/go.mod":  "module github.com/goccy/go-yaml\n\ngo 1.24\n",
		"yaml/a.go":    "package yaml\n\ntype Option func()\n\nfunc Strict() Option { return nil }\n\nfunc Unmarshal(text []byte, into any) error { return nil }\n\nfunc UnmarshalWithOptions(text []byte, into any, all ...Option) error { return nil }\n",
		"toml/go.mod":  "module github.com/pelletier/go-toml\n\ngo 1.24\n",
		"toml/a.go":    "package toml\n\nimport \"io\"\n\ntype Tree struct{}\n\nfunc (*Tree) Unmarshal(into any) error { return nil }\n\nfunc Unmarshal(text []byte, into any) error { return nil }\n\ntype Encoder struct{}\n\nfunc NewEncoder(io.Writer) *Encoder { return nil }\n\nfunc (*Encoder) Encode(any) error { return nil }\n",
		"four/four.go": body("four", "library.UnmarshalWithOptions(text, c, library.Strict())", "github.com/goccy/go-yaml"), "four/four_test.go": "package four" + test,
		"five/five.go": body("five", "new(library.Tree).Unmarshal(c)", "github.com/pelletier/go-toml"), "five/five_test.go": "package five" + test,
		"tongs/go.mod": "module example.org/tongs\n\ngo 1.24\n",
		"tongs/a.go":   "package tongs\n\ntype Options struct{ Into any }\n\nfunc Unmarshal(text []byte, into any) error { return nil }\n\nfunc NewDecoder(o *Options) error { return nil }\n\nfunc Validate(v any) error { return nil }\n",
		"one/one.go":   body("one", "library.Unmarshal(text, c)"), "one/one_test.go": "package one" + test,
		"two/two.go": body("two", "library.NewDecoder(&library.Options{Into: c})"), "two/two_test.go": "package two" + test,
		"three/three.go": body("three", "library.Validate(c)"), "three/three_test.go": "package three" + test,
	}), "GOWORK=off")
	for name, want := range map[string][2]string{"one": {"8", "8"}, "two": {"8", "8"}, "three": {"8", "5"}, "four": {"8", "8"}, "five": {"8", "8"}} {
		for i, given := range []string{"0", "5"} {
			o := b.run(t, name+".TestLoad", map[parameter.ID]string{parameter.ID("field:" + name + ".Config"): `{"workers": ` + given + `}`})
			read := record.Event{Verb: record.Read, Subject: parameter.ID("field:" + name + ".Config.workers"), Value: want[i], At: name + "/" + name + "_test.go:7"}
			noted := slices.ContainsFunc(b.sources.Problems, func(p string) bool { return strings.HasPrefix(p, name+"/"+name+".go:11: ") })
			if !slices.ContainsFunc(o.Events, func(e record.Event) bool {
				return e.Verb == read.Verb && e.Subject == read.Subject && e.Value == read.Value && e.At == read.At
			}) || noted != (name == "one" || name == "two") {
				t.Errorf("%s, given %s: %v, with %q", name, given, o.Events, b.sources.Problems)
			}
		}
	}
}
