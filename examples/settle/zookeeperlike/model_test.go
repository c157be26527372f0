package zookeeperlike

import (
	"context"
	"path"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/seatrial/seatrial/settle"
)

// znodes are the data of each znode by its path: the ensemble as a model, whose data outlives its
// StatefulSet on volumes.
type znodes map[string]int32

// order is what is asked of it.
type order struct {
	Verb, Path string
	Data       int32
}

func ensemble() settle.System {
	return settle.NewSystem("ensemble", znodes{"/": 0}, func(has znodes, o order) (znodes, string, error) {
		_, found := has[o.Path]
		_, parent := has[path.Dir(o.Path)]
		switch {
		case o.Verb == "set" && !found, o.Verb == "create" && !parent:
			return nil, "", ErrNoNode
		case o.Verb == "create" && found:
			return nil, "", ErrNodeExists
		}
		has[o.Path] = o.Data
		return has, "", nil
	})
}

// remote is a Tree that asks the model.
type remote struct{ system *settle.Remote }

func connect(mgr ctrl.Manager) (Tree, error) {
	r, err := settle.Connect(mgr, "ensemble")
	return remote{r}, err
}

func (r remote) Create(ctx context.Context, path string, data int32) error {
	return r.ask(ctx, order{"create", path, data})
}

func (r remote) Set(ctx context.Context, path string, data int32) error {
	return r.ask(ctx, order{"set", path, data})
}

// ask has the errors of a Tree for those of the model, which has only their texts.
func (r remote) ask(ctx context.Context, o order) error {
	err := r.system.Ask(ctx, o, nil)
	for _, known := range []error{ErrNodeExists, ErrNoNode} {
		if err != nil && err.Error() == known.Error() {
			return known
		}
	}
	return err
}
