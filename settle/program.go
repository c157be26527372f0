package settle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle/internal/manager"
	"github.com/seatrial/seatrial/settle/kubestate"
)

// program is the user's controllers, for one goroutine at a time.
type program struct {
	// managers are by process, and controllers those of all of them.
	managers    []*manager.Manager
	controllers []*manager.Controller
	// asks is the client of each controller.
	asks []*scripted
	end  context.CancelFunc
}

// asking lets a controller ask somebody.
func (p *program) asking(controller int, a asker) { p.asks[controller].asker = a }

// newProgram registers the user's controllers.
func (x *explorer) newProgram() (*program, error) {
	ctx, end := context.WithCancel(context.Background())
	p := &program{end: end}
	for _, process := range x.processes {
		c := &scripted{server: x.server, scheme: x.config.Scheme, mapper: x.mapper, types: &x.types, agent: "controller"}
		m := manager.New(manager.Options{Scheme: x.config.Scheme, Mapper: x.mapper, Client: c, Reader: c})
		c.asker = refuse{errors.New("requests are made by reconcilers only, not by Setup")}
		if err := process.Setup(m); err != nil {
			end()
			return nil, fmt.Errorf("settle: Setup: %w", err)
		}
		if err := m.Begin(ctx); err != nil {
			end()
			return nil, fmt.Errorf("settle: %w", err)
		}
		p.managers, p.controllers = append(p.managers, m), append(p.controllers, m.Controllers...)
		p.asks = append(p.asks, slices.Repeat([]*scripted{c}, len(m.Controllers))...)
	}
	return p, nil
}

// mapper knows all kinds that are served.
func mapper(s *kubestate.Server) meta.RESTMapper {
	m := meta.NewDefaultRESTMapper(nil)
	for r := range s.Resources() {
		scope := meta.RESTScopeRoot
		if r.Namespaced {
			scope = meta.RESTScopeNamespace
		}
		singular := r.Kind.GroupVersion().WithResource(strings.ToLower(r.Kind.Kind))
		m.AddSpecific(r.Kind, r.Resource, singular, scope)
	}
	return m
}

// refuse answers every call with an error.
type refuse struct{ err error }

func (r refuse) ask(*call) *answer { return &answer{status: status(apierrors.NewInternalError(r.err))} }

// status is an error as its JSON.
func status(err *apierrors.StatusError) []byte {
	text, _ := json.Marshal(err.ErrStatus) // of plain fields
	return text
}

// looking answers reads from a state, and refuses to write.
type looking struct {
	x     *explorer
	state kubestate.State
}

func (l looking) ask(c *call) *answer {
	if c.write != nil {
		return refuse{errors.New("only reconcilers write")}.ask(c)
	}
	a := l.x.read(l.state, c)
	return &a
}

// read answers a read from a state.
func (x *explorer) read(s kubestate.State, c *call) answer {
	out := answer{call: c.text}
	if c.list {
		for o := range s.Under(c.key) {
			if c.matches(o, x.field) {
				out.list = append(out.list, o)
			}
		}
		return out
	}
	if out.object = s.Get(c.key); out.object == nil {
		name := c.key[strings.LastIndexByte(c.key, '/')+1:]
		out.status = status(apierrors.NewNotFound(c.resource.Resource.GroupResource(), name))
	}
	return out
}

// field is what an object has for a field that a list chooses by: what the user's own index
// says.
func (x *explorer) field(kind schema.GroupVersionKind, field string, o *kubestate.Object) []string {
	extract := x.indexes[manager.Index{Kind: kind, Field: field}]
	if extract == nil {
		return nil
	}
	like, err := x.config.Scheme.New(kind)
	if err != nil {
		return nil
	}
	from, err := x.types.as(o, reflect.TypeOf(like))
	if err != nil {
		return nil
	}
	return extract(from.DeepCopyObject().(client.Object))
}

// abandoned is what a reconcile is left with at the first request that has no answer yet.
type abandoned struct{}

// replay runs a reconcile again with the answers that it had.
type replay struct {
	log []*answer
	at  int
	// next is the first call that has no answer.
	next *call
	// goroutine is that of the reconcile.
	goroutine string
	// wrong is what a reconcile does that cannot be run again.
	wrong error
}

func (r *replay) ask(c *call) *answer {
	if r.next != nil {
		panic(abandoned{}) // it has recovered, and goes on
	}
	if r.at < len(r.log) {
		a := r.log[r.at]
		r.at++
		if a.call != c.text && r.wrong == nil {
			r.wrong = fmt.Errorf("the reconcile is not the same when it is run again with the same answers: request %d is %q, and was %q: does it read a clock, draw a random number, or range over a map?", r.at, c.text, a.call)
		}
		return a
	}
	r.next = c
	if here := goroutine(); here != r.goroutine && r.wrong == nil {
		r.wrong = fmt.Errorf("%q is asked for in a goroutine that the reconcile has started: that is not supported yet", c.text)
		runtime.Goexit()
	}
	panic(abandoned{})
}

// goroutine names the running goroutine.
func goroutine() string {
	var b [64]byte
	text, _, _ := bytes.Cut(b[:runtime.Stack(b[:], false)], []byte(" ["))
	return string(text)
}

// outcome is what a reconcile does behind its last answer: it asks for more, or is over.
type outcome struct {
	next   *call
	result reconcile.Result
	err    error
	// panicked is what it panicked with.
	panicked any
}

// run runs a reconcile with the answers that it had.
func (p *program) run(controller int, request reconcile.Request, log []*answer) (out outcome, err error) {
	r := &replay{log: log, goroutine: goroutine()}
	p.asking(controller, r)
	func() {
		defer func() {
			if e := recover(); e != nil && e != any(abandoned{}) {
				out.panicked = e
			}
		}()
		out.result, out.err = p.controllers[controller].Reconcile(context.Background(), request)
	}()
	switch {
	case r.wrong != nil:
		return out, r.wrong
	case r.next != nil:
		return outcome{next: r.next}, nil
	case r.at < len(log):
		return out, fmt.Errorf("the reconcile is not the same when it is run again with the same answers: it ends before request %d, %q", r.at+1, log[r.at].call)
	}
	return out, nil
}
