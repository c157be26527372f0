package field_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestSpelt: a decoder of YAML gets a plain value as it is written, and others what it is in JSON.
func TestSpelt(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":      "module example.com/shop\n\ngo 1.24\n\nrequire gopkg.in/yaml.v3 v3.0.1\n\nreplace gopkg.in/yaml.v3 => ./yaml\n",
		"yaml/go.mod": "module gopkg.in/yaml.v3\n\ngo 1.24\n",
		// Of YAML it knows one truth.
		"yaml/yaml.go": `package yaml

import (
	"encoding/json"
	"strings"
)

func Unmarshal(text []byte, into any) error {
	return json.Unmarshal([]byte(strings.NewReplacer(": yes", ": true", ": 08", ": \"08\"", "[no", "[false").Replace(string(text))), into)
}
`,
		"shop.go": `package shop

import (
	"encoding/json"

	"gopkg.in/yaml.v3"
)

type Part struct {
	On   bool   ` + "`yaml:\"on\" json:\"on\"`" + `
	Code string ` + "`yaml:\"code\" json:\"code\"`" + `
	Say  string ` + "`yaml:\"say\" json:\"say\"`" + `
	All  []any  ` + "`yaml:\"all\" json:\"all\"`" + `
}

type Config struct {
	Part Part ` + "`yaml:\"part\" json:\"part\"`" + `
}

type JSONConfig struct {
	Say string ` + "`json:\"say\"`" + `
}

func Load(text string) (*Config, error) {
	c := &Config{}
	return c, yaml.Unmarshal([]byte(text), c)
}

func LoadJSON(text string) (*JSONConfig, error) {
	c := &JSONConfig{}
	return c, json.Unmarshal([]byte(text), c)
}
`,
		"shop_test.go": `package shop

import "testing"

func TestIt(t *testing.T) {
	c, err := Load("{}")
	j, failed := LoadJSON("{}")
	if err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	_, _, _, _ = c.Part.On, c.Part.Code, c.Part.Say, j.Say
	_ = c.Part.All
}
`,
	}), "GOWORK=off")
	o := b.run(t, "TestIt", map[parameter.ID]string{
		"field:shop.Config":                    `{"part": {"on": "yes", "code": 8, "say": "a \"b\"", "all": ["no", "x"]}}`,
		"field:shop.Config" + record.Spelt:     `{"part": {"on": "yes", "code": "08", "all": "[no, \"x\"]"}}`,
		"field:shop.JSONConfig":                `{"say": "yes"}`,
		"field:shop.JSONConfig" + record.Spelt: `{"say": "yes"}`,
	})
	var refused []string
	for _, e := range o.Events {
		if e.Verb == record.Gave && e.At != "" {
			refused = append(refused, e.At)
		}
	}
	const want = `read field:shop.JSONConfig.say=yes, read part.all=[false x], read part.code=08, read part.on=true, read part.say=a "b"`
	if got := strings.Join(short(o, record.Read), ", "); o.Ending != run.Passed || got != want || len(refused) > 0 {
		t.Errorf("%s with %s, want %s; refused: %q\n%s", o.Ending, got, want, refused, o.Output)
	}
}
