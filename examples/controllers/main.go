// Command controllers runs a sample controller: "controllers NAME buggy" or
// "controllers NAME fixed". README.md says what each of them does wrong.
package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	ctrl "sigs.k8s.io/controller-runtime"

	edgetrigger "github.com/seatrial/seatrial/examples/controllers/edge-trigger"
	informerlag "github.com/seatrial/seatrial/examples/controllers/informer-lag"
	lateorphan "github.com/seatrial/seatrial/examples/controllers/late-orphan"
	leaderoverlap "github.com/seatrial/seatrial/examples/controllers/leader-overlap"
	lostacknowledgement "github.com/seatrial/seatrial/examples/controllers/lost-acknowledgement"
	lostrecreation "github.com/seatrial/seatrial/examples/controllers/lost-recreation"
	"github.com/seatrial/seatrial/examples/controllers/sample"
	skippedsecondcreation "github.com/seatrial/seatrial/examples/controllers/skipped-second-creation"
	staledisable "github.com/seatrial/seatrial/examples/controllers/stale-disable"
	stalefinalizer "github.com/seatrial/seatrial/examples/controllers/stale-finalizer"
)

// samples are the controllers by name, which is that of their folder.
var samples = map[string]sample.Sample{
	"edge-trigger":            edgetrigger.Sample,
	"informer-lag":            informerlag.Sample,
	"late-orphan":             lateorphan.Sample,
	"leader-overlap":          leaderoverlap.Sample,
	"lost-acknowledgement":    lostacknowledgement.Sample,
	"lost-recreation":         lostrecreation.Sample,
	"skipped-second-creation": skippedsecondcreation.Sample,
	"stale-disable":           staledisable.Sample,
	"stale-finalizer":         stalefinalizer.Sample,
}

func main() {
	if err := run(ctrl.SetupSignalHandler(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "controllers:", err)
		os.Exit(1)
	}
}

// run runs the controller that the arguments name.
func run(ctx context.Context, arguments []string) error {
	usage := fmt.Errorf("usage: controllers NAME buggy|fixed, where NAME is one of %s",
		strings.Join(slices.Sorted(maps.Keys(samples)), ", "))
	if len(arguments) != 2 {
		return usage
	}
	s, ok := samples[arguments[0]]
	switch {
	case ok && arguments[1] == "buggy":
		return s.Run(ctx, s.Buggy)
	case ok && arguments[1] == "fixed":
		return s.Run(ctx, s.Fixed)
	}
	return usage
}
