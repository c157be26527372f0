package field_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/internal/pace"
)

// twofold is a program with a type that stands in the struct which its file is decoded into, and in that to which its
// flags are bound.
const twofold = `package shop

import (
	"encoding/json"
	"flag"
	"os"
)

type Config struct {
	Most int ` + "`json:\"most\"`" + `
}

func NewConfig() *Config { return &Config{Most: 5} }

type file struct {
	Config
	Extra string ` + "`json:\"extra\"`" + `
}

type command struct {
	config Config
	flags  *flag.FlagSet
}

func newCommand() *command {
	c := &command{config: *NewConfig(), flags: flag.NewFlagSet("shop", flag.ContinueOnError)}
	c.flags.IntVar(&c.config.Most, "most", 5, "")
	return c
}

func Load(path string) (*Config, error) {
	text, err := os.ReadFile(path)
	f := &file{Config: *NewConfig()}
	if err == nil {
		err = json.Unmarshal(text, f)
	}
	return &f.Config, err
}
`

// TestDocumented: what a file says stands in defaults of a type that flags have a struct with, too. In defaults of a
// type that is in a file twice it does not: which of them is meant is not known. What is a part of a file may be
// another thing than what the flags say.
func TestDocumented(t *testing.T) {
	pace.Slow(t)
	for _, c := range []struct{ name, code, doc, want string }{
		{"one place in the file", twofold, `{"most": 8}`, "read field:shop.file.most=8"},
		{"a part of the file", strings.Replace(twofold, "type file struct {\n\tConfig\n", "type file struct {\n\tConfig `json:\"mail\"`\n", 1), `{"mail": {"most": 8}}`, "read field:shop.file.mail.most=5?"},
		{"two places in the file", twofold + "\ntype second struct {\n\tOther Config `json:\"other\"`\n}\n\nfunc LoadSecond(path string) (*second, error) {\n\ttext, err := os.ReadFile(path)\n\ts := &second{}\n\tif err == nil {\n\t\terr = json.Unmarshal(text, s)\n\t}\n\treturn s, err\n}\n", `{"most": 8}`, "read field:shop.file.most=5?"},
	} {
		b := build(t, module(t, map[string]string{
			"shop.go": c.code, "shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestMost(t *testing.T) {\n\tif NewConfig().Most == 0 {\n\t\tt.Error()\n\t}\n}\n",
		}), "GOWORK=off")
		o := b.run(t, "TestMost", map[parameter.ID]string{"field:shop.file": c.doc})
		if got := short(o, record.Read); o.Ending != run.Passed || !slices.Contains(got, c.want) {
			t.Errorf("%s: it %s, with %q\n%s", c.name, o.Ending, got, o.Output)
		}
	}
}
