package configtest

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/internal/pace"
)

// TestLoaderMinds: that what loads a file refuses a word that is made up shows nothing of a field that no test comes
// to.
func TestLoaderMinds(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", map[string]string{
		"go.mod":    "module example.com/shop\n\ngo 1.25\n",
		"shop.json": `{"mode": "through", "size": 3}`,
		"shop.go": `package shop

import (
	"encoding/json"
	"fmt"
	"os"
)

type Mode string

func (m *Mode) UnmarshalText(text []byte) error {
	switch v := Mode(text); v {
	case "through", "back":
		*m = v
		return nil
	}
	return fmt.Errorf("mode %q is neither through nor back", text)
}

type Config struct {
	Mode Mode ` + "`json:\"mode\"`" + `
	Size int  ` + "`json:\"size\"`" + `
}

func Load(path string) (c Config, err error) {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	return c, err
}

func (c Config) Write(b []byte) int {
	if c.Mode == "back" {
		return 0
	}
	return len(b)
}

func (c Config) Full(n int) bool { return n > c.Size }
`,
		"shop_test.go": `package shop

import "testing"

func TestFull(t *testing.T) {
	c, err := Load("shop.json")
	if err != nil {
		t.Fatal(err)
	}
	if !c.Full(100) {
		t.Error("never full")
	}
}
`,
	})
	for now, want := range map[string]string{
		`{"mode": "back", "size": 3}`:    "inconclusive mode",
		`{"mode": "around", "size": 3}`:  "violated mode",
		`{"mode": "through", "size": 4}`: "holds size",
	} {
		out, err := s.diff(t.Context(), said(`{"mode": "through", "size": 3}`), said(now))
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
