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
