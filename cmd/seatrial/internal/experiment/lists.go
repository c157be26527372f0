package experiment

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/seatrial/seatrial/history"
)

// lists shows a state to CEL: the objects of each resource, in the order of their
// keys. What there is none of is an empty list, so that an expression may ask for
// pods before there is one.
type lists struct{ state history.State }

func (l lists) value() ref.Val {
	all := map[string][]any{}
	for _, key := range l.state.Keys() {
		all[key.Resource] = append(all[key.Resource], map[string]any(l.state[key]))
	}
	return openMap{types.NewDynamicMap(types.DefaultTypeAdapter, all)}
}

// openMap is a map in which every key is found.
type openMap struct{ traits.Mapper }

// Get is called for an index.
func (m openMap) Get(key ref.Val) ref.Val {
	v, _ := m.Find(key)
	return v
}

// Find is called for an index and a field.
func (m openMap) Find(key ref.Val) (ref.Val, bool) {
	if v, ok := m.Mapper.Find(key); ok {
		return v, true
	}
	return types.DefaultTypeAdapter.NativeToValue([]any{}), true
}
