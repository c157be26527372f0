// Package command is the command line of the executable.
package command

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/death"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/server"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/spec"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/controlplane/option"
)

// Streams are the process's own.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Exit codes, as everywhere in seatrial, beside [death.Code].
const (
	codeOK    = 0
	codeUsage = 2
)

// The versions of what is linked: what go.mod asks for.
const (
	kubernetes  = "v1.36.3"
	etcd        = "3.6.8"
	descheduler = "v0.36.0"
)

// stamped is the version that the build gives.
var stamped string

// collectAt is the garbage collector's target in percent: half of the processor
// time of a start goes to collecting it at the default of 100, which saves 15 MB.
const collectAt = 400

// startBytes is what the Go runtime may take until the first plane is ready without
// collecting garbage: a start keeps less than half of that alive.
const startBytes = 180 << 20

// Main runs the command and returns its exit code.
func Main(ctx context.Context, arguments []string, streams Streams) int {
	debug.SetGCPercent(collectAt)
	// A parent that is gone must not end this process before it has cleaned up.
	signal.Ignore(syscall.SIGPIPE)
	if len(arguments) > 0 && arguments[0] == controllersCommand {
		return controllers(ctx, arguments[1:], streams)
	}
	o, parent, err := parse(arguments, streams)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return codeOK
	case err != nil:
		fmt.Fprintf(streams.Err, "seatrial-controlplane: %v\n", err)
		return codeUsage
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if parent != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		go func() { // the parent has ended when its end of the pipe has
			_, _ = io.Copy(io.Discard, parent)
			cancel()
		}()
	}
	o.Ready, o.Err = streams.Out, streams.Err
	if usual := debug.SetMemoryLimit(-1); usual > startBytes {
		debug.SetMemoryLimit(startBytes)
		o.Started = func() { debug.SetMemoryLimit(usual) }
	}
	err = server.Run(ctx, o)
	if err == nil {
		return codeOK
	}
	fmt.Fprintf(streams.Err, "seatrial-controlplane: %v\n", err)
	if spec.IsWrong(err) {
		return codeUsage
	}
	return death.Code
}

// parse reads the arguments and, for a parent, the first line of its pipe, which
// is the Spec of the first plane.
func parse(arguments []string, streams Streams) (server.Options, io.Reader, error) {
	o := server.Options{Version: version(), Kubernetes: kubernetes, Etcd: etcd, Descheduler: descheduler}
	flags := flag.NewFlagSet("seatrial-controlplane", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // what is wrong is said once, by who called
	var line option.Line
	for _, f := range option.All() {
		set := func(value string) error { return line.Set(f.Name, value) }
		if f.Argument == "" {
			flags.BoolFunc(f.Name, f.Usage, set)
			continue
		}
		flags.Func(f.Name, f.Usage, set)
	}
	parent := flags.Bool("parent", false, "read the plane's spec (one line of JSON) from standard input, and end when that ends")
	shown := flags.Bool("version", false, "print the versions and exit")
	if err := flags.Parse(arguments); errors.Is(err, flag.ErrHelp) {
		help(streams.Out)
		return o, nil, err
	} else if err != nil {
		return o, nil, err
	}
	o.Port, o.TCP = line.Process.Port, line.Process.TCP
	o.Directory = cmp.Or(line.Process.Directory, os.Getenv(admin.DirectoryVariable))
	if *shown {
		fmt.Fprintf(streams.Out, "seatrial-controlplane %s (Kubernetes %s, etcd %s, descheduler %s)\n", o.Version, kubernetes, etcd, descheduler)
		return o, nil, flag.ErrHelp
	}
	if flags.NArg() > 0 {
		return o, nil, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	var err error
	if !*parent {
		o.Spec, err = line.Spec()
		return o, nil, err
	}
	in := bufio.NewReader(streams.In)
	first, err := in.ReadBytes('\n')
	if err != nil {
		return o, nil, fmt.Errorf("read the spec from the parent: %w", err)
	}
	o.Spec, err = option.Decode(first)
	return o, in, err
}

// help shows every flag.
func help(w io.Writer) {
	fmt.Fprint(w, `seatrial-controlplane runs a Kubernetes control plane without machines, on
loopback and in memory. When it is ready it prints one line of JSON, which says
where; it ends with an interrupt (Ctrl-C), and leaves nothing behind.

`)
	for _, f := range option.All() {
		name := "--" + f.Name
		if f.Argument != "" {
			name += "=" + f.Argument
		}
		if f.Repeated {
			name += " (repeatable)"
		}
		fmt.Fprintf(w, "  %s\n        %s\n", name, f.Usage)
	}
	fmt.Fprint(w, `  --parent
        read the spec (one line of JSON) from standard input, and end when that ends
  --version
        print the versions and exit

seatrial-controlplane controllers --help tells how controllers of
kube-controller-manager are run alone, as a controller under test.
`)
}

// version is what the build says, or what the module is.
func version() string {
	if stamped != "" {
		return stamped
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
