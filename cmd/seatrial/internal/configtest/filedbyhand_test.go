package configtest

import (
	"slices"
	"testing"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/pace"
)

// filings has tests that load a file of their own, with other values than what is deployed.
var filings = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.json": `{"cooldown_ms": 30000, "policy": "keep", "days": 3, "wait": "2s"}`,
	"shop.go": `package shop

import (
	"encoding/json"
	"strconv"
	"time"
)

// Wait is a time; a bare number counts seconds.
type Wait time.Duration

func (w *Wait) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	if n, err := strconv.Atoi(s); err == nil {
		*w = Wait(time.Duration(n) * time.Second)
		return nil
	}
	d, err := time.ParseDuration(s)
	*w = Wait(d)
	return err
}

func (w Wait) String() string { return time.Duration(w).String() }

type Config struct {
	CooldownMS int    ` + "`json:\"cooldown_ms\"`" + `
	Policy     string ` + "`json:\"policy\"`" + `
	Days       int    ` + "`json:\"days\"`" + `
	Wait       Wait   ` + "`json:\"wait\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

func (c Config) Open(after time.Duration) bool {
	return after < time.Duration(c.CooldownMS)*time.Millisecond
}

func (c Config) Keeps() bool { return parse(c.Policy) }

func parse(name string) bool { return name == "keep" }

func (c Config) Old(days int) bool { return days > c.Days }

func (c Config) Due(after time.Duration) bool { return after >= time.Duration(c.Wait) }
`,
	"shop_test.go": `package shop

import (
	"testing"
	"time"
)

func TestLoads(t *testing.T) {
	c, err := Load([]byte("{}"))
	if err != nil || c.Days < 0 || c.Wait < 0 {
		t.Fatal(err)
	}
	t.Log(c.Keeps(), c.Open(0))
}

func own(t *testing.T) Config {
	c, err := Load([]byte(` + "`{\"cooldown_ms\": 20000, \"policy\": \"drop\", \"days\": 2}`" + `))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestOpen(t *testing.T) {
	if !own(t).Open(5 * time.Second) {
		t.Fatal("it is not open")
	}
}

func TestTwenty(t *testing.T) {
	if own(t).CooldownMS != 20000 {
		t.Fatal("not 20 s")
	}
}

func TestDrops(t *testing.T) {
	c := own(t)
	if c.Policy = "drop"; c.Keeps() {
		t.Fatal("it keeps")
	}
}

func TestOld(t *testing.T) {
	if !own(t).Old(5) {
		t.Fatal("it is new")
	}
}

func TestDue(t *testing.T) {
	if !(Config{Wait: Wait(2 * time.Second)}).Due(5 * time.Second) {
		t.Fatal("it is not due")
	}
}
`,
}

// TestFiledByHand: a test that loads a file of its own is run with what is deployed above what that says. It is found
// where it passes with the old value, and what is next to it, and fails with one that looks like another unit. What
// asserts its own value shows nothing, and neither does what its code sets.
func TestFiledByHand(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", filings)
	text := func(cooldown, policy, days, wait string) string {
		return `{"cooldown_ms": ` + cooldown + `, "policy": "` + policy + `", "days": ` + days + `, "wait": "` + wait + `"}`
	}
	for _, tc := range []struct{ cooldown, policy, days, wait, want string }{
		{"30", "keep", "3", "2s", "violated cooldown_ms: TestOpen: it is not open (shop_test.go:26)"},
		{"3000", "keep", "3", "2s", "holds cooldown_ms: 1 test passes with it"}, // the test's own 5 s go with its own 20 s
		{"30000", "drop", "3", "2s", "holds policy: 1 test passes with it"},
		{"30000", "keep", "300", "2s", "holds days: 1 test passes with it"}, // with 95 what is five days old goes no more
		{"30000", "keep", "3", "2000", "violated wait: TestDue: it is not due (shop_test.go:51)"},
	} {
		out, err := s.diff(t.Context(), said(text("30000", "keep", "3", "2s")), said(text(tc.cooldown, tc.policy, tc.days, tc.wait)))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != tc.want {
			t.Errorf("of %+v it says %s %s: %s%s", tc, r.Verdict, r.Subject, r.Message, r.Reason)
		}
		if tc.days == "300" && !slices.ContainsFunc(out.Report("").Warnings, func(w finding.Warning) bool {
			return w.Message == "days: TestOld fails with the new value in the place of its own, and may be about that: it is new (shop_test.go:45)"
		}) {
			t.Errorf("of %+v it warns of %v", tc, out.Report("").Warnings)
		}
	}
}
