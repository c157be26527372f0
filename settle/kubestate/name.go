package kubestate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/zeebo/xxh3"
)

// prefixMax is how many bytes of metadata.generateName are used, as in kube-apiserver.
const prefixMax = 58

// A generated name is its prefix and, as in kube-apiserver, five characters: a letter and four
// digits, which are counted by prefix.
const (
	nameLetter = 'x'
	nameDigits = 4
	nameMax    = 10_000
	nameFormat = "%s%c%04d"
)

// named is r with the name that kube-apiserver would draw for an object without one, if
// it is to create such a thing: one that nobody has heard of. Where names are tokens it is behind
// all that are known, so that those of a prefix are in the order in which they were drawn,
// whatever they are renamed to; else it is the first that is free.
func (s *Server) named(state State, r *Request) *Request {
	if r.Verb != "create" || r.Subresource != "" || !bytes.Contains(r.Body, []byte("generateName")) && !bytes.Contains(r.Body, []byte(`\u`)) {
		return r
	}
	prefix, ok := s.memo.prefix(r.Body)
	if !ok {
		return r
	}
	of := s.names.add(prefix)
	var known []uint64
	hear := func(n uint64) {
		if n >= leastName && n>>nameShift == of>>nameShift {
			known = append(known, n%(1<<nameShift))
		}
	}
	all := s.Tokens(r.Body)
	for _, o := range state.objects {
		all = append(all, o.tokens...)
	}
	for _, t := range all {
		hear(t.Number)
	}
	if r.Heard != nil {
		for _, n := range r.Heard() {
			hear(n)
		}
	}
	for {
		n := s.next(known)
		name := fmt.Sprintf(nameFormat, prefix, nameLetter, n)
		if state.Get(r.key(name)) != nil { // it is older than the prefix
			known = append(known, n)
			continue
		}
		text, err := withName(r.Body, name)
		if err != nil {
			return r
		}
		other := *r
		other.Body = text
		return &other
	}
}

// next is the number of a name beside those that are known.
func (s *Server) next(known []uint64) uint64 {
	slices.Sort(known)
	known = slices.Compact(append([]uint64{0}, known...))
	if last := known[len(known)-1]; s.renamed && last+1 < nameMax {
		return last + 1
	}
	for i, n := range known {
		if uint64(i) < n {
			return uint64(i)
		}
	}
	return uint64(len(known))
}

// prefixes are those of all names that were generated: it is those that are found in a text.
type prefixes struct {
	mu sync.Mutex
	// known are sorted, the shortest first; it is never changed, but replaced.
	known atomic.Pointer[[]prefix]
}

// prefix is that of generated names. Digits of tokens in it are any: they may be renamed.
type prefix struct {
	text string
	// of is the least number of the names with it.
	of uint64
}

// anyDigit stands for a digit of a token in a prefix.
const anyDigit = '#'

// Drawn tells whether a name was ever generated.
func (s *Server) Drawn() bool { return s.names.known.Load() != nil }

// add notes a prefix, and gives the least number of the names with it.
func (n *prefixes) add(text string) uint64 {
	masked := string(mask([]byte(text), Tokens([]byte(text), n)))
	n.mu.Lock()
	defer n.mu.Unlock()
	var all []prefix
	if known := n.known.Load(); known != nil {
		all = *known
	}
	if !slices.ContainsFunc(all, func(p prefix) bool { return p.text == masked }) {
		all = append(slices.Clone(all), prefix{masked, leastName | xxh3.HashString(segment(masked))<<nameShift})
		slices.SortStableFunc(all, func(a, b prefix) int { return len(a.text) - len(b.text) })
		n.known.Store(&all)
	}
	of, _ := n.find([]byte(text))
	return of
}

// segment is the end of a prefix from where its last word begins. Names of one such end are
// counted together, so that it is the same ones whatever comes before: a name is also found
// as a part of another.
func segment(prefix string) string {
	word := func(c rune) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == anyDigit }
	end := strings.LastIndexFunc(prefix, word)
	return prefix[strings.LastIndexFunc(prefix[:end+1], func(c rune) bool { return !word(c) })+1:]
}

// find is the least number of the names whose prefix ends here: the shortest that was noted.
func (n *prefixes) find(before []byte) (uint64, bool) {
	known := n.known.Load()
	if known == nil {
		return 0, false
	}
	for i := range *known {
		if p := &(*known)[i]; p.ends(before) {
			return p.of, true
		}
	}
	return 0, false
}

// ends tells whether a text ends with a prefix.
func (p *prefix) ends(text []byte) bool {
	at := len(text) - len(p.text)
	if at < 0 {
		return false
	}
	for i := range len(p.text) {
		if c := text[at+i]; c != p.text[i] && (p.text[i] != anyDigit || !digit(c)) {
			return false
		}
	}
	return true
}

// Mask is a text in which the digits of tokens are any: what is the same in two texts that differ
// in what was counted only.
func (s *Server) Mask(text string) string {
	tokens := s.Tokens([]byte(text))
	if len(tokens) == 0 {
		return text
	}
	return string(mask([]byte(text), tokens))
}

// mask is a text in which the digits of tokens are any.
func mask(text []byte, tokens []Token) []byte {
	text = bytes.Clone(text)
	for _, t := range tokens {
		for i := t.At; i < t.At+t.length; i++ {
			if digit(text[i]) {
				text[i] = anyDigit
			}
		}
	}
	return text
}

// prefix is that of the names that are drawn for an object; it is false if it has a name. It is remembered,
// since the same object is created a thousand times.
func (m *memo) prefix(body []byte) (prefix string, ok bool) {
	of := xxh3.Hash128(body)
	if known, ok := m.prefixes.Load(of); ok {
		prefix, _ = known.(string)
		return prefix, prefix != ""
	}
	if all, err := parsed(body); err == nil { // or the handler says what is wrong
		meta, _ := all["metadata"].(map[string]any)
		if name, _ := meta["name"].(string); name == "" {
			prefix, _ = meta["generateName"].(string)
		}
	}
	prefix = prefix[:min(len(prefix), prefixMax)]
	m.prefixes.Store(of, prefix)
	return prefix, prefix != ""
}

// withName is an object with a name.
func withName(body []byte, name string) ([]byte, error) {
	all, err := parsed(body)
	if err != nil {
		return nil, err
	}
	if meta, ok := all["metadata"].(map[string]any); ok {
		meta["name"] = name
	}
	return json.Marshal(all)
}

func parsed(body []byte) (all map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber() // not all that are whole fit into what is read otherwise
	return all, d.Decode(&all)
}

// key is where an object of the request's resource with a name is stored.
func (r *Request) key(name string) string {
	group := r.Resource.Group
	if group == "" {
		group = "core"
	}
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	return "/" + group + "/" + r.Resource.Resource + "/" + name
}
