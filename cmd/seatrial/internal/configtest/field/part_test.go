package field_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestParts: flags of fields of a struct of another module do not become one parameter by what they are parts of; a struct that wraps one value is that
// value.
func TestParts(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.24\n\nrequire example.com/tls v1.0.0\n\nreplace example.com/tls => ./tls\n",
		"tls/go.mod":   "module example.com/tls\n\ngo 1.24\n",
		"tls/tls.go":   "package tls\n\ntype Info struct{ Cert, Key string }\n\ntype Wait struct{ Seconds int }\n",
		"main_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) {}\n",
		"main.go": `package shop

import (
	"flag"

	"example.com/tls"
)

type Config struct {
	TLS  tls.Info
	Wait tls.Wait
}

func NewConfig(f *flag.FlagSet) *Config {
	c := &Config{}
	f.StringVar(&c.TLS.Cert, "cert", "", "")
	f.StringVar(&c.TLS.Key, "key", "", "")
	f.IntVar(&c.Wait.Seconds, "wait", 1, "")
	return c
}
`,
	}), "GOWORK=off")
	if diff := cmp.Diff([][2]parameter.ID{{"flag:--wait", "field:shop.Config.Wait"}}, b.sources.Aliases); diff != "" {
		t.Errorf("the aliases (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][2]parameter.ID{{"flag:--cert", "field:shop.Config.TLS"}, {"flag:--key", "field:shop.Config.TLS"}}, b.sources.Parts); diff != "" {
		t.Errorf("the parts (-want +got):\n%s", diff)
	}
}

// TestInNoFile: a field that no file has is one of a configuration if a flag is bound to it.
func TestInNoFile(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.24\n",
		"main_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) {}\n",
		"main.go": `package shop

import (
	"encoding/json"
	"flag"
	"time"
)

type Config struct {
	Name string        ` + "`json:\"name\"`" + `
	Wait time.Duration ` + "`json:\"-\"`" + `
	seen time.Duration
	Made time.Duration ` + "`json:\"-\"`" + `
}

func Load(text []byte, f *flag.FlagSet) (*Config, error) {
	c := &Config{}
	f.DurationVar(&c.Wait, "wait", 1, "")
	return c, json.Unmarshal(text, c)
}
`,
	}), "GOWORK=off")
	if diff := cmp.Diff([][2]parameter.ID{{"flag:--wait", "field:shop.Config.Wait"}}, b.sources.Aliases); diff != "" {
		t.Errorf("the aliases (-want +got):\n%s", diff)
	}
	var names []string
	for _, l := range b.sources.Roots[0].Leaves {
		names = append(names, string(l.ID))
	}
	if diff := cmp.Diff([]string{"field:shop.Config.name", "field:shop.Config.Wait"}, names); diff != "" {
		t.Errorf("the fields (-want +got):\n%s", diff)
	}
}
