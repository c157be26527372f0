package oracle

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// view is two states that are compared: what is expected, and what was found.
type view struct {
	c         *Case
	want, got *form
	templates []template
	// stuck are workloads of which what is expected does not become ready either.
	stuck map[history.Key]bool
	// crowded are workloads of which what was found has pods that wait for ports of those that they are to replace.
	crowded map[history.Key]bool
	// forced are StatefulSets of what was found that need a forced rollback.
	forced map[history.Key]bool
	// outdated are workloads of what was found whose pods nobody replaces, since the custom resource asks for that.
	outdated map[history.Key]bool
	// scaled are workloads of which an autoscaler says how many replicas they have.
	scaled map[history.Key]bool
	// refused tells that the operator says that it does not do what is asked for.
	refused bool
	masks   []Mask
	mask    history.Mask
}

// both are the ends of two steps of two runs, each with what only the other has touched of what was there before: an
// operator that marks a namespace of the user's, and takes the mark away again, has not made it.
func both(a, b *Step) (one, other history.State) { return a.with(b.End), b.with(a.End) }

// with is the end with what the run has left alone, of what is in another one.
func (s *Step) with(other history.State) history.State {
	all := s.End
	for key := range other {
		o, left := s.Untouched[key]
		if !left {
			continue
		}
		if len(all) == len(s.End) {
			all = maps.Clone(s.End)
		}
		all[key] = o
	}
	return all
}

// view prepares a comparison.
func (c *Case) view(want, got history.State) *view {
	v := &view{c: c, templates: c.templates(), stuck: stuck(want), crowded: crowded(got), forced: forced(got), outdated: c.outdated(got), scaled: scaled(want, got)}
	for _, m := range masks {
		if slices.Contains(c.Keep, m.Name) {
			continue
		}
		v.masks = append(v.masks, m)
	}
	v.mask = v.masking(c.Mask)
	v.want, v.got = newForm(want), newForm(got)
	v.got.rename(v.want)
	all := v.got.state
	v.want.state, v.got.state = v.left(v.want), v.left(v.got)
	v.ran(all)
	return v
}

// ran leaves out Jobs that are still to run in what is expected, with their pods, and are left out of all that was
// found as they are over there: what they are to do was done before.
func (v *view) ran(all history.State) {
	want := v.want.state
	v.want.state = history.State{}
	for key, o := range want {
		job := key
		if above, ok := controlled(key, o); ok && key.Resource == pods {
			job = above
		}
		_, there := all[job]
		if _, counts := v.got.state[job]; job.Resource != jobs || !there || counts {
			v.want.state[key] = o
		}
	}
}

// masking is a mask with the patterns of those that are applied.
func (v *view) masking(mask history.Mask) history.Mask {
	for _, m := range v.masks {
		if with, err := mask.With(m.Patterns...); err == nil { // a test reads them
			mask = with
		}
	}
	return mask
}

// left are the objects of a state that count.
func (v *view) left(f *form) history.State {
	out := history.State{}
	for key, o := range f.state {
		if !slices.ContainsFunc(v.masks, func(m Mask) bool { return m.object != nil && m.object(v, f.state, key) }) {
			out[key] = o
		}
	}
	return out
}

// differences lists what counts and is not as expected, in the order of the keys; of
// each, changes of single values.
func (v *view) differences() []history.Difference {
	var out []history.Difference
	for _, d := range history.CompareRuns(v.want.state, v.got.state, v.mask) {
		if d.Type == history.Update {
			var left []history.Change
			for _, ch := range flat(d.Changes) {
				if !v.masked(&d, ch) {
					left = append(left, ch)
				}
			}
			if d.Changes = left; len(left) == 0 {
				continue
			}
		}
		out = append(out, d)
	}
	return out
}

func (v *view) masked(d *history.Difference, ch history.Change) bool {
	return slices.ContainsFunc(v.masks, func(m Mask) bool { return m.change != nil && m.change(v, d, ch) })
}

// flat takes maps, and lists of them, apart that are only on one side.
func flat(changes []history.Change) []history.Change {
	var out []history.Change
	for _, ch := range changes {
		inner := apart(ch)
		// An item of a list is one thing.
		if inner == nil || strings.HasSuffix(ch.Path, "]") {
			out = append(out, ch)
			continue
		}
		out = append(out, flat(inner)...)
	}
	return out
}

// apart are the changes that one of a map or of a list of them consists of, if nothing is on the other
// side; nil for another change.
func apart(ch history.Change) []history.Change {
	side, other := ch.From, ch.To
	if side == nil {
		side, other = ch.To, ch.From
	}
	var nothing any
	switch v := side.(type) {
	case map[string]any:
		nothing = map[string]any{}
		if len(v) == 0 || other != nil {
			return nil
		}
	case []any:
		nothing = []any{}
		if len(v) == 0 || other != nil {
			return nil
		}
		if _, ok := v[0].(map[string]any); !ok {
			return nil
		}
	default:
		return nil
	}
	// The field says by what the items of a list are known.
	field := ch.Path[strings.LastIndex(ch.Path, ".")+1:]
	full, empty := history.Object{field: side}, history.Object{field: nothing}
	if ch.From == nil {
		full, empty = empty, full
	}
	changes := history.Diff(full, empty)
	for i := range changes {
		changes[i].Path = ch.Path + strings.TrimPrefix(changes[i].Path, field)
	}
	return changes
}

// unsteady is what differs between two runs that did the same: objects that come and go, and
// fields.
type unsteady struct {
	objects map[history.Key]bool
	paths   map[history.Key][]string
}

// unsteady compares the two twins. What it finds differs for no reason that
// the operations have.
func (c *Case) unsteady() unsteady {
	out := unsteady{map[history.Key]bool{}, map[history.Key][]string{}}
	if c.Twin == nil || c.Twice == nil {
		return out
	}
	for _, d := range c.view(both(c.Twin, c.Twice)).differences() {
		if d.Type != history.Update {
			out.objects[d.Key] = true
		}
		for _, ch := range d.Changes {
			out.paths[d.Key] = append(out.paths[d.Key], position.ReplaceAllString(ch.Path, "[]"))
		}
	}
	return out
}

// has tells whether a difference, or a change of it, is of what differs anyway.
func (u unsteady) has(d *history.Difference, path string) bool {
	if u.objects[d.Key] {
		return true
	}
	path = position.ReplaceAllString(path, "[]")
	return d.Type == history.Update && slices.ContainsFunc(u.paths[d.Key], func(p string) bool {
		return p == path || within(path, p) || within(p, path)
	})
}

// within tells whether a path leads to something inside of what another leads to.
func within(path, outer string) bool {
	rest, ok := strings.CutPrefix(path, outer)
	return ok && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "["))
}

// Unsteady lists what differs between two runs that did the same, as it is said in reports: an object's key, and
// a path of it if it is only that.
func Unsteady(c *Case) []string {
	u := c.unsteady()
	var out []string
	for key := range u.objects {
		out = append(out, key.String())
	}
	for key, paths := range u.paths {
		for _, p := range paths {
			out = append(out, key.String()+" "+p)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Learn lists what differs between two runs that did the same, as patterns of a mask: fields, of all objects of
// their resource. Of objects that are only in one there is no pattern.
func Learn(key history.Key, mask history.Mask, a, b *Step) []string {
	c := &Case{Steps: []*Step{a}, Key: key, Mask: mask}
	var out []string
	for _, d := range c.view(both(a, b)).differences() {
		for _, ch := range d.Changes {
			pattern := d.Resource + ":" + position.ReplaceAllString(ch.Path, "[*]")
			if ch.From != nil && ch.To != nil {
				pattern = "~" + pattern
			}
			out = append(out, pattern)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// deviations compares the end of the last step with the twin's, without what comes of another
// difference.
func (c *Case) deviations() []history.Difference {
	v := c.view(both(c.Twin, c.Last()))
	v.refused = !c.open && c.declined()
	noise := c.unsteady()
	var out []history.Difference
	var echoed []string
	all := v.differences()
	if !c.open && !slices.Contains(c.Keep, "refused") {
		echoed = c.echoed(all)
	}
	for _, d := range all {
		if d.Type == history.Update {
			d.Changes = slices.DeleteFunc(slices.Clone(d.Changes), func(ch history.Change) bool {
				return noise.has(&d, ch.Path) || slices.Contains(echoed, place(d.Key, ch.Path))
			})
			if len(d.Changes) == 0 {
				continue
			}
		} else if noise.has(&d, "") || v.refused {
			continue
		}
		out = append(out, d)
	}
	for _, d := range append(v.hidden(noise, all), v.addressed()...) {
		d.Changes = slices.DeleteFunc(d.Changes, func(ch history.Change) bool { return slices.Contains(echoed, place(d.Key, ch.Path)) })
		if i := slices.IndexFunc(out, func(o history.Difference) bool { return o.Key == d.Key && o.Type == d.Type }); i >= 0 {
			out[i].Changes = append(out[i].Changes, d.Changes...)
		} else if len(d.Changes) > 0 {
			out = append(out, d)
		}
	}
	return slices.DeleteFunc(out, func(d history.Difference) bool { return v.consequence(out, d) })
}

// consequence tells whether a pod or a claim differs because the workload that it is of does.
func (v *view) consequence(all []history.Difference, d history.Difference) bool {
	if d.Resource != pods && d.Resource != claims {
		return false
	}
	above := v.above(d.Key)
	if above == d.Key {
		return false
	}
	return slices.ContainsFunc(all, func(o history.Difference) bool {
		if o.Key != above {
			return false
		}
		return o.Type != history.Update || slices.ContainsFunc(o.Changes, func(ch history.Change) bool { return strings.HasPrefix(ch.Path, "spec.") })
	})
}

// above is the workload of a pod or claim whose name may end in a *; another object's is itself.
func (v *view) above(key history.Key) history.Key {
	if key.Resource != pods && key.Resource != claims {
		return key
	}
	for _, f := range []*form{v.got, v.want} {
		if key.Resource == claims {
			for name := range f.state {
				if name.Resource != statefulSets || name.Namespace != key.Namespace {
					continue
				}
				for _, claim := range list(f.state[name], "spec", "volumeClaimTemplates") {
					if strings.HasPrefix(key.Name, claim.Text("metadata", "name")+"-"+name.Name+"-") {
						return name
					}
				}
			}
			continue
		}
		if above, ok := f.runners[key]; ok {
			return above
		}
	}
	return key
}

// sorted are the deviations from the twin, what the operator writes before what comes of it: first what of the custom
// resource's spec it overwrites, and the resource's own status last. Sums of what is wrong stand behind that.
func (c *Case) sorted() []history.Difference {
	rank := func(d history.Difference) int {
		switch {
		case d.Key == c.Key && slices.ContainsFunc(d.Changes, func(ch history.Change) bool { return c.overwritten(d.Key, ch) != "" }):
			return -1
		case d.Key == c.Key:
			return 2
		case sumsOnly(&d):
			return 1
		case d.Resource == pods || d.Type == history.Update && !slices.ContainsFunc(d.Changes, func(ch history.Change) bool { return !strings.HasPrefix(ch.Path, "status") }):
			return 1
		}
		return 0
	}
	all := c.deviations()
	for i := range all {
		all[i].Changes = slices.Clone(all[i].Changes)
		slices.SortStableFunc(all[i].Changes, func(a, b history.Change) int {
			return hashedLast(a) - hashedLast(b)
		})
	}
	slices.SortStableFunc(all, func(a, b history.Difference) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), a.Key.Compare(b.Key))
	})
	return all
}
