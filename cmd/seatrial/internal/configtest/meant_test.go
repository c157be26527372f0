package configtest

import "testing"

// TestMeant: a test that fails with nothing of what the program says to be without a bound then may be about that;
// where the program does not say so, it is broken.
func TestMeant(t *testing.T) {
	s, said := shop(t, "shop.json", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.json": `{"quota": 3, "burst": 3}`,
		"shop.go": `package shop

import "encoding/json"

type Config struct {
	Quota int ` + "`json:\"quota\"`" + ` // 0: unlimited
	Burst int ` + "`json:\"burst\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

func (c Config) Takes(n int) bool { return c.Quota == 0 || n < c.Quota }

func (c Config) Bursts(n int) bool { return n < c.Burst }
`,
		"shop_test.go": `package shop

import (
	"os"
	"testing"
)

func deployed(t *testing.T) Config {
	text, err := os.ReadFile("shop.json")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Load(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTakes(t *testing.T) {
	if c := deployed(t); c.Takes(1000) {
		t.Error("it takes a thousand")
	}
}

func TestBursts(t *testing.T) {
	if c := deployed(t); !c.Bursts(0) {
		t.Error("it takes none")
	}
}
`,
	})
	for now, want := range map[string]string{
		`{"quota": 0, "burst": 3}`: "inconclusive quota: the program says that it is off, or has no bound, with that, and what fails may be about that: TestTakes",
		`{"quota": 3, "burst": 0}`: "violated burst: TestBursts: it takes none (shop_test.go:28)",
	} {
		out, err := s.diff(t.Context(), said(`{"quota": 3, "burst": 3}`), said(now))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != want {
			t.Errorf("of %s it says %s %s: %s%s", now, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}
