package settle

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

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
	habits []habits
	// minds are what each of the reconcilers remembers.
	minds []mind
	// another makes a program that is new.
	another func() (*program, error)
	// left is how many of its runs have left goroutines behind when they were abandoned.
	left    int
	bubbles *bubbles
	// named: its runs say which bubbles they are in.
	named bool
	end   context.CancelFunc
}

// asking lets a controller ask somebody.
func (p *program) asking(controller int, a asker) { p.asks[controller].asker = a }

// newProgram registers the user's controllers.
func (x *explorer) newProgram() (*program, error) {
	ctx, end := context.WithCancel(context.Background())
	p := &program{another: x.newProgram}
	p.end = func() {
		end()
		if p.bubbles != nil {
			close(p.bubbles.runs)
		}
	}
	for _, process := range x.processes {
		c := &scripted{server: x.server, scheme: x.config.Scheme, mapper: x.mapper, types: &x.types, agent: "controller", misused: x.fail, systems: x.config.Systems}
		var err error
		if c.Client, err = c.wired(); err != nil {
			end()
			return nil, fmt.Errorf("settle: %w", err)
		}
		if c.cache, err = c.caching(&process.Cache); err != nil {
			end()
			return nil, fmt.Errorf("settle: Cache of %s: %w", process.Name, err)
		}
		m, err := manager.New(manager.Options{Scheme: x.config.Scheme, Mapper: x.mapper, Client: c, Cache: reader{c, true}, Reader: reader{c, false}})
		if err != nil {
			end()
			return nil, fmt.Errorf("settle: a manager of controller-runtime: %w", err)
		}
		c.asker = refuse{errors.New("requests are made by reconcilers only, not by Setup")}
		var said error
		sowing.RLock() // it may draw, too
		wrong := guarded(func() { said = process.Setup(m) })
		sowing.RUnlock()
		if wrong != nil {
			end()
			return nil, fmt.Errorf("settle: Setup %w", wrong)
		}
		if wrong := cmp.Or(m.Bypassed(), missing(said), said); wrong != nil {
			end()
			return nil, fmt.Errorf("settle: Setup: %w", wrong)
		}
		if err := m.Begin(ctx); err != nil {
			end()
			return nil, fmt.Errorf("settle: %w", err)
		}
		p.managers, p.controllers = append(p.managers, m), append(p.controllers, m.Controllers...)
		p.asks = append(p.asks, slices.Repeat([]*scripted{c}, len(m.Controllers))...)
	}
	p.habits = make([]habits, len(p.controllers))
	for _, c := range p.controllers {
		p.minds = append(p.minds, newMind(c.Reconciler))
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
