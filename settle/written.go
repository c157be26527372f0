package settle

import (
	"net/url"
	"sync"

	"github.com/zeebo/xxh3"
)

// written has the writes of reconcilers, by the sums of what they were made of: a reconcile that
// is run again makes the same again and again, and to see that takes a tenth of what
// it takes to write their bodies once more.
type written struct {
	mu    sync.Mutex
	known map[writing]*call
}

// writing is how a write is made, and the sum of what it is made of.
type writing struct {
	verb, subresource, options string
	of                         xxh3.Uint128
}

// writtenMax bounds how many are kept.
const writtenMax = 50_000

// again is the call that make makes of some values.
func (w *written) again(verb, subresource string, options url.Values, make func() (*call, error), of ...any) (*call, error) {
	sum, ok := content(of...)
	if !ok {
		return make()
	}
	by := writing{verb, subresource, options.Encode(), sum}
	w.mu.Lock()
	known, ok := w.known[by]
	w.mu.Unlock()
	if !ok {
		one, err := make()
		if err != nil {
			return nil, err
		}
		known = one
		w.keep(by, one)
	}
	out := *known // its text is changed if another asks for the same at once
	return &out, nil
}

func (w *written) keep(by writing, c *call) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.known == nil || len(w.known) >= writtenMax {
		w.known = map[writing]*call{}
	}
	w.known[by] = c
}
