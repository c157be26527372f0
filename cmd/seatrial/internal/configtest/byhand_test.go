package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// TestCopiedVariable: a test that sets a variable to just what is deployed has the new value in its place, if that has
// another form, and one that asserts what it has set is hard-coded. A test that sets another value overrides it.
func TestCopiedVariable(t *testing.T) {
	s, said := shop(t, "shop.env", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n",
		"shop.go": `package shop

import (
	"os"
	"time"
)

// Wait falls back.
func Wait() time.Duration {
	if d, err := time.ParseDuration(os.Getenv("SHOP_WAIT")); err == nil {
		return d
	}
	return 5 * time.Second
}
`,
		"shop_test.go": `package shop

import (
	"testing"
	"time"
)

func TestSoon(t *testing.T) {
	t.Setenv("SHOP_WAIT", "500ms") // as in shop.env
	if d := 3 * Wait(); d > 10*time.Second {
		t.Fatalf("waited %s", d)
	}
}

func TestSays(t *testing.T) {
	t.Setenv("SHOP_WAIT", "500ms")
	if d := Wait(); d != 500*time.Millisecond {
		t.Fatalf("it is %s", d)
	}
}

func TestOwn(t *testing.T) {
	t.Setenv("SHOP_WAIT", "1m")
	if d := Wait(); d != time.Minute {
		t.Fatalf("it is %s", d)
	}
}
`,
	})
	for text, want := range map[string]string{
		"500": "violated SHOP_WAIT: TestSoon: waited 15s (shop_test.go:11)",
		"1s":  "inconclusive SHOP_WAIT: overridden by the test: TestOwn, TestSays, TestSoon",
	} {
		out, err := s.diff(t.Context(), said("SHOP_WAIT=500ms\n"), said("SHOP_WAIT="+text+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != want {
			t.Errorf("of %s it says %s %s: %s%s", text, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}

// byHand has tests that make its configuration by hand.
var byHand = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.json": `{"balance": "least_conn", "rules": [{"name": "a", "mode": "strict"}]}`,
	"shop.go": `package shop

import "encoding/json"

type Mode string

type Rule struct {
	Name string ` + "`json:\"name\"`" + `
	Mode Mode   ` + "`json:\"mode\"`" + `
}

type Config struct {
	Balance string ` + "`json:\"balance\"`" + `
	Rules   []Rule ` + "`json:\"rules\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

// Pick falls back to the first.
func (c Config) Pick(loads []int) int {
	at := 0
	switch c.Balance {
	case "least_conn":
		for i := range loads {
			if loads[i] < loads[at] {
				at = i
			}
		}
	case "most_conn":
		for i := range loads {
			if loads[i] > loads[at] {
				at = i
			}
		}
	case "last_conn":
		at = len(loads) - 1
	}
	return at
}

// Refuses falls back to none.
func (r Rule) Refuses(n int) bool {
	switch r.Mode {
	case "strict":
		return n > 1
	case "medium":
		return n > 10
	case "easy":
		return n > 100
	}
	return false
}
`,
	"shop_test.go": `package shop

import "testing"

func TestLoads(t *testing.T) {
	c, err := Load([]byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	t.Log(c.Balance, len(c.Rules))
	for _, r := range c.Rules {
		t.Log(r.Mode)
	}
}

func TestIdle(t *testing.T) {
	if at := (Config{Balance: "least_conn"}).Pick([]int{3, 1, 2}); at != 1 {
		t.Errorf("it picks %d", at)
	}
}

func TestMost(t *testing.T) {
	if at := (Config{Balance: "most_conn"}).Pick([]int{1, 3, 2}); at != 1 {
		t.Errorf("it picks %d", at)
	}
}

func TestRefuses(t *testing.T) {
	rules := []Rule{{Name: "a", Mode: "strict"}}
	if !rules[0].Refuses(101) {
		t.Errorf("it takes 101")
	}
}
`,
}

// TestByHand: a test that makes a configuration by hand, with a word as it is deployed, is run with the new word: one
// that nobody knows has the program do something else without a word. Another word that the program knows is none that
// the test is about, and where it has its own it has that.
func TestByHand(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", byHand)
	text := func(balance, mode string) string {
		return `{"balance": "` + balance + `", "rules": [{"name": "a", "mode": "` + mode + `"}]}`
	}
	for _, tc := range []struct{ balance, mode, want string }{
		{"least-conn", "strict", "violated balance: TestIdle: it picks 0 (shop_test.go:18)"},
		{"most_conn", "strict", "holds balance: 1 test passes with it"},
		{"least_conn", "strickt", "violated rules[0].mode: TestRefuses: it takes 101 (shop_test.go:31)"},
		{"least_conn", "Strict", "violated rules[0].mode: TestRefuses: it takes 101 (shop_test.go:31)"},
		{"least_conn", "medium", "holds rules[0].mode: 1 test passes with it"},
	} {
		out, err := s.diff(t.Context(), said(text("least_conn", "strict")), said(text(tc.balance, tc.mode)))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != tc.want {
			t.Errorf("of %s, %s it says %s %s: %s%s, want %s", tc.balance, tc.mode, r.Verdict, r.Subject, r.Message, r.Reason, tc.want)
		}
	}
}

// TestCopiedWord: a test that sets a variable to the word that is deployed is about that word where the program knows
// the new one as well; what the program does not know is found. A test that clears a variable has no copy of one that
// was empty, and for whom a test calls stays its own.
func TestCopiedWord(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.env", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n",
		"shop.go": `package shop

import "os"

func Format(text string) string {
	switch os.Getenv("SHOP_FORMAT") {
	case "compact":
		return "{" + text + "}"
	case "pretty":
		return text + "\n"
	}
	return text
}

func Host() string { return os.Getenv("SHOP_HOST") }

func Proxy() string { return os.Getenv("SHOP_PROXY") }
`,
		"shop_test.go": `package shop

import "testing"

func TestCompact(t *testing.T) {
	t.Setenv("SHOP_FORMAT", "compact")
	if got := Format("a"); got != "{a}" {
		t.Errorf("it is %q", got)
	}
}

func TestPretty(t *testing.T) {
	t.Setenv("SHOP_FORMAT", "pretty")
	if got := Format("a"); got != "a\n" {
		t.Errorf("it is %q", got)
	}
}

func TestHost(t *testing.T) {
	t.Setenv("SHOP_HOST", "localhost")
	if got := Host(); got != "localhost" {
		t.Errorf("it calls %q", got)
	}
}

func TestDirect(t *testing.T) {
	t.Setenv("SHOP_PROXY", "")
	if got := Proxy(); got != "" {
		t.Errorf("it goes by %q", got)
	}
}
`,
	})
	for _, tc := range []struct{ old, now, want string }{
		{"SHOP_FORMAT=compact", "SHOP_FORMAT=pretty", "inconclusive SHOP_FORMAT: overridden by the test: TestCompact, TestPretty"},
		{"SHOP_FORMAT=compact", "SHOP_FORMAT=compct", `violated SHOP_FORMAT: TestCompact: it is "a" (shop_test.go:8)`},
		{"SHOP_HOST=localhost", "SHOP_HOST=example", "inconclusive SHOP_HOST: overridden by the test: TestHost"},
		{"SHOP_PROXY=", "SHOP_PROXY=proxy", "inconclusive SHOP_PROXY: overridden by the test: TestDirect"},
	} {
		out, err := s.diff(t.Context(), said(tc.old+"\n"), said(tc.now+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != tc.want {
			t.Errorf("of %s it says %s %s: %s%s, want %s", tc.now, r.Verdict, r.Subject, r.Message, r.Reason, tc.want)
		}
	}
}
