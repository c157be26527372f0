package settle

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Memory is what a reconciler implements that remembers something from one reconcile to the
// next: what it remembers is a part of every state then, and is lost with its process. It is
// asked of what is given to Complete. A cache by which nothing is decided may have a Snapshot
// that is always nil, and a Restore that empties it.
type Memory interface {
	// Snapshot is all that it remembers: the same bytes if it is the same. UIDs,
	// resourceVersions and names are in it as they are, so that they can be renamed.
	Snapshot() []byte
	// Restore lets it remember what a Snapshot says, and nothing else. What is said may be in
	// another order than that of Snapshot.
	Restore(snapshot []byte)
}

// memoryCall is the call of what is no answer, but what a reconciler remembers when a reconcile
// begins.
const memoryCall = "remembers"

// mind is what is known of what one reconciler remembers.
type mind struct {
	reconciler reflect.Value
	// memory is the reconciler if it says what it remembers, and initial that of a new one.
	memory  Memory
	initial []byte
	// sum is that of the fields of one that does not.
	sum uint64
	// all: that is of all that can be reached.
	all bool
}

func newMind(reconciler any) mind {
	m := mind{reconciler: unwrapped(reflect.ValueOf(reconciler))}
	if memory, ok := m.reconciler.Interface().(Memory); ok {
		m.memory, m.initial = memory, bytes.Clone(memory.Snapshot())
		return m
	}
	m.sum, _, m.all = sumOf(m.reconciler)
	return m
}

// unwrapped is the reconciler in what controller-runtime makes of one for objects.
func unwrapped(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct || v.Type().Elem().PkgPath() != "sigs.k8s.io/controller-runtime/pkg/reconcile" {
		return v
	}
	for i := range v.Elem().NumField() {
		if f := open(v.Elem().Field(i)); f.Kind() == reflect.Interface && strings.Contains(f.Type().String(), "ObjectReconciler") && !f.IsNil() {
			return f.Elem()
		}
	}
	return v
}

// remember notes which reconcilers say what they remember, and which are too large to be sure that
// they do not remember anything.
func (x *explorer) remember(p *program) error {
	for i, m := range p.minds {
		if m.memory != nil && x.concurrent[i] > 1 {
			return fmt.Errorf("settle: %s remembers something, and has MaxConcurrentReconciles %d: that is not supported, it has to be 1 for a check", x.names[i], x.concurrent[i])
		}
		x.remembers = x.remembers || m.memory != nil
		if m.memory == nil && !m.all {
			x.large = append(x.large, x.names[i])
		}
	}
	return nil
}

// recall lets a reconciler remember what is said, or what a new one does.
func (m *mind) recall(memory []byte) error {
	if m.memory == nil {
		return nil
	}
	if memory == nil {
		memory = m.initial
	}
	m.memory.Restore(bytes.Clone(memory))
	if is := m.memory.Snapshot(); letters(is) != letters(memory) {
		was, is := apart(string(memory), string(is))
		return fmt.Errorf("the Snapshot of %s is %q after its Restore was called with %q: they have to be the same", m.reconciler.Type(), is, was)
	}
	return nil
}

// letters are those of a text, in whatever order: that in which a Snapshot names things may
// depend on UIDs, which are renamed.
func letters(text []byte) (n [256]int) {
	for _, c := range text {
		n[c]++
	}
	return n
}

// remembered is what a reconciler remembers, nil if that is what a new one does.
func (m *mind) remembered() []byte {
	if m.memory == nil {
		return nil
	}
	if is := m.memory.Snapshot(); !bytes.Equal(is, m.initial) {
		return append([]byte{}, is...)
	}
	return nil
}

// kept is an error if a reconciler is not as it was before a run, and does not say what it
// remembers. A run that was abandoned may hold locks, which are released.
func (p *program) kept(i int, abandoned bool) error {
	m := &p.minds[i]
	sum, held, _ := sumOf(m.reconciler)
	switch {
	case len(held) > 0 && !abandoned:
		return errLocked
	case len(held) > 0:
		for _, l := range held {
			release(l)
		}
	}
	if sum == m.sum || m.memory != nil {
		return nil
	}
	what := "something"
	if fresh, err := p.another(); err == nil {
		defer fresh.end()
		if changed := changedField(fresh.minds[i].reconciler, m.reconciler); changed != "" {
			what = changed
		}
	}
	return fmt.Errorf("the reconciler remembers something from one reconcile to the next: %s. What it does is not to depend on that; or, if it is, its methods Snapshot and Restore are to say what it remembers (settle.Memory)", what)
}

// errLocked is that a lock is held when a reconcile has returned.
var errLocked = errors.New("the reconciler holds a lock when the reconcile has returned: the next one waits for ever")

// recalling asks handlers of a controller, which may read what the reconciler remembers, but
// not change it.
func (p *program) recalling(i int, memory *answer, f func() error) error {
	m := &p.minds[i]
	var before []byte
	if memory != nil {
		before = memory.drawn
	}
	if err := m.recall(before); err != nil {
		return err
	}
	if err := f(); err != nil {
		return err
	}
	if letters(m.remembered()) != letters(before) {
		return fmt.Errorf("a predicate or handler changes what %s remembers: that is not supported", m.reconciler.Type())
	}
	return p.kept(i, false)
}
