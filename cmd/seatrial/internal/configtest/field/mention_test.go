package field_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestMentions: a field is mentioned where the program reads it, or hands the struct that it is in to where that is not
// seen, and not where it is given a value, by a decoder or as a default.
func TestMentions(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.24\n",
		"main_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) { _ = Config{}.Unread }\n",
		"main.go": `package shop

import (
	"encoding/json"
	"fmt"
)

type Config struct {
	Read, Unread, Defaulted, Set int
	Printed                      Part
	Kept                         Part
	Any                          Other
}

type Part struct{ A, B int }

type Other struct{ C int }

func Load(text []byte) (*Config, error) {
	c := &Config{Unread: 1}
	err := json.Unmarshal(text, c)
	if c.Defaulted == 0 {
		c.Defaulted = 3
	}
	c.Set = 4
	return c, err
}

func twice(p Part) int { return 2 * p.A }

func Use(c *Config) (int, any) {
	fmt.Println(c.Printed)
	return c.Read + twice(c.Kept), map[string]any{"any": c.Any}
}
`,
	}), "GOWORK=off")
	in := []string{"example.com/shop"}
	want := map[parameter.ID][]string{
		"field:shop.Config.Read": in, "field:shop.Config.Printed.A": in, "field:shop.Config.Printed.B": in, "field:shop.Config.Kept.A": in, "field:shop.Config.Any.C": in,
	}
	if diff := cmp.Diff(want, b.sources.Mentions); diff != "" {
		t.Errorf("what is mentioned (-want +got):\n%s", diff)
	}
}
