package field_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// TestStrict: a key that the type does not have is refused as the program does it, and only where it always does.
func TestStrict(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import (
	"encoding/json"
	"io"
)

type Part struct {
	Wait int ` + "`json:\"wait\"`" + `
}

type StrictConfig struct {
	Wait   int               ` + "`json:\"wait\"`" + `
	Part   Part              ` + "`json:\"part\"`" + `
	Labels map[string]string ` + "`json:\"labels\"`" + `
}

type LooseConfig StrictConfig

type WarnedConfig StrictConfig

func Strict(r io.Reader) (*StrictConfig, error) {
	c := &StrictConfig{}
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	return c, d.Decode(c)
}

func Loose(r io.Reader) (*LooseConfig, error) {
	c := &LooseConfig{}
	return c, json.NewDecoder(r).Decode(c)
}

func Warned(text []byte, r io.Reader) (*WarnedConfig, error) {
	c := &WarnedConfig{}
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(c); err == nil {
		return c, nil
	}
	return c, json.Unmarshal(text, c)
}
`,
		"shop_test.go": `package shop

import (
	"strings"
	"testing"
)

func TestStrict(t *testing.T) {
	if c, err := Strict(strings.NewReader("{}")); err != nil || c.Wait != 0 {
		t.Fatal(c, err)
	}
}

func TestLoose(t *testing.T) { Loose(strings.NewReader("{}")) }
`,
	}), "GOWORK=off")
	if diff := cmp.Diff([]parameter.ID{"field:shop.StrictConfig"}, b.sources.Strict); diff != "" {
		t.Errorf("strict (-want +got):\n%s", diff)
	}
	const given = `{"part": {"wait": 1, "weight": 2}, "labels": {"any": "a"}, "wiat": 3, "prat": {"wait": 1, "more": 2}}`
	o := b.run(t, "TestStrict", map[parameter.ID]string{"field:shop.StrictConfig": given})
	var refused []string
	for _, e := range o.Events {
		if e.Verb == record.Gave && e.At != "" {
			refused = append(refused, string(e.Subject)+" "+e.At)
		}
	}
	const want = `field:shop.StrictConfig.part.weight json: unknown field "weight", field:shop.StrictConfig.prat json: unknown field "prat", field:shop.StrictConfig.wiat json: unknown field "wiat"`
	if got := strings.Join(refused, ", "); got != want {
		t.Errorf("refused is %s\nwant %s\n%s", got, want, o.Output)
	}
	o = b.run(t, "TestLoose", map[parameter.ID]string{"field:shop.LooseConfig": given})
	for _, e := range o.Events {
		if e.Verb == record.Gave && (e.At != "" || strings.HasSuffix(string(e.Subject), "wiat")) {
			t.Errorf("a loose decoder says %v", e)
		}
	}
}
