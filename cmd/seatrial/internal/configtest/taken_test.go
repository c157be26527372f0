package configtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// TestTaken: a map that is taken as a whole, and of which a test uses one key, shows nothing of the others.
func TestTaken(t *testing.T) {
	pace.Slow(t)
	folder := withViper(t, map[string]string{
		"store.go":      takenStore,
		"store.json":    takenText,
		"store_test.go": takenTests,
	})
	cache := t.TempDir()
	for _, c := range []struct{ old, now, want string }{
		{`"age": "1h"`, `"age": "2h"`, "holds headers.age"},
		{`"age": "1h"`, `"age": "never"`, "violated headers.age"},
		{`"via": "one"`, `"via": "two"`, "inconclusive headers.via"},
		{`"acme": {"limit": 5}`, `"acme": {"limit": 6}`, "holds quotas.acme.limit"},
		{`"other": {"limit": 7}`, `"other": {"limit": 8}`, "inconclusive quotas.other.limit"},
		{`"admin": ["x"]`, `"admin": ["x", "y"]`, "holds groups.admin"},
		{`"guest": ["z"]`, `"guest": ["z", "w"]`, "inconclusive groups.guest"},
		{`"first": "1"`, `"first": "2"`, "holds rest.first"},
	} {
		if !strings.Contains(takenText, c.old) {
			t.Fatal(c.old)
		}
		now := strings.Replace(takenText, c.old, c.now, 1)
		o, err := Diff(t.Context(), options(t, folder, cache), version(t, "store.json", takenText), version(t, "store.json", now))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range o.Report(folder).Results {
			got = append(got, fmt.Sprintf("%s %s", r.Verdict, r.Subject))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: it says %q, want %q", c.now, got, c.want)
		}
	}
}

const takenText = `{
  "headers": {"age": "1h", "via": "one"},
  "quotas": {"acme": {"limit": 5}, "other": {"limit": 7}},
  "groups": {"admin": ["x"], "guest": ["z"]},
  "rest": {"first": "1"}
}
`

// TestTakenField: so it is with a map in a struct that is decoded, and kept by somebody else.
func TestTakenField(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.25\n",
		"shop.go":      takenShop,
		"shop_test.go": takenShopTests,
	})
	const old = `{"labels": {"team": "red", "tier": "1"}, "prices": {"pear": 3, "fig": 4}, "meta": {"owner": "me", "since": 7}, "tags": {"a": "b"}, "heads": {"Age": ["1"], "Via": ["2"]}}`
	for _, c := range []struct{ old, now, want string }{
		{`"red"`, `"blue"`, "holds labels.team"},
		{`"red"`, `"none"`, "violated labels.team"},
		{`"1"`, `"3"`, "inconclusive labels.tier"},
		{`3`, `9`, "holds prices.pear"},
		{`3`, `101`, "violated prices.pear"},
		{`4`, `9`, "inconclusive prices.fig"},
		{`"me"`, `"you"`, "holds meta.owner"},
		{`7`, `8`, "inconclusive meta.since"},
		{`"b"`, `"c"`, "holds tags.a"},
		{`["2"]`, `["3"]`, "inconclusive heads.Via"},
	} {
		out, err := s.diff(t.Context(), said(old), said(strings.Replace(old, c.old, c.now, 1)))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range out.Report(".").Results {
			got = append(got, fmt.Sprintf("%s %s", r.Verdict, r.Subject))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: it says %q, want %q", c.now, got, c.want)
		}
	}
}

const takenStore = `package store

import (
	"maps"
	"strings"

	"github.com/spf13/viper"
)

type Store struct {
	headers map[string]string
	quotas  map[string]any
	groups  map[string][]string
	all     map[string]any
}

func Load(file string) (*Store, error) {
	v := viper.New()
	v.SetConfigFile(file)
	if err := v.ReadInConfig(); err != nil {
		return nil, err
	}
	return &Store{
		headers: maps.Clone(v.GetStringMapString("headers")),
		quotas:  v.GetStringMap("quotas"),
		groups:  v.GetStringMapStringSlice("groups"),
		all:     v.AllSettings(),
	}, nil
}

func (s *Store) Header(name string) string { return s.headers[strings.ToLower(name)] }

func (s *Store) Quota(tenant string) int {
	of, _ := s.quotas[tenant].(map[string]any)
	n, _ := of["limit"].(float64)
	if i, is := of["limit"].(int); is {
		n = float64(i)
	}
	return int(n)
}
`

const takenTests = `package store

import (
	"reflect"
	"testing"
)

func load(t *testing.T) *Store {
	s, err := Load("store.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestHeader(t *testing.T) {
	if v := load(t).Header("Age"); v == "" || v == "never" {
		t.Error(v)
	}
}

func TestQuota(t *testing.T) {
	if n := load(t).Quota("acme"); n > 100 {
		t.Error(n)
	}
}

func TestGroup(t *testing.T) {
	if all := load(t).groups["admin"]; len(all) > 3 {
		t.Error(all)
	}
}

func TestRest(t *testing.T) {
	rest, _ := load(t).all["rest"].(map[string]any)
	for name, v := range rest {
		if v == "" {
			t.Error(name)
		}
	}
	if reflect.DeepEqual(load(t).all["other"], map[string]any{"a": "b"}) {
		t.Error("it is another one")
	}
}
`

const takenShop = `package shop

import (
	"encoding/json"
	"net/http"
	"os"
)

type Config struct {
	Labels map[string]string ` + "`json:\"labels\"`" + `
	Prices map[string]int    ` + "`json:\"prices\"`" + `
	Meta   map[string]any    ` + "`json:\"meta\"`" + `
	Tags   map[string]string ` + "`json:\"tags\"`" + `
	Heads  http.Header       ` + "`json:\"heads\"`" + `
}

func Load(path string) (*Config, error) {
	c := &Config{Labels: map[string]string{"team": "green"}}
	text, err := os.ReadFile(path)
	if err != nil {
		return c, nil
	}
	return c, json.Unmarshal(text, c)
}

type Shop struct {
	labels map[string]string
	prices map[string]int
	meta   map[string]any
	tags   map[string]string
	heads  http.Header
}

func New(c *Config) *Shop { return &Shop{c.Labels, c.Prices, c.Meta, c.Tags, c.Heads} }

func (s *Shop) Price(of ...string) (sum int) {
	for _, name := range of {
		sum += s.prices[name]
	}
	return sum
}
`

const takenShopTests = `package shop

import (
	"encoding/json"
	"testing"
)

func open(t *testing.T) *Shop {
	c, err := Load("none")
	if err != nil {
		t.Fatal(err)
	}
	return New(c)
}

func TestLabel(t *testing.T) {
	if v := open(t).labels["team"]; v == "none" {
		t.Error(v)
	}
}

func TestPrice(t *testing.T) {
	if n := open(t).Price("pear", "plum"); n > 100 {
		t.Error(n)
	}
}

func TestMeta(t *testing.T) {
	if v := open(t).meta["owner"]; v == "nobody" {
		t.Error(v)
	}
}

func TestTags(t *testing.T) {
	if text, err := json.Marshal(map[string]any{"tags": open(t).tags}); err != nil || len(text) > 1000 {
		t.Error(string(text), err)
	}
}

func TestHeads(t *testing.T) {
	if v := open(t).heads.Get("Age"); v == "never" {
		t.Error(v)
	}
}
`
