package field_test

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestAnew: a map or a list that is given is that of a shipped file no more, also what was in it and is in the new one
// not; what the program had before stays, as it does beside a file.
func TestAnew(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"config.json": `{"by": {"b": {"hops": 7}, "c": {"hops": 8}}, "routes": [{"match": "a", "hops": 9}], "more": {"x": 1}}`,
		"shop.go": `package shop

import (
	"encoding/json"
	"os"
)

type Route struct {
	Match string ` + "`json:\"match\"`" + `
	Hops  int    ` + "`json:\"hops\"`" + `
}

type Config struct {
	By     map[string]Route ` + "`json:\"by\"`" + `
	Routes []Route          ` + "`json:\"routes\"`" + `
	More   map[string]int   ` + "`json:\"more\"`" + `
	Same   map[string]int   ` + "`json:\"same\"`" + `
}

func Load(path string) (*Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c := &Config{More: map[string]int{"own": 1}}
	return c, json.Unmarshal(text, c)
}
`,
		"shop_test.go": `package shop

import (
	"fmt"
	"testing"
)

func said(t *testing.T) string {
	c, err := Load("config.json")
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(c.By, c.Routes, c.More["own"], c.Same)
}

func TestOld(t *testing.T) {
	if s := said(t); s != "map[b:{ 7} c:{ 8}] [{a 9}] 1 map[]" {
		t.Error(s)
	}
}

func TestNew(t *testing.T) {
	if s := said(t); s != "map[d:{ 5}] [{b 0}] 1 map[]" {
		t.Error(s)
	}
}
`,
	}), "GOWORK=off")
	if o := b.run(t, "TestOld", nil); o.Ending != run.Passed {
		t.Errorf("with nothing given: %s", o.Output)
	}
	given := map[parameter.ID]string{"field:shop.Config": `{"by": {"d": {"hops": 5}}, "routes": [{"match": "b"}], "more": {"y": 2}}`}
	if o := b.run(t, "TestNew", given); o.Ending != run.Passed {
		t.Errorf("with others given: %s", o.Output)
	}
}
