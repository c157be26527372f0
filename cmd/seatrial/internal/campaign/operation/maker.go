package operation

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/kind"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
)

// maker makes one plan.
type maker struct {
	Options
	properties []*property
	// byDepth are those high in the resource first.
	byDepth []*property
	visited map[visit]bool
	known   map[*schema.Property]*property
	// covers are of the pairs; nil before the first.
	covers []*cover
	modes  *modes
	random *rand.Rand
	// seed and now are what every sequence begins with, and what the operations so far
	// made of it.
	seed, now state
	sequences []*Sequence
	refusals  []*Sequence
	// count is of the operations in sequences, and end how many there may be for now.
	count, end int
	// crowded tells that the last group was not planned for want of room below end.
	crowded bool
	// compares tells that the server has to know what was before.
	compares bool
	// draws counts all draws, for the numbers.
	draws int
}

// state is a resource as it was written, and as the API server would store it.
type state struct{ written, stored history.Object }

func newMaker(o Options) (*maker, error) {
	switch {
	case o.Definition == nil:
		return nil, errors.New("a plan needs a schema")
	case len(o.Seed) == 0:
		return nil, errors.New("a plan needs a seed")
	case o.Max < 0 || o.SequenceLength < 0:
		return nil, errors.New("the bounds of a plan are not below 0")
	}
	if o.Server == nil {
		o.Server = o.Definition
	}
	if why := o.Server.Refuses(o.Seed, nil); len(why) > 0 {
		return nil, errors.New("the API server will not take the seed: " + reasons(why))
	}
	if o.Max == 0 {
		o.Max = OperationsMax
	}
	if o.SequenceLength == 0 {
		o.SequenceLength = SequenceLength
	}
	if o.Tables == nil {
		o.Tables = value.BuiltIn()
	}
	m := &maker{Options: o, visited: map[visit]bool{}, known: map[*schema.Property]*property{}}
	var err error
	if m.properties, err = properties(&m.Options); err != nil {
		return nil, err
	}
	m.compares = m.Server != Server(o.Definition) || compares(o.Definition)
	for _, p := range m.properties {
		m.known[p.Property] = p
	}
	m.byDepth = slices.Clone(m.properties)
	slices.SortStableFunc(m.byDepth, func(a, b *property) int { return a.depth() - b.depth() })
	m.random = rand.New(rand.NewPCG(o.RandomSeed, 34))
	m.seed = state{object(map[string]any(o.Seed)), o.Server.Complete(o.Seed)}
	m.modes = m.allModes()
	m.next()
	return m, nil
}

// next begins another sequence.
func (m *maker) next() {
	m.sequences = append(m.sequences, &Sequence{})
	m.now = m.seed
	clear(m.modes.set)
}

func (m *maker) last() *Sequence { return m.sequences[len(m.sequences)-1] }

func (m *maker) full() bool { return m.count >= m.end }

// draft is an operation that could come next, and what it leads to.
type draft struct {
	*Operation
	property *property
	// before and after are around it.
	before, after state
	// parts are what it was made of; nil if it is one case.
	parts []*draft
}

// note remembers that its cases are planned.
func (d *draft) note() {
	for _, part := range d.parts {
		part.note()
	}
	if len(d.parts) == 0 && !d.Repairs && !d.property.has(d.Case) {
		d.property.tried = append(d.property.tried, d.Case)
	}
}

// group plans operations that belong together. make gives them for what there is
// now, each made by [maker.step]; it is asked again if they have no room in the sequence.
// False if there are none, or there are enough of all.
func (m *maker) group(make func() []*draft) bool {
	m.crowded = m.full()
	if m.crowded {
		return false
	}
	from := m.now
	all := make()
	room := min(m.SequenceLength-len(m.last().Operations), m.end-m.count)
	if len(all) > room && len(m.last().Operations) > 0 {
		m.forget(all)
		m.next()
		from = m.now
		all = make()
		room = min(m.SequenceLength, m.end-m.count)
	}
	if len(all) == 0 || len(all) > room {
		m.crowded = len(all) > m.end-m.count
		m.forget(all)
		m.now = from
		return false
	}
	for _, d := range all {
		m.last().Operations = append(m.last().Operations, d.Operation)
		m.count++
		d.note()
		m.modes.note(d, m.seed)
	}
	return true
}

// forget gives the draws of operations back that are not planned.
func (m *maker) forget(all []*draft) {
	for _, d := range all {
		if !d.Repairs {
			d.property.drawn--
			m.draws--
		}
	}
}

// step goes on to what a draft leads to.
func (m *maker) step(d *draft) *draft {
	m.now = d.after
	if !d.Repairs {
		d.property.drawn++
		m.draws++
	}
	return d
}

// cases are those of a property where it stands now, and its place.
func (m *maker) cases(p *property, now state) ([]any, []value.Case) {
	path, cases := m.all(p, now)
	return path, slices.DeleteFunc(cases, p.needless)
}

// needless tells whether a case stands for another that was not refused.
func (p *property) needless(c value.Case) bool { return c.Instead != "" && p.refused[c.Instead] == "" }

// all are the cases of a property with those that may stand for another.
func (m *maker) all(p *property, now state) ([]any, []value.Case) {
	path := p.place(map[string]any(now.stored))
	return path, m.allAt(p, path, now)
}

// allAt are those in one place of several.
func (m *maker) allAt(p *property, path []any, now state) []value.Case {
	v, present := at(map[string]any(now.stored), path)
	at := m.at(p, p.Property, now)
	at.Value, at.Present, at.Given = v, present, p.given
	cases := value.Cases(at)
	m.withoutProduced(p, cases)
	m.likeGiven(p, cases)
	if len(p.chain) == 1 && len(p.Children) > 0 {
		// Without all of its spec a resource says nothing.
		cases = slices.DeleteFunc(cases, func(c value.Case) bool { return c.Class == value.Removal && len(c.Path) == 0 })
	}
	return cases
}

// at is a place for s, which is a property or above it, with the draw of the property.
func (m *maker) at(p *property, s *schema.Property, now state) *value.Place {
	return &value.Place{
		Property: s, Tables: m.Tables, Namespace: m.home(now),
		Draw: value.Draw{Property: p.number, Operation: p.drawn + 1, Number: m.number()},
	}
}

// home is where what a resource refers to belongs: its own namespace, or else the one that it names.
func (m *maker) home(now state) string {
	if own := now.written.Text("metadata", "namespace"); own != "" {
		return own
	}
	for _, p := range m.byDepth {
		if p.Kind != kind.NamespaceName {
			continue
		}
		v, _ := at(map[string]any(now.stored), p.place(map[string]any(now.stored)))
		if named, _ := v.(string); named != "" {
			return named
		}
	}
	return ""
}

// numbersFrom is where numbers that are drawn begin: ports above those of programs,
// and below those that nodes hand out.
const (
	numbersFrom = 20000
	numbersMost = 9000
)

// number is a whole number of its own for the next operation, as long as there are not too many.
func (m *maker) number() int64 { return int64(numbersFrom + (m.draws+1)%numbersMost) }

// draft is the operation that makes a case of a property; nil if that changes nothing, or
// cannot be made.
func (m *maker) draft(p *property, path []any, c value.Case, now state) *draft {
	change, ok := m.change(p, slices.Concat(path, c.Path), c, now)
	if !ok {
		return nil
	}
	written, err := change.edit(map[string]any(now.written))
	if err != nil {
		return nil
	}
	d := &draft{property: p, before: now, Operation: &Operation{
		Property: p.Path, Case: c.Name, Kind: p.Kind, Misoperation: c.Class == value.Misoperation,
		Pauses:  c.Class == value.Misoperation && (value.Pauses(p.Property) || value.IsPause(c.Value)),
		Slip:    c.Class == value.Change && !c.Remove && len(c.Path) == 0 && value.Slip(p.Property, c.Value),
		Default: c.Remove && len(c.Path) == 0 && p.Schema.Default.Object != nil,
		Zero:    !c.Remove && len(c.Path) == 0 && value.Zero(p.Property, c.Value),
		Changes: []Change{change}, Objects: c.Objects, Sentinels: c.Sentinels,
		Name: p.Path + ": " + c.Name,
	}}
	d.after.written = written.(map[string]any)
	d.after.stored = m.Server.Complete(d.after.written)
	if equal(d.after.stored, now.stored) {
		return nil
	}
	d.Refused = m.refuses(d.after.written, now.stored)
	d.Name = title(d.Operation, &Change{Path: slices.Concat(path, c.Path), Value: c.Value, Remove: c.Remove}, now.stored)
	return d
}

// refuses is why the server would not take a resource in the place of before, which
// it has taken; empty if it would. As long as no rule of the schema compares both, it
// need not know what was before, which costs as much again.
func (m *maker) refuses(resource, before history.Object) string {
	if !m.compares {
		before = nil
	}
	return reasons(m.Server.Refuses(resource, before))
}

// reasons are what is wrong with a resource in one line, always in one order.
func reasons(why []string) string { return strings.Join(slices.Sorted(slices.Values(why)), "; ") }

// compares tells that a rule of a schema compares a resource with what was before.
func compares(d *schema.Definition) bool {
	found := false
	d.Walk(func(p *schema.Property) bool {
		for _, rule := range p.Schema.XValidations {
			found = found || strings.Contains(rule.Rule, "oldSelf")
		}
		return !found
	})
	return found
}

// change is what a case is of a resource as it was written. Parents that are not there come
// with it as whole values: those that the API server would put there, or the least
// that is valid.
func (m *maker) change(p *property, path []any, c value.Case, now state) (Change, bool) {
	written, stored := map[string]any(now.written), map[string]any(now.stored)
	there := known(written, path)
	if there == len(path) || there == len(path)-1 && (there == 0 || container(written, path[:there])) {
		return Change{Path: path, Value: c.Value, Remove: c.Remove}, there == len(path) || !c.Remove
	}
	top := path[:there+1]
	base, has := at(stored, top)
	if !has && c.Remove {
		return Change{}, false
	}
	for i := there; i < min(len(path)-1, len(p.chain)); i++ {
		inner := path[there+1 : i+1]
		if now, _ := at(base, inner); now != nil {
			continue
		}
		least := Change{Path: inner, Value: value.Least(m.at(p, p.chain[i], now))}
		next, err := least.edit(base)
		if err != nil {
			return Change{}, false
		}
		base = next
	}
	inner := Change{Path: path[there+1:], Value: c.Value, Remove: c.Remove}
	next, err := inner.edit(value.Clone(base))
	if err != nil {
		return Change{}, false
	}
	return Change{Path: top, Value: next}, true
}

// container tells that there is an object or a list at a path, not null.
func container(v any, path []any) bool {
	now, _ := at(v, path)
	return now != nil
}

func equal(a, b any) bool { return reflect.DeepEqual(a, b) }

// chosen is the first case of a property that is taken: of a class, that the server does
// not refuse, that changes something, and that is not left out.
func (m *maker) chosen(p *property, class value.Class, leave func(name string) bool) *draft {
	path, cases := m.all(p, m.now)
	for _, c := range cases {
		if c.Class != class || p.needless(c) || leave != nil && leave(c.Name) {
			continue
		}
		d := m.draft(p, path, c, m.now)
		if d == nil {
			continue
		}
		if d.Refused != "" {
			p.refused[c.Name] = d.Refused
			continue
		}
		return m.step(d)
	}
	return nil
}
