package settle

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle/internal/manager"
)

// Process is a program with a manager: its controllers share what they read from, and
// are killed together.
type Process struct {
	// Name is what traces call it; each has its own.
	Name string
	// Setup registers its controllers with its manager, as Config.Setup does.
	Setup func(ctrl.Manager) error
	// Cache says what the manager's client reads from the API server instead of its caches,
	// as Client.Cache of the manager's own options does: the kinds of DisableFor and, if it is
	// not told otherwise, what is read as unstructured. Reader has no meaning.
	Cache client.CacheOptions
	// ReadYourWrites: a Get from a cache waits until that has what the process wrote to the
	// object, and a List until it has all that it wrote of the kind, in the form in which it
	// wrote (typed, unstructured, metadata). What a request that has timed out did is not waited
	// for, and a process that begins anew does not know what it wrote. It is
	// Client.Cache.EnableReadYourWritesConsistency of controller-runtime 0.25.
	ReadYourWrites bool
	// Resync: all that it watches is handed to its handlers again some time, and again, as if
	// it had changed. Without, that never happens, as it may not for ten hours.
	Resync bool
}

// onlyProcess is the name of the process of Config.Setup.
const onlyProcess = "process"

// processes are all of them, in the order in which they are given.
func (c *Config) processes() ([]Process, error) {
	all := c.Processes
	if c.Setup != nil {
		if len(all) > 0 {
			return nil, errors.New("settle: Setup is for one process: name it, and put it into Processes with the others")
		}
		return []Process{{Name: onlyProcess, Setup: c.Setup}}, nil
	}
	if len(all) == 0 && len(c.Environment) == 0 {
		return nil, errors.New("settle: Setup or Processes are needed: what registers the controllers")
	}
	for i, p := range all {
		same := func(o Process) bool { return o.Name == p.Name }
		if p.Setup == nil || p.Name == "" || slices.IndexFunc(all, same) < i {
			return nil, fmt.Errorf("settle: Processes: number %d, %q, needs a Setup and a name that no other has", i+1, p.Name)
		}
	}
	return all, nil
}

// register notes the controllers of all processes. Controllers of one name are told apart by
// their processes.
func (x *explorer) register(p *program) error {
	named := map[string]int{}
	for _, c := range p.controllers {
		named[c.Name]++
	}
	for i, m := range p.managers {
		if len(m.Controllers) == 0 {
			return fmt.Errorf("settle: Setup of %s registers no controller", x.processes[i].Name)
		}
		for _, c := range m.Controllers {
			name := c.Name
			if named[name] > 1 {
				name = x.processes[i].Name + "/" + name
			}
			x.names = append(x.names, name)
			x.processOf = append(x.processOf, i)
			x.watches = append(x.watches, c.Sources())
			x.concurrent = append(x.concurrent, max(c.Concurrent, 1))
			x.registered = append(x.registered, c.Name)
		}
		x.indexes = append(x.indexes, m.Indexes())
	}
	x.controllers = len(x.names)
	x.loadSources()
	return nil
}

// again tells whether Setup registers the same when it is called again.
func (x *explorer) again(p *program) error {
	if !slices.EqualFunc(p.controllers, x.registered, func(c *manager.Controller, name string) bool { return c.Name == name }) {
		return errors.New("settle: Setup registers other controllers, or in another order, when it is called again: does it range over a map?")
	}
	return nil
}

// twice has Setup called once more, and is an error if that makes something else: a process that begins
// anew is taken to be like the one before.
func (x *explorer) twice() error {
	p, err := x.newProgram()
	if err != nil {
		return err
	}
	defer func() { x.free = append(x.free, p) }()
	if err := x.again(p); err != nil {
		return err
	}
	for i, was := range x.free[0].minds {
		is := &p.minds[i]
		if was.sum == is.sum && bytes.Equal(was.initial, is.initial) {
			continue
		}
		changed := changedField(was.reconciler, is.reconciler)
		return final{fmt.Errorf("settle: Setup makes other reconcilers when it is called again: of %s, %s. A process that begins again is to be as the first was: what is drawn, counted or read from the clock is to be the same each time, or be drawn in a reconcile", x.names[i], cmp.Or(changed, fmt.Sprintf("the first Snapshot is %q, and %q in a new one", was.initial, is.initial)))}
	}
	return nil
}
