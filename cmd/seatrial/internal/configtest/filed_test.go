package configtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

const listing = `package rules

import (
	"encoding/json"
	"os"
)

type Rule struct {
	Name  string ` + "`" + `json:"name"` + "`" + `
	Limit int    ` + "`" + `json:"limit"` + "`" + `
	Note  string ` + "`" + `json:"note"` + "`" + `
}

const file = "/etc/rules/rules.json"

func Load() ([]Rule, error) {
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return []Rule{{"all", 10, ""}}, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Rule
	return out, json.Unmarshal(text, &out)
}

func Limit(name string) int {
	all, err := Load()
	if err != nil {
		return 0
	}
	for _, r := range all {
		if r.Name == name || r.Name == "all" {
			return r.Limit
		}
	}
	return 0
}
`

const listingTest = `package rules

import "testing"

func TestLimit(t *testing.T) {
	if n := Limit("a"); n > 100 {
		t.Errorf("the limit is %d", n)
	}
}

func TestLoads(t *testing.T) {
	if _, err := Load(); err != nil {
		t.Error(err)
	}
}
`

const itself = `package own

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

type Config struct {
	Wait  time.Duration
	Limit int
	Name  string
}

func (c *Config) UnmarshalJSON(text []byte) error {
	var raw struct {
		Wait  string ` + "`" + `json:"max_wait"` + "`" + `
		Limit int    ` + "`" + `json:"limit"` + "`" + `
		Name  string ` + "`" + `json:"name"` + "`" + `
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	d, err := time.ParseDuration(raw.Wait)
	if err != nil {
		return fmt.Errorf("wait: %w", err)
	}
	c.Wait, c.Limit, c.Name = d, raw.Limit, raw.Name
	return nil
}

func Load() (*Config, error) {
	c := &Config{Wait: time.Second, Limit: 3}
	text, err := os.ReadFile("/etc/own/config.json")
	if os.IsNotExist(err) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	return c, json.Unmarshal(text, c)
}

func (c *Config) Patience() time.Duration { return c.Wait * time.Duration(c.Limit) }
`

const itselfTest = `package own

import (
	"testing"
	"time"
)

func TestPatience(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if p := c.Patience(); p > time.Minute {
		t.Errorf("it waits for %v", p)
	}
}
`

// TestWholeFiles: a mounted file that is a list, and one that a type reads itself, with keys that are no fields, is
// given whole. That a new value in it is read shows who reads a field that has it.
func TestWholeFiles(t *testing.T) {
	pace.Slow(t)
	const (
		begin  = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: it}\ndata:\n"
		rules  = begin + "  rules.json: |\n    [\n      {\"name\": \"a\", \"limit\": 10, \"note\": \"x\"},\n      {\"name\": \"b\", \"limit\": 20, \"note\": \"y\"}\n    ]\n"
		config = begin + "  config.json: |\n    {\n      \"max_wait\": \"2s\",\n      \"limit\": 4,\n      \"name\": \"x\"\n    }\n"
	)
	modules := map[string]string{}
	for name, files := range map[string][2]string{"rules": {listing, listingTest}, "own": {itself, itselfTest}} {
		modules[name] = filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(modules[name], 0o700); err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{"go.mod": "module example.com/" + name + "\n\ngo 1.24\n", name + ".go": files[0], name + "_test.go": files[1]} {
			if err := os.WriteFile(filepath.Join(modules[name], file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	const unseen = ": no read of the new value was seen: "
	cache := t.TempDir()
	for _, c := range []struct {
		module, old string
		change      []string // pairs
		want        []string
	}{
		{"rules", rules, nil, nil},
		{"rules", rules, []string{"10", "20"}, []string{"holds [0].limit: 1 test passes with it"}},
		{"rules", rules, []string{`"x"`, `"z"`}, []string{"inconclusive [0].note" + unseen + "TestLimit, TestLoads"}},
		{"rules", rules, []string{`"x"`, `"z"`, "10", "200"}, []string{"inconclusive [0].note" + unseen + "TestLimit, TestLoads", "violated [0].limit: TestLimit: the limit is 200 (rules_test.go:7)"}},
		{"rules", rules, []string{"10", `"ten"`}, []string{"violated [0].limit: TestLoads: json: cannot unmarshal string into Go struct field Rule.limit of type int (rules_test.go:13)"}},
		{"own", config, []string{"2s", "3s"}, []string{"inconclusive max_wait" + unseen + "TestPatience"}},
		{"own", config, []string{"2s", "3m"}, []string{"violated max_wait: TestPatience: it waits for 12m0s (own_test.go:14)"}},
		{"own", config, []string{"2s", "3s", "4", "5"}, []string{"holds limit: 1 test passes with it", "inconclusive max_wait" + unseen + "TestPatience"}},
		{"own", config, []string{"2s", "3m", "4", "5"}, []string{"holds limit: 1 test passes with it", "violated max_wait: TestPatience: it waits for 12m0s (own_test.go:14)"}},
		{"own", config, []string{`"x"`, `"y"`}, []string{"inconclusive name: not exercised by any test"}},
	} {
		o, err := Diff(t.Context(), options(t, modules[c.module], cache), version(t, "it.yaml", c.old), version(t, "it.yaml", strings.NewReplacer(c.change...).Replace(c.old)))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range o.Report(modules[c.module]).Results {
			got = append(got, fmt.Sprintf("%s %s: %s%s", r.Verdict, r.Subject, r.Message, r.Reason))
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%s with %q: it says\n%s\nwant\n%s", c.module, c.change, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}
