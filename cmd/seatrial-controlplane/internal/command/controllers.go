package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"

	"k8s.io/klog/v2"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/controller"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/death"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/spec"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/controlplane/option"
)

// controllersCommand is the first argument that makes the process nothing but controllers.
const controllersCommand = "controllers"

// alone is what controllers of a process of their own are told.
type alone struct {
	kubeconfig string
	verbosity  int
	wire       controller.Wire
	spec       admin.Spec
}

// controllers runs some of kube-controller-manager's controllers against any API
// server, as a controller under test is run: until the process is killed or asked to
// end. It elects no leader and opens no ports. What they log goes to standard error.
func controllers(ctx context.Context, arguments []string, streams Streams) int {
	a, err := parseAlone(arguments, streams)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return codeOK
	case err == nil:
		err = a.run(ctx, streams)
	}
	if err == nil {
		return codeOK
	}
	fmt.Fprintf(streams.Err, "seatrial-controlplane %s: %v\n", controllersCommand, err)
	if spec.IsWrong(err) {
		return codeUsage
	}
	return death.Code
}

func (a *alone) run(ctx context.Context, streams Streams) error {
	if err := controller.SetFeatureGates(a.spec.FeatureGates); err != nil {
		return spec.Wrong(err)
	}
	config, err := controller.Outside(a.kubeconfig, a.wire, kubernetes)
	if err != nil {
		return spec.Wrong(err)
	}
	var flags flag.FlagSet
	klog.InitFlags(&flags)
	if err := flags.Set("v", fmt.Sprint(a.verbosity)); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	manager, err := controller.Start(ctx, controller.Options{
		Config: config, Controllers: a.spec.Controllers, Flags: a.spec.ControllerManager,
	})
	if ctx.Err() != nil {
		return nil // it was to end before all had been seen
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(streams.Err, "seatrial-controlplane %s: running %s\n", controllersCommand, strings.Join(a.spec.Controllers, ", "))
	<-ctx.Done()
	manager.Stop()
	return nil
}

// aloneOptions are the flags of a plane that controllers alone take too.
var aloneOptions = []string{"feature-gates", "controller-manager"}

func parseAlone(arguments []string, streams Streams) (*alone, error) {
	a := &alone{wire: controller.Protobuf}
	flags := flag.NewFlagSet(controllersCommand, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&a.kubeconfig, "kubeconfig", "", "")
	flags.IntVar(&a.verbosity, "v", 0, "")
	flags.Func("kube-api-content-type", "", a.wire.Set)
	var line option.Line
	for _, name := range append([]string{"controllers"}, aloneOptions...) {
		flags.Func(name, "", func(value string) error { return line.Set(name, value) })
	}
	err := flags.Parse(arguments)
	if errors.Is(err, flag.ErrHelp) {
		aloneHelp(streams.Out)
		return nil, err
	}
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if err == nil {
		a.spec, err = line.Spec()
	}
	if err == nil && len(a.spec.Controllers) == 0 {
		err = errors.New("--controllers says which, such as replicaset-controller,job-controller")
	}
	if err == nil {
		a.spec.Controllers, err = controller.Selected(a.spec.Controllers)
	}
	if err != nil {
		return nil, spec.Wrong(err)
	}
	return a, nil
}

func aloneHelp(w io.Writer) {
	fmt.Fprint(w, `seatrial-controlplane controllers runs controllers of kube-controller-manager, and
nothing else, against any API server: as a controller under test. It elects no leader,
opens no ports, and ends with an interrupt.

  --kubeconfig=FILE
        the API server (default $KUBECONFIG)
  --controllers=LIST (repeatable)
        which: replicaset-controller,job-controller …
  --kube-api-content-type=TYPE
        application/vnd.kubernetes.protobuf (default), or application/json
  --v=NUMBER
        how much they log to standard error (default 0)
`)
	for _, o := range option.All() {
		for _, name := range aloneOptions {
			if o.Name == name {
				fmt.Fprintf(w, "  --%s=%s (repeatable)\n        %s\n", o.Name, o.Argument, o.Usage)
			}
		}
	}
}
