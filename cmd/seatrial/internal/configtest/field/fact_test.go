package field_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/field"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestFacts: types of flags and variables, the constants of a type, bounds of tags and markers, and where validations
// are.
func TestFacts(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.24\n",
		"main_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) {}\n",
		"main.go": `package shop

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"strconv"
	"time"
)

type Mode string

const (
	Fast Mode = "fast"
	Slow Mode = "slow"
)

type Config struct {
	Mode  Mode
	Level int ` + "`validate:\"min=1,max=9\"`" + `
	// +kubebuilder:validation:Enum=a;b
	Class string
	Way   string // "strict" (refuse), "report" (log only) or "off".
	// Form is json|text|none.
	Form string
	// Kind is one such as "a" or "b".
	Kind string ` + "`validate:\"eq=debug|eq=info\"`" + `
}

func Load(text []byte) (*Config, error) {
	c := &Config{Mode: Fast}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, err
	}
	return c, c.Validate()
}

func (c *Config) Validate() error {
	if c.Level == 0 {
		return errors.New("no level")
	}
	return nil
}

func number(name string) int {
	n, _ := strconv.Atoi(os.Getenv(name))
	return n
}

var (
	wait  = flag.Duration("wait", time.Second, "")
	port  = number("PORT")
	on, _ = strconv.ParseBool(os.Getenv("ON"))
)
`,
	}), "GOWORK=off")
	want := map[parameter.ID]field.Fact{
		"field:shop.Config.Mode":  {Type: "example.com/shop.Mode", Members: []string{"fast", "slow"}},
		"field:shop.Config.Level": {Type: "int", Least: "1", Most: "9"},
		"field:shop.Config.Class": {Type: "string", Members: []string{"a", "b"}},
		"field:shop.Config.Way":   {Type: "string", Listed: []string{"strict", "report", "off"}},
		"field:shop.Config.Form":  {Type: "string", Listed: []string{"json", "text", "none"}},
		"field:shop.Config.Kind":  {Type: "string"},
		"flag:--wait":             {Type: "time.Duration"},
		"env:PORT":                {Type: "int"},
		"env:ON":                  {Type: "bool"},
	}
	if diff := cmp.Diff(want, b.sources.Facts); diff != "" {
		t.Errorf("the facts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"main.go:39"}, b.sources.Validations); diff != "" {
		t.Errorf("the validations (-want +got):\n%s", diff)
	}
}
