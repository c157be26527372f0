package kubestate

import (
	"fmt"
	"hash/maphash"
	"sync"

	"github.com/zeebo/xxh3"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
)

// pool has each object once.
type pool struct {
	seed   maphash.Seed
	shards [64]shard
	names  *prefixes
}

type shard struct {
	mu      sync.Mutex
	objects map[string]*Object
}

func newPool(n *prefixes) *pool { return &pool{seed: maphash.MakeSeed(), names: n} }

// find is the object with this key and JSON, nil if there is none yet.
func (p *pool) find(key string, text []byte) *Object {
	whole := key + "\n" + string(text)
	s := p.shard(whole)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.objects[whole]
}

func (p *pool) shard(whole string) *shard {
	return &p.shards[maphash.String(p.seed, whole)%uint64(len(p.shards))]
}

// intern is the object with this value, which nobody may change from then on. Raw is as it
// is stored, if that is not what the value would be stored as.
func (p *pool) intern(key string, value runtime.Object, raw []byte) (*Object, error) {
	text, err := encode(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	m, err := meta.Accessor(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	whole := key + "\n" + string(text)
	if len(raw) > 0 {
		whole += "\n" + string(raw)
	}
	s := p.shard(whole)
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.objects[whole]; o != nil {
		return o, nil
	}
	if s.objects == nil {
		s.objects = map[string]*Object{}
	}
	o := &Object{key: key, value: value, meta: m, bytes: text, raw: raw, tokens: Tokens(text, p.names), hash: xxh3.HashString128(whole).Bytes()}
	s.objects[whole] = o
	return o, nil
}

// versioned is o with another resourceVersion.
func (p *pool) versioned(o *Object, version string) (*Object, error) {
	value := o.value.DeepCopyObject()
	m, err := meta.Accessor(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.key, err)
	}
	m.SetResourceVersion(version)
	return p.intern(o.key, value, nil)
}
