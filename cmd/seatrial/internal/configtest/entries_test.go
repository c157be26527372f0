package configtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/pace"
)

const pools = `package pools

import (
	"encoding/json"
	"strings"

	"example.com/dial"
)

// Limit reads itself, with keys that are none of its fields.
type Limit struct {
	per  string
	most int
}

func (l *Limit) UnmarshalJSON(text []byte) error {
	var says map[string]any
	if err := json.Unmarshal(text, &says); err != nil {
		return err
	}
	l.per, _ = says["name"].(string)
	n, _ := says["max"].(float64)
	l.most = int(n)
	return nil
}

// Address is one text.
type Address struct{ Host, Port string }

func (a *Address) UnmarshalText(text []byte) error {
	a.Host, a.Port, _ = strings.Cut(string(text), ":")
	return nil
}

type Config struct {
	Servers   []dial.Server      ` + "`json:\"servers\"`" + `
	Limits    []Limit            ` + "`json:\"limits\"`" + `
	Addresses map[string]Address ` + "`json:\"addresses\"`" + `
	Plugins   []map[string]any   ` + "`json:\"plugins\"`" + `
	Zones     map[string]any     ` + "`json:\"zones\"`" + `
}

func Load(text []byte) (*Config, error) {
	c := DefaultConfig()
	return c, json.Unmarshal(text, c)
}

func DefaultConfig() *Config { return &Config{} }

func (c *Config) Read() (all []any) {
	for _, s := range c.Servers {
		all = append(all, s.Port, s.TLS.Cert)
	}
	for _, l := range c.Limits {
		all = append(all, l.most)
	}
	for _, a := range c.Addresses {
		all = append(all, a.Port)
	}
	for _, p := range c.Plugins {
		all = append(all, p["size"])
	}
	for _, z := range c.Zones {
		if zone, is := z.(map[string]any); is {
			all = append(all, zone["hops"])
		}
	}
	return all
}
`

const poolsTest = `package pools

import "testing"

func TestRead(t *testing.T) {
	for _, v := range DefaultConfig().Read() {
		if v == "bad" {
			t.Error("it is bad")
		}
	}
}
`

const dial = `package dial

type Server struct {
	Port, Wait int
	TLS        struct{ Cert, Key string }
}
`

const poolsConfig = `{
  "servers": [{"Port": 1, "Wait": 2, "TLS": {"Cert": "c1", "Key": "k1"}}, {"Port": 3, "Wait": 4, "TLS": {"Cert": "c2", "Key": "k2"}}],
  "limits": [{"name": "a", "max": 5}, {"name": "b", "max": 6}],
  "addresses": {"one": "h1:7", "two": "h2:8"},
  "plugins": [{"name": "p", "size": 9}, {"name": "q", "size": 10}],
  "zones": {"west": {"name": "w", "hops": 11}, "east": {"name": "e", "hops": 12}}
}`

// TestEntries: of entries whose type is of another module, reads itself, or is none, a read of one field shows nothing
// of another one.
func TestEntries(t *testing.T) {
	pace.Slow(t)
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module example.com/pools\n\ngo 1.24\n\nrequire example.com/dial v0.0.0\n\nreplace example.com/dial => ./dial\n",
		"dial/go.mod":  "module example.com/dial\n\ngo 1.24\n",
		"dial/dial.go": dial, "pools.go": pools, "pools_test.go": poolsTest,
	} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	entries(t, folder, "config.json", poolsConfig, []entryCase{
		{"read", []string{`"Port": 3`, `"Port": 30`, `"c1"`, `"c3"`, `6}`, `60}`, `h2:8`, `h2:80`, `10}`, `100}`, `12}`, `120}`}, "holds", nil},
		{"not read", []string{`"Wait": 4`, `"Wait": 40`, `"k1"`, `"k3"`, `"b"`, `"bb"`, `h1:7`, `hh:7`, `"q"`, `"qq"`, `"e"`, `"ee"`}, "inconclusive", nil},
		{"what another one has", []string{`"Port": 3`, `"Port": 1`, `"max": 6`, `"max": 5`, `"size": 10`, `"size": 9`}, "holds", nil},
		{"what another one has, not read", []string{`"Wait": 4`, `"Wait": 2`, `"b"`, `"a"`, `"q"`, `"p"`}, "inconclusive", nil},
		{"another key", []string{`6}`, `60, "min": 5}`}, "holds", []string{"limits[1].min"}},
		{"bad", []string{`"c1"`, `"bad"`}, "violated", nil},
	})
}

// entryCase is a change of some entries, with what is said of each parameter, but for those that nobody is seen to
// read.
type entryCase struct {
	name    string
	change  []string // pairs
	verdict finding.Verdict
	unread  []string
}

func entries(t *testing.T, folder, file, config string, cases []entryCase) {
	t.Helper()
	cache := t.TempDir()
	for _, c := range cases {
		after := strings.NewReplacer(c.change...).Replace(config)
		o, err := Diff(t.Context(), options(t, folder, cache), version(t, file, config), version(t, file, after))
		if err != nil {
			t.Fatal(err)
		}
		results := o.Report(folder).Results
		if len(results) == 0 {
			t.Errorf("%s: nothing differs", c.name)
		}
		for _, r := range results {
			want := c.verdict
			if slices.Contains(c.unread, r.Subject) {
				want = finding.Inconclusive
			}
			if r.Verdict != want {
				t.Errorf("%s: %s %s: %s%s, want %s", c.name, r.Verdict, r.Subject, r.Message, r.Reason, want)
			}
		}
	}
}

const sets = `package sets

// Set is what is configured.
type Set struct{ k *library }

type Pool struct{ Size, Wait int }

func (s *Set) Servers() (all []any) {
	list, _ := s.k.Get("servers").([]any)
	for _, v := range list {
		m, _ := v.(map[string]any)
		all = append(all, m["port"])
	}
	return all
}

func (s *Set) Pools() (all []any) {
	var pools []Pool
	if err := decode(s.k, "pools", &pools); err != nil {
		return nil
	}
	for _, p := range pools {
		all = append(all, p.Size)
	}
	return all
}

func (s *Set) Named() (all []any) {
	var pools map[string]Pool
	if err := decode(s.k, "named", &pools); err != nil {
		return nil
	}
	for _, p := range pools {
		all = append(all, p.Size)
	}
	return all
}

func (s *Set) Zones() (all []any) {
	zones, _ := s.k.Get("zones").(map[string]any)
	for _, z := range zones {
		m, _ := z.(map[string]any)
		all = append(all, m["hops"])
	}
	return all
}

func (s *Set) West() any { return s.k.Get("routes.west.hops") }
`

const setsTest = `package sets

import "testing"

func TestSet(t *testing.T) {
	s := load()
	all := append(append(s.Servers(), s.Pools()...), s.Named()...)
	for _, v := range append(append(all, s.Zones()...), s.West()) {
		if v == "bad" {
			t.Error("it is bad")
		}
	}
}
`

const setsConfig = `servers:
- {port: 1, wait: 2}
- {port: 3, wait: 4}
pools:
- {size: 5, wait: 6}
- {size: 7, wait: 8}
named:
  one: {size: 9, wait: 10}
  two: {size: 11, wait: 12}
zones:
  west: {hops: 13, name: w}
  east: {hops: 14, name: e}
routes:
  west: {hops: 15, name: w}
`

// TestEntriesOfKeys: the same of entries that only a library of keys knows.
func TestEntriesOfKeys(t *testing.T) {
	pace.Slow(t)
	for _, c := range []struct{ example, code string }{
		{"thumbs", `package sets

import "github.com/spf13/viper"

type library = viper.Viper

func load() *Set {
	v := viper.New()
	v.SetDefault("title", "none")
	return &Set{v}
}

func decode(v *library, key string, into any) error { return v.UnmarshalKey(key, into) }
`}, {"mailer", `package sets

import (
	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"
)

type library = koanf.Koanf

func load() *Set {
	k := koanf.New(".")
	if err := k.Load(confmap.Provider(map[string]any{"title": "none"}, "."), nil); err != nil {
		panic(err)
	}
	return &Set{k}
}

func decode(k *library, key string, into any) error { return k.Unmarshal(key, into) }
`}} {
		t.Run(c.example, func(t *testing.T) {
			folder := t.TempDir()
			for name, text := range map[string]string{"go.mod": "", "go.sum": "", "sets.go": sets, "library.go": c.code, "sets_test.go": setsTest} {
				if text == "" {
					kept, err := os.ReadFile(filepath.Join(examples, c.example, name))
					if err != nil {
						t.Fatal(err)
					}
					text = string(kept)
				}
				if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			entries(t, folder, "config.yaml", setsConfig, []entryCase{
				{"read", []string{"port: 3", "port: 30", "size: 7", "size: 70", "size: 11", "size: 110", "hops: 14", "hops: 140", "hops: 15", "hops: 150"}, "holds", nil},
				{"not read", []string{"wait: 4", "wait: 40", "wait: 8", "wait: 80", "wait: 12", "wait: 120", "name: e", "name: ee"}, "inconclusive", nil},
				{"what another one has", []string{"port: 3", "port: 1", "size: 7", "size: 5", "size: 11", "size: 9", "hops: 14", "hops: 13"}, "holds", nil},
				{"bad", []string{"port: 3", "port: bad"}, "violated", nil},
			})
		})
	}
}
