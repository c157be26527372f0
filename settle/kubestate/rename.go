package kubestate

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"iter"
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

// Token is a UID, a resourceVersion, a generation or the end of a generated name in a text.
type Token struct {
	// At is where it is, and Number which: no two different tokens have the same.
	At     int
	Number uint64
	length int
}

// End is where it ends.
func (t Token) End() int { return t.At + t.length }

// Tokens finds the UIDs, resourceVersions, generations and ends of generated names in a text, in
// order.
func (s *Server) Tokens(text []byte) []Token { return Tokens(text, s.names) }

// Tokens finds tokens; names have these prefixes, and none are found without.
func Tokens(text []byte, names *prefixes) []Token {
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
		at, counted := i, i // where it begins, and its number
		var of uint64
		switch {
		case n == nameDigits && i > 0 && text[i-1] == nameLetter:
			var known bool
			if of, known = names.find(text[:i-1]); !known {
				i += n
				continue
			}
			at, n = i-1, n+1
		case n == versionLength && text[i] == '1':
		case n == generationLength && string(text[i:i+len(generationPrefix)]) == generationPrefix:
		case text[i] == uidPrefix[0] && i+uidLength <= len(text) && string(text[i:i+len(uidPrefix)]) == uidPrefix:
			n = uidLength
			counted += len(uidPrefix)
		default:
			i += n
			continue
		}
		if number, err := strconv.ParseUint(string(text[counted:at+n]), 10, 64); err == nil {
			found = append(found, Token{at, of + number, n})
		}
		i = at + n
	}
	return found
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// The numbers of UIDs are below those of generations, those below those of versions, and those
// below those of names, which are a prefix and, in the lowest bits, what is counted.
const (
	leastGeneration = 1_000_000_000_000
	leastVersion    = 10_000_000_000_000_000
	leastName       = 1 << 63
	nameShift       = 14
)

// IsName tells whether the number of a token is that of a generated name.
func IsName(number uint64) bool { return number >= leastName }

// Renaming gives the tokens of a State other names, so that States that differ in what was
// counted only become the same: UIDs by the order in which they are first seen, and generated
// names, and the resourceVersions and the generations of each object, by their order. So names of
// one prefix stay in order, and with them lists.
type Renaming struct {
	// to are those that get another name, by their numbers: none if all stay what they are.
	to    []renamed
	uids  uint64
	names *prefixes
	// counted are the numbers of all but UIDs.
	counted []uint64
}

// renamed is a token that gets another name, by its number.
type renamed struct{ from, to uint64 }

// UIDs is how many there are.
func (r *Renaming) UIDs() uint64 { return r.uids }

// Same tells that all tokens stay what they are.
func (r *Renaming) Same() bool { return len(r.to) == 0 }

// group is the object that a version or generation is of, or the prefix of a name, and first the
// number before its first.
func group(n uint64) (of, first, next uint64) {
	switch {
	case n >= leastName:
		of = n >> nameShift
		return of, of << nameShift, 1
	case n < leastVersion:
		of = n / generationMax
		return of, of * generationMax, 1
	}
	return leastVersion + n%keyMax, leading + n%keyMax, step
}

// NewRenaming is that of the numbers of tokens, in the order in which they are found. The
// slice is sorted afterwards. The keys are those of all objects there are: what is counted by a key
// is counted by the new one, if that has another name.
func (s *Server) NewRenaming(numbers []uint64, keys iter.Seq[string]) *Renaming {
	r := &Renaming{names: s.names}
	same, counted := true, numbers[:0]
	var uids []uint64
	for _, n := range numbers {
		switch {
		case n >= leastName && !s.renamed:
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
	slices.SortFunc(counted, compareCounted)
	counted = slices.Compact(counted)
	r.counted = counted
	one := func(uint64) uint64 { return 1 }
	if same && ranked(counted, one, func(n, to uint64) bool { return n == to }) {
		return r
	}
	r.to = make([]renamed, 0, len(uids)+len(counted))
	if !same {
		r.uids = uint64(len(uids))
		for i, n := range uids {
			r.add(n, uint64(i+1))
		}
	}
	r.order(keys, one)
	return r
}

// add has a token get another name.
func (r *Renaming) add(n, to uint64) bool {
	if n != to {
		r.to = append(r.to, renamed{n, to})
	}
	return true
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

// Another gives tokens names that could have been theirs as well, so that nobody may see a
// difference: any UIDs, and names, versions and generations in the order in which they are. Draw is a
// number below its argument, by chance.
func (s *Server) Another(numbers []uint64, keys iter.Seq[string], draw func(below uint64) uint64) *Renaming {
	r := &Renaming{names: s.names}
	slices.SortFunc(numbers, compareCounted)
	var uids []uint64
	for _, n := range slices.Compact(numbers) {
		switch {
		case n >= leastName && !s.renamed || n == 0:
		case n >= leastGeneration:
			r.counted = append(r.counted, n)
		default:
			uids = slices.Insert(uids, int(draw(uint64(len(uids))+1)), n)
		}
	}
	for _, n := range uids {
		r.uids += 1 + draw(3)
		r.add(n, r.uids)
	}
	r.order(keys, func(n uint64) uint64 {
		if n < leastVersion && n%generationMax == 1 {
			return 1 // what is created again begins with it
		}
		return 1 + draw(3)
	})
	return r
}

// Shifted has other generated names in the place of those among the numbers, in the same order, and
// all else as it is; nil if there are none that can be renamed.
func (s *Server) Shifted(numbers []uint64) *Renaming {
	r := &Renaming{names: s.names}
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		counted := n % (1 << nameShift)
		if to := shift + 2*counted; n >= leastName && s.renamed && to < nameMax {
			r.add(n, n-counted+to)
		}
	}
	if r.Same() {
		return nil
	}
	return r
}

// shift is more names of one prefix than there mostly are.
const shift = 3_000

func compareCounted(a, b uint64) int {
	x, _, _ := group(a)
	y, _, _ := group(b)
	return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
}

// order gives all but UIDs, which have theirs, numbers in their order: generated names, and then
// versions and generations, by the new keys of their objects. Gap is by how much one is larger than
// the one before.
func (r *Renaming) order(keys iter.Seq[string], gap func(uint64) uint64) {
	byNumber := func(a, b renamed) int { return cmp.Compare(a.from, b.from) }
	var names, rest []uint64
	for _, n := range r.counted {
		if n >= leastName {
			names = append(names, n)
		} else {
			rest = append(rest, n)
		}
	}
	ranked(names, gap, r.add)
	slices.SortFunc(r.to, byNumber)
	if first := r.firsts(keys); len(first) == 0 {
		ranked(rest, gap, r.add)
	} else {
		r.move(rest, first, gap)
	}
	slices.SortFunc(r.to, byNumber)
}

// firsts are the first versions and generations of the new keys by those of the old ones.
func (r *Renaming) firsts(keys iter.Seq[string]) map[uint64]uint64 {
	first := map[uint64]uint64{}
	if r.Same() || keys == nil {
		return nil
	}
	for key := range keys {
		if now := string(r.Text([]byte(key))); now != key {
			first[firstVersion(0, key)] = firstVersion(0, now)
			first[uint64(FirstGeneration(key))] = uint64(FirstGeneration(now))
		}
	}
	return first
}

// move gives versions and generations numbers of the new keys.
func (r *Renaming) move(numbers []uint64, firsts map[uint64]uint64, gap func(uint64) uint64) {
	was := map[uint64][]uint64{}
	var moved []uint64
	for _, n := range numbers {
		_, first, next := group(n)
		if next != step { // a version may be of the creation 0
			first += next
		}
		m := n
		if now, ok := firsts[first]; ok {
			m = n - first + now
		}
		was[m] = append(was[m], n)
		moved = append(moved, m)
	}
	slices.SortFunc(moved, compareCounted)
	ranked(slices.Compact(moved), gap, func(m, to uint64) bool {
		for _, n := range was[m] {
			r.add(n, to)
		}
		return true
	})
}

// ranked gives each of the sorted numbers, with what it is by its place in its group, until it is
// told to end; then it is false. To the one before there is a gap.
func ranked(counted []uint64, gap func(uint64) uint64, yield func(n, to uint64) bool) bool {
	var last, to uint64
	for i, n := range counted {
		of, first, next := group(n)
		if i == 0 || of != last {
			last, to = of, first
		}
		to += next * gap(n)
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

// Keeps tells whether there is a token of this number, no UID, which stays what it is.
func (r *Renaming) Keeps(n uint64) bool {
	_, there := slices.BinarySearchFunc(r.counted, n, compareCounted)
	return there && !r.Renames(n)
}

// Text is text with the other names. What is not renamed is returned as it is.
func (r *Renaming) Text(text []byte) []byte {
	if r.Same() || len(text) == 0 {
		return text
	}
	tokens := Tokens(text, r.names)
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
		switch t.length { // those whose numbers have leading zeros
		case uidLength:
			copy(text[t.At+len(uidPrefix):end], "000000000000")
		case nameDigits + 1:
			to %= 1 << nameShift
			copy(text[t.At+1:end], "0000")
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
	text, key := r.rename(o.bytes, o.tokens), string(r.Text([]byte(o.key)))
	if known := s.objects.find(key, text); known != nil && len(o.raw) == 0 {
		return known, nil
	}
	value, err := decode(o.value, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.key, err)
	}
	return s.objects.intern(key, value, r.Text(o.raw))
}

// RenameAll are sorted objects with the other names, sorted.
func (s *Server) RenameAll(objects []*Object, r *Renaming) ([]*Object, error) {
	out := make([]*Object, len(objects))
	for i, o := range objects {
		renamed, err := s.Rename(o, r)
		if err != nil {
			return nil, err
		}
		out[i] = renamed
	}
	byKey := func(a, b *Object) int { return cmp.Compare(a.key, b.key) }
	if !slices.IsSortedFunc(out, byKey) { // a UID is a part of a key
		slices.SortFunc(out, byKey)
	}
	return out, nil
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
	objects, err := s.RenameAll(state.objects, r)
	return State{objects: objects, created: r.uids}, err
}
