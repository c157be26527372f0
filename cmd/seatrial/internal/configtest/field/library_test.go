package field_test

import (
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// TestLibrary: values are decoded with the library that the program calls, and not with another one of its kind that a
// test imports.
func TestLibrary(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.24\n\nrequire (\n\tgithub.com/goccy/go-yaml v1.0.0\n\tgopkg.in/yaml.v3 v3.0.0\n)\n\nreplace (\n\tgithub.com/goccy/go-yaml => ./one\n\tgopkg.in/yaml.v3 => ./two\n)\n",
		"one/go.mod":   "module github.com/goccy/go-yaml\n\ngo 1.24\n",
		"one/a.go":     "package yaml\n\nimport \"errors\"\n\nfunc Unmarshal(text []byte, into any) error { return errors.New(\"it is another library\") }\n",
		"two/go.mod":   "module gopkg.in/yaml.v3\n\ngo 1.24\n",
		"two/a.go":     "package yaml\n\nimport \"encoding/json\"\n\nfunc Unmarshal(text []byte, into any) error { return json.Unmarshal(text, into) }\n",
		"shop.go":      "package shop\n\nimport \"gopkg.in/yaml.v3\"\n\ntype Config struct {\n\tPort int `yaml:\"port\" json:\"port\"`\n}\n\nfunc Load(text []byte) (*Config, error) {\n\tc := &Config{}\n\treturn c, yaml.Unmarshal(text, c)\n}\n",
		"shop_test.go": "package shop\n\nimport (\n\t\"testing\"\n\n\t\"github.com/goccy/go-yaml\"\n)\n\nfunc TestLoad(t *testing.T) {\n\tvar other map[string]any\n\t_ = yaml.Unmarshal(nil, &other)\n\tc, _ := Load([]byte(`{}`))\n\t_ = c.Port\n}\n",
	}), "GOWORK=off")
	o := b.run(t, "TestLoad", map[parameter.ID]string{"field:shop.Config": `{"port": 7}`})
	if !slices.ContainsFunc(o.Events, func(e record.Event) bool { return e.Verb == record.Read && e.Value == "7" }) || slices.ContainsFunc(o.Events, func(e record.Event) bool { return e.Verb == record.Gave && e.At != "" }) {
		t.Errorf("%v", o.Events)
	}
}
