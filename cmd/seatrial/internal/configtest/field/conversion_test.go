package field_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// versions is a configuration that files have, with defaults, and one that the program works with.
const versions = `package shop

import (
	"cmp"
	"encoding/json"

	"example.com/meta"
)

type Part struct {
	Workers int            ` + "`json:\"workers\"`" + `
	Wait    *meta.Duration ` + "`json:\"wait\"`" + `
}

type FileConfig struct {
	Name  string ` + "`json:\"name\"`" + `
	Front Part   ` + "`json:\"front\"`" + `
	Back  Part   ` + "`json:\"back\"`" + `
	Tags  []string ` + "`json:\"tags\"`" + `
	Level *int   ` + "`json:\"level\"`" + `
	Port  int    ` + "`json:\"port\"`" + `
}

type InnerPart struct {
	Workers int
	Wait    int64
}

type Config struct {
	Name        string
	Front, Back InnerPart
	Tags        []string
	Level, Port int
}

func SetDefaults(c *FileConfig) {
	if c.Name == "" {
		c.Name = "shop"
	}
	if len(c.Tags) == 0 {
		c.Tags = []string{"a"}
	}
	if l := 1; c.Level == nil || false {
		c.Level = &l
	}
	c.Port = cmp.Or(c.Port, 80)
	for _, p := range []*Part{&c.Front, &c.Back} {
		if p.Workers <= 0 {
			p.Workers = 2
		}
		if p.Wait == nil {
			p.Wait = &meta.Duration{Duration: 5}
		}
	}
}

func convert(in *FileConfig) *Config {
	out := &Config{Name: in.Name, Front: part(in.Front), Tags: in.Tags}
	fill(&in.Back, &out.Back)
	out.Level, out.Port = *in.Level, in.Port
	return out
}

func part(in Part) InnerPart { return InnerPart{Workers: in.Workers, Wait: in.Wait.Duration} }

func fill(in *Part, out *InnerPart) {
	out.Workers = in.Workers
	out.Wait = in.Wait.Duration
}

func LoadConfig(text []byte) (*Config, error) {
	in := &FileConfig{}
	if err := json.Unmarshal(text, in); err != nil {
		return nil, err
	}
	SetDefaults(in)
	if in.Port == 1 {
		return nil, nil
	}
	return convert(in), nil
}
`

// TestConversion: to hand on what one version of a configuration says to another one, and to look whether something is
// said, to give it a default if not, reads nothing. The fields are the same parameters, also where functions do so for
// parts that there are several of.
func TestConversion(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":      "module example.com/shop\n\ngo 1.24\n\nrequire example.com/meta v1.0.0\n\nreplace example.com/meta => ./meta\n",
		"meta/go.mod": "module example.com/meta\n\ngo 1.24\n", "meta/meta.go": "package meta\n\ntype Duration struct{ Duration int64 }\n",
		"shop.go": versions,
		"shop_test.go": `package shop

import "testing"

func TestLoads(t *testing.T) {
	c, err := LoadConfig([]byte("{}"))
	if err != nil || c.Front.Workers != 2 {
		t.Error(err)
	}
}
`,
	}), "GOWORK=off")
	var want [][2]parameter.ID
	for _, pair := range []string{"Back.Wait back.wait", "Back.Workers back.workers", "Front.Wait front.wait", "Front.Workers front.workers", "Level level", "Name name", "Port port", "Tags tags"} {
		inner, file, _ := strings.Cut(pair, " ")
		want = append(want, [2]parameter.ID{parameter.ID("field:shop.Config." + inner), parameter.ID("field:shop.FileConfig." + file)})
	}
	if diff := cmp.Diff(want, b.sources.Aliases); diff != "" {
		t.Errorf("the aliases (-want +got):\n%s", diff)
	}
	o := b.run(t, "TestLoads", nil)
	got := short(o, record.Read)
	if diff := cmp.Diff([]string{"read Front.Workers=2", "read field:shop.FileConfig.port=80"}, got); o.Ending != run.Passed || diff != "" {
		t.Errorf("it %s, and the reads are (-want +got):\n%s\n%s", o.Ending, diff, o.Output)
	}
}
