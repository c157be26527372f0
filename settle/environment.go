package settle

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/seatrial/seatrial/settle/environment"
	"github.com/seatrial/seatrial/settle/kubestate"
)

// loadEnvironment has the actors of the configuration, and the garbage collector.
func (x *explorer) loadEnvironment() error {
	x.resources = map[schema.GroupVersionResource]kubestate.Resource{}
	for r := range x.server.Resources() {
		x.resources[r.Resource] = r
	}
	names := map[string]bool{}
	add := func(a environment.Actor) error {
		if names[a.Name()] {
			return fmt.Errorf("settle: Environment: there are two actors %q: name each differently", a.Name())
		}
		names[a.Name()] = true
		m, kind, ok := environment.NewMemory(careful{a, x}, x.server)
		if !ok {
			return fmt.Errorf("settle: Environment: the actor %q reads %s, which is not served: add its definition to CRDs or Definitions", a.Name(), kind)
		}
		x.actors = append(x.actors, m)
		return nil
	}
	for _, a := range x.config.Environment {
		if a == nil {
			return errors.New("settle: Environment: an actor is nil")
		}
		if err := add(a); err != nil {
			return err
		}
	}
	if collector := environment.GarbageCollector(); !names[collector.Name()] {
		return add(collector)
	}
	return nil
}

// careful is an actor, which may be the user's own, and panic or not come to an end.
type careful struct {
	environment.Actor
	x *explorer
}

// Steps is part of environment.Actor.
func (c careful) Steps(w environment.World) []environment.Step {
	var steps []environment.Step
	if wrong := guarded(func() { steps = c.Actor.Steps(w) }); wrong != nil {
		c.x.fail(fmt.Errorf("settle: Environment: the actor %q %w", c.Name(), wrong))
		return nil
	}
	return steps
}

// acting is what the environment can do. A write that is refused, or changes nothing,
// is no step: it would be made again for ever.
func (x *explorer) acting(n *node, emit emit) {
	for _, a := range x.actors {
		for _, s := range a.In(n.world) {
			if s.Class == "" && x.full(n) {
				continue // what fails may be replaced, and there would be more and more
			}
			to := n.clone()
			q := s.Request
			q.Agent = strings.ReplaceAll(a.Name(), " ", "-")
			r, ok := x.resources[q.Resource]
			if !ok {
				x.fail(fmt.Errorf("settle: Environment: the actor %q writes %s, which is not served: add its definition to CRDs or Definitions", a.Name(), q.Resource))
				return
			}
			x.write(to, &call{actor: a.Name(), resource: r, key: r.Prefix(q.Namespace) + q.Name, text: s.Text, write: &q})
			if to.world.Writes() == n.world.Writes() && to.breach == n.breach {
				continue
			}
			is := step{label: label{a.Name(), s.Text}, fault: "Environment"}
			if s.Class != "" {
				is.class, is.fault = a.Name()+" "+s.Class, ""
			}
			emit(is, to)
		}
	}
}

// remove has users or somebody delete an object in n, which is changed.
func (x *explorer) remove(n *node, o *kubestate.Object, agent string) {
	r := x.server.ResourceOf(o)
	q := environment.Delete(r, o.Meta(), "", nil)
	q.Agent = agent
	x.write(n, &call{resource: r, key: o.Key(), text: "delete " + short(o.Key()), write: &q})
}
