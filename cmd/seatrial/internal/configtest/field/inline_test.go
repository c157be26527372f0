package field_test

import (
	"strings"
	"testing"

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
