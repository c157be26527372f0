package field_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/internal/pace"
)

// TestWeak: what a library takes that is told to make the best of it is not refused, and neither is what it is told
// itself how to read.
func TestWeak(t *testing.T) {
	pace.Slow(t)
	files := map[string]string{
		"weak/weak.go": `package weak

import "github.com/go-viper/mapstructure/v2"

type Config struct {
	Port int ` + "`mapstructure:\"port\"`" + `
}

func Load(m map[string]any) (*Config, error) {
	c := &Config{}
	return c, mapstructure.WeakDecode(m, c)
}
`,
		"weak/weak_test.go": `package weak

import "testing"

func TestLoad(t *testing.T) {
	c, err := Load(map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Port
}
`,
		"hooked/hooked.go": `package hooked

import (
	"reflect"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/viper"
)

type Size struct{ Bytes int }

type Config struct {
	Size Size ` + "`mapstructure:\"size\"`" + `
	Most int  ` + "`mapstructure:\"most\"`" + `
}

func Default() *Config { return &Config{Most: 3} }

func size(_, to reflect.Type, from any) (any, error) {
	if to == reflect.TypeOf(Size{}) {
		return Size{1}, nil
	}
	return from, nil
}

func Load(v *viper.Viper) (*Config, error) {
	c := Default()
	return c, v.Unmarshal(c, viper.DecodeHook(mapstructure.ComposeDecodeHookFunc(size)))
}
`,
		"hooked/hooked_test.go": "package hooked\n\nimport \"testing\"\n\nfunc TestDefault(t *testing.T) {\n\tc := Default()\n\t_, _ = c.Size, c.Most\n}\n",
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(examples, "thumbs", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	b := build(t, module(t, files), "GOWORK=off")
	for _, c := range []struct {
		test  string
		of    parameter.ID
		given string
	}{
		{"weak.TestLoad", "field:weak.Config", `{"port": "9090"}`}, {"hooked.TestDefault", "field:hooked.Config", `{"size": "10MB", "most": "4"}`}, {"hooked.TestDefault", "field:hooked.Config", `{"size": "10MB", "most": "many"}`},
	} {
		o := b.run(t, c.test, map[parameter.ID]string{c.of: c.given})
		if slices.ContainsFunc(o.Events, func(e record.Event) bool { return e.Verb == record.Gave && e.At != "" }) {
			t.Errorf("%s: %s is refused: %v", c.test, c.given, o.Events)
		}
	}
}
