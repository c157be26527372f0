package operation

import (
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
)

// beside are operations that set the texts beside a property that are not there, without which it may mean nothing;
// none if one of them is there.
func (m *maker) beside(p *property) (all []*draft) {
	texts := p.Property.Beside()
	for _, text := range texts {
		if v, is := m.now.stored.At(strings.Split(text.Path, ".")...).(string); is && v != "" {
			return nil
		}
	}
	for _, text := range texts {
		other := m.known[text]
		if other == nil || other.left == ignored {
			continue
		}
		other.drawn = max(other.drawn, m.draws) // what was drawn stands nowhere else
		if d := m.chosen(other, value.Change, nil); d != nil {
			all = append(all, d)
		}
	}
	return all
}

// along plans values of a property behind the texts beside it, in one sequence; false if there are none that could be
// set.
func (m *maker) along(p *property) bool {
	return m.group(func() []*draft {
		on := m.switched(p)
		all := append(on, m.beside(p)...)
		if len(all) == len(on) {
			m.forget(all)
			return nil
		}
		tried := map[string]bool{}
		for range moreValues {
			d := m.chosen(p, value.Change, func(name string) bool { return tried[name] })
			if d == nil {
				break
			}
			tried[d.Case] = true
			all = append(all, d)
		}
		if len(tried) == 0 {
			m.forget(all)
			return nil
		}
		return all
	})
}
