package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/pace"
)

// TestGenerateOnlyKept: that a program puts a value into a field of its own, which no test reads, shows neither that it
// takes what is invalid nor that something else holds.
func TestGenerateOnlyKept(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n",
		"shop.go": `package shop

import "encoding/json"

type Config struct {
	Bind    string ` + "`json:\"bind\"`" + `
	Workers int    ` + "`json:\"workers\"`" + `
}

func Load(text []byte) (*Config, error) {
	c := Default()
	return c, json.Unmarshal(text, c)
}

func Default() *Config {
	c := &Config{Bind: "127.0.0.1:8081", Workers: 2}
	SetDefaults(c)
	return c
}

func SetDefaults(c *Config) {
	if c.Bind == "" {
		c.Bind = ":8081"
	}
}

type App struct {
	bind    string
	workers int
}

func New(c *Config) *App {
	a := &App{bind: c.Bind, workers: 4}
	if c.Workers > 0 {
		a.workers = c.Workers
	}
	return a
}

func (a *App) Bind() string { return a.bind }

func (a *App) Busy(n int) bool { return n >= a.workers }
`,
		"shop_test.go": `package shop

import "testing"

func TestBusy(t *testing.T) {
	if New(Default()).Busy(0) {
		t.Error("busy at once")
	}
}
`,
	})
	file := said(`{"bind": "127.0.0.1:8081", "workers": 2}`)
	out, err := Generate(t.Context(), options(t, s.module.Directory, t.TempDir()), Generating{File: &file, Most: DefaultMost})
	if err != nil {
		t.Fatal(err)
	}
	silent := map[string]int{}
	for i, tried := range out.Tried {
		for _, v := range tried.Tried {
			if v.Fate == judge.Silent {
				silent[out.Parameters[i].Path]++
			}
		}
	}
	for _, r := range out.Report("").Results {
		if r.Subject == "bind" && r.Verdict != finding.Inconclusive {
			t.Errorf("bind is %s: %s", r.Verdict, r.Message)
		}
	}
	if silent["bind"] > 0 || silent["workers"] == 0 { // workers that are negative are taken
		t.Errorf("taken without a word are so many values: %v", silent)
	}
}
