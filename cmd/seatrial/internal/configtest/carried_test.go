package configtest

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

const app = `package app

import (
	"encoding/json"
	"os"
	"strings"
	"time"

	"github.com/spf13/viper"
)

type Config struct {
	Timeout time.Duration ` + "`json:\"timeout\"`" + `
	Retries int           ` + "`json:\"retries\"`" + `
	Seconds int           ` + "`json:\"seconds\"`" + `
	Address string        ` + "`json:\"address\"`" + `
	Size    int           ` + "`json:\"size\"`" + `
	Shown   string        ` + "`json:\"shown\"`" + `
	Rates   []int         ` + "`json:\"rates\"`" + `
}

type client struct {
	address string
	every   time.Duration
}

type App struct {
	timeout time.Duration
	retries int
	client  *client
	size    int
	shown   string
	rates   []int
	limits  map[string]int
	zone    string
}

func newClient(address string, every time.Duration) *client {
	if address == "" {
		address = "localhost"
	}
	return &client{address, every}
}

func Load() *App {
	text, _ := os.ReadFile("app.json")
	c := Config{Timeout: 1, Retries: 1, Rates: []int{1}}
	_ = json.Unmarshal(text, &c)
	v := viper.New()
	v.SetDefault("limits.a", 3)
	v.SetDefault("limits.b", 4)
	size := c.Size
	a := &App{timeout: c.Timeout, retries: c.Retries, limits: map[string]int{}, zone: strings.TrimSpace(os.Getenv("APP_ZONE"))}
	a.client = newClient(strings.ToLower(c.Address), time.Duration(c.Seconds)*time.Second)
	a.size = size
	a.shown = c.Shown
	a.rates = c.Rates
	for _, name := range []string{"a", "b"} {
		a.limits[name] = v.GetInt("limits." + name)
	}
	return a
}

func (a *App) Wait() time.Duration { return a.timeout }

func (a *App) Tries(n int) bool { return n < a.retries }

func (a *App) At() string { return "http://" + a.client.address }

func (a *App) Next(from time.Time) time.Time { return from.Add(a.client.every) }

func (a *App) Fits(n int) bool { return n <= a.size }

func (a *App) Show() string { return a.shown }

func (a *App) Rate(of int) int { return a.rates[of] }

func (a *App) Limit(of string) int { return a.limits[of] }

func (a *App) Zone() string { return a.zone }
`

const appTest = `package app

import (
	"testing"
	"time"
)

func TestUses(t *testing.T) {
	a := Load()
	_ = a.Wait()
	_ = a.At()
	_ = a.Next(time.Time{})
	_ = a.Fits(3)
	_ = a.Rate(0)
	_ = a.Limit("a")
}

func TestLoads(t *testing.T) {
	if Load() == nil {
		t.Error("none")
	}
}
`

// TestCarriedValue: a value that is only put into a struct of the program is not used before that is read: by way of
// variables, parameters and other fields.
func TestCarriedValue(t *testing.T) {
	pace.Slow(t)
	folder := withViper(t, map[string]string{
		"app.go":      app,
		"app_test.go": appTest,
	})
	const old = `{
  "timeout": 5, "retries": 2,
  "seconds": 3, "address": "example.com",
  "size": 7, "shown": "yes", "rates": [1, 2]
}
`
	cache := t.TempDir()
	for _, c := range []struct{ file, old, now, want string }{
		{"app.json", `"timeout": 5`, `"timeout": 6`, "holds timeout"},
		{"app.json", `"retries": 2`, `"retries": 9`, "inconclusive retries: it is only put into app.App.retries at app.go:53, and was not seen to be used: TestLoads, TestUses"},
		{"app.json", `"seconds": 3`, `"seconds": 4`, "holds seconds"},
		{"app.json", `"example.com"`, `"example.org"`, "holds address"},
		{"app.json", `"size": 7`, `"size": 8`, "holds size"},
		{"app.json", `"yes"`, `"no"`, "inconclusive shown: it is only put into app.App.shown at app.go:56, and was not seen to be used: TestLoads, TestUses"},
		{"app.json", `[1, 2]`, `[3, 2]`, "holds rates"},
	} {
		if got := said(t, folder, cache, c.file, old, strings.Replace(old, c.old, c.now, 1), true); got != c.want {
			t.Errorf("%s: it says %q, want %q", c.now, got, c.want)
		}
	}
	for _, c := range []struct{ now, want string }{
		{"limits:\n  a: 5\n  b: 4\n", "holds limits.a"},
		{"limits:\n  a: 3\n  b: 5\n", "inconclusive limits.b: it is only put into app.App.limits at app.go:59, and was not seen to be used: TestLoads, TestUses"},
	} {
		if got := said(t, folder, cache, "app.yaml", "limits:\n  a: 3\n  b: 4\n", c.now, true); got != c.want {
			t.Errorf("%q: it says %q, want %q", c.now, got, c.want)
		}
	}
}

const proxy = `package proxy

import (
	"encoding/json"
	"os"
	"strings"
	"time"
)

type Route struct {
	Path    string ` + "`json:\"path\"`" + `
	Seconds int    ` + "`json:\"seconds\"`" + `
	Weight  int    ` + "`json:\"weight\"`" + `
}

type Config struct {
	Routes []Route ` + "`json:\"routes\"`" + `
}

type route struct {
	path    string
	timeout time.Duration
	weight  int
}

type Proxy struct{ routes []*route }

func Load() *Proxy {
	text, _ := os.ReadFile("proxy.json")
	c := Config{Routes: []Route{{Path: "/", Seconds: 1, Weight: 1}}}
	_ = json.Unmarshal(text, &c)
	p := &Proxy{}
	for _, r := range c.Routes {
		p.routes = append(p.routes, &route{path: r.Path, timeout: time.Duration(r.Seconds) * time.Second, weight: r.Weight})
	}
	return p
}

func (p *Proxy) Match(path string) bool {
	for _, r := range p.routes {
		if strings.HasPrefix(path, r.path) {
			return true
		}
	}
	return false
}

func (p *Proxy) Slowest() (out time.Duration) {
	for _, r := range p.routes {
		out = max(out, r.timeout)
	}
	return out
}

func (p *Proxy) Weight() (out int) {
	for _, r := range p.routes {
		out += r.weight
	}
	return out
}
`

const proxyTest = `package proxy

import "testing"

func TestSlowest(t *testing.T) {
	if p := Load(); p.Slowest() == 0 {
		t.Error("none")
	}
}

func TestWeight(t *testing.T) { _ = Load().Weight() }
`

// TestCarriedItem: so it is with what is in the items of a list.
func TestCarriedItem(t *testing.T) {
	pace.Slow(t)
	folder := withViper(t, map[string]string{
		"proxy.go":      proxy,
		"proxy_test.go": proxyTest,
	})
	const old = `{"routes": [
  {"path": "/a", "seconds": 3, "weight": 1},
  {"path": "/b", "seconds": 4, "weight": 2}
]}
`
	cache := t.TempDir()
	for _, c := range []struct{ old, now, want string }{
		{`"/b"`, `"/c"`, "inconclusive routes[1].path: it is only put into proxy.route.path at proxy.go:34, and was not seen to be used: TestSlowest, TestWeight"},
		{`"seconds": 4`, `"seconds": 5`, "holds routes[1].seconds"},
		{`"weight": 2`, `"weight": 7`, "holds routes[1].weight"},
	} {
		if got := said(t, folder, cache, "proxy.json", old, strings.Replace(old, c.old, c.now, 1), true); got != c.want {
			t.Errorf("%s: it says %q, want %q", c.now, got, c.want)
		}
	}
}
