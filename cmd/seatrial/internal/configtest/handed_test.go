package configtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// TestHanded: a key of viper that is only handed on to a flag is that flag, and whoever asks for it has not read it.
func TestHanded(t *testing.T) {
	pace.Slow(t)
	folder := withViper(t, map[string]string{
		"store.go": `package store

import (
	"flag"
	"fmt"

	"github.com/spf13/viper"
)

type Options struct{ Size, Rest, Tries int }

func Load(o *Options, file string, args ...string) error {
	fs := flag.NewFlagSet("store", flag.ContinueOnError)
	fs.IntVar(&o.Size, "size", 3, "how many")
	fs.IntVar(&o.Rest, "rest", 3, "what nobody reads")
	fs.IntVar(&o.Tries, "tries", 3, "how often")
	if err := fs.Parse(args); err != nil {
		return err
	}
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	v := viper.New()
	v.SetConfigFile(file)
	if err := v.ReadInConfig(); err != nil {
		return err
	}
	var failed error
	fs.VisitAll(func(f *flag.Flag) {
		if given[f.Name] || !v.IsSet(f.Name) {
			return
		}
		value := v.Get(f.Name)
		if err := fs.Set(f.Name, fmt.Sprint(value)); err != nil {
			failed = err
		}
	})
	return failed
}
`,
		"store.yaml": "size: 4\nrest: 4\ntries: 4\n",
		"store_test.go": `package store

import "testing"

func TestSize(t *testing.T) {
	var o Options
	if err := Load(&o, "store.yaml"); err != nil {
		t.Fatal(err)
	}
	if o.Size > 100 {
		t.Error("it is too large")
	}
}

func TestTries(t *testing.T) {
	var o Options
	if err := Load(&o, "store.yaml", "-tries=9"); err != nil {
		t.Fatal(err)
	}
	if o.Tries != 9 {
		t.Error(o.Tries)
	}
}
`,
	})
	const old = "size: 4\nrest: 4\ntries: 4\n"
	cache := t.TempDir()
	for _, c := range []struct{ name, now, want string }{
		{"size", "5", "holds size"}, {"size", "101", "violated size"}, {"size", "many", "violated size"}, {"rest", "5", "inconclusive rest"}, {"rest", "many", "violated rest"}, {"tries", "5", "inconclusive tries"},
	} {
		now := strings.Replace(old, c.name+": 4", c.name+": "+c.now, 1)
		o, err := Diff(t.Context(), options(t, folder, cache), version(t, "store.yaml", old), version(t, "store.yaml", now))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range o.Report(folder).Results {
			got = append(got, fmt.Sprintf("%s %s", r.Verdict, r.Subject))
		}
		if slices.Sort(got); strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s: it says %q, want %q", c.name, c.now, got, c.want)
		}
	}
}
