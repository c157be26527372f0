package field_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/internal/pace"
)

// shopOf is a module that decodes with a library of TOML of which there is little.
func shopOf(t *testing.T, library string) string {
	return module(t, map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.24\n\nrequire github.com/BurntSushi/toml v1.3.2\n\nreplace github.com/BurntSushi/toml => ./toml\n",
		"toml/go.mod":  "module github.com/BurntSushi/toml\n\ngo 1.24\n",
		"toml/toml.go": library,
		"shop.go": `package shop

import "github.com/BurntSushi/toml"

type Config struct {
	Wait int ` + "`toml:\"wait\"`" + `
}

func Load(text string) (*Config, error) {
	c := &Config{}
	return c, toml.Unmarshal([]byte(text), c)
}
`,
		"shop_test.go": `package shop

import "testing"

func TestIt(t *testing.T) {
	c, err := Load("{}")
	if err != nil || c.Wait < 0 {
		t.Fatal(c, err)
	}
}
`,
	})
}

// TestOldLibrary: values come to a type by a library of TOML that has encoders, and does not marshal by a function.
func TestOldLibrary(t *testing.T) {
	b := build(t, shopOf(t, `package toml

import (
	"encoding/json"
	"io"
)

func Unmarshal(text []byte, into any) error { return json.Unmarshal(text, into) }

type Encoder struct{ *json.Encoder }

func NewEncoder(w io.Writer) *Encoder { return &Encoder{json.NewEncoder(w)} }

func (e *Encoder) Encode(v any) error { return e.Encoder.Encode(v) }
`), "GOWORK=off")
	o := b.run(t, "TestIt", map[parameter.ID]string{"field:shop.Config": `{"wait": 7}`})
	if got := strings.Join(short(o, record.Read), ", "); o.Ending != run.Passed || got != "read wait=7" {
		t.Errorf("%s with %s\n%s", o.Ending, got, o.Output)
	}
}

// TestUnknownLibrary: a library of a version with which the recorder does not compile takes nothing else away.
func TestUnknownLibrary(t *testing.T) {
	pace.Slow(t)
	b := build(t, shopOf(t, `package toml

import "encoding/json"

func Unmarshal(text []byte, into any) error { return json.Unmarshal(text, into) }
`), "GOWORK=off")
	if len(b.sources.Problems) != 1 || !strings.HasPrefix(b.sources.Problems[0], "no values are given by github.com/BurntSushi/toml: ") {
		t.Errorf("problems are %q", b.sources.Problems)
	}
	o := b.run(t, "TestIt", nil)
	if got := strings.Join(short(o, record.Read), ", "); o.Ending != run.Passed || got != "read wait=0" {
		t.Errorf("%s with %s\n%s", o.Ending, got, o.Output)
	}
}
