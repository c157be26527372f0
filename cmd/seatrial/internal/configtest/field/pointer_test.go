package field_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestPointerToPointer: what is decoded into a pointer to a pointer is decoded into what that points to, also if the
// decoder makes it.
func TestPointerToPointer(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"config.go": `package shop

import "encoding/json"

type Config struct {
	Conns int ` + "`json:\"max_conns\"`" + `
	Wait  int ` + "`json:\"wait\"`" + `
}

func LoadConfig(text string) (*Config, error) {
	c := &Config{Conns: 1, Wait: 2}
	err := json.Unmarshal([]byte(text), &c)
	return c, err
}

func ParseConfig(text string) (*Config, error) {
	var c *Config
	err := json.Unmarshal([]byte(text), &c)
	return c, err
}
`,
		"config_test.go": `package shop

import "testing"

func TestDefaults(t *testing.T) { c, _ := LoadConfig("{}"); _, _ = c.Conns, c.Wait }
func TestOwn(t *testing.T)      { c, _ := LoadConfig("{\"wait\": 9}"); _, _ = c.Conns, c.Wait }
func TestMade(t *testing.T)     { c, _ := ParseConfig("{}"); _, _ = c.Conns, c.Wait }
func TestMadeOwn(t *testing.T)  { c, _ := ParseConfig("{\"wait\": 9}"); _, _ = c.Conns, c.Wait }
func TestNone(t *testing.T) {
	if c, err := ParseConfig("null"); c != nil || err != nil {
		t.Fatal(c, err)
	}
}
`,
	}), "GOWORK=off")
	for name, want := range map[string]string{
		"TestDefaults": "read max_conns=7, read wait=8", "TestOwn": "read max_conns=7, read wait=9, set wait=9",
		"TestMade": "read max_conns=7, read wait=8", "TestMadeOwn": "read max_conns=7, read wait=9, set wait=9", "TestNone": "",
	} {
		o := b.run(t, name, map[parameter.ID]string{"field:shop.Config": `{"max_conns": 7, "wait": 8}`})
		if got := strings.Join(short(o, record.Read, record.Set), ", "); o.Ending != run.Passed || got != want {
			t.Errorf("%s %s with %s, want %s\n%s", name, o.Ending, got, want, o.Output)
		}
	}
}
