// Package command is the command line of the executable.
package command

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/server"
	"github.com/seatrial/seatrial/controlplane/admin"
)

// Streams are the process's own.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Exit codes, as everywhere in seatrial.
const (
	codeOK       = 0
	codeUsage    = 2
	codeInternal = 4
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

// Main runs the command and returns its exit code.
func Main(ctx context.Context, arguments []string, streams Streams) int {
	debug.SetGCPercent(collectAt)
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
			io.Copy(io.Discard, parent)
			cancel()
		}()
	}
	o.Ready = streams.Out
	if err := server.Run(ctx, o); err != nil {
		fmt.Fprintf(streams.Err, "seatrial-controlplane: %v\n", err)
		return codeInternal
	}
	return codeOK
}

// parse reads the arguments and, for a parent, the first line of its pipe, which
// is the Spec of the first plane.
func parse(arguments []string, streams Streams) (server.Options, io.Reader, error) {
	o := server.Options{Version: version(), Kubernetes: kubernetes, Etcd: etcd, Descheduler: descheduler}
	flags := flag.NewFlagSet("seatrial-controlplane", flag.ContinueOnError)
	flags.SetOutput(streams.Err)
	parent := flags.Bool("parent", false, "read the plane's spec (one line of JSON) from standard input, and end when that ends")
	file := flags.String("spec", "", "a `file` with the plane's spec (JSON)")
	flags.IntVar(&o.Port, "port", 0, "the `port` of the API server; 0 for any free one")
	shown := flags.Bool("version", false, "print the versions and exit")
	if err := flags.Parse(arguments); err != nil {
		return o, nil, err
	}
	if *shown {
		fmt.Fprintf(streams.Out, "seatrial-controlplane %s (Kubernetes %s, etcd %s, descheduler %s)\n", o.Version, kubernetes, etcd, descheduler)
		return o, nil, flag.ErrHelp
	}
	if flags.NArg() > 0 {
		return o, nil, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	switch {
	case *parent:
		in := bufio.NewReader(streams.In)
		line, err := in.ReadBytes('\n')
		if err != nil {
			return o, nil, fmt.Errorf("read the spec from the parent: %w", err)
		}
		return o, in, decode(line, &o.Spec)
	case *file != "":
		content, err := os.ReadFile(*file)
		if err != nil {
			return o, nil, err
		}
		if err := decode(content, &o.Spec); err != nil {
			return o, nil, fmt.Errorf("%s: %w", *file, err)
		}
	}
	return o, nil, nil
}

func decode(content []byte, into *admin.Spec) error {
	d := json.NewDecoder(strings.NewReader(string(content)))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("spec: %w", err)
	}
	return nil
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
