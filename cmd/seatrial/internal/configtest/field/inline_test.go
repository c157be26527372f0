package field_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestInlineMap: what takes the keys that no other field has is no value of a key.
func TestInlineMap(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"config.go": `package shop

type Part struct {
	Wait int            ` + "`yaml:\"wait\"`" + `
	More map[string]any ` + "`mapstructure:\",remain\"`" + `
}

type Config struct {
	Port  int            ` + "`yaml:\"port\"`" + `
	Part  Part           ` + "`yaml:\"part\"`" + `
	Extra map[string]any ` + "`yaml:\",inline\"`" + `
}

func DefaultConfig() *Config { return &Config{Port: 1} }

func NewPart() Part { return Part{Wait: 2} }
`,
		"config_test.go": `package shop

import "testing"

func TestIt(t *testing.T) {
	c, p := DefaultConfig(), NewPart()
	_, _, _, _ = c.Port, p.Wait, len(c.Extra), len(p.More)
}
`,
	}), "GOWORK=off")
	o := b.run(t, "TestIt", map[parameter.ID]string{"field:shop.Config": `{"Port": 8, "part": {"Wait": 9}, "other": 7}`})
	if got := strings.Join(short(o, record.Read), ", "); o.Ending != run.Passed || got != "read part.wait=9, read port=8" {
		t.Errorf("%s with %s\n%s", o.Ending, got, o.Output)
	}
}

// TestEmbedded: a struct that is embedded without a tag is inlined by who decodes JSON, and a section of its own to
// koanf.
func TestEmbedded(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":         "module example.com/shop\n\ngo 1.24\n\nrequire github.com/knadh/koanf/v2 v2.1.0\n\nreplace github.com/knadh/koanf/v2 => ./koanf\n",
		"koanf/go.mod":   "module github.com/knadh/koanf/v2\n\ngo 1.24\n",
		"koanf/koanf.go": "package koanf\n\ntype Koanf struct{}\n\nfunc New(string) *Koanf { return nil }\n\nfunc (*Koanf) Unmarshal(string, any) error { return nil }\n",
		"shop.go": `package shop

import (
	"encoding/json"

	"github.com/knadh/koanf/v2"
)

type Server struct{ Port int }

type Config struct {
	Server
	Debug bool ` + "`koanf:\"debug\"`" + `
}

type JSONConfig struct{ Server }

func Load(k *koanf.Koanf, text []byte) (*Config, *JSONConfig) {
	c, j := &Config{}, &JSONConfig{}
	_, _ = k.Unmarshal("", c), json.Unmarshal(text, j)
	return c, j
}
`,
		"shop_test.go": "package shop\n",
	}), "GOWORK=off")
	var got []parameter.ID
	for _, r := range b.sources.Roots {
		for _, l := range r.Leaves {
			got = append(got, l.ID)
		}
	}
	if diff := cmp.Diff([]parameter.ID{"field:shop.Config.Server.Port", "field:shop.Config.debug", "field:shop.JSONConfig.Port"}, got); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}
