package operation

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
)

var _ = register(phase{name: "pairs", order: 11, share: 10, plan: (*maker).pairs})

// Bounds of pairs: properties that are taken together, values of each, and operations
// for one object.
const (
	pairWidth  = 8
	pairValues = 3
	pairRows   = 30
)

// cover is what is left of the pairs of some properties of one object.
type cover struct {
	group []*property
	// values are the names of the cases of each that are taken.
	values [][]string
	open   [][2]cell
	rows   int
}

// cell is one value of one property of a row.
type cell struct{ property, value int }

// pairs plans operations that change several properties of one object at once, so
// that any two of their values come together in one, as far as the bounds allow: one
// operation for each object, then another, and so on.
func (m *maker) pairs() {
	if m.covers == nil {
		m.covers = m.allCovers()
	}
	for more := true; more; {
		more = false
		for _, c := range m.covers {
			if len(c.open) > 0 && c.rows < pairRows && !m.full() {
				m.nextRow(c)
				more = true
			}
		}
	}
}

// allCovers are those of all objects with several properties that are tried for themselves.
func (m *maker) allCovers() []*cover {
	groups := map[*schema.Property][]*property{}
	var order []*schema.Property
	for _, p := range m.byDepth {
		if !p.in(own) || p.Name == "[]" || p.Name == "{}" {
			continue
		}
		if groups[p.Parent] == nil {
			order = append(order, p.Parent)
		}
		groups[p.Parent] = append(groups[p.Parent], p)
	}
	all := []*cover{}
	for _, parent := range order {
		for some := range slices.Chunk(groups[parent], pairWidth) {
			c := &cover{group: some}
			for _, p := range some {
				c.values = append(c.values, m.taken(p))
			}
			c.open = uncovered(c.values)
			all = append(all, c)
		}
	}
	return all
}

// taken are the names of a few cases of a property that should be valid.
func (m *maker) taken(p *property) []string {
	var names []string
	_, cases := m.cases(p, m.seed)
	for _, c := range cases {
		if c.Class == value.Change && len(names) < pairValues && p.refused[c.Name] == "" {
			names = append(names, c.Name)
		}
	}
	return names
}

// nextRow plans the next row of a cover.
func (m *maker) nextRow(c *cover) {
	c.rows++
	row := rowOf(c.open, c.values)
	if !m.row(c, row) {
		// Not all of it is taken; the two that it began with may be.
		row = row[:2]
		m.row(c, row)
	}
	c.open = slices.DeleteFunc(c.open, func(pair [2]cell) bool {
		return slices.Contains(row, pair[0]) && slices.Contains(row, pair[1])
	})
}

// uncovered are all pairs of values of two properties, in order.
func uncovered(values [][]string) [][2]cell {
	var open [][2]cell
	for i := range values {
		for j := i + 1; j < len(values); j++ {
			for a := range values[i] {
				for b := range values[j] {
					open = append(open, [2]cell{{i, a}, {j, b}})
				}
			}
		}
	}
	return open
}

// rowOf is a row with the first pair that is open, and for each other property the
// value that has most open pairs with those that the row has.
func rowOf(open [][2]cell, values [][]string) []cell {
	row := []cell{open[0][0], open[0][1]}
	for i := range values {
		if i == row[0].property || i == row[1].property {
			continue
		}
		best, most := 0, 0
		for a := range values[i] {
			n := 0
			for _, pair := range open {
				if pair[0] == (cell{i, a}) && slices.Contains(row, pair[1]) || pair[1] == (cell{i, a}) && slices.Contains(row, pair[0]) {
					n++
				}
			}
			if n > most {
				best, most = a, n
			}
		}
		if most > 0 {
			row = append(row, cell{i, best})
		}
	}
	return row
}

// row plans an operation with all values of a row; false if it is not taken.
func (m *maker) row(r *cover, row []cell) bool {
	return m.group(func() []*draft {
		var parts []*draft
		for _, c := range row {
			p := r.group[c.property]
			path, cases := m.cases(p, m.now)
			for _, one := range cases {
				if one.Name != r.values[c.property][c.value] {
					continue
				}
				if d := m.draft(p, path, one, m.now); d != nil {
					parts = append(parts, m.step(d))
				}
			}
		}
		return m.together(parts)
	})
}

// together makes one operation of several; nil if there is none, or it is not taken.
func (m *maker) together(parts []*draft) []*draft {
	if len(parts) == 0 {
		return nil
	}
	first, last := parts[0], parts[len(parts)-1]
	all := &draft{property: first.property, before: first.before, after: last.after, parts: parts, Operation: bundle(operations(parts))}
	all.Refused = "" // by themselves they may be
	if m.refuses(all.after.written, all.before.stored) != "" || equal(all.after.stored, all.before.stored) {
		m.forget(parts)
		return nil
	}
	if len(parts) == 1 {
		return parts
	}
	return []*draft{all}
}

func operations(drafts []*draft) []*Operation {
	var all []*Operation
	for _, d := range drafts {
		all = append(all, d.Operation)
	}
	return all
}

// Tries tells whether an operation makes a case of a property, by itself or beside others.
func (o *Operation) Tries(property, name string) bool {
	parts := "; " + o.Property + ": " + o.Case + "; " // as bundle puts them together
	return strings.Contains(parts, "; "+property+": "+name+"; ")
}

// bundle is one operation that does what several do. What only one of them overtakes is left out.
func bundle(all []*Operation) *Operation {
	one := *all[0]
	one.Changes, one.Objects, one.Sentinels, one.With = nil, nil, nil, slices.Clone(one.With)
	for i, o := range all {
		one.Changes = append(one.Changes, o.Changes...)
		one.Objects = append(one.Objects, o.Objects...)
		one.Sentinels = append(one.Sentinels, o.Sentinels...)
		one.Misoperation = one.Misoperation || o.Misoperation
		one.Paused = one.Paused || o.Paused
		one.Repairs = one.Repairs && o.Repairs
		one.Restarts = one.Restarts || o.Restarts
		if !equal(o.Overtakes, all[0].Overtakes) {
			one.Overtakes = nil
		}
		if i > 0 {
			for _, p := range append([]string{o.Property}, o.With...) {
				if p != one.Property && !slices.Contains(one.With, p) {
					one.With = append(one.With, p)
				}
			}
			one.Case += "; " + o.Property + ": " + o.Case
		}
	}
	one.Name = titles(all, one.around())
	return &one
}
