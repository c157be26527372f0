package configtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// picky has a loader that compares two values, and no test that asks it.
var picky = map[string]string{
	"go.mod": "module example.com/picky\n\ngo 1.24\n",
	"config.go": `package picky

import (
	"encoding/json"
	"errors"
)

type Config struct {
	Interval int ` + "`json:\"interval\"`" + `
	Timeout  int ` + "`json:\"timeout\"`" + `
}

func (c *Config) UnmarshalJSON(text []byte) error {
	type plain Config
	*c = Config{Interval: 60, Timeout: 10}
	if err := json.Unmarshal(text, (*plain)(c)); err != nil {
		return err
	}
	if c.Timeout > c.Interval {
		return errors.New("the timeout is above the interval")
	}
	return nil
}

func Default() *Config { return &Config{Interval: 60, Timeout: 10} }

func Load(text []byte) (*Config, error) {
	c := Default()
	err := json.Unmarshal(text, c)
	return c, err
}
`,
	"config_test.go": `package picky

import "testing"

func TestDefault(t *testing.T) {
	if c := Default(); c.Timeout <= 0 || c.Interval <= 0 {
		t.Error(c.Timeout, c.Interval)
	}
}
`,
}

// TestRefusedBeside: what loads the configuration refuses two values together, and no test sees that.
func TestRefusedBeside(t *testing.T) {
	folder := t.TempDir()
	for name, text := range picky {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cache := t.TempDir()
	for _, c := range []struct{ before, after, want string }{
		{`{"interval": 15, "timeout": 10}`, `{"interval": 15, "timeout": 30}`, "violated accepted timeout: TestDefault: the timeout is above the interval; interval: 15 does not change; without it the test passes"},
		{`{"interval": 15}`, `{"interval": 15, "timeout": 30}`, "violated accepted timeout: TestDefault: the timeout is above the interval; interval: 15 does not change; without it the test passes"},
		{`{"interval": 15, "timeout": 10}`, `{"interval": 5, "timeout": 10}`, "violated accepted interval: TestDefault: the timeout is above the interval"},
		{`{"interval": 15, "timeout": 30}`, `{"interval": 16, "timeout": 30}`, "holds passes interval: 1 test passes with it"},
		{`{"interval": 15, "timeout": 10}`, `{"interval": 15, "timeout": 12}`, "holds passes timeout: 1 test passes with it"},
	} {
		var versions [2]Version
		for i, text := range []string{c.before, c.after} {
			versions[i] = version(t, "c.json", text)
		}
		o, err := Diff(t.Context(), options(t, folder, cache), versions[0], versions[1])
		if err != nil {
			t.Fatal(err)
		}
		r := o.Report(folder).Results[0]
		got := fmt.Sprintf("%s %s %s: %s%s", r.Verdict, r.Name, r.Subject, r.Message, r.Reason)
		for _, cause := range r.Causes {
			if strings.Contains(cause.Message, "does not change") {
				got += "; " + cause.Message
			}
		}
		if got != c.want {
			t.Errorf("%s → %s: %s\nwant %s", c.before, c.after, got, c.want)
		}
	}
}
