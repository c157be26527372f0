package field_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// commands is a library with the functions of urfave/cli/v3 that are known, and little in them.
const commands = `package cli

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
)

type ValueSourceChain struct{ keys []string }

func EnvVars(keys ...string) ValueSourceChain       { return ValueSourceChain{keys} }
func (vsc *ValueSourceChain) EnvKeys() []string     { return vsc.keys }

type Flag interface {
	Names() []string
	Get() any
	Set(string, string) error
	PostParse() error
}

type FlagBase[T any, C any] struct {
	Name        string
	Aliases     []string
	Sources     ValueSourceChain
	Value       T
	Destination *T
	Config      C
	hasBeenSet  bool
}

type (
	IntFlag    = FlagBase[int, bool]
	StringFlag = FlagBase[string, bool]
)

func (f *FlagBase[T, C]) Names() []string { return append([]string{f.Name}, f.Aliases...) }
func (f *FlagBase[T, C]) Get() any        { return f.Value }

func (f *FlagBase[T, C]) Set(_ string, text string) error {
	var v any = text
	if _, is := any(f.Value).(int); is {
		n, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		v = n
	}
	f.Value, f.hasBeenSet = v.(T), true
	if f.Destination != nil {
		*f.Destination = f.Value
	}
	return nil
}

func (f *FlagBase[T, C]) PostParse() error {
	for _, key := range f.Sources.keys {
		if text, is := os.LookupEnv(key); is && !f.hasBeenSet {
			return f.Set("", text)
		}
	}
	if f.Destination != nil {
		*f.Destination = f.Value
	}
	return nil
}

type Command struct {
	Flags  []Flag
	Action func(context.Context, *Command) error
}

func (cmd *Command) Run(ctx context.Context, osArgs []string) error { return cmd.run(ctx, osArgs) }

func (cmd *Command) run(ctx context.Context, osArgs []string) error {
	for _, arg := range osArgs[1:] {
		name, value, _ := strings.Cut(arg[2:], "=")
		if err := cmd.set(name, cmd.lookupFlag(name), value); err != nil {
			return err
		}
	}
	for _, f := range cmd.Flags {
		if err := f.PostParse(); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(cmd.Flags, func(f Flag) bool { return cmd.Value(f.Names()[0]) == nil }) {
		return nil
	}
	return cmd.Action(ctx, cmd)
}

func (cmd *Command) set(fName string, f Flag, val string) error { return f.Set(fName, val) }

func (cmd *Command) lookupFlag(name string) Flag {
	for _, f := range cmd.Flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

func (cmd *Command) Value(name string) any {
	return cmd.lookupFlag(name).Get()
}

func (cmd *Command) Int(name string) int { return cmd.Value(name).(int) }
`

// TestUrfave: flags of literals are followed from their names, to what they are bound to and by what they are asked
// for; what the library looks at by itself is no read.
func TestUrfave(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":          "module example.com/shop\n\ngo 1.24\n\nrequire github.com/urfave/cli/v3 v3.4.0\n\nreplace github.com/urfave/cli/v3 => ./cli\n",
		"cli/go.mod":      "module github.com/urfave/cli/v3\n\ngo 1.24\n",
		"cli/commands.go": commands,
		"main.go": `package shop

import (
	"context"

	"github.com/urfave/cli/v3"
)

type options struct{ Place string }

func run(act func(*cli.Command, *options) error, args ...string) error {
	o := &options{}
	c := &cli.Command{
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "size", Aliases: []string{"s"}, Value: 3, Sources: cli.EnvVars("SHOP_SIZE")},
			&cli.StringFlag{Name: "place", Value: "here", Destination: &o.Place},
		},
		Action: func(_ context.Context, c *cli.Command) error { return act(c, o) },
	}
	return c.Run(context.Background(), append([]string{"shop"}, args...))
}

func size(c *cli.Command) int { return c.Int("s") }

func place(o *options) string { return o.Place }
`,
		"main_test.go": `package shop

import (
	"errors"
	"testing"

	"github.com/urfave/cli/v3"
)

func checked(t *testing.T, args ...string) {
	if err := run(func(c *cli.Command, o *options) error {
		if size(c) > 4 || place(o) != "here" {
			return errors.New("too much")
		}
		return nil
	}, args...); err != nil {
		t.Error(err)
	}
}

func TestSize(t *testing.T) { checked(t) }

func TestOwn(t *testing.T) { checked(t, "--size=4") }
`,
	}), "GOWORK=off")
	want := [][2]parameter.ID{{"flag:--place", "field:shop.options.Place"}, {"flag:--size", "flag:--s"}, {"flag:--size", "env:SHOP_SIZE"}}
	if diff := cmp.Diff(want, b.sources.Aliases); diff != "" || len(b.sources.Problems) > 0 {
		t.Errorf("the aliases are others: %s, with %q", diff, b.sources.Problems)
	}
	if want := "int"; b.sources.Facts["flag:--size"].Type != want {
		t.Errorf("the facts are %v", b.sources.Facts)
	}
	for _, c := range []struct {
		test   string
		inject map[parameter.ID]string
		want   string
		ends   run.Ending
	}{
		{"TestSize", nil, "read field:shop.options.Place=here, read flag:--size=3", run.Passed},
		{"TestSize", map[parameter.ID]string{"flag:--size": "5", "flag:--place": "here"}, "gave flag:--place=here, gave flag:--size=5, read flag:--size=5", run.Failed},
		{"TestSize", map[parameter.ID]string{"flag:--s": "5"}, "gave flag:--s=5, read flag:--size=5", run.Failed},
		{"TestOwn", map[parameter.ID]string{"flag:--size": "5"}, "read field:shop.options.Place=here, read flag:--size=4, set flag:--size=4", run.Passed},
		{"TestSize", map[parameter.ID]string{"flag:--size": "x"}, "gave flag:--size=x", run.Failed},
	} {
		o := b.run(t, c.test, c.inject)
		if got := strings.Join(short(o, record.Read, record.Set, record.Gave), ", "); got != c.want || o.Ending != c.ends {
			t.Errorf("%s with %v: %s with %s\nwant %s\n%s", c.test, c.inject, o.Ending, got, c.want, o.Output)
		}
	}
}
