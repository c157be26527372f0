package settle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

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
	// habits are those of each controller.
	habits  []habits
	bubbles *bubbles
	end     context.CancelFunc
}

// asking lets a controller ask somebody.
func (p *program) asking(controller int, a asker) { p.asks[controller].asker = a }

// newProgram registers the user's controllers.
func (x *explorer) newProgram() (*program, error) {
	ctx, end := context.WithCancel(context.Background())
	p := &program{}
	p.end = func() {
		end()
		if p.bubbles != nil {
			close(p.bubbles.runs)
		}
	}
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
	p.habits = make([]habits, len(p.controllers))
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
