package settle

import (
	"bytes"
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
	known, _ := t.byHash.LoadOrStore(a.hash, &a)
	return known.(*answer)
}

func (t *answers) get(hash [16]byte) *answer {
	a, _ := t.byHash.Load(hash)
	out, _ := a.(*answer)
	return out
}

// tokens are those of everything in an answer, in order.
func (a *answer) tokens(yield func(string)) {
	each := func(o *kubestate.Object) {
		for _, t := range o.Tokens() {
			yield(t.Text)
		}
	}
	for _, t := range kubestate.Tokens([]byte(a.call)) {
		yield(t.Text)
	}
	if a.object != nil {
		each(a.object)
	}
	for _, o := range a.list {
		each(o)
	}
	for _, text := range [][]byte{a.status, a.drawn, a.body} {
		for _, t := range kubestate.Tokens(text) {
			yield(t.Text)
		}
	}
}

// rename is a with other names for its tokens.
func (t *answers) rename(s *kubestate.Server, a *answer, r *kubestate.Renaming) (*answer, error) {
	out := answer{call: string(r.Text([]byte(a.call))), status: r.Text(a.status), drawn: r.Text(a.drawn), body: r.Text(a.body)}
	same := out.call == a.call && bytes.Equal(out.status, a.status) && bytes.Equal(out.drawn, a.drawn) && bytes.Equal(out.body, a.body)
	var err error
	if a.object != nil {
		if out.object, err = s.Rename(a.object, r); err != nil {
			return nil, err
		}
		same = same && out.object == a.object
	}
	for _, o := range a.list {
		renamed, err := s.Rename(o, r)
		if err != nil {
			return nil, err
		}
		out.list = append(out.list, renamed)
		same = same && renamed == o
	}
	if same {
		return a, nil
	}
	return t.intern(out), nil
}
