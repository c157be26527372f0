package value

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Kind is whether a value may be given.
type Kind string

// The kinds.
const (
	Valid   Kind = "valid"
	Invalid Kind = "invalid"
	// Unsure: it may be meant, as none, or as something that is not known here.
	Unsure Kind = "unsure"
)

// Candidate is a value that is tried.
type Candidate struct {
	// Text is the value as the protocol has it: JSON for keys of files.
	Text string
	Kind Kind
	// Says is what it is, as the end of a sentence: above the largest port.
	Says string
}

// About is what is known of a parameter.
type About struct {
	// Name is what it is called, and Known its value; empty for none. JSON: values are JSON.
	Name, Known string
	JSON        bool
	// Type is that of Go; empty if nothing says so.
	Type string
	// Members are all valid values, if there are only some, and Constants what the code compares it with.
	Members, Constants []string
	// Words are those that its type compares a text with when it reads itself: it may take some of them only.
	Words []string
	// Listed are those that its comment says that there are.
	Listed []string
	// Least and Most are bounds that the module states; empty for none.
	Least, Most string
}

// sort is a sort of values: numbers, durations. Of those that know a parameter, the one of the lowest rank gives its
// candidates.
type sort struct {
	rank       int
	name       string
	is         func(p *asked) bool
	candidates func(p *asked)
}

var sorts []sort

// sorted adds a sort from the initialisation of the file that defines it.
func sorted(s sort) {
	sorts = append(sorts, s)
	slices.SortFunc(sorts, func(a, b sort) int { return cmp.Compare(a.rank, b.rank) })
}

// asked is a parameter of which candidates are made.
type asked struct {
	About
	plain string // the known value as text
	value any    // and as JSON, if it is
	text  bool   // a text in JSON, or no JSON
	words []string
	found []Candidate
}

// Candidates are values of a parameter that are worth to be tried, valid ones first, and of what sort it is; what is
// known is not among them.
func Candidates(about About) (of string, out []Candidate) {
	p := &asked{About: about, plain: about.Known, text: !about.JSON, words: Words(about.Name)}
	if about.JSON && json.Unmarshal([]byte(about.Known), &p.value) == nil {
		if text, is := p.value.(string); is {
			p.plain, p.text = text, true
		}
	}
	for _, s := range sorts {
		if s.is(p) {
			of = s.name
			s.candidates(p)
			break
		}
	}
	kinds := []Kind{Valid, Invalid, Unsure}
	slices.SortStableFunc(p.found, func(a, b Candidate) int {
		return cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind))
	})
	return of, p.found
}

// add adds a value in the form that the known one has.
func (p *asked) add(kind Kind, text, says string) {
	if p.JSON && (p.text || !json.Valid([]byte(text))) {
		text = quoted(text)
	}
	p.raw(kind, text, says)
}

// raw adds a value as it is.
func (p *asked) raw(kind Kind, text, says string) {
	if text != p.Known && !slices.ContainsFunc(p.found, func(c Candidate) bool { return c.Text == text }) {
		p.found = append(p.found, Candidate{text, kind, says})
	}
}

// bare adds what is no text in JSON.
func (p *asked) bare(kind Kind, text, says string) { p.raw(kind, text, says) }

// typed tells whether the type of Go is one of some.
func (p *asked) typed(names ...string) bool {
	return slices.Contains(names, strings.TrimPrefix(p.Type, "*"))
}

// shaped tells whether nothing says more than the value does: there is no type, or that of a text, or one that reads
// itself.
func (p *asked) shaped() bool {
	return p.Type == "" || !slices.Contains(basic, strings.TrimPrefix(p.Type, "*"))
}

// basic are types that say what a value is.
var basic = []string{
	"bool", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "time.Duration",
}

// named tells whether one of the last two words of the name is one of some.
func (p *asked) named(names ...string) bool {
	return slices.ContainsFunc(p.words[max(0, len(p.words)-2):], func(w string) bool { return slices.Contains(names, w) })
}

func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil { // no text is refused
		return text
	}
	return string(out)
}

var border = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// Words are those of a name, in small letters.
func Words(name string) []string {
	return strings.FieldsFunc(strings.ToLower(border.ReplaceAllString(name, "$1 $2")), func(r rune) bool { return !unicode.IsLetter(r) })
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// general are words of many names, which say nothing of what they are about.
var general = []string{
	"enable", "enabled", "disable", "disabled", "max", "min", "maximum", "minimum", "default", "timeout", "interval", "period", "size", "count", "limit", "number", "log", "level", "name", "type", "kind", "mode", "port", "host", "address", "path", "file", "url", "use",
}

// EndsWith tells whether the last words of a name are those of another one, however they are joined.
func EndsWith(name, end string) bool {
	plain := func(name string) string {
		return strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(name))
	}
	before, is := strings.CutSuffix(plain(name), plain(end))
	if !is || end == "" {
		return false
	}
	whole := ""
	for _, word := range append([]string{""}, strings.FieldsFunc(border.ReplaceAllString(name, "$1 $2"), func(r rune) bool { return strings.ContainsRune("-_. ", r) })...) {
		if whole += strings.ToLower(word); whole == before {
			return true
		}
	}
	return false
}

// General tells whether a word is one of many names, and says nothing of what they are about.
func General(word string) bool { return slices.Contains(general, word) }

// Akin tells whether two names have a word in common that says what they are about.
func Akin(a, b string) bool {
	of := Words(b)
	return slices.ContainsFunc(Words(a), func(word string) bool { return slices.Contains(of, word) && !General(word) })
}
