package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/finding"
)

// TestTruthBefore: what is behind a truth in the arguments of a container is not given to that: the program would
// refuse what it never sees.
func TestTruthBefore(t *testing.T) {
	s, said := shop(t, "pod.yaml", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n",
		"shop.go": `package shop

import "flag"

type Config struct {
	Debug bool
	Level string
}

func Load(args []string) (*Config, error) {
	c := &Config{}
	set := flag.NewFlagSet("shop", flag.ContinueOnError)
	set.BoolVar(&c.Debug, "debug", false, "says more")
	set.StringVar(&c.Level, "level", "low", "how much")
	return c, set.Parse(args)
}
`,
		"shop_test.go": `package shop

import "testing"

func TestLoad(t *testing.T) {
	c, err := Load(nil)
	if err != nil || c.Level == "" {
		t.Fatal(c, err)
	}
	t.Log(c.Debug)
}
`,
	})
	pod := func(args string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: app\n    args: [" + args + "]\n"
	}
	out, err := s.diff(t.Context(), said(pod("serve")), said(pod("--debug, serve")))
	if err != nil {
		t.Fatal(err)
	}
	if r := out.Report("."); r.Verdict != finding.Holds || len(r.Results) != 1 {
		t.Errorf("it is %s: %+v", r.Verdict, r.Results)
	}
}
