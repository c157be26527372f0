package kubestate

import (
	"bytes"
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
	At   int
	Text string
}

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
		switch {
		case n == versionLength && text[i] == '1':
			found = append(found, Token{i, string(text[i : i+n])})
		case n == generationLength && string(text[i:i+len(generationPrefix)]) == generationPrefix:
			found = append(found, Token{i, string(text[i : i+n])})
		case text[i] == uidPrefix[0] && i+uidLength <= len(text) && string(text[i:i+len(uidPrefix)]) == uidPrefix:
			n = uidLength
			found = append(found, Token{i, string(text[i : i+n])})
		}
		i += n
	}
	return found
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// Renaming gives the tokens of a State other names, so that States that differ in what was
// counted only become the same: UIDs by the order in which they are first seen, and the
// resourceVersions and the generations of each object by their order.
type Renaming struct {
	to   map[string]string
	uids int
}

// NewRenaming is that of tokens in the order in which they are found.
func NewRenaming(tokens []string) *Renaming {
	r := &Renaming{to: map[string]string{}}
	versions, generations := map[uint64][]uint64{}, map[uint64][]uint64{} // by key
	for _, t := range tokens {
		if r.to[t] != "" {
			continue
		}
		if len(t) == uidLength {
			r.uids++
			r.to[t] = string(uidToken(uint64(r.uids)))
			continue
		}
		r.to[t] = t
		n, err := strconv.ParseUint(t, 10, 64)
		switch {
		case err != nil:
		case len(t) == generationLength:
			generations[n/generationMax] = append(generations[n/generationMax], n)
		default:
			versions[n%keyMax] = append(versions[n%keyMax], n)
		}
	}
	for key, all := range versions {
		slices.Sort(all)
		for i, n := range all {
			r.to[strconv.FormatUint(n, 10)] = strconv.FormatUint(leading+uint64(i+1)*step+key, 10)
		}
	}
	for key, all := range generations {
		slices.Sort(all)
		for i, n := range all {
			r.to[strconv.FormatUint(n, 10)] = strconv.FormatUint(key*generationMax+uint64(i+1), 10)
		}
	}
	return r
}

// Text is text with the other names. What is not renamed is returned as it is.
func (r *Renaming) Text(text []byte) []byte {
	changed := false
	for _, t := range Tokens(text) {
		if to := r.to[t.Text]; to != "" && to != t.Text {
			if !changed {
				text, changed = bytes.Clone(text), true
			}
			copy(text[t.At:], to)
		}
	}
	return text
}

// Rename is o with the other names.
func (s *Server) Rename(o *Object, r *Renaming) (*Object, error) {
	text := r.Text(o.bytes)
	if len(text) == 0 || len(o.bytes) == 0 || &text[0] == &o.bytes[0] {
		return o, nil
	}
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
	out := State{objects: make([]*Object, len(state.objects)), created: uint64(r.uids)}
	for i, o := range state.objects {
		renamed, err := s.Rename(o, r)
		if err != nil {
			return State{}, err
		}
		out.objects[i] = renamed
	}
	return out, nil
}
