package configtest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// TestLayers: a key of a file that another file says as well, which the program decodes above it, is overridden by
// that; a key that only the one has is not.
func TestLayers(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "base.json", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n", "base.json": `{"workers": 3, "size": 4}`, "prod.json": `{"workers": 10}`,
		"shop.go": `package shop

import (
	"encoding/json"
	"os"
)

type Config struct{ Workers, Size int }

func Load(names ...string) (*Config, error) {
	c := &Config{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, c); err != nil {
			return nil, err
		}
	}
	return c, nil
}
`,
		"shop_test.go": `package shop

import "testing"

func TestLoad(t *testing.T) {
	c, err := Load("base.json", "prod.json")
	if err != nil {
		t.Fatal(err)
	}
	if c.Workers+c.Size == 0 {
		t.Error("there is nothing")
	}
}
`,
	})
	out, err := s.diff(t.Context(), said(`{"workers": 3, "size": 4}`), said(`{"workers": 5, "size": 6}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range out.Report(s.module.Directory).Results {
		got = append(got, fmt.Sprint(r.Subject, " ", r.Verdict, " ", r.Message, r.Reason))
	}
	slices.Sort(got)
	if want := []string{"size holds 1 test passes with it", "workers inconclusive overridden by prod.json: TestLoad"}; !slices.Equal(got, want) {
		t.Errorf("it says %q, want %q", got, want)
	}
}
