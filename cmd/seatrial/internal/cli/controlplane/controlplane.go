// Package controlplane is `seatrial controlplane`: a control plane by hand, until
// an interrupt, or for as long as one command runs.
package controlplane

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/controlplane/option"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/history"
)

// Options are the parsed command line.
type Options struct {
	Spec    admin.Spec
	Process option.Process
	Output  string
	// History is a file that gets what was written to the API server; empty for none.
	History string
	// Command is run with the control plane, if there is one.
	Command []string

	line option.Line
}

const (
	outputPath = "path"
	outputJSON = "json"
)

const long = `Controlplane runs etcd, kube-apiserver, the controllers, the scheduler and
kubelets without machines, of Kubernetes 1.36, on loopback and in memory. When it
is ready it prints the path of a kubeconfig that gives full access, and runs until
an interrupt (Ctrl-C). It leaves nothing behind, however it ends.

After -- comes a command, which is run with KUBECONFIG set: the control plane
ends with it, and its exit code is the command's.

--history writes down, at the end, everything that was written to the API server, an event
a line: who, what, and the object before and after it. seatrial spec --history says whether
that is a behaviour of a specification.

-o json prints one line of JSON instead of the path, which also says where the
admin interface is and what its token is (docs/controlplane.md).

The work is done by the executable seatrial-controlplane of the same release,
which is looked for beside this one and in PATH, unless SEATRIAL_CONTROLPLANE
names it.`

const examples = `  seatrial controlplane
  seatrial controlplane --mode=lean --nodes=5
  seatrial controlplane --openapi -- kubectl apply -f deploy/
  seatrial controlplane --controllers='*,-kubelet' -- go test ./...
  seatrial controlplane --history=history.jsonl -- kubectl apply -f deploy/`

// New returns the command. A test may give runF to see the parsed options
// instead of running them; otherwise it is nil.
func New(c *console.Console, runF func(context.Context, *Options) error) *cobra.Command {
	o := &Options{Output: outputPath}
	cmd := &cobra.Command{
		Use:                   "controlplane [flags] [-- COMMAND [ARG…]]",
		Short:                 "run a real control plane without machines",
		Long:                  long,
		Example:               examples,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && cmd.ArgsLenAtDash() != 0 {
				return failure.Usage(cmd.CommandPath(), fmt.Sprintf("unexpected %q; a command comes after --", args[0]))
			}
			o.Command, o.Process = args, o.line.Process
			var err error
			if o.Spec, err = o.line.Spec(); err != nil {
				return failure.Input(err)
			}
			if err := output.Writable(o.History); err != nil {
				return failure.Usage(cmd.CommandPath(), fmt.Sprintf("--history %s: %v", o.History, err))
			}
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return run(cmd.Context(), c, o)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.VarP(console.NewChoice(&o.Output, outputPath, outputJSON), "output", "o", "what to print when it is ready")
	flags.StringVar(&o.History, "history", "", "write what was written to the API server to this `FILE`, an event a line, at the end")
	for _, f := range option.All() {
		flag := flags.VarPF(&value{line: &o.line, option: f}, f.Name, "", f.Usage)
		if f.Argument == "" {
			flag.NoOptDefVal = "true"
		}
	}
	return cmd
}

// value is one flag of the control plane's table.
type value struct {
	line   *option.Line
	option option.Option
}

// Set takes the flag's argument.
func (v *value) Set(s string) error { return v.line.Set(v.option.Name, s) }

// Repeated tells that the flag can be given several times.
func (v *value) Repeated() bool { return v.option.Repeated }

// String returns nothing: help shows defaults in words.
func (v *value) String() string { return "" }

// Type is how help shows the argument.
func (v *value) Type() string {
	if v.option.Argument == "" {
		return "bool"
	}
	return v.option.Argument
}

// run starts the control plane and waits for what ends it.
func run(ctx context.Context, c *console.Console, o *Options) error {
	c.AtInterrupt("interrupted: stopping; again to end at once")
	// What the user's interrupt ends once the plane is ready is ours to say.
	planes, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	started := context.AfterFunc(ctx, cancel)
	began := time.Now()
	process, err := controlplane.Launch(planes, controlplane.Options{Spec: o.Spec, Arguments: o.Process.Arguments()})
	if !started() || ctx.Err() != nil {
		if process != nil {
			err = process.Stop()
		}
		if process == nil || err == nil {
			return failure.Found(finding.CodeInterrupted)
		}
	}
	if err != nil {
		return failed(err)
	}
	err = attend(ctx, c, o, process, time.Since(began))
	if kept := keepHistory(o.History, process); kept != nil {
		err = errors.Join(err, kept)
	}
	if left := process.Stop(); left != nil {
		return failure.Internal(errors.Join(err, left))
	}
	return err
}

// historyTakes bounds how long the history of a control plane may take to come.
const historyTakes = time.Minute

// keepHistory writes down what was written since the control plane was ready.
func keepHistory(file string, process *controlplane.Process) error {
	if file == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), historyTakes)
	defer cancel()
	var events []history.Event
	plane := process.Ready.Plane
	for e, err := range process.Admin.History(ctx, plane.Name, plane.Revision+1, false) {
		if err != nil {
			return failure.Internal(fmt.Errorf("%s is not written: the history of the control plane: %w", file, err))
		}
		events = append(events, e)
	}
	if err := output.WriteHistory(file, events); err != nil {
		return failure.With(output.CodeOf(err), err)
	}
	return nil
}

// failed gives an error of the control plane its exit code.
func failed(err error) error {
	var refused *controlplane.RefusedError
	if errors.As(err, &refused) {
		return failure.Input(err)
	}
	return failure.Internal(err)
}

// attend does what a control plane was started for.
func attend(ctx context.Context, c *console.Console, o *Options, process *controlplane.Process, took time.Duration) error {
	ready := process.Ready
	c.Notice("Kubernetes %s at %s, ready after %s", ready.Kubernetes, ready.Plane.Server, took.Round(10*time.Millisecond))
	if c.Verbose > 0 {
		c.Linef("process %d, files in %s, admin interface at %s", ready.Process, ready.Directory, ready.Address)
	}
	if len(o.Command) > 0 {
		return accompany(ctx, c, o, process)
	}
	line := ready.Plane.Kubeconfig
	if o.Output == outputJSON {
		text, err := json.Marshal(ready)
		if err != nil {
			return failure.Internal(err)
		}
		line = string(text)
	}
	if _, err := fmt.Fprintln(c.Streams.Out, line); err != nil {
		return failure.Internal(fmt.Errorf("write to standard output: %w", err))
	}
	c.Notice("Ctrl-C stops it")
	select {
	case <-process.Done():
		if errors.Is(process.Err(), controlplane.ErrAsked) {
			c.Notice("%v", process.Err())
			return nil
		}
		return failed(process.Err())
	case <-ctx.Done():
		return nil
	}
}

// commandEnds is how long a command may take to end when it was asked to.
const commandEnds = 10 * time.Second

// accompany runs the user's command with the control plane.
func accompany(ctx context.Context, c *console.Console, o *Options, process *controlplane.Process) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { // a command without its control plane has nothing to do
		select {
		case <-process.Done():
			cancel()
		case <-ctx.Done():
		}
	}()
	cmd := exec.CommandContext(ctx, o.Command[0], o.Command[1:]...)
	// Later entries win.
	cmd.Env = append(os.Environ(), "KUBECONFIG="+process.Ready.Plane.Kubeconfig)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Streams.In, c.Streams.Out, c.Streams.Err
	cmd.WaitDelay = commandEnds
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return cmd.Process.Kill()
		}
		return nil
	}
	err := cmd.Run()
	if dead := process.Err(); dead != nil {
		return failed(dead)
	}
	var exit *exec.ExitError
	switch {
	case cmd.ProcessState == nil && err != nil:
		return failure.Input(fmt.Errorf("run %s: %w", o.Command[0], err))
	case errors.As(err, &exit):
		return failure.Found(finding.Code(codeOf(exit.ProcessState)))
	case err != nil && ctx.Err() == nil:
		return failure.Internal(fmt.Errorf("run %s: %w", o.Command[0], err))
	}
	return failure.Found(finding.Code(cmd.ProcessState.ExitCode()))
}

// codeOf is a command's exit code, as a shell gives it for one that a signal ended.
func codeOf(state *os.ProcessState) int {
	const signalled = 128
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return signalled + int(status.Signal())
	}
	return state.ExitCode()
}
