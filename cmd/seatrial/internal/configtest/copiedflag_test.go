package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// flagged is a program that flags configure, one of which has a type of its own, with a test that parses what is
// deployed, and one that has its own.
var flagged = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "args.txt": "-share=50%\n-routes\na=1,b=2\n-fast\n", "shop.go": `package shop

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
)

type share float64

func (s *share) String() string { return strconv.FormatFloat(float64(*s), 'g', -1, 64) }

func (s *share) Set(text string) error {
	n, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	*s = share(n / 100)
	return err
}

type routes map[string]string

func (r routes) String() string { return fmt.Sprint(map[string]string(r)) }

func (r routes) Set(text string) error {
	for _, pair := range strings.Split(text, ",") {
		from, to, _ := strings.Cut(pair, "=")
		r[from] = to
	}
	return nil
}

type Options struct {
	Share  share
	Routes routes
	Fast   bool
}

func Parse(args []string) (*Options, error) {
	o := &Options{Share: 0.2, Routes: routes{}}
	fs := flag.NewFlagSet("shop", flag.ContinueOnError)
	fs.Var(&o.Share, "share", "how many may fail")
	fs.Var(o.Routes, "routes", "where to")
	fs.BoolVar(&o.Fast, "fast", false, "at once")
	return o, fs.Parse(args)
}

func (o *Options) Opens(failed, of int) bool { return float64(failed) > float64(o.Share)*float64(of) }
`,
	"shop_test.go": `package shop

import (
	"os"
	"strings"
	"testing"
)

func deployed(t *testing.T) *Options {
	text, err := os.ReadFile("args.txt")
	if err != nil {
		t.Fatal(err)
	}
	o, err := Parse(strings.Fields(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestOpens(t *testing.T) {
	if o := deployed(t); o.Opens(3, 10) {
		t.Error("it is open")
	}
}

func TestRoutes(t *testing.T) {
	if o := deployed(t); o.Routes["b"] != "2" {
		t.Error("b goes nowhere")
	}
}

func TestOwn(t *testing.T) {
	if o, err := Parse([]string{"-share", "100%", "-routes=b=3"}); err != nil || o.Opens(9, 10) || o.Routes["b"] != "3" {
		t.Error("it is another one", err)
	}
}
`,
}

// TestCopiedFlags: arguments that a test has just as they are deployed are a copy of that, also where the flag's type
// says something else of them than they do.
func TestCopiedFlags(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "deployment.yaml", flagged)
	deployment := func(share, routes string) Version {
		return said(`apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  template:
    spec:
      containers:
      - {name: shop, args: ["-share=` + share + `", "-routes=` + routes + `"]}
`)
	}
	for _, tc := range []struct{ share, routes, want string }{
		{"0.5", "a=1,b=2", "violated --share: TestOpens: it is open (shop_test.go:23)"},
		{"50%", "a=1;b=2", "violated --routes: TestRoutes: b goes nowhere (shop_test.go:29)"},
		{"60%", "a=1,b=2", "inconclusive --share: overridden by the test: TestOpens, TestOwn, TestRoutes"},
	} {
		out, err := s.diff(t.Context(), deployment("50%", "a=1,b=2"), deployment(tc.share, tc.routes))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != tc.want {
			t.Errorf("of %+v it says %s %s: %s%s", tc, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}
