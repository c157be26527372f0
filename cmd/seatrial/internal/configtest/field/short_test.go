package field_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestShorts: a flag is known by its letter, too, if no other flag has that.
func TestShorts(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.24\n\nrequire github.com/spf13/pflag v1.0.5\n\nreplace github.com/spf13/pflag => ./pflag\n",
		"pflag/go.mod": "module github.com/spf13/pflag\n\ngo 1.24\n",
		"pflag/pflag.go": `package pflag

type FlagSet struct{}

func (f *FlagSet) IntVarP(p *int, name, shorthand string, value int, usage string) { *p = value }
`,
		"shop.go": `package shop

import "github.com/spf13/pflag"

type Options struct{ Port, Wait, Size, N int }

func (o *Options) Bind(fs *pflag.FlagSet) {
	fs.IntVarP(&o.Port, "port", "p", 1, "")
	fs.IntVarP(&o.Wait, "wait", "w", 1, "")
	fs.IntVarP(&o.N, "n", "", 1, "")
}

func (o *Options) BindMore(fs *pflag.FlagSet) {
	fs.IntVarP(&o.Wait, "wait", "w", 1, "")
	fs.IntVarP(&o.Size, "size", "p", 1, "")
}
`,
		"shop_test.go": "package shop\n",
	}), "GOWORK=off")
	got := slices.DeleteFunc(b.sources.Aliases, func(pair [2]parameter.ID) bool { return pair[1].Kind() != parameter.Flag })
	if diff := cmp.Diff([][2]parameter.ID{{"flag:--wait", "flag:--w"}}, got); diff != "" {
		t.Errorf("letters (-want +got):\n%s", diff)
	}
}
