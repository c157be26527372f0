package value

import (
	"maps"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

var _ = register(kind{
	name:  "map",
	order: 45,
	is: func(p *schema.Property) bool {
		return p.Schema.Type == "object" && len(p.Children) == 1 && p.Children[0].Name == "{}"
	},
	cases: mapCases,
	sample: func(s *sampler, p *schema.Property, number int) any {
		l := limitOf(p.Schema)
		m := map[string]any{}
		for range max(1, min(l.fewestKeys, itemsMost)) {
			v, ok := s.of(p.Children[0], number)
			if !ok {
				v = map[string]any{}
			}
			m[s.text()] = v
		}
		return m
	},
})

func mapCases(at *Place) []Case {
	l := limitOf(at.Property.Schema)
	now, _ := at.Value.(map[string]any)
	keys := slices.Sorted(maps.Keys(now))
	s := at.sampler()
	key := s.text()
	value, known := s.of(at.Property.Children[0], len(now))
	var all []Case
	if known && (l.allKeys < 0 || int64(len(now)) < l.allKeys) {
		all = append(all, Case{Name: "key added", Path: []any{key}, Value: value})
	}
	if known && len(keys) > 0 {
		all = append(all, Case{Name: "value of a key changed", Path: []any{keys[0]}, Value: value})
		renamed, _ := Clone(now).(map[string]any)
		renamed[key] = renamed[keys[0]]
		delete(renamed, keys[0])
		all = append(all, Case{Name: "key changed", Value: renamed})
	}
	if known {
		all = append(all, alikeKeys(at, now, &l)...)
	}
	if int64(len(keys)) > l.fewestKeys && len(keys) > 0 {
		all = append(all, Case{Name: "key removed", Class: Removal, Path: []any{keys[0]}, Remove: true})
	}
	if l.fewestKeys == 0 {
		all = append(all, emptied(&limit{}, make([]any, len(keys)), at.Present, map[string]any{})...)
	}
	if known {
		all = append(all, Case{Name: "key that is no label", Class: Misoperation, Path: []any{"not a label!"}, Value: value})
	}
	return all
}
