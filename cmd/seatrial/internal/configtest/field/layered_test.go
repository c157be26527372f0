package field_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// layered is a program that decodes a file into a struct and then variables, one that does it the other way round, one
// that does both in a generic function, and one that decodes variables into another struct than the file.
const layered = `package shop

import (
	"os"

	"github.com/caarlos0/env/v11"
	"github.com/kelseyhightower/envconfig"
	"gopkg.in/yaml.v3"
)

type First struct {
	MaxPort int ` + "`yaml:\"max_port\" env:\"PORT\"`" + `
}

func LoadFirst(path string) (*First, error) {
	c := &First{}
	text, err := os.ReadFile(path)
	if err == nil {
		err = yaml.Unmarshal(text, c)
	}
	if err == nil {
		err = env.ParseWithOptions(c, env.Options{Prefix: "ONE_"})
	}
	return c, err
}

type Second struct {
	MaxPort int ` + "`yaml:\"max_port\" split_words:\"true\"`" + `
}

func LoadSecond(path string) (*Second, error) {
	c := &Second{}
	if err := envconfig.Process("two", c); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err == nil {
		err = yaml.Unmarshal(text, c)
	}
	return c, err
}

type Third struct {
	MaxPort int ` + "`yaml:\"max_port\" env:\"THREE\"`" + `
}

func load[T any](text []byte) (*T, error) {
	c := new(T)
	if err := env.Parse(c); err != nil {
		return nil, err
	}
	return c, yaml.Unmarshal(text, c)
}

func LoadThird(text []byte) (*Third, error) { return load[Third](text) }

type Fourth struct {
	Port int ` + "`yaml:\"port\" env:\"FOUR\"`" + `
}

type other struct {
	Port int ` + "`env:\"OTHER\"`" + `
}

func fill(text []byte, c any) error {
	var o other
	if err := env.Parse(&o); err != nil {
		return err
	}
	return yaml.Unmarshal(text, c)
}

func LoadFourth(text []byte) (Fourth, error) {
	var c Fourth
	return c, fill(text, &c)
}
`

// TestLayered: a struct that a file is decoded into, and variables, has the names of both, whichever comes first.
func TestLayered(t *testing.T) {
	files := map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.24\n\nrequire (\n\tgithub.com/caarlos0/env/v11 v11.0.0\n\tgithub.com/kelseyhightower/envconfig v1.4.0\n\tgopkg.in/yaml.v3 v3.0.0\n)\n\n" +
			"replace (\n\tgithub.com/caarlos0/env/v11 => ./one\n\tgithub.com/kelseyhightower/envconfig => ./two\n\tgopkg.in/yaml.v3 => ./three\n)\n",
		"one/go.mod":   "module github.com/caarlos0/env/v11\n\ngo 1.24\n",
		"one/a.go":     "package env\n\ntype Options struct{ Prefix string }\n\nfunc Parse(v any) error { return nil }\n\nfunc ParseWithOptions(v any, o Options) error { return nil }\n",
		"two/go.mod":   "module github.com/kelseyhightower/envconfig\n\ngo 1.24\n",
		"two/a.go":     "package envconfig\n\nfunc Process(prefix string, spec any) error { return nil }\n",
		"three/go.mod": "module gopkg.in/yaml.v3\n\ngo 1.24\n",
		"three/a.go": `package yaml

import (
	"encoding/json"
	"reflect"
)

func Unmarshal(text []byte, into any) error {
	var all map[string]int
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	v := reflect.ValueOf(into).Elem()
	for i := range v.NumField() {
		if n, is := all[v.Type().Field(i).Tag.Get("yaml")]; is {
			v.Field(i).SetInt(int64(n))
		}
	}
	return nil
}
`,
		"shop.go":   layered,
		"shop.yaml": `{"max_port": 1}`,
		"shop_test.go": `package shop

import "testing"

func TestFirst(t *testing.T) {
	if c, err := LoadFirst("shop.yaml"); err != nil || c.MaxPort == 0 {
		t.Error(c, err)
	}
}

func TestSecond(t *testing.T) {
	if c, err := LoadSecond("shop.yaml"); err != nil || c.MaxPort == 0 {
		t.Error(c, err)
	}
}
`,
	}
	b := build(t, module(t, files), "GOWORK=off")
	want := [][2]parameter.ID{
		{"env:ONE_PORT", "field:shop.First.max_port"},
		{"env:OTHER", "field:shop.other.Port"},
		{"env:THREE", "field:shop.Third.max_port"},
		{"env:TWO_MAX_PORT", "field:shop.Second.max_port"},
	}
	if diff := cmp.Diff(want, b.sources.Aliases); diff != "" {
		t.Errorf("the aliases (-want +got): %s", diff)
	}
	for name, of := range map[string]parameter.ID{"TestFirst": "field:shop.First", "TestSecond": "field:shop.Second"} {
		o := b.run(t, name, map[parameter.ID]string{of: `{"max_port": 7}`})
		if got, want := strings.Join(short(o, record.Read), ", "), "read "+string(of)+".max_port=7"; got != want && got != "read max_port=7" {
			t.Errorf("%s reads %s, want %s\n%s", name, got, want, o.Output)
		}
	}
}
