package settle

import (
	"slices"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// answers has each answer once, by its hash, so that a state can name them.
type answers struct{ byHash sync.Map }

// intern is the answer that is equal to a.
func (t *answers) intern(a answer) *answer {
	h := xxh3.New()
	_, _ = h.WriteString(a.call) // never fails, like the following
	_, _ = h.Write([]byte{0})
	if a.object != nil {
		hash := a.object.Hash()
		_, _ = h.Write(hash[:])
	}
	_, _ = h.Write([]byte{byte(len(a.list)), 1})
	for _, o := range a.list {
		hash := o.Hash()
		_, _ = h.Write(hash[:])
	}
	_, _ = h.Write(a.status)
	_, _ = h.Write([]byte{2})
	_, _ = h.Write(a.drawn)
	_, _ = h.Write([]byte{3})
	_, _ = h.Write(a.body)
	a.hash = h.Sum128().Bytes()
	if known := t.get(a.hash); known != nil {
		return known
	}
	a.tokens = a.counted()
	known, _ := t.byHash.LoadOrStore(a.hash, &a)
	return known.(*answer)
}

func (t *answers) get(hash [16]byte) *answer {
	a, _ := t.byHash.Load(hash)
	out, _ := a.(*answer)
	return out
}

// counted are the numbers of all tokens in an answer, in order.
func (a *answer) counted() (all []uint64) {
	add := func(tokens []kubestate.Token) {
		for _, t := range tokens {
			all = append(all, t.Number)
		}
	}
	add(kubestate.Tokens([]byte(a.call)))
	if a.object != nil {
		add(a.object.Tokens())
	}
	for _, o := range a.list {
		add(o.Tokens())
	}
	for _, text := range [][]byte{a.status, a.drawn, a.body} {
		add(kubestate.Tokens(text))
	}
	return all
}

// rename is a with other names for its tokens.
func (t *answers) rename(s *kubestate.Server, a *answer, r *kubestate.Renaming) (*answer, error) {
	if !slices.ContainsFunc(a.tokens, r.Renames) {
		return a, nil
	}
	out := answer{call: string(r.Text([]byte(a.call))), status: r.Text(a.status), drawn: r.Text(a.drawn), body: r.Text(a.body)}
	var err error
	if a.object != nil {
		if out.object, err = s.Rename(a.object, r); err != nil {
			return nil, err
		}
	}
	for _, o := range a.list {
		renamed, err := s.Rename(o, r)
		if err != nil {
			return nil, err
		}
		out.list = append(out.list, renamed)
	}
	return t.intern(out), nil
}
