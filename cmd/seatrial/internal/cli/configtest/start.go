package configtest

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/shell"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest"
)

// defaultStart is how long a program has to run to have started.
const defaultStart = 5 * time.Second

// startFlags are how the program itself is started.
type startFlags struct {
	command string
	within  time.Duration
}

func (o *startFlags) register(flags *pflag.FlagSet, with string) {
	flags.StringVar(&o.command, "start", "", "start the program itself "+with+": its `PACKAGE` and arguments; {} stands for the file, {args} for the arguments of the container")
	flags.DurationVar(&o.within, "start-time", defaultStart, "how long it has to run to have started")
}

func (o *startFlags) options(cmd *cobra.Command) (out configtest.Start, err error) {
	if o.command != "" || cmd.Flags().Changed("start") {
		if out.Command, err = input.Split(o.command); err != nil {
			return out, failure.Usage(cmd.CommandPath(), fmt.Sprintf("--start: %v", err))
		}
	}
	if out.Within = o.within; o.within <= 0 {
		return out, failure.Usage(cmd.CommandPath(), fmt.Sprintf("--start-time=%v: it has to be more than nothing", o.within))
	}
	return out, nil
}

// words are the flags that stand in the command that repeats a run.
func (o *startFlags) words() (out []string) {
	if o.command != "" {
		out = append(out, "--start="+shell.Quote(o.command))
	}
	if o.within != defaultStart {
		out = append(out, fmt.Sprintf("--start-time=%s", o.within))
	}
	return out
}
