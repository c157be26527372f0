package configtest

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/internal/pace"
)

// TestDefaultOfAWrappedValue: to ask a type of the module's own that wraps a time whether it says something, and to
// give the time in it a default if not, is no use of the value.
func TestDefaultOfAWrappedValue(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n",
		"shop.go": `package shop

import (
	"encoding/json"
	"os"
	"time"
)

type Duration struct{ time.Duration }

func (d *Duration) UnmarshalJSON(text []byte) (err error) {
	var s string
	if err = json.Unmarshal(text, &s); err == nil {
		d.Duration, err = time.ParseDuration(s)
	}
	return err
}

type Config struct {
	Grace Duration ` + "`json:\"grace\"`" + `
	Lease Duration ` + "`json:\"lease\"`" + `
}

func SetDefaults(c *Config) {
	if c.Grace.Duration == 0 {
		c.Grace.Duration = 30 * time.Second
	}
	if c.Lease.Duration <= 0 {
		c.Lease.Duration = 15 * time.Second
	}
}

func Load(path string) (Config, error) {
	var c Config
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	SetDefaults(&c)
	return c, err
}

type App struct{ grace, lease time.Duration }

func New(c Config) *App { return &App{grace: c.Grace.Duration, lease: c.Lease.Duration} }

func (a *App) Due(mine bool, age time.Duration) bool { return mine && age >= a.grace }

func (a *App) Lost(silence time.Duration) bool { return silence > a.lease }
`,
		"shop.json": `{"grace": "30s", "lease": "15s"}`,
		"shop_test.go": `package shop

import (
	"testing"
	"time"
)

func TestLost(t *testing.T) {
	c, err := Load("shop.json")
	if err != nil {
		t.Fatal(err)
	}
	if a := New(c); a.Lost(time.Second) || a.Due(false, time.Second) {
		t.Error("lost after a second")
	}
}
`,
	})
	const old = `{"grace": "30s", "lease": "15s"}`
	for now, want := range map[string]string{
		`{"grace": "500ms", "lease": "15s"}`: "inconclusive grace", // TestLost does not come to it
		`{"grace": "0s", "lease": "15s"}`:    "inconclusive grace",
		`{"grace": "30s", "lease": "0s"}`:    "inconclusive lease", // 15s hold
		`{"grace": "30s", "lease": "20s"}`:   "holds lease",
		`{"grace": "30s", "lease": "20ms"}`:  "violated lease",
	} {
		out, err := s.diff(t.Context(), said(old), said(now))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range out.Report(".").Results {
			got = append(got, fmt.Sprintf("%s %s", r.Verdict, r.Subject))
		}
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", now, diff)
		}
	}
}

// TestNoneHasADefault: what a program puts a default in the place of is not given to it as nothing behind that, where a
// test opens no file.
func TestNoneHasADefault(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n",
		"shop.go": `package shop

import (
	"encoding/json"
	"os"
)

type Config struct {
	Rate  int   ` + "`json:\"rate\"`" + `
	Burst int   ` + "`json:\"burst\"`" + `
	Queue Queue ` + "`json:\"queue\"`" + `
}

type Queue struct {
	Shards int ` + "`json:\"shards\"`" + `
	Depth  int ` + "`json:\"depth\"`" + `
}

func SetDefaults(c *Config) {
	if c.Rate <= 0 {
		c.Rate = 10
	}
	if c.Burst < 0 {
		c.Burst = 20
	}
	setQueueDefaults(&c.Queue)
}

func setQueueDefaults(q *Queue) {
	if q.Shards == 0 {
		q.Shards = 4
	}
}

func Default() Config {
	c := Config{Burst: 20, Queue: Queue{Depth: 8}}
	SetDefaults(&c)
	return c
}

func Load(path string) (Config, error) {
	var c Config
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	SetDefaults(&c)
	return c, err
}

func (c Config) Every() int { return 1000 / c.Rate }

func (c Config) Wait() int { return 1000 / c.Burst }

func (q Queue) Of(id int) int { return id % q.Shards }

func (q Queue) Full(n int) bool { return n > 100/q.Depth }
`,
		"shop_test.go": `package shop

import "testing"

func TestAll(t *testing.T) {
	c := Default()
	if c.Every() > 1000 || c.Wait() > 1000 || c.Queue.Of(7) > 7 || c.Queue.Full(0) {
		t.Error(c)
	}
}
`,
	})
	const old = `{"rate": 10, "burst": 20, "queue": {"shards": 4, "depth": 8}}`
	for now, want := range map[string]string{
		`{"rate": 0, "burst": 20, "queue": {"shards": 4, "depth": 8}}`:  "inconclusive rate",
		`{"rate": 10, "burst": 0, "queue": {"shards": 4, "depth": 8}}`:  "violated burst", // 0 is not below 0
		`{"rate": 10, "burst": 20, "queue": {"shards": 0, "depth": 8}}`: "inconclusive queue.shards",
		`{"rate": 10, "burst": 20, "queue": {"shards": 4, "depth": 0}}`: "violated queue.depth",
		`{"rate": 5, "burst": 20, "queue": {"shards": 4, "depth": 8}}`:  "holds rate",
		`{"rate": 10, "burst": 20, "queue": {"shards": 3, "depth": 8}}`: "holds queue.shards",
	} {
		out, err := s.diff(t.Context(), said(old), said(now))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range out.Report(".").Results {
			got = append(got, fmt.Sprintf("%s %s", r.Verdict, r.Subject))
		}
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", now, diff)
		}
	}
}
