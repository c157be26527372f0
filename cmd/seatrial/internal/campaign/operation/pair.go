package operation

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
)

var _ = register(phase{name: "pairs", order: 5, share: 10, plan: (*maker).pairs})

// Bounds of pairs: properties that are taken together, values of each, and operations
// for one object.
const (
	pairWidth  = 8
	pairValues = 3
	pairRows   = 30
)

// pairs plans operations that change several properties of one object at once, so
// that any two of their values come together in one, as far as the bounds allow.
func (m *maker) pairs() {
	for _, siblings := range m.siblings() {
		for from := 0; from < len(siblings); from += pairWidth {
			some := siblings[from:min(len(siblings), from+pairWidth)]
			if key := (visit{some[0], "pairs"}); !m.full() && !m.visited[key] {
				m.visited[key] = true
				m.cover(some)
			}
		}
	}
}

// siblings are the properties of one object that are tried for themselves, those deep in the
// resource first: they have most to do with each other.
func (m *maker) siblings() [][]*property {
	groups := map[*schema.Property]int{}
	var all [][]*property
	for _, p := range m.properties {
		if !p.in(own) || p.Name == "[]" || p.Name == "{}" {
			continue
		}
		i, known := groups[p.Parent]
		if !known {
			i = len(all)
			groups[p.Parent] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], p)
	}
	slices.SortStableFunc(all, func(a, b []*property) int { return len(b[0].chain) - len(a[0].chain) })
	return slices.DeleteFunc(all, func(group []*property) bool { return len(group) < 2 })
}

// cell is one value of one property of a row.
type cell struct{ property, value int }

// cover plans rows in which any two values of two properties come together.
func (m *maker) cover(group []*property) {
	values := make([][]string, len(group))
	for i, p := range group {
		_, cases := m.cases(p, m.seed)
		for _, c := range cases {
			if c.Class == value.Change && len(values[i]) < pairValues && p.refused[c.Name] == "" {
				values[i] = append(values[i], c.Name)
			}
		}
	}
	open := uncovered(values)
	for range pairRows {
		if len(open) == 0 || m.full() {
			return
		}
		row := rowOf(open, values)
		if !m.row(group, values, row) {
			// Not all of it is taken; the two that it began with may be.
			m.row(group, values, row[:2])
			row = row[:2]
		}
		open = slices.DeleteFunc(open, func(pair [2]cell) bool {
			return slices.Contains(row, pair[0]) && slices.Contains(row, pair[1])
		})
	}
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
func (m *maker) row(group []*property, values [][]string, row []cell) bool {
	return m.group(func() []*draft {
		var parts []*draft
		for _, c := range row {
			p := group[c.property]
			path, cases := m.cases(p, m.now)
			for _, one := range cases {
				if one.Name != values[c.property][c.value] {
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
	if m.refuses(all.after.written, all.before.stored) != "" || equal(all.after.stored, all.before.stored) {
		m.forget(parts)
		return nil
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

// bundle is one operation that does what several do.
func bundle(all []*Operation) *Operation {
	one := *all[0]
	one.Changes, one.Objects, one.Sentinels = nil, nil, nil
	for i, o := range all {
		one.Changes = append(one.Changes, o.Changes...)
		one.Objects = append(one.Objects, o.Objects...)
		one.Sentinels = append(one.Sentinels, o.Sentinels...)
		one.Misoperation = one.Misoperation || o.Misoperation
		one.Repairs = one.Repairs && o.Repairs
		if i > 0 {
			one.Case += "; " + o.Property + ": " + o.Case
		}
	}
	one.Name = titles(all)
	return &one
}
