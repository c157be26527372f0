package configtest

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/shell"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/component"
	"github.com/seatrial/seatrial/finding"
)

// componentFlags are those of a diff of manifests.
type componentFlags struct {
	file               string
	values, oldValues  []string
	release, namespace string
}

func (o *componentFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&o.file, "components", "", "OLD and NEW are manifests, charts or kustomizations; the `FILE` says which image is built from which module")
	flags.StringArrayVar(&o.values, "values", nil, "values for a chart: a `FILE`, of git's if the chart is (repeatable)")
	flags.StringArrayVar(&o.oldValues, "old-values", nil, "those of OLD, if they are in another `FILE` (repeatable)")
	flags.StringVar(&o.release, "release", "", "the `NAME` of a chart's release")
	flags.StringVar(&o.namespace, "namespace", "", "the `NAME` of the namespace of a chart's release")
}

// used tells whether any of them but the file is there.
func (o *componentFlags) used() bool {
	return len(o.values)+len(o.oldValues) > 0 || o.release != "" || o.namespace != ""
}

// words are the flags as a shell takes them.
func (o *componentFlags) words() []string {
	var out []string
	add := func(name string, values ...string) {
		for _, v := range values {
			if v != "" {
				out = append(out, shell.Quote("--"+name+"="+v))
			}
		}
	}
	add("components", o.file)
	add("values", o.values...)
	add("old-values", o.oldValues...)
	add("release", o.release)
	add("namespace", o.namespace)
	return out
}

// check says what flags and arguments do not go together.
func (o *diffOptions) check(cmd *cobra.Command) error {
	says := ""
	switch {
	case o.components.file == "" && o.components.used():
		says = "--values, --old-values, --release and --namespace are for charts, and those need --components FILE"
	case o.components.file == "":
		return nil
	case o.directory != "":
		says = "-C and --components exclude each other: the file says where the modules are"
	case len(o.packages) > 0:
		says = "there are packages, and --components: the file says which of each module"
	}
	if says != "" {
		return failure.Usage(cmd.CommandPath(), says)
	}
	return nil
}

// compared runs a diff of manifests.
func (o *diffOptions) compared(ctx context.Context, t Trial, options configtest.Options) (*finding.Report, error) {
	f := o.components
	components, err := component.Read(f.file)
	if err != nil {
		return nil, failure.Input(err)
	}
	old := component.Manifests{Name: o.before, Values: f.values, Release: f.release, Namespace: f.namespace}
	now := old
	now.Name = o.after
	if len(f.oldValues) > 0 {
		old.Values = f.oldValues
	}
	c, err := component.Compare(ctx, components, f.file, old, now)
	if err != nil && ctx.Err() != nil {
		return (&configtest.Outcome{Interrupted: true}).Report(""), nil
	}
	if err != nil {
		return nil, failure.Input(errors.New(strings.TrimSpace(err.Error())))
	}
	outcome, err := t.Components(ctx, options, c)
	if err != nil {
		return nil, failed(err)
	}
	return outcome.Report(), nil
}

// diffed runs a diff of two versions of one configuration.
func (o *diffOptions) diffed(ctx context.Context, t Trial, options configtest.Options) (*finding.Report, error) {
	before, err := version(ctx, o.before)
	if err != nil {
		return nil, failure.Input(err)
	}
	after, err := version(ctx, o.after)
	if err != nil {
		return nil, failure.Input(err)
	}
	outcome, err := t.Diff(ctx, options, before, after)
	if outcome == nil && ctx.Err() != nil {
		outcome, err = &configtest.Outcome{Interrupted: true}, nil
	}
	if outcome == nil || err != nil && ctx.Err() == nil {
		return nil, failed(cmp.Or(err, errors.New("nothing came out of it")))
	}
	return outcome.Report(o.directory), nil
}
