package field_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestDates: a decoder of TOML gets dates as they are written, and texts as texts, also those that look like a date.
func TestDates(t *testing.T) {
	files := map[string]string{
		"shop.go": `package shop

import (
	"time"

	"github.com/pelletier/go-toml/v2"
)

type Part struct {
	Since toml.LocalDate ` + "`toml:\"since\"`" + `
	At    time.Time      ` + "`toml:\"at\"`" + `
}

type Config struct {
	Part Part           ` + "`toml:\"part\"`" + `
	Opens toml.LocalTime ` + "`toml:\"opens\"`" + `
	Any   any            ` + "`toml:\"any\"`" + `
	Note  string         ` + "`toml:\"note\"`" + `
}

func Load(text string) (*Config, error) {
	c := &Config{}
	return c, toml.Unmarshal([]byte(text), c)
}
`,
		"shop_test.go": `package shop

import (
	"fmt"
	"testing"
)

func TestIt(t *testing.T) {
	c, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	t.Log(c.Part.Since, c.Part.At, c.Opens, fmt.Sprintf("%T", c.Any), c.Note)
}
`,
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(examples, "thumbs", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	b := build(t, module(t, files), "GOWORK=off")
	o := b.run(t, "TestIt", map[parameter.ID]string{
		"field:shop.Config":                `{"part": {"since": "2024-05-06", "at": "2024-05-06T07:08:09Z"}, "opens": "07:30:00", "any": "2024-05-07", "note": "2024-05-08"}`,
		"field:shop.Config" + record.Spelt: `{"part": {"since": "2024-05-06", "at": "2024-05-06T07:08:09Z"}, "opens": "07:30:00", "any": "2024-05-07"}`,
	})
	var refused []string
	for _, e := range o.Events {
		if e.Verb == record.Gave && e.At != "" {
			refused = append(refused, e.At)
		}
	}
	if o.Ending != run.Passed || len(refused) > 0 || !strings.Contains(o.Output, "2024-05-06 2024-05-06 07:08:09 +0000 UTC 07:30:00 toml.LocalDate 2024-05-08") {
		t.Errorf("%s, refused: %q\n%s", o.Ending, refused, o.Output)
	}
}
