// Command operators runs a sample operator: "operators NAME buggy" or "operators NAME
// fixed". README.md says what each of them does wrong.
package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	ctrl "sigs.k8s.io/controller-runtime"

	blockedrepair "github.com/seatrial/seatrial/examples/operators/blocked-repair"
	constantport "github.com/seatrial/seatrial/examples/operators/constant-port"
	deadproperty "github.com/seatrial/seatrial/examples/operators/dead-property"
	firstservice "github.com/seatrial/seatrial/examples/operators/first-service"
	hopefulstatus "github.com/seatrial/seatrial/examples/operators/hopeful-status"
	keptannotation "github.com/seatrial/seatrial/examples/operators/kept-annotation"
	leftexporter "github.com/seatrial/seatrial/examples/operators/left-exporter"
	missedlabel "github.com/seatrial/seatrial/examples/operators/missed-label"
	"github.com/seatrial/seatrial/examples/operators/operator"
	refusedmigration "github.com/seatrial/seatrial/examples/operators/refused-migration"
	restlessstamp "github.com/seatrial/seatrial/examples/operators/restless-stamp"
	shareddefault "github.com/seatrial/seatrial/examples/operators/shared-default"
	skippedvolume "github.com/seatrial/seatrial/examples/operators/skipped-volume"
	staleconfig "github.com/seatrial/seatrial/examples/operators/stale-config"
	stuckfinalizer "github.com/seatrial/seatrial/examples/operators/stuck-finalizer"
	trustedsize "github.com/seatrial/seatrial/examples/operators/trusted-size"
	uncheckednil "github.com/seatrial/seatrial/examples/operators/unchecked-nil"
	unowneddashboard "github.com/seatrial/seatrial/examples/operators/unowned-dashboard"
	wrongrole "github.com/seatrial/seatrial/examples/operators/wrong-role"
)

//go:generate sh generate.sh

// samples are the operators by name, which is that of their folder.
var samples = map[string]operator.Sample{
	"blocked-repair":    blockedrepair.Sample,
	"constant-port":     constantport.Sample,
	"dead-property":     deadproperty.Sample,
	"first-service":     firstservice.Sample,
	"hopeful-status":    hopefulstatus.Sample,
	"kept-annotation":   keptannotation.Sample,
	"left-exporter":     leftexporter.Sample,
	"missed-label":      missedlabel.Sample,
	"refused-migration": refusedmigration.Sample,
	"restless-stamp":    restlessstamp.Sample,
	"shared-default":    shareddefault.Sample,
	"skipped-volume":    skippedvolume.Sample,
	"stale-config":      staleconfig.Sample,
	"stuck-finalizer":   stuckfinalizer.Sample,
	"trusted-size":      trustedsize.Sample,
	"unchecked-nil":     uncheckednil.Sample,
	"unowned-dashboard": unowneddashboard.Sample,
	"wrong-role":        wrongrole.Sample,
}

func main() {
	if err := run(ctrl.SetupSignalHandler(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "operators:", err)
		os.Exit(1)
	}
}

// run runs the operator that the arguments name.
func run(ctx context.Context, arguments []string) error {
	usage := fmt.Errorf("usage: operators NAME buggy|fixed [--metrics-bind-address=ADDRESS] [--namespace=NAMESPACE], where NAME is one of %s",
		strings.Join(slices.Sorted(maps.Keys(samples)), ", "))
	if len(arguments) < 2 {
		return usage
	}
	o := operator.Options{Metrics: "0"}
	for _, argument := range arguments[2:] {
		switch name, value, _ := strings.Cut(argument, "="); name {
		case "--metrics-bind-address":
			o.Metrics = value
		case "--namespace":
			o.Namespace = value
		default:
			return usage
		}
	}
	s, ok := samples[arguments[0]]
	switch {
	case ok && arguments[1] == "buggy":
		return s.Buggy.Run(ctx, o)
	case ok && arguments[1] == "fixed":
		return s.Fixed.Run(ctx, o)
	}
	return usage
}
