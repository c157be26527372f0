// Janitor deletes what is old; it is told by a file, in the way of Kubernetes' own components.
package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/seatrial/seatrial/examples/configtest/janitor/config"
	"github.com/seatrial/seatrial/examples/configtest/janitor/lease"
	"github.com/seatrial/seatrial/examples/configtest/janitor/sweep"
)

func main() {
	if err := run(flag.CommandLine, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "janitor:", err)
		os.Exit(1)
	}
}

// run reads the file that --config names, above it the other flags, and serves and sweeps.
func run(flags *flag.FlagSet, args []string) error {
	c := config.Default()
	file := flags.String("config", "", "a JanitorConfiguration")
	c.Flags(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *file != "" {
		loaded, err := config.Load(*file)
		if err != nil {
			return err
		}
		*c = *loaded
		if err := flags.Parse(args); err != nil { // what flags say wins
			return err
		}
	}
	go sweeping(c)
	served := make(chan error, 2)
	for _, e := range []config.Endpoint{c.Healthz, c.Metrics} {
		go func() {
			served <- http.ListenAndServe(net.JoinHostPort(e.Address, strconv.Itoa(e.Port)), http.NotFoundHandler())
		}()
	}
	return <-served
}

func sweeping(c *config.Config) {
	var l lease.Lease
	for now := range time.Tick(c.Sweep.Interval.Duration) {
		if l.Take(&c.LeaderElection, "self", now) && sweep.Deletes(&c.Sweep) {
			sweep.Share(&c.Sweep, sweep.Old(&c.Sweep, nil, now))
		}
	}
}
