package configtest

import (
	"maps"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// boundedMap is a program with a map of limits, and with one type for times in an item and beside it.
var boundedMap = map[string]string{
	"app.go": `package app

import (
	"encoding/json"
	"os"
	"time"
)

type Duration struct{ time.Duration }

func (d *Duration) UnmarshalJSON(b []byte) (err error) {
	var s string
	if err = json.Unmarshal(b, &s); err == nil {
		d.Duration, err = time.ParseDuration(s)
	}
	return err
}

type Rule struct {
	Age Duration ` + "`json:\"age\"`" + `
}

type Config struct {
	Limits map[string]int ` + "`json:\"limits\"`" + `
	Lease  Duration       ` + "`json:\"lease\"`" + `
	Rules  []Rule         ` + "`json:\"rules\"`" + `
}

type App struct {
	limits map[string]int
	lease  time.Duration
	ages   []time.Duration
}

func Load() *App {
	text, _ := os.ReadFile("app.json")
	c := Config{Limits: map[string]int{}}
	_ = json.Unmarshal(text, &c)
	a := &App{limits: c.Limits, lease: c.Lease.Duration}
	for _, r := range c.Rules {
		a.ages = append(a.ages, r.Age.Duration)
	}
	return a
}

func (a *App) Allowed(who string, n int) bool {
	limit, is := a.limits[who]
	return !is || n <= limit
}

func (a *App) Old(age time.Duration) bool { return len(a.ages) > 0 && age > a.ages[0] }

func (a *App) Lost(since time.Duration) bool { return since > a.lease }
`,
	"app_test.go": `package app

import (
	"testing"
	"time"
)

func TestGuest(t *testing.T) {
	if Load().Allowed("guest", 1000) {
		t.Fatal("a guest asks 1000 times")
	}
}

func TestOld(t *testing.T) {
	if Load().Old(time.Hour) {
		t.Fatal("an hour is old")
	}
}

func TestLost(t *testing.T) {
	if Load().Lost(0) {
		t.Fatal("it is lost at once")
	}
}
`,
}

// TestKeysOfOneMap: several keys of a map of plain values are changes of their own, and what a field says beside an
// item, both of a type that is there for its methods, is nothing that the program has put in the place of what the item
// says.
func TestKeysOfOneMap(t *testing.T) {
	pace.Slow(t)
	folder := withViper(t, maps.Clone(boundedMap))
	const old = `{
  "limits": {
    "guest": 100,
    "member": 500
  },
  "lease": "3m",
  "rules": [{"age": "72h"}]
}
`
	for _, c := range []struct{ now, want string }{
		{strings.NewReplacer("100", "200", "500", "600").Replace(old), "holds limits.guest, inconclusive limits.member"},
		{strings.NewReplacer("100", "2000", "500", "600").Replace(old), "violated limits.guest, inconclusive limits.member"},
		{strings.NewReplacer("3m", "4m", "72h", "48h").Replace(old), "holds lease, holds rules[0].age"},
	} {
		if got := said(t, folder, t.TempDir(), "app.json", old, c.now, false); got != c.want {
			t.Errorf("%s: it says %q, want %q", c.now, got, c.want)
		}
	}
}
