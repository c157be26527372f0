package model

import (
	"context"
	"sync"

	schedulerconfig "k8s.io/kubernetes/pkg/scheduler/apis/config"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/descheduler"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/scheduler"
)

// idle are the tools of one make that nobody uses at the moment.
type idle[T any] struct {
	mu   sync.Mutex
	list []T
	make func() (T, error)
}

type (
	schedulers   = idle[*scheduler.Scheduler]
	deschedulers = idle[*descheduler.Descheduler]
)

// newIdle has made one, so that making is known to succeed.
func newIdle[T any](make func() (T, error)) (*idle[T], error) {
	first, err := make()
	return &idle[T]{make: make, list: []T{first}}, err
}

func (l *idle[T]) get() T {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.list); n > 0 {
		t := l.list[n-1]
		l.list = l.list[:n-1]
		return t
	}
	t, err := l.make()
	if err != nil {
		panic(err) // the same was made before
	}
	return t
}

func (l *idle[T]) put(t T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, t)
}

// schedulerKey is all that a scheduler keeps for its life: its configuration, which
// one input has one of, and the content of the static objects.
type schedulerKey struct {
	config *schedulerconfig.KubeSchedulerConfiguration
	static content
}

// schedulersOf are the schedulers that the questions of w are for, with a number
// that stands for their configuration.
func (m *Memo) schedulersOf(w *World) (*schedulers, int, error) {
	d := newDigester()
	d.printed(len(w.Namespaces), len(w.Services), len(w.PriorityClasses))
	w.digestStatic(d)
	key := schedulerKey{w.SchedulerConfig, d.sum()}
	m.mu.Lock()
	defer m.mu.Unlock()
	if have, ok := m.schedulers[key]; ok {
		return have, m.configs[key.config], nil
	}
	// The ReplicaSets are those of each decision.
	static := scheduler.Static{Namespaces: w.Namespaces, Services: w.Services, PriorityClasses: w.PriorityClasses}
	made, err := newIdle(func() (*scheduler.Scheduler, error) {
		return scheduler.New(context.Background(), w.SchedulerConfig, static)
	})
	if err != nil {
		return nil, 0, err
	}
	if _, ok := m.configs[key.config]; !ok {
		m.configs[key.config] = len(m.configs)
	}
	m.schedulers[key] = made
	return made, m.configs[key.config], nil
}

// deschedulersOf are those of the policy of w.
func (m *Memo) deschedulersOf(w *World, policy *descheduler.Policy) (*deschedulers, error) {
	key := ""
	if w.Descheduler != nil {
		key = string(w.Descheduler.Value)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if have, ok := m.deschedulers[key]; ok {
		return have, nil
	}
	made, err := newIdle(func() (*descheduler.Descheduler, error) { return descheduler.New(policy) })
	if err != nil {
		return nil, err
	}
	m.deschedulers[key] = made
	return made, nil
}
