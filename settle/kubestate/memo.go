package kubestate

import (
	"sync"

	"github.com/zeebo/xxh3"
)

// memo remembers answers. What a registry answers to a write depends on the few objects
// that it reads, and on how many were created if it creates one; so that in a search, where
// the same write is made in a thousand States that differ elsewhere, it is asked once.
type memo struct {
	mu sync.RWMutex
	// known are the answers to a request, by its fingerprint.
	known map[xxh3.Uint128][]*remembered
	// prefixes are those of names that are drawn, by what is to be created.
	prefixes sync.Map
}

type remembered struct {
	read     map[string]*Object
	created  uint64
	counted  bool
	response Response
	// made is how many objects were created.
	made uint64
}

// applies tells whether the answer is that in a State, too.
func (r *remembered) applies(s State) bool {
	if r.counted && r.created != s.created {
		return false
	}
	for key, o := range r.read {
		if s.Get(key) != o {
			return false
		}
	}
	return true
}

// find is what was answered to a request in a State that is the same as far as it
// matters.
func (m *memo) find(fingerprint xxh3.Uint128, s State) *remembered {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, r := range m.known[fingerprint] {
		if r.applies(s) {
			return r
		}
	}
	return nil
}

// keep remembers an answer.
func (m *memo) keep(fingerprint xxh3.Uint128, r *remembered) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[xxh3.Uint128][]*remembered{}
	}
	m.known[fingerprint] = append(m.known[fingerprint], r)
}
