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

const pager = `package pager

import "encoding/json"

type Retry struct {
	Max int ` + "`json:\"max\"`" + `
}

type Receiver struct {
	URL     string            ` + "`json:\"url\"`" + `
	Timeout int               ` + "`json:\"timeout\"`" + `
	Wait    int               ` + "`json:\"wait\"`" + `
	Retry   Retry             ` + "`json:\"retry\"`" + `
	Labels  map[string]string ` + "`json:\"labels\"`" + `
}

type Rule struct {
	Name  string ` + "`json:\"name\"`" + `
	Limit int    ` + "`json:\"limit\"`" + `
}

type Zone struct {
	Name  string  ` + "`json:\"name\"`" + `
	Hosts []*Rule ` + "`json:\"hosts\"`" + `
}

type Config struct {
	Receivers map[string]Receiver ` + "`json:\"receivers\"`" + `
	Rules     []Rule              ` + "`json:\"rules\"`" + `
	Zones     []Zone              ` + "`json:\"zones\"`" + `
}

func Load(text []byte) (*Config, error) {
	c := DefaultConfig()
	return c, json.Unmarshal(text, c)
}

func DefaultConfig() *Config {
	return &Config{Receivers: map[string]Receiver{"a": {}}}
}

// Defaults puts in place what is not said.
func (c *Config) Defaults() {
	for name, r := range c.Receivers {
		if r.Wait == 0 {
			r.Wait = 7
		}
		c.Receivers[name] = r
	}
}

func (c *Config) Slowest() (most int) {
	for _, r := range c.Receivers {
		most = max(most, r.Timeout)
	}
	return most
}

func (c *Config) Tries(of string) int { return 1 + c.Receivers[of].Retry.Max }
`

const pagerTest = `package pager

import (
	"fmt"
	"testing"
)

func TestURL(t *testing.T) {
	c := DefaultConfig()
	c.Defaults()
	if c.Receivers["a"].URL == "none" {
		t.Error("there is no receiver")
	}
	if c.Receivers["a"].Labels["team"] == "none" {
		t.Error("there is no team")
	}
}

func TestSlowest(t *testing.T) {
	if n := DefaultConfig().Slowest(); n > 60 {
		t.Errorf("it takes %d s", n)
	}
}

func TestTries(t *testing.T) {
	if n := DefaultConfig().Tries("a"); n > 10 {
		t.Errorf("it tries %d times", n)
	}
}

func TestLimits(t *testing.T) {
	all := 0
	for _, r := range DefaultConfig().Rules {
		all += r.Limit
	}
	if all > 100 {
		t.Errorf("the limits are %d", all)
	}
}

func TestZones(t *testing.T) {
	if text := fmt.Sprint(DefaultConfig().Zones); text == "" {
		t.Error("there is nothing")
	}
}
`

const pagerConfig = `{
  "receivers": {
    "a": {"url": "http://a", "timeout": 5, "wait": 1, "retry": {"max": 2}, "labels": {"team": "one"}},
    "b": {"url": "http://b", "timeout": 10, "wait": 2, "retry": {"max": 3}},
    "c": {"url": "http://c", "timeout": 5, "wait": 3}
  },
  "rules": [{"name": "x", "limit": 10}, {"name": "y", "limit": 20}],
  "zones": [{"name": "north", "hosts": [{"name": "n1", "limit": 1}]}]
}`

// TestItems: what shows that a new value of an item of a collection is read is a read of that field, with that value.
// That another field of the item is read, or that of another item, shows nothing, and breaks nothing.
func TestItems(t *testing.T) {
	pace.Slow(t)
	folder := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/pager\n\ngo 1.24\n", "pager.go": pager, "pager_test.go": pagerTest} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const unseen = ": no read of the new value was seen: "
	cache := t.TempDir()
	for _, c := range []struct {
		name   string
		change []string // pairs
		want   []string
	}{
		{"nothing", nil, nil},
		{"a field", []string{`"timeout": 5, "wait": 1`, `"timeout": 6, "wait": 1`}, []string{"holds receivers.a.timeout: 1 test passes with it"}},
		{"a field that breaks", []string{`"timeout": 10`, `"timeout": 100`}, []string{"violated receivers.b.timeout: TestSlowest: it takes 100 s (pager_test.go:21)"}},
		{"of two items", []string{`"timeout": 5, "wait": 1`, `"timeout": 6, "wait": 1`, `"timeout": 10`, `"timeout": 11`}, []string{"holds receivers.a.timeout: 1 test passes with it", "holds receivers.b.timeout: 1 test passes with it"}},
		{"another field of it", []string{`"wait": 1`, `"wait": 4`}, []string{"inconclusive receivers.a.wait" + unseen}},
		{"of a struct in it", []string{`"max": 2`, `"max": 4`}, []string{"holds receivers.a.retry.max: 1 test passes with it"}},
		{"of another item", []string{`"max": 3`, `"max": 4`}, []string{"inconclusive receivers.b.retry.max" + unseen}},
		{"what another item has", []string{`"timeout": 5, "wait": 1`, `"timeout": 10, "wait": 1`}, []string{"holds receivers.a.timeout: 1 test passes with it"}},
		{"what another item has, unread", []string{`"http://c"`, `"http://a"`}, []string{"inconclusive receivers.c.url" + unseen}},
		{"the same for several", []string{`"timeout": 5`, `"timeout": 7`}, []string{"holds receivers.a.timeout: 1 test passes with it", "holds receivers.c.timeout: 1 test passes with it"}},
		{"the same for several, one read", []string{"http://a", "http://d", "http://b", "http://d"}, []string{"holds receivers.a.url: 1 test passes with it", "inconclusive receivers.b.url" + unseen}},
		{"a map in it", []string{`"one"`, `"two"`}, []string{"holds receivers.a.labels.team: 1 test passes with it"}},
		{"a key that is none", []string{`"wait": 1`, `"wait": 1, "tiemout": 9`}, []string{"inconclusive receivers.a.tiemout: no code is known that reads it: what is read there has no such key"}},
		{"one of two", []string{`"x"`, `"z"`, `"limit": 20`, `"limit": 200`}, []string{"inconclusive rules[0].name" + unseen, "violated rules[1].limit: TestLimits: the limits are 210 (pager_test.go:37)"}},
		{"a new item", []string{`"wait": 3}`, `"wait": 3}, "d": {"timeout": 8}`}, []string{"holds receivers.d.timeout: 1 test passes with it"}},
		{"a new item, not all of it read", []string{`"wait": 3}`, `"wait": 3}, "d": {"url": "http://d", "timeout": 8}`}, []string{"inconclusive receivers.d.timeout: not all of the new item was seen to be read: TestSlowest, TestTries, TestURL"}},
		{"a new item of a list", []string{`"limit": 20}`, `"limit": 20}, {"limit": 30}`}, []string{"holds rules[2].limit: 1 test passes with it"}},
		{"an item is gone", []string{`, {"name": "y", "limit": 20}`, ""}, []string{"holds rules[1].limit: 1 test passes with it"}},
		{"the order", []string{`{"name": "x", "limit": 10}, {"name": "y", "limit": 20}`, `{"name": "y", "limit": 20}, {"name": "x", "limit": 10}`}, nil},
		{"read as a whole", []string{`"n1"`, `"n2"`}, []string{"holds zones[0].hosts[0].name: 1 test passes with it"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			after := strings.NewReplacer(c.change...).Replace(pagerConfig)
			o, err := Diff(t.Context(), options(t, folder, cache), version(t, "config.json", pagerConfig), version(t, "config.json", after))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range o.Report(folder).Results {
				says := fmt.Sprintf("%s %s: %s%s", r.Verdict, r.Subject, r.Message, r.Reason)
				if begin, _, is := strings.Cut(says, unseen); is {
					says = begin + unseen
				}
				got = append(got, says)
			}
			slices.Sort(got)
			if c.name == "the order" {
				if slices.ContainsFunc(got, func(says string) bool { return strings.HasPrefix(says, "violated") }) {
					t.Errorf("it says\n%s", strings.Join(got, "\n"))
				}
				return
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("it says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}
