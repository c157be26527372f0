package kubestate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"

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
	to   map[uint64]uint64 // nil: all stay what they are
	uids uint64
}

// UIDs is how many there are.
func (r *Renaming) UIDs() uint64 { return r.uids }

// Same tells that all tokens stay what they are.
func (r *Renaming) Same() bool { return r.to == nil }

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
	r.to = make(map[uint64]uint64, len(uids)+len(counted))
	if !same {
		r.uids = uint64(len(uids))
	}
	for i := range r.uids {
		n := i + 1
		if !same {
			n = uids[i]
		}
		r.to[n] = i + 1
	}
	ranked(counted, func(n, to uint64) bool {
		r.to[n] = to
		return true
	})
	return r
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
func (r *Renaming) Renames(n uint64) bool {
	to, ok := r.to[n]
	return ok && to != n
}

// Text is text with the other names. What is not renamed is returned as it is.
func (r *Renaming) Text(text []byte) []byte {
	if r.to == nil || len(text) == 0 {
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
		to, ok := r.to[t.Number]
		if !ok || to == t.Number {
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
