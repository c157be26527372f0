package settle

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// answers has each answer once, by its hash, so that a state can name them.
type answers struct {
	byHash sync.Map
	server *kubestate.Server
}

// intern is the answer that is equal to a.
func (t *answers) intern(a answer) *answer {
	var space [256]byte
	b := space[:0]
	part := func(h xxh3.Uint128) { b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, h.Hi), h.Lo) }
	part(xxh3.HashString128(a.call))
	part(xxh3.Hash128(a.status))
	part(xxh3.Hash128(a.drawn))
	part(xxh3.Hash128(a.body))
	if a.object != nil {
		hash := a.object.Hash()
		b = append(b, hash[:]...)
	}
	b = append(b, 1)
	for _, o := range a.list {
		hash := o.Hash()
		b = append(b, hash[:]...)
	}
	a.hash = xxh3.Hash128(b).Bytes()
	if known := t.get(a.hash); known != nil {
		return known
	}
	a.tokens, a.renamed = a.counted(t.server), &kubestate.Renamed[*answer]{}
	known, _ := t.byHash.LoadOrStore(a.hash, &a)
	return known.(*answer)
}

func (t *answers) get(hash [16]byte) *answer {
	a, _ := t.byHash.Load(hash)
	out, _ := a.(*answer)
	return out
}

// counted are the numbers of all tokens in an answer, in order.
func (a *answer) counted(s *kubestate.Server) (all []uint64) {
	add := func(tokens []kubestate.Token) {
		for _, t := range tokens {
			all = append(all, t.Number)
		}
	}
	add(s.Tokens([]byte(a.call)))
	if a.object != nil {
		add(a.object.Tokens())
	}
	for _, o := range a.list {
		add(o.Tokens())
	}
	for _, text := range [][]byte{a.status, a.drawn, a.body} {
		add(s.Tokens(text))
	}
	return all
}

// rename is a with other names for its tokens.
func (t *answers) rename(a *answer, r *kubestate.Renaming) (*answer, error) {
	if !slices.ContainsFunc(a.tokens, r.Renames) {
		return a, nil
	}
	var space [256]byte
	names := r.AppendNames(space[:0], a.tokens)
	if known, ok := a.renamed.Get(names); ok {
		return known, nil
	}
	out, err := renameAnswer(t.server, a, r)
	if err != nil {
		return nil, err
	}
	is := t.intern(out)
	a.renamed.Put(names, is)
	return is, nil
}

// renameAnswer is an answer with other names, which nobody keeps.
func renameAnswer(s *kubestate.Server, a *answer, r *kubestate.Renaming) (out answer, err error) {
	out = answer{call: renameText(a.call, r), status: r.Text(a.status), drawn: r.Text(a.drawn), body: r.Text(a.body)}
	if a.object != nil {
		if out.object, err = s.Rename(a.object, r); err != nil {
			return out, err
		}
	}
	if a.list != nil {
		out.list, err = s.RenameAll(a.list, r)
	}
	return out, err
}
