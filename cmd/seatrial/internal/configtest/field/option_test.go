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

// TestTagOption: where a program says by which tag the fields are named, they have the names of that, and values are
// given by it.
func TestTagOption(t *testing.T) {
	pace.Slow(t)
	const fields = "\n\ntype Config struct {\n\tMaxConns int `yaml:\"max_conns\"`\n}\n\nfunc Default() *Config { return &Config{MaxConns: 3} }\n"
	const test = "\n\nimport \"testing\"\n\nfunc TestDefault(t *testing.T) {\n\tc := Default()\n\t_ = c.MaxConns\n}\n"
	for _, c := range []struct{ example, text, key string }{
		{"thumbs", "package tags\n\nimport (\n\t\"github.com/go-viper/mapstructure/v2\"\n\t\"github.com/spf13/viper\"\n)" + fields +
			"\nfunc Load(v *viper.Viper) (*Config, error) {\n\tc := Default()\n\treturn c, v.Unmarshal(c, func(d *mapstructure.DecoderConfig) { d.TagName = \"yaml\" })\n}\n", "viper:max_conns"},
		{"mailer", "package tags\n\nimport \"github.com/knadh/koanf/v2\"" + fields +
			"\nfunc Load(k *koanf.Koanf) (*Config, error) {\n\tc := Default()\n\treturn c, k.UnmarshalWithConf(\"\", c, koanf.UnmarshalConf{Tag: \"yaml\"})\n}\n", "koanf:max_conns"},
	} {
		files := map[string]string{"tags/tags.go": c.text, "tags/tags_test.go": "package tags" + test}
		for _, name := range []string{"go.mod", "go.sum"} {
			text, err := os.ReadFile(filepath.Join(examples, c.example, name))
			if err != nil {
				t.Fatal(err)
			}
			files[name] = string(text)
		}
		b := build(t, module(t, files), "GOWORK=off")
		const leaf = parameter.ID("field:tags.Config.max_conns")
		if !slices.Contains(b.sources.Aliases, [2]parameter.ID{parameter.ID(c.key), leaf}) || len(b.sources.Problems) > 0 {
			t.Errorf("the aliases are %v, with %q", b.sources.Aliases, b.sources.Problems)
		}
		o := b.run(t, "tags.TestDefault", map[parameter.ID]string{"field:tags.Config": `{"max_conns": 7}`})
		if !slices.ContainsFunc(o.Events, func(e record.Event) bool { return e.Verb == record.Read && e.Subject == leaf && e.Value == "7" }) {
			t.Errorf("%s: %v", c.example, o.Events)
		}
	}
}
