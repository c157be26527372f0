package change

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
)

// Type is what the text of a value is taken for by its format.
type Type string

// The types that formats tell apart.
const (
	Text   Type = "text"
	Number Type = "number"
	Truth  Type = "truth"
	Null   Type = "null"
	List   Type = "list"
	Map    Type = "map"
	// Reference: the value is somewhere else, and the text says where.
	Reference Type = "reference"
)

// Value is what a parameter is set to. To print it shows no secret.
type Value struct {
	Type Type
	// Secret: what it is must not be shown.
	Secret bool
	// Anchored: it is in an anchor of YAML, whose aliases have it, too.
	Anchored bool
	// Handed: it is that of a variable which is put into an argument, or into another variable: that says it, too.
	Handed bool
	text   string
	// json is a number, a truth or a list of them in JSON, where its text is none; else empty.
	json string
	// spelt is a plain scalar of YAML, a list with some, or a date of TOML, that is another thing to a decoder than
	// what it is in JSON; else empty.
	spelt string
	// repeated are the values of a flag that was given several times.
	repeated []string
	// items are those of a list, or of a flag that was given several times, or the lines of a text, with their lines in
	// the file; none where these are not known.
	items []item
	// written are the arguments of which it was read; none, and not nil, of what is no argument of the program.
	written []string
}

// item is one of several that a value has.
type item struct {
	text, json string
	line       int
}

// differs is the line of the first item that another list has not at its place; false if there is none, or no list.
func (v Value) differs(from Value) (int, bool) {
	for i, it := range v.items {
		if i >= len(from.items) || cmp.Or(from.items[i].json, from.items[i].text) != cmp.Or(it.json, it.text) {
			return it.line, true
		}
	}
	return 0, false
}

// TextOf is a value that is a part of another one.
func TextOf(text string) Value { return Value{Type: Text, text: text} }

// masked stands for a secret.
const masked = "(secret)"

// String is the value for people.
func (v Value) String() string {
	if v.Secret {
		return masked
	}
	return v.text
}

// GoString keeps secrets from %#v, too.
func (v Value) GoString() string { return v.String() }

// MarshalText is the value in reports.
func (v Value) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Reveal is the value for the program under test; it is not for reports.
func (v Value) Reveal() string { return v.text }

// meant is the text, or what it stands for in JSON: 16 for 0x10, true for True. A number that JSON has, too, is as it
// is written: 1.10 may be a text to the program.
func (v Value) meant() string { return cmp.Or(v.json, v.text) }

// equal tells whether two values are the same to every decoder: a text that is off is another one without its quotes,
// which many take for false.
func (v Value) equal(other Value) bool {
	switch {
	case v.Type != other.Type || v.meant() != other.meant():
		return false
	case v.Type == List:
		return v.spelt == other.spelt
	}
	return v.Type != Text || (v.spelt == "") == (other.spelt == "")
}

// quoted is a text as an item of a list.
func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil { // no text is refused
		return text
	}
	return string(out)
}

// All are the values of a flag that was given several times, or the only one.
func (v Value) All() []string {
	if v.repeated == nil {
		return []string{v.text}
	}
	return v.repeated
}

// Spelt is a plain scalar of YAML, a list with some, or a date of TOML, as it is written, if a decoder may make
// something else of it than of its JSON: yes is a truth to some, 08 a text, 2024-01-01 a time. Empty for anything else.
func (v Value) Spelt() string { return v.spelt }

// Not is the other truth.
func (v Value) Not() Value {
	v.text, v.json, v.spelt, v.written = strconv.FormatBool(v.meant() != "true"), "", "", nil
	return v
}

// Apart is a flag whose value was an argument of its own as one without, and the argument; false if it was not.
func (v Value) Apart() (on, behind Value, is bool) {
	if len(v.written) != 2 || v.repeated != nil {
		return Value{}, Value{}, false
	}
	return Value{Type: Truth, text: "true", written: v.written[:1]}, Value{Type: v.Type, Secret: v.Secret, text: v.text}, true
}

// MayDiffer tells whether some flag is said with its value as an argument of its own in one version, and in one with it
// in the other: to a program whose flag is a truth that is another value, and who reads the arguments does not know
// that.
func MayDiffer(before, after []Setting) bool {
	apart := func(s Setting) bool {
		_, _, is := s.Value.Apart()
		return is
	}
	return slices.ContainsFunc(before, func(b Setting) bool {
		return b.Kind == Flag && slices.ContainsFunc(after, func(a Setting) bool { return a.Identity == b.Identity && apart(a) != apart(b) })
	})
}

// Written are the arguments that say so, as they were read: -v 2 and --strict, which not every library takes as --v=2
// and --strict=true. Nil of a value that was made, or that stands by itself.
func (v Value) Written() []string { return v.written }
