package settle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/zeebo/xxh3"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle/kubestate"
	"github.com/seatrial/seatrial/statespace"
)

// The names of the properties that are always checked.
const (
	// Settles: what is desired comes to be, and stays.
	Settles = "settles"
	// Goes: what is deleted goes, with what was made for it.
	Goes = "goes"
	// Panics: no reconcile panics.
	Panics = "panics"
	// Vacuity is no property: it names what a search could not show.
	Vacuity = "vacuity"
)

// property is one thing that is checked: wrong says what is wrong in what there is.
type property struct {
	// rule is the id of the rule that it is of.
	rule, name string
	// lasting: it is wrong only if it is so again and again, without users and faults.
	lasting bool
	wrong   func(kubestate.State) error
	// asks is what of the Config is asked, where that is not of the property's name.
	asks string
}

// asked is what of the Config says what is wrong, for an error of it.
func (p *property) asked() string { return cmp.Or(p.asks, p.name) }

// property makes the engine's of one of ours. What is wrong follows from the objects
// alone, and many states have the same: it is asked once.
func (x *explorer) property(p property) statespace.Property[[]statespace.ID] {
	wrong := func(v []statespace.ID) bool { return x.judge(&p, v) != nil }
	if !p.lasting {
		return statespace.Always(p.name, func(v []statespace.ID) bool { return !wrong(v) })
	}
	return statespace.Never(p.name, statespace.Behaviour[[]statespace.ID]{
		Avoid: func(_ []statespace.ID, a statespace.Action, _ []statespace.ID) bool { return a.Class == 0 },
		Visit: wrong,
	})
}

// judge is why a state is wrong.
func (x *explorer) judge(p *property, v []statespace.ID) error { return x.judgeNode(p, x.node(v)) }

func (x *explorer) judgeNode(p *property, n *node) error {
	if n.breach != 0 { // the search ends here
		if b := x.breaches.of(n.breach); b.property == p.name {
			return b
		}
		return nil
	}
	if p.wrong == nil {
		return nil
	}
	key := judged{p.name, worldKey(n.world)}
	if known, ok := x.judged.Load(key); ok {
		err, _ := known.(error)
		return err
	}
	err := x.calling(p.asked(), func() error { return p.wrong(n.world) })
	x.judged.Store(key, err)
	x.doubt(verdictOf{p.asked(), p.wrong, n.world, err})
	return err
}

// judged is what a property was asked about.
type judged struct {
	property string
	world    [16]byte
}

func worldKey(s kubestate.State) [16]byte {
	h := xxh3.New()
	for _, o := range s.List() {
		hash := o.Hash()
		_, _ = h.Write(hash[:]) // never fails
	}
	return h.Sum128().Bytes()
}

// calling calls a function of the user's. One that panics or does not come to its end is an error that
// ends the search.
func (x *explorer) calling(name string, f func() error) error {
	var said error
	wrong := guarded(func() { said = f() })
	switch {
	case wrong == nil:
		return said
	case isStuck(wrong), errors.Is(wrong, errEnds):
		x.fail(fmt.Errorf("settle: %s %w", name, wrong))
	default:
		x.fail(fmt.Errorf("settle: %s %w: it has to say what is wrong in every state, also before anything is made", name, wrong))
	}
	return nil
}

// breach is a write or a reconcile that breaks a property. It ends a behaviour.
type breach struct{ property, reason string }

func (b breach) Error() string { return b.reason }

// broke notes a breach in n, the first.
func (x *explorer) broke(n *node, property string, err error) {
	if n.breach == 0 {
		n.breach = x.breaches.number(breach{property, err.Error()})
	}
}

// properties are all that are checked, what must never be first.
func (x *explorer) properties() ([]property, error) {
	out := []property{{rule: rulePanics, name: Panics}}
	for _, name := range slices.Sorted(maps.Keys(x.judges.always)) {
		always := x.judges.always[name]
		out = append(out, property{rule: ruleAlways, name: name, wrong: func(s kubestate.State) error { return always(x, s) }})
	}
	for _, name := range x.contracts() {
		out = append(out, property{rule: ruleContract, name: name})
	}
	match := "Match"
	if x.config.Given != nil {
		match = "Given or Match"
	}
	out = append(out, property{rule: ruleSettles, name: Settles, lasting: true, wrong: x.mismatch, asks: match}, property{rule: ruleGoes, name: Goes, lasting: true, wrong: x.remains, asks: "Gone"})
	names := map[string]bool{}
	for _, p := range out {
		if names[p.name] {
			return nil, fmt.Errorf("settle: two properties have the name %q", p.name)
		}
		names[p.name] = true
	}
	return out, nil
}

// node decodes a state of the engine.
func (x *explorer) node(v []statespace.ID) *node {
	n, err := x.decode(x.components.Bytes(v[0]))
	if err != nil {
		x.fail(err)
		return &node{}
	}
	return n
}

// mismatch is why what there is does not match what is desired.
func (x *explorer) mismatch(s kubestate.State) error {
	for d := range x.wanted() {
		o := s.Get(d.key)
		if o == nil || o.Meta().GetDeletionTimestamp() != nil {
			continue
		}
		if x.config.Given != nil {
			is, err := x.typedAs(o, d.object)
			if err != nil || !x.config.Given(context.Background(), x.lookup(s), is) {
				continue
			}
		}
		if err := x.judges.match(x, s, d, o); err != nil {
			return fmt.Errorf("%s: %w", short(d.key), err)
		}
	}
	return nil
}

// remains is why something that was deleted is not gone.
func (x *explorer) remains(s kubestate.State) error {
	for d := range x.wanted() {
		o := s.Get(d.key)
		switch {
		case o == nil && x.config.Gone != nil:
			if err := x.config.Gone(context.Background(), x.lookup(s), client.ObjectKeyFromObject(d.object)); err != nil {
				return fmt.Errorf("%s is not there: %w", short(d.key), err)
			}
		case o != nil && o.Meta().GetDeletionTimestamp() != nil:
			return fmt.Errorf("%s is deleted, and kept by its finalizers %q", short(d.key), o.Meta().GetFinalizers())
		}
	}
	return nil
}

// wanted are what users may ask for, one of each key, in order.
func (x *explorer) wanted() iter.Seq[desired] {
	return func(yield func(desired) bool) {
		asked := map[string]bool{}
		for _, d := range x.desired {
			if asked[d.key] {
				continue
			}
			asked[d.key] = true
			if !yield(d) {
				return
			}
		}
	}
}

// reason is the error of the last state, or of one that comes again and again, with the names that the way
// there has, and with those of the engine where it is none with these.
func (x *explorer) reason(p *property, t *statespace.Trace[[]statespace.ID], way []*node) string {
	first := len(way) - 1
	if p.lasting {
		first = min(t.Loop, first)
	}
	for i := first; i < len(way); i++ {
		if err := x.judgeNode(p, way[i]); err != nil {
			return kubestate.Counted(err.Error())
		}
	}
	for i := first; i < len(way); i++ {
		v := t.Init
		if i > 0 {
			v = t.Steps[i-1].State
		}
		if err := x.judge(p, v); err != nil {
			return kubestate.Counted(err.Error())
		}
	}
	return ""
}
