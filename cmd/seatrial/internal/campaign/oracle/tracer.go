package oracle

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

// Tracer learns where the values of the custom resource go. It is given the steps of a
// campaign in any order, and knows the same behind each. It may be used by several
// goroutines.
type Tracer struct {
	properties map[string]*schema.Property
	modes      []string

	mu     sync.Mutex
	probes map[string]map[string]*probe
	saw    map[string]map[Mode]bool // the modes in which each property was tried, and any, which is ""
}

// probe is what was seen of one operation on a property.
type probe struct {
	operation *operation.Operation
	leaves    map[Leaf]bool
	// moved are the fields that changed, for values that cannot be followed.
	moved map[Leaf]bool
	// wrote tells that the operator wrote something that counts.
	wrote bool
	// idle tells that the property has no part in this resource, as far as others say, or is as in the seed.
	idle bool
	// alone tells that none of the texts beside it is there without which it may mean nothing.
	alone bool
	// had tells that the seed has the property.
	had bool
	// further tells that it only adds items behind the first of its property, a list.
	further bool
	// behind tells that it changes a part of an item behind the first, of which another part is somewhere.
	behind bool
	// way are operations without which it would mean nothing from the seed.
	way []*operation.Operation
	// modes are those that the resource was in.
	modes []Mode
}

// NewTracer is a tracer that has seen nothing. The properties are the roots of the custom
// resource's schema; without, it does not know what could switch a property off.
func NewTracer(roots ...*schema.Property) *Tracer {
	t := &Tracer{properties: schema.ByPath(roots)}
	t.modes = t.modePaths()
	return t.Fresh()
}

// Fresh is a tracer that has seen nothing, of the same properties.
func (t *Tracer) Fresh() *Tracer {
	return &Tracer{properties: t.properties, modes: t.modes, probes: map[string]map[string]*probe{}, saw: map[string]map[Mode]bool{}}
}

// Add learns from the last step of a case; a twin, if there is one, shows what is only
// used where something is created. What is known to differ from it was not done by this step. What was
// learned can be told to another tracer, by Take; nil if it is nothing.
func (t *Tracer) Add(c *Case, known []Deviation) *Probe {
	last := c.Last()
	o := last.Operation
	if p := c.listens(); p != nil {
		form := p.form()
		t.keep(p)
		return form
	}
	if o == nil || o.Misoperation || o.Repairs || o.Content || last.Refused != "" || !last.Rest.Quiet || len(o.All()) != 1 || c.behind() != Steps || c.wrong() != nil || c.Fails() || c.impossible() {
		return nil // what an operator fails at goes nowhere, and what it does behind a pause is of what was changed in it
	}
	p := &probe{operation: o, modes: t.modesOf(last.End[c.Key]), leaves: map[Leaf]bool{}, moved: c.moved(), idle: t.idle(o, last.End[c.Key], c.Steps[0].Resource) || c.restores() || t.later(o.Property) || madeUp(o) || c.autoscaled(o), had: c.had()}
	// What is only used where something is created, the twin has and the step has not.
	p.wrote = c.Wrote() || c.carries() || c.comparable() && (c.differs(known) || c.madeOther())
	for _, s := range []*Step{last, c.Twin} {
		if s == nil {
			continue
		}
		for leaf := range c.leaves(s.End, o.Sentinels) {
			p.leaves[leaf] = true
		}
	}
	p.alone = t.alone(o, last.End[c.Key])
	p.further, p.behind = t.further(c), c.behindTheFirst()
	if !p.idle {
		p.way = t.way(c)
	}
	form := p.form() // as it is before others add to it
	t.keep(p)
	return form
}

// empty is the more the less a probe says of its property where nothing comes of it.
func (p *probe) empty() int {
	switch {
	case p.idle:
		return 2
	case p.alone:
		return 1
	}
	return 0
}

// keep adds what was seen to what is known.
func (t *Tracer) keep(p *probe) {
	o := p.operation
	t.mu.Lock()
	defer t.mu.Unlock()
	if !p.idle {
		t.sawModes(o.Property, p.modes)
	}
	all := t.probes[o.Property]
	if all == nil {
		all = map[string]*probe{}
		t.probes[o.Property] = all
	}
	id := fmt.Sprintf("%s %v", o.Case, o.Changes[0])
	if known := all[id]; known != nil { // in another place of another sequence
		maps.Copy(known.leaves, p.leaves)
		maps.Copy(known.moved, p.moved)
		known.wrote = known.wrote || p.wrote
		if a, b := p.empty(), known.empty(); a < b || a == b && shorter(p.way, known.way) {
			known.way, known.operation = p.way, p.operation
		}
		known.idle, known.alone, known.had, known.further = known.idle && p.idle, known.alone && p.alone, known.had || p.had, known.further && p.further
		known.behind = known.behind && p.behind
		return
	}
	all[id] = p
}

// madeOther tells whether a Job that is over, and so does not count, is another one in the twin: that the property is
// only used where it is made.
func (c *Case) madeOther() bool {
	all := *c
	all.Keep = append(slices.Clone(c.Keep), "finished")
	return slices.ContainsFunc(all.view(c.Twin.End, c.Last().End).differences(), func(d history.Difference) bool {
		return d.Resource == jobs && d.Type == history.Update && slices.ContainsFunc(d.Changes, func(ch history.Change) bool { return strings.HasPrefix(ch.Path, "spec") })
	})
}

// Wrote tells whether the operator wrote something that counts in the last step.
func (c *Case) Wrote() bool {
	v := c.view(c.Last().Start, c.Last().End)
	return slices.ContainsFunc(c.Last().Events, func(e history.Event) bool {
		if e.Actor != plan.Controller || v.mask.IgnoresEvent(e) {
			return false
		}
		return e.Type != history.Update || len(v.effective(e)) > 0
	})
}

// moved are the fields that the last step changed, but for what is said in a status.
func (c *Case) moved() map[Leaf]bool {
	out := map[Leaf]bool{}
	for _, d := range c.view(c.Last().Start, c.Last().End).differences() {
		for _, ch := range d.Changes {
			if d.Key != c.Key && d.Resource != pods && !strings.HasPrefix(ch.Path, "status") {
				out[Leaf{d.Resource, c.generalName(d.Name), c.general(ch.Path)}] = true
			}
		}
	}
	return out
}

// effective are the changes of an update that count.
func (v *view) effective(e history.Event) []history.Change {
	d := history.Difference{Key: e.Key, Type: history.Update}
	return slices.DeleteFunc(flat(history.Diff(v.mask.Canonical(e.Resource, e.Previous), v.mask.Canonical(e.Resource, e.Object))),
		func(ch history.Change) bool { return v.masked(&d, ch) })
}

var (
	// switches are what booleans are called that switch what is beside them on or off, alone or with the
	// name of what they switch; makes are those that do so alone.
	switches = map[string]bool{"enabled": true, "enable": true, "disabled": false, "disable": false}
	makes    = map[string]bool{"create": true, "install": true, "deploy": true}
	// instead are what fields are called that say what is taken in the place of something that is not made.
	instead = regexp.MustCompile(`(?i)^existing`)
)

// switched tells with which value a boolean of this name switches on what another field has; false for
// one that does not switch it.
func switched(name, other string) (on, is bool) {
	if on, is = makes[strings.ToLower(name)]; is {
		return on != instead.MatchString(other), true
	}
	name, other = strings.ToLower(name), strings.ToLower(other)
	for word, on := range switches {
		if name == word || name == other+word || name == word+other {
			return on, true
		}
	}
	return false, false
}

// idle tells whether something beside or above the property says that it has no part: what it
// belongs to is not enabled, or is one of several things of which another may be chosen. What selects
// other objects has none either: there are none. What the seed, as the user has written
// it, has beside what is chosen has one, or it would not say it.
func (t *Tracer) idle(o *operation.Operation, resource, seed history.Object) bool {
	for p := t.properties[o.Property]; p != nil; p = p.Parent {
		if selects(p) {
			return true
		}
	}
	here, was := any(map[string]any(resource)), any(map[string]any(seed))
	steps := wholePath(o)
	path := ""
	for i, step := range steps {
		if m, ok := here.(map[string]any); ok && len(path) > 0 {
			before, _ := was.(map[string]any)
			if t.off(path, m, before, step, ends(steps[i:], o.Property)) {
				return true
			}
		}
		switch step := step.(type) {
		case string:
			m, _ := here.(map[string]any)
			before, _ := was.(map[string]any)
			here, was = m[step], before[step]
			if p := t.properties[path]; p != nil && len(p.Children) == 1 && p.Children[0].Name == "{}" {
				path += "{}"
				continue
			}
			path = strings.TrimPrefix(path+"."+step, ".")
		default:
			n := int(number(history.Object{"n": step}, "n"))
			if at, ok := step.(int); ok {
				n = at
			}
			here, was = itemOf(here, n), itemOf(was, n)
			path += "[]"
		}
	}
	return false
}

// itemOf is the n-th item of a list; nil for none.
func itemOf(v any, n int) any {
	if list, _ := v.([]any); n >= 0 && n < len(list) {
		return list[n]
	}
	return nil
}

// hollow tells whether a value says what its absence does to a program that has fields for both.
func hollow(v any) bool {
	switch v := v.(type) {
	case bool:
		return !v
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return v == nil
}

// ends tells whether nothing of a name follows the first of the steps that lead to a property: it is the property, or
// the property is what is in it, items of a list, also one that is added, or the values of a map.
func ends(steps []any, property string) bool {
	names := 0
	for _, step := range steps {
		if _, name := step.(string); name {
			names++
		}
	}
	return names <= 1+strings.Count(property[strings.LastIndex(property, ".")+1:], "{}")
}

// selects tells whether a property selects objects by their labels.
func selects(p *schema.Property) bool { return strings.HasSuffix(p.Kind, ".LabelSelector") }

// restores tells whether the last step made the property what the seed says of it, by default or by name: that
// nothing comes of the way back says no more than that nothing came of the way there.
func (c *Case) restores() bool {
	o := c.Last().Operation
	seed, had := o.Changes[0].At(c.Steps[0].End[c.Key])
	now, has := o.Changes[0].At(c.Last().End[c.Key])
	if !had && hollow(now) {
		return true // what is not there is off, or empty
	}
	return had == has && reflect.DeepEqual(seed, now)
}

// off tells whether a field of an object says that another has no part: a switch, or a word that is another one than
// the field's name, which chooses it. The last object
// with a name on the way is the one that the property is of; before is what the seed has there.
func (t *Tracer) off(path string, m, before map[string]any, step any, last bool) bool {
	names := map[string]string{} // and types
	for name, v := range m {
		switch v.(type) {
		case bool:
			names[name] = "boolean"
		case string:
			names[name] = "string"
		}
	}
	if p := t.properties[path]; p != nil {
		for _, child := range p.Children {
			if child.Schema != nil {
				names[child.Name] = child.Schema.Type
			}
			// A routeMatching beside a routeSelector says what becomes of the routes that this selects.
			if what, _ := strings.CutSuffix(child.Name, "Selector"); selects(child) && child.Name != step && what != child.Name && strings.HasPrefix(fmt.Sprint(step), what) {
				return true
			}
		}
	}
	for name, kind := range names {
		if name == step {
			continue
		}
		now, _ := m[name].(bool)
		on, is := switched(name, fmt.Sprint(step))
		value, _ := m[name].(string)
		if kind == "boolean" && is && now != on {
			return true
		}
		_, had := before[fmt.Sprint(step)]
		meant := had && reflect.DeepEqual(before[name], m[name])
		if word, is := t.properties[path+"."+name].Chooses(fmt.Sprint(step)); is {
			if value != word && (value != "" || !meant && !ofKubernetes(t.properties[path+"."+name])) {
				return true
			}
			continue // that it is chosen is said by name
		}
		if kind == "string" && value == "" && !meant && mayBeNone(t.properties[path+"."+name]) {
			return true
		}
		if kind == "string" && schema.Choosing(name) && last && !meant && strings.Contains(path, ".") && !chosen(t.properties[path+"."+name], value, fmt.Sprint(step)) {
			return true
		}
	}
	return false
}

// Effective tells whether any operation on a property had an effect that was seen.
func (t *Tracer) Effective(property string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return effective(t.probes[property])
}

// effective tells whether anything came of an operation.
func effective(probes map[string]*probe) bool {
	for _, p := range probes {
		if p.wrote || len(p.leaves) > 0 {
			return true
		}
	}
	return false
}

// unused are the operations on a property that nothing came of, one for each value, in order; nil if anything came of
// any, or of a part: what the seed says of a whole may be what the operator does without it.
func (t *Tracer) unused(property string) []*probe {
	for other, probes := range t.probes {
		if partOf(other, property) && effective(probes) {
			return nil
		}
	}
	var out []*probe
	known := map[string]bool{}
	for _, id := range sortedKeys(t.probes[property]) {
		p := t.probes[property][id]
		if p.wrote || len(p.leaves) > 0 {
			return nil
		}
		if change := fmt.Sprint(p.operation.Changes[0]); !p.idle && !known[change] {
			known[change] = true
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b *probe) int { return a.empty() - b.empty() }) // what says more is shown
	return out
}

// rival is a property of the same name somewhere else whose values go to two places that are alike, as
// if one of them were this property's, as it was seen; nil for none.
func (t *Tracer) rival(property string) (rival *probe, twice [2]Leaf) {
	name := property[strings.LastIndexAny(property, ".")+1:]
	for _, other := range sortedKeys(t.probes) {
		if other == property || other[strings.LastIndexAny(other, ".")+1:] != name || strings.Count(other, ".") != strings.Count(property, ".") {
			continue
		}
		for _, id := range sortedKeys(t.probes[other]) {
			p := t.probes[other][id]
			leaves := sortedLeaves(p.leaves)
			if len(p.operation.Sentinels) == 0 {
				leaves = sortedLeaves(p.moved)
			}
			for i, a := range leaves {
				if j := slices.IndexFunc(leaves[i+1:], func(b Leaf) bool { return alike(a, b) }); j >= 0 {
					return p, [2]Leaf{a, leaves[i+1+j]}
				}
			}
		}
	}
	return nil, twice
}

var inBrackets = regexp.MustCompile(`\[[^]]*\]`)

// alike tells whether two leaves are the same field of two objects, or of two items of a list, or the same file. Pods
// and ReplicaSets are what their workload is.
func alike(a, b Leaf) bool {
	derived := []string{pods, replicaSets, revisions, jobs}
	if slices.Contains(derived, a.Resource) || slices.Contains(derived, b.Resource) {
		return false
	}
	if strings.HasPrefix(a.Path, "data[") { // files are what they are called
		return a.Path == b.Path
	}
	workloads := slices.Contains(runners, a.Resource) && slices.Contains(runners, b.Resource)
	return (a.Resource == b.Resource || workloads) && inBrackets.ReplaceAllString(a.Path, "[]") == inBrackets.ReplaceAllString(b.Path, "[]")
}

// sourcePlace is the place of what is wrong where a value is read, and not where it is put.
const sourcePlace = "source"

// Traced is what a tracer says of a property.
type Traced struct {
	Deviation
	// Operations show it by themselves, from the seed.
	Operations []*operation.Operation
	// Seen is how many operations of the campaign have shown it.
	Seen int
}

// Judge lists the properties that nothing comes of: those whose place another's values take before
// the others, each in the order of the properties. Oracles whose name off says true for are left out; with
// dead-property also what another's values say of a property of which nothing comes, since that is not known then: the
// operator may tell its application of it.
func (t *Tracer) Judge(off func(name string) bool) []Traced {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []Traced
	for _, name := range []string{consistencyName, deadName} {
		if off != nil && off(name) {
			continue
		}
		for _, property := range sortedKeys(t.probes) {
			part := slices.ContainsFunc(out, func(d Traced) bool { return partOf(property, d.Property) })
			if d, ok := t.judge(property); ok && d.Oracle == name && !part && !(d.Place == sourcePlace && off != nil && off(deadName)) {
				out = append(out, d)
			}
		}
	}
	return out
}

// partOf tells whether a property is in another: nothing comes of it then by that.
func partOf(property, whole string) bool {
	rest, ok := strings.CutPrefix(property, whole)
	return ok && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, "{"))
}

// judge says what is wrong with a property by all that is known; mu is held.
func (t *Tracer) judge(property string) (Traced, bool) {
	probes := t.unused(property)
	if len(probes) == 0 {
		return t.deaf(property)
	}
	if !meant(probes) {
		return Traced{}, false
	}
	if other, twice := t.rival(property); other != nil {
		return Traced{Deviation: Deviation{
			Oracle: consistencyName, Path: twice[1].Path, Property: property, Place: sourcePlace,
			Text: fmt.Sprintf("nothing comes of %s, and %s goes to two places: %s, and %s", property, other.operation.Property, twice[0], twice[1]),
		}, Operations: append(t.shown(property, probes[:1]), append(slices.Clone(other.way), other.operation)...), Seen: 2}, true
	}
	if !t.decided(property, len(probes)) {
		return Traced{}, false
	}
	tried := fmt.Sprintf("%d different values of it were tried, and none is anywhere", len(probes))
	if len(probes) == 1 {
		tried = "its other value was tried, and is nowhere"
	}
	out := Traced{Deviation: Deviation{
		Oracle: deadName, Property: property,
		Text: fmt.Sprintf("nothing comes of %s: %s, nor did the operator write anything", property, tried),
	}, Operations: t.shown(property, probes), Seen: len(probes)}
	return out, true
}
