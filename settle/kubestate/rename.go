package kubestate

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

const (
	uidLength = len(uidPrefix) + 12
	// versionLength is that of all resourceVersions.
	versionLength = 18
)

// Token is a UID, a resourceVersion or a generation in a text.
type Token struct {
	// At is where it is, and Number which: no two different tokens have the same.
	At     int
	Number uint64
	length int
}

// End is where it ends.
func (t Token) End() int { return t.At + t.length }

// Tokens finds the UIDs, resourceVersions and generations in a text, in order.
func Tokens(text []byte) []Token {
	var found []Token
	for i := 0; i < len(text); {
		if !digit(text[i]) {
			i++
			continue
		}
		n := 1
		for i+n < len(text) && digit(text[i+n]) {
			n++
		}
		counted := i // where the number begins
		switch {
		case n == versionLength && text[i] == '1':
		case n == generationLength && string(text[i:i+len(generationPrefix)]) == generationPrefix:
		case text[i] == uidPrefix[0] && i+uidLength <= len(text) && string(text[i:i+len(uidPrefix)]) == uidPrefix:
			n = uidLength
			counted += len(uidPrefix)
		default:
			i += n
			continue
		}
		if number, err := strconv.ParseUint(string(text[counted:i+n]), 10, 64); err == nil {
			found = append(found, Token{i, number, n})
		}
		i += n
	}
	return found
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// The numbers of UIDs are below those of generations, and those below those of versions.
const (
	leastGeneration = 1_000_000_000_000
	leastVersion    = 10_000_000_000_000_000
)

// Renaming gives the tokens of a State other names, so that States that differ in what was
// counted only become the same: UIDs by the order in which they are first seen, and the
// resourceVersions and the generations of each object by their order.
type Renaming struct {
	// to are those that get another name, by their numbers: none if all stay what they are.
	to   []renamed
	uids uint64
}

// renamed is a token that gets another name, by its number.
type renamed struct{ from, to uint64 }

// UIDs is how many there are.
func (r *Renaming) UIDs() uint64 { return r.uids }

// Same tells that all tokens stay what they are.
func (r *Renaming) Same() bool { return len(r.to) == 0 }

// group is the object that a version or generation is of, and first the one before its first.
func group(n uint64) (of, first, next uint64) {
	if n < leastVersion {
		of = n / generationMax
		return of, of * generationMax, 1
	}
	return leastVersion + n%keyMax, leading + n%keyMax, step
}

// NewRenaming is that of the numbers of tokens, in the order in which they are found. The
// slice is sorted afterwards.
func NewRenaming(numbers []uint64) *Renaming {
	r := &Renaming{}
	same, counted := true, numbers[:0]
	var uids []uint64
	for _, n := range numbers {
		switch {
		case n >= leastGeneration:
			counted = append(counted, n)
		case n == 0: // of a dry run
		case same && n == r.uids+1:
			r.uids++
		case same && n <= r.uids:
		default:
			if same {
				for i := range r.uids {
					uids = append(uids, i+1)
				}
			}
			same = false
			if !slices.Contains(uids, n) {
				uids = append(uids, n)
			}
		}
	}
	slices.SortFunc(counted, func(a, b uint64) int {
		x, _, _ := group(a)
		y, _, _ := group(b)
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	})
	counted = slices.Compact(counted)
	if same && ranked(counted, func(n, to uint64) bool { return n == to }) {
		return r
	}
	r.to = make([]renamed, 0, len(uids)+len(counted))
	add := func(n, to uint64) bool {
		if n != to {
			r.to = append(r.to, renamed{n, to})
		}
		return true
	}
	if !same {
		r.uids = uint64(len(uids))
		for i, n := range uids {
			add(n, uint64(i+1))
		}
	}
	ranked(counted, add)
	slices.SortFunc(r.to, func(a, b renamed) int { return cmp.Compare(a.from, b.from) })
	return r
}

// of is the number that a token has then.
func (r *Renaming) of(n uint64) uint64 {
	if i, found := slices.BinarySearchFunc(r.to, n, func(a renamed, n uint64) int { return cmp.Compare(a.from, n) }); found {
		return r.to[i].to
	}
	return n
}

// AppendNames appends what the tokens of these numbers are called then: what has tokens of the same
// numbers, and gets the same names, becomes the same.
func (r *Renaming) AppendNames(b []byte, numbers []uint64) []byte {
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint64(b, r.of(n))
	}
	return b
}

// ranked gives each of the sorted numbers, with what it is by its place in its group, until it is
// told to end; then it is false.
func ranked(counted []uint64, yield func(n, to uint64) bool) bool {
	var last, to uint64
	for i, n := range counted {
		of, first, next := group(n)
		if i == 0 || of != last {
			last, to = of, first
		}
		to += next
		if !yield(n, to) {
			return false
		}
	}
	return true
}

// changes tells whether any of the tokens gets another name.
func (r *Renaming) changes(tokens []Token) bool {
	return slices.ContainsFunc(tokens, func(t Token) bool { return r.Renames(t.Number) })
}

// Renames tells whether the token of this number gets another name.
func (r *Renaming) Renames(n uint64) bool { return r.of(n) != n }

// Text is text with the other names. What is not renamed is returned as it is.
func (r *Renaming) Text(text []byte) []byte {
	if r.Same() || len(text) == 0 {
		return text
	}
	tokens := Tokens(text)
	if !r.changes(tokens) {
		return text
	}
	return r.rename(text, tokens)
}

// rename is a copy of text with the other names of its tokens.
func (r *Renaming) rename(text []byte, tokens []Token) []byte {
	text = bytes.Clone(text)
	var digits [versionLength]byte
	for _, t := range tokens {
		to := r.of(t.Number)
		if to == t.Number {
			continue
		}
		end := t.At + t.length
		if t.length == uidLength { // its number has leading zeros
			copy(text[t.At+len(uidPrefix):end], "000000000000")
		}
		b := strconv.AppendUint(digits[:0], to, 10)
		copy(text[end-len(b):], b)
	}
	return text
}

// Rename is o with the other names.
func (s *Server) Rename(o *Object, r *Renaming) (*Object, error) {
	if !r.changes(o.tokens) {
		return o, nil
	}
	if len(o.raw) > 0 { // which has tokens of its own
		return s.rename(o, r)
	}
	var space [256]byte
	names := space[:0]
	for _, t := range o.tokens {
		names = binary.BigEndian.AppendUint64(names, r.of(t.Number))
	}
	if known, ok := o.renamed.Get(names); ok {
		return known, nil
	}
	out, err := s.rename(o, r)
	if err == nil {
		o.renamed.Put(names, out)
	}
	return out, err
}

func (s *Server) rename(o *Object, r *Renaming) (*Object, error) {
	text := r.rename(o.bytes, o.tokens)
	if known := s.objects.find(o.key, text); known != nil && len(o.raw) == 0 {
		return known, nil
	}
	value, err := decode(o.value, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.key, err)
	}
	return s.objects.intern(o.key, value, r.Text(o.raw))
}

// Renamed are what something is with other names for its tokens, by what AppendNames says. The zero
// one is empty.
type Renamed[T any] struct {
	mu    sync.RWMutex
	known map[string]T
}

// Get is what it is with these names, if that was put in.
func (m *Renamed[T]) Get(names []byte) (T, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	out, ok := m.known[string(names)]
	return out, ok
}

// Put notes what it is with these names.
func (m *Renamed[T]) Put(names []byte, is T) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[string]T{}
	}
	m.known[string(names)] = is
}

// decode reads an object of the type of another.
func decode(like runtime.Object, text []byte) (runtime.Object, error) {
	if _, ok := like.(*unstructured.Unstructured); ok {
		u := &unstructured.Unstructured{}
		return u, u.UnmarshalJSON(text)
	}
	o, ok := reflect.New(reflect.TypeOf(like).Elem()).Interface().(runtime.Object)
	if !ok {
		return nil, fmt.Errorf("%T is no object", like)
	}
	return o, json.Unmarshal(text, o)
}

// RenameState is a State with the other names. What is created next gets a new one.
func (s *Server) RenameState(state State, r *Renaming) (State, error) {
	if r.Same() {
		return State{objects: state.objects, created: r.uids}, nil
	}
	out := State{objects: make([]*Object, len(state.objects)), created: r.uids}
	for i, o := range state.objects {
		renamed, err := s.Rename(o, r)
		if err != nil {
			return State{}, err
		}
		out.objects[i] = renamed
	}
	return out, nil
}
