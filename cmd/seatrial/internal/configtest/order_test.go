package configtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

const route = `package route

import "encoding/json"

type Step struct {
	Name string ` + "`json:\"name\"`" + `
	Wait int    ` + "`json:\"wait\"`" + `
}

type Config struct {
	Steps []Step   ` + "`json:\"steps\"`" + `
	Hosts []string ` + "`json:\"hosts\"`" + `
}

func Load(text []byte) (*Config, error) {
	c := DefaultConfig()
	return c, json.Unmarshal(text, c)
}

func DefaultConfig() *Config { return &Config{} }

// First is where it begins.
func (c *Config) First() (string, string) {
	if len(c.Steps) == 0 || len(c.Hosts) == 0 {
		return "", ""
	}
	return c.Steps[0].Name, c.Hosts[0]
}
`

const routeTest = `package route

import "testing"

func TestFirst(t *testing.T) {
	if step, host := DefaultConfig().First(); step == "none" || host == "none" {
		t.Error("it has no begin")
	}
}
`

const routeConfig = `{
  "steps": [{"name": "a", "wait": 1}, {"name": "b", "wait": 1}, {"name": "c", "wait": 1}],
  "hosts": ["x", "y", "z"]
}`

// TestOrder: that items have other places, or some are gone, is shown by who reads items that are not where they were.
func TestOrder(t *testing.T) {
	pace.Slow(t)
	folder := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/route\n\ngo 1.24\n", "route.go": route, "route_test.go": routeTest} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	entries(t, folder, "config.json", routeConfig, []entryCase{
		{"behind the first", []string{`"b"`, `"c"`, `"c"`, `"b"`, `"y"`, `"z"`, `"z"`, `"y"`}, "inconclusive", nil},
		{"the first", []string{`"a"`, `"b"`, `"b"`, `"a"`, `"x"`, `"y"`, `"y"`, `"x"`}, "holds", []string{"steps[1].name"}},
		{"the last is gone", []string{`, {"name": "c", "wait": 1}`, "", `, "z"`, ""}, "inconclusive", nil},
		{"the first is gone", []string{`{"name": "a", "wait": 1}, `, "", `"x", `, ""}, "holds", nil},
		{"a host behind", []string{`"z"`, `"none"`}, "inconclusive", nil},
		{"the first host", []string{`"x"`, `"w"`}, "holds", nil},
	})
}
