package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// moving has a test that asserts what is deployed.
var moving = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.json": `{"header": "X-Shop-Signature", "tries": 3}`,
	"shop.go": `package shop

import "encoding/json"

type Config struct {
	Header string ` + "`json:\"header\"`" + `
	Tries  int    ` + "`json:\"tries\"`" + `
}

func Load(text []byte) (Config, error) {
	c := Config{Header: "X-Signature", Tries: 1}
	return c, json.Unmarshal(text, &c)
}
`,
	"shop_test.go": `package shop

import "testing"

func TestDeployed(t *testing.T) {
	c, err := Load([]byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if c.Header != "X-Shop-Signature" {
		t.Error(c.Header)
	}
	if c.Tries != 3 {
		t.Error(c.Tries)
	}
}
`,
}

// TestMoved: a value that is taken away, and is now at a key that nobody reads, was to stay as it is, so that a test
// which asserts it is not hard-coded.
func TestMoved(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", moving)
	hard := func(path string) string {
		return "inconclusive " + path + ": the tests that read it fail with every other value, too (hard-coded): TestDeployed"
	}
	for _, tc := range []struct{ now, want string }{
		{`{"signing": {"name": "X-Shop-Signature"}, "tries": 3}`, "violated header: TestDeployed: X-Signature (shop_test.go:11)"},
		{`{"header": "X-Shop-Signature", "max_tries": 3}`, "violated tries: TestDeployed: 1 (shop_test.go:14)"},
		{`{"header": "X-Shop-Signature", "workers": 3}`, "inconclusive workers: no code is known that reads it\n" + hard("tries")}, // many have three of something
		{`{"tries": 3}`, hard("header")},
	} {
		out, err := s.diff(t.Context(), said(moving["shop.json"]), said(tc.now))
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, r := range out.Report("").Results {
			said += string(r.Verdict) + " " + r.Subject + ": " + r.Message + r.Reason + "\n"
		}
		if said != tc.want+"\n" {
			t.Errorf("of %s it says %s", tc.now, said)
		}
	}
}
