package check

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/keep"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/finding"
)

// walk validates the flags of a simulation; given tells which flags there are.
func (o *Options) walk(given func(flag string) bool) error {
	if !o.Simulate {
		for _, flag := range []string{"seed", "steps"} {
			if given(flag) {
				return fmt.Errorf("--%s goes with --simulate", flag)
			}
		}
		return nil
	}
	for _, flag := range []string{"all", "property", "baseline", "write-baseline", "suggest"} {
		if given(flag) {
			return fmt.Errorf("--%s does not go with --simulate, which judges nothing", flag)
		}
	}
	if o.Walk.Steps < 1 || o.Walk.Steps > stepsMax {
		return fmt.Errorf("--steps is %d, and must be from 1 to %d", o.Walk.Steps, stepsMax)
	}
	return nil
}

// simulate shows one random walk.
func simulate(ctx context.Context, c *console.Console, t Trial, o *Options, in *manifest.Input) error {
	s, err := t.Simulate(ctx, in, o.Limits, o.Walk)
	switch {
	case s == nil && interrupted(ctx):
		return notBegun()
	case err != nil:
		return failed(err)
	}
	s.Interrupted = interrupted(ctx)
	s.Version, s.Command = c.Version, command(o)
	document := output.Document{Simulation: s, Rules: t.Rules}
	written, err := o.Outputs.Write(c, document)
	code := finding.Worst(s.Code(), written)
	o.keeper.End(c, keep.Kept{Document: document, Code: code, Command: s.Command, Inputs: inputsOf(in)})
	return failure.With(code, err)
}

// notBegun ends a simulation that the user stopped before there was a step.
func notBegun() error {
	return &failure.Error{Code: finding.CodeInterrupted, Err: errors.New("interrupted before the walk began")}
}

// completions lets shells complete the names that are known without the input.
func completions(cmd *cobra.Command, rules []string) {
	events := []string{"none"}
	for _, t := range scenario.EventTypes() {
		events = append(events, string(t))
	}
	for flag, names := range map[string][]string{"property": rules, "event": events, "output": output.Names()} {
		// It fails for a flag that is not there, or twice: neither can be.
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	}
}
