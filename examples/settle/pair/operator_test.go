package pair

import (
	"context"
	"fmt"
	"slices"
	"testing"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
	"github.com/seatrial/seatrial/settle"
)

// order is what is asked of the cluster: nothing, to set a member, or to remove the last.
type order struct {
	Member int
	Mode   Mode
	Remove bool
}

// model is the cluster as a model: its state and its answer are the modes of its members.
func model(has []Mode, o order) ([]Mode, []Mode, error) {
	switch {
	case o.Remove:
		has = has[:max(len(has)-1, 0)]
	case o.Mode == "":
	case slices.Contains(has, TLS) && slices.Contains(has, Plain):
		return nil, nil, ErrNoQuorum
	case o.Member < len(has):
		has[o.Member] = o.Mode
	default:
		has = append(has, o.Mode)
	}
	return has, has, nil
}

// remote is a Cluster that asks the model.
type remote struct{ *settle.Remote }

func (r remote) Members(ctx context.Context) (all []Mode, err error) {
	return all, r.Ask(ctx, order{}, &all)
}

func (r remote) Set(ctx context.Context, i int, m Mode) error {
	return r.Ask(ctx, order{Member: i, Mode: m}, nil)
}
func (r remote) Remove(ctx context.Context) error { return r.Ask(ctx, order{Remove: true}, nil) }

// The fields that users change.
var (
	members = settle.Field{Path: "spec.replicas", Values: []any{2}}
	tls     = settle.Field{Path: "spec.tls", Values: []any{false}}
)

// config: users have a database with one member and TLS, and change some fields once, each alone or
// two in one edit.
func config(joins func(Mode, []Mode) Mode, vary ...settle.Field) settle.Config {
	c := sample.Config(nil, settle.Faults{Crash: true}, "")
	c.Systems = []settle.System{settle.NewSystem("cluster", []Mode{}, model)}
	c.Setup = func(mgr ctrl.Manager) error {
		cluster, err := settle.Connect(mgr, "cluster")
		if err != nil {
			return err
		}
		return ctrl.NewControllerManagedBy(mgr).For(&sample.Database{}).Complete(&reconciler{mgr.GetClient(), remote{cluster}, joins})
	}
	spec := &c.Desired[0].(*sample.Database).Spec
	spec.Replicas, spec.TLS = 1, true
	c.Vary = vary
	c.Match = func(_ context.Context, r client.Reader, desired client.Object) error {
		spec, mode := desired.(*sample.Database).Spec, Plain
		if spec.TLS {
			mode = TLS
		}
		var has []Mode
		if err := settle.Look(r, "cluster", &has); err != nil || slices.Equal(has, slices.Repeat([]Mode{mode}, int(spec.Replicas))) {
			return err
		}
		return fmt.Errorf("the members are %q", has)
	}
	return c
}

// TestFixed: both at once.
func TestFixed(t *testing.T) { settle.Check(t, config(Fixed, members, tls)) }

// TestAlone: with the mistake, each field can be changed by itself.
func TestAlone(t *testing.T) {
	settle.Check(t, config(Buggy, members))
	settle.Check(t, config(Buggy, tls))
}

// TestBuggy: both at once are too much.
func TestBuggy(t *testing.T) {
	r := settle.Finds(t, config(Buggy, members, tls), settle.Settles, settle.Livelock)
	if len(r.Steps) > 15 {
		t.Errorf("it takes %d steps", len(r.Steps))
	}
}
