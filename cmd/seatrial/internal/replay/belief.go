package replay

import (
	"maps"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/trace"
)

// belief is a path of the model, with the pods that a cycle of the descheduler could
// equally have chosen.
type belief struct {
	at     cluster.Position
	steps  []trace.Step
	chosen map[identity][]int
}

// after is b after a step.
func (b belief) after(p cluster.Possible) belief {
	out := belief{at: p.To, steps: append(slices.Clip(b.steps), p.Step), chosen: b.chosen}
	for i := range p.Acts {
		if a := &p.Acts[i]; a.Verb == "choose" {
			out.chosen = maps.Clone(out.chosen)
			if out.chosen == nil {
				out.chosen = map[identity][]int{}
			}
			out.chosen[identityOf(a.Pod)] = a.Among
		}
	}
	return out
}

// way is how the model does what a request does: perhaps by steps that nobody sees,
// and then by one with the act.
type way struct {
	belief
	last cluster.Possible
	act  *trace.Act
}

// found is a request of which the model knows.
type found struct {
	request
	ways []way
}

// only are the steps that are wanted.
func only(possible []cluster.Possible, wanted func(cluster.Possible) bool) []cluster.Possible {
	return slices.DeleteFunc(slices.Clone(possible), func(p cluster.Possible) bool { return !wanted(p) })
}

// chooses tells whether a step only picks a pod for eviction, which nobody sees.
func chooses(p cluster.Possible) bool { return choosesOnly(p.Acts) }

// deep bounds how many steps that nobody sees may come before one that is seen, wide
// how many positions are looked at for one request, and many how many paths are kept.
const deep, wide, many = 6, 300, 32

// find are the shortest ways of the model to what a request does, from each path that
// is believed.
func (f *follower) find(q request) ([]way, error) {
	var out []way
	kept := f.chosen
	defer func() { f.chosen = kept }()
	for _, b := range f.beliefs {
		ways, err := f.findFrom(b, q)
		if err != nil {
			return nil, err
		}
		out = append(out, ways...)
	}
	return out[:min(len(out), many)], nil
}

// findFrom looks from one path, first for steps with the act itself, then behind one
// more step that nobody sees, and so on.
func (f *follower) findFrom(b belief, q request) (out []way, err error) {
	level := []belief{b}
	for depth, looked := 0, 0; depth <= deep && len(level) > 0 && len(out) == 0; depth++ {
		var next []belief
		for _, b := range level {
			if looked++; looked > wide {
				return out, nil
			}
			possible, err := f.model.Steps(b.at)
			if err != nil {
				return nil, err
			}
			f.chosen = b.chosen
			for _, p := range possible {
				if a := f.act(p, q); a != nil {
					out = append(out, way{b, p, a})
				} else if f.visible(p) == nil && !performed(p) {
					next = append(next, b.after(p))
				}
			}
		}
		level = next
	}
	return out, nil
}

// act is the act of a step that a request is, or nil.
func (f *follower) act(p cluster.Possible, q request) *trace.Act {
	for i := range p.Acts {
		if a := &p.Acts[i]; f.shows(a) && q.Actor == writer(a) && verbs[a.Verb].matches(f.run, a, q) {
			return a
		}
	}
	return nil
}

// shows tells whether an act of a component shows as a request: what is so already
// does not.
func (f *follower) shows(a *trace.Act) bool {
	if a.Verb == "crash" && verbs[a.Verb].happened(f.run, a, f.followed) {
		return false
	}
	return a.Role == trace.RoleController && verbs[a.Verb].matches != nil && a.By != "kube-apiserver" &&
		(a.Verb != "status" || a.By == "disruption-controller")
}

// visible is an act of a step that shows as a component's request; nil if none does.
func (f *follower) visible(p cluster.Possible) *trace.Act {
	for i := range p.Acts {
		if f.shows(&p.Acts[i]) {
			return &p.Acts[i]
		}
	}
	return nil
}

// performed tells whether a step is the environment's, who is this program.
func performed(p cluster.Possible) bool {
	return p.Outside || slices.ContainsFunc(p.Acts, func(a trace.Act) bool { return a.Role == trace.RoleEnvironment })
}

// listed are steps in words.
func listed(possible []cluster.Possible) string {
	if len(possible) == 0 {
		return "nothing"
	}
	out := ""
	for i, p := range possible {
		if i > 0 {
			out += "; "
		}
		out += p.Actor + ": " + p.Action
	}
	return out
}

// believe takes paths for possible from now on.
func (f *follower) believe(all []belief) {
	var kept []belief
	for _, b := range all {
		if !slices.ContainsFunc(kept, func(k belief) bool { return k.at.Equal(b.at) }) {
			kept = append(kept, b)
		}
	}
	f.beliefs = kept
	f.trace.Steps, f.chosen = kept[0].steps, kept[0].chosen
	f.step = len(f.trace.Steps) - 1
	clear(f.fresh)
}

// note goes a step of the first path, and of the others where they have it.
func (f *follower) note(p cluster.Possible) error {
	all := []belief{f.beliefs[0].after(p)}
	for _, b := range f.beliefs[1:] {
		possible, err := f.model.Steps(b.at)
		if err != nil {
			return err
		}
		for _, other := range possible {
			if other.Actor == p.Actor && other.Action == p.Action {
				all = append(all, b.after(other))
			}
		}
	}
	f.believe(all)
	return nil
}

// remaining are the acts of a way's last step that show, but for the one found.
func (f *follower) remaining(w way) []*trace.Act {
	var rest []*trace.Act
	for i := range w.last.Acts {
		if a := &w.last.Acts[i]; f.shows(a) && a != w.act {
			rest = append(rest, a)
		}
	}
	return rest
}

// same tells whether two lists of acts read alike.
func same(a, b []*trace.Act) bool {
	return slices.EqualFunc(a, b, func(x, y *trace.Act) bool { return sentence(x) == sentence(y) })
}
