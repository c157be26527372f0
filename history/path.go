package history

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

const (
	patternBytesMax    = 1024
	patternElementsMax = 64
)

// element is one step of a path: a key, or an item of a list by its key or
// position. In a mask it may be a wildcard.
type element struct {
	text string
	// glob tells that each * in text stands for any characters; deep that the
	// element stands for any number of elements, also none.
	glob, deep bool
	// bracket tells that it stood in brackets.
	bracket bool
}

// Element is one step of the path of a [Change].
type Element struct {
	// Name is the key of a map, or what an item of a list is known by.
	Name string
	// Item tells that it is an item of a list. A key that is no word, such as example.com/team, looks like an
	// item: it is taken for one where Kubernetes knows the list, and for a key elsewhere.
	Item bool
	// Key is the field of the item that holds its name; empty if there is none, or several.
	Key string
}

// Elements takes the path of a [Change] apart.
func Elements(path string) ([]Element, error) {
	parsed, err := parsePath(path)
	if err != nil {
		return nil, err
	}
	out := make([]Element, len(parsed))
	for i, e := range parsed {
		out[i].Name = e.text
		if !e.bracket {
			continue
		}
		field := ""
		if i > 0 {
			field = out[i-1].Name
		}
		list, known := lists[field]
		word := strings.IndexFunc(e.text, func(r rune) bool { return !bare(r) }) < 0 // a key that is one needs no brackets
		if !known && !word && field != "finalizers" {
			continue
		}
		out[i].Item = true
		_, position := strconv.Atoi(e.text)
		switch {
		case position == nil, field == "finalizers":
		case !known:
			out[i].Key = "name"
		case len(list.keys) == 1 && len(list.keys[0]) == 1:
			out[i].Key = list.keys[0][0]
		}
	}
	return out, nil
}

func (e element) matches(name string) bool {
	return e.deep || e.text == name || e.glob && globs(e.text, name)
}

// globs matches a pattern with at least one *.
func globs(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	first, last := parts[0], parts[len(parts)-1]
	if len(name) < len(first)+len(last) || !strings.HasPrefix(name, first) || !strings.HasSuffix(name, last) {
		return false
	}
	name = name[len(first) : len(name)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name = name[i+len(part):]
	}
	return true
}

// join spells the path of a key below path, as parsePath reads it.
func join(path, key string) string {
	if key != "" && strings.IndexFunc(key, func(r rune) bool { return !bare(r) || r == '*' }) < 0 {
		if path == "" {
			return key
		}
		return path + "." + key
	}
	return item(path, key)
}

// item spells the path of an item of a list, or of a key that is no word.
func item(path, key string) string {
	plain := key != "" && strings.IndexFunc(key, func(r rune) bool {
		return strings.ContainsRune(`[]"*`, r) || !unicode.IsPrint(r) || r == unicode.ReplacementChar
	}) < 0
	if plain {
		return path + "[" + key + "]"
	}
	return path + "[" + strconv.Quote(key) + "]"
}

// bare tells whether a key with r needs no brackets.
func bare(r rune) bool {
	return r == '*' || r == '_' || r == '-' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// parsePath reads a path: words separated by dots, and anything in brackets,
// which may be quoted.
func parsePath(text string) ([]element, error) {
	var elements []element
	for rest := text; rest != ""; {
		if len(elements) == patternElementsMax {
			return nil, fmt.Errorf("more than %d elements", patternElementsMax)
		}
		var e element
		var err error
		if strings.HasPrefix(rest, "[") {
			e, rest, err = bracket(rest)
		} else {
			e, rest, err = word(rest, len(elements) == 0)
		}
		if err != nil {
			return nil, err
		}
		elements = append(elements, e)
	}
	return elements, nil
}

// word reads a bare element, behind a dot unless it is the first.
func word(rest string, first bool) (element, string, error) {
	if !first {
		var dotted bool
		if rest, dotted = strings.CutPrefix(rest, "."); !dotted {
			return element{}, "", fmt.Errorf("want a dot or a bracket before %q", rest)
		}
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return !bare(r) })
	if end < 0 {
		end = len(rest)
	}
	if end == 0 {
		return element{}, "", fmt.Errorf("want a name before %q", rest)
	}
	return wildcard(rest[:end]), rest[end:], nil
}

func bracket(rest string) (element, string, error) {
	rest = rest[1:]
	if strings.HasPrefix(rest, `"`) {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return element{}, "", errors.New("a quoted name does not end")
		}
		text, err := strconv.Unquote(quoted)
		if err != nil || !strings.HasPrefix(rest[len(quoted):], "]") {
			return element{}, "", fmt.Errorf("want ] behind %s", quoted)
		}
		return element{text: text, bracket: true}, rest[len(quoted)+1:], nil
	}
	text, rest, closed := strings.Cut(rest, "]")
	switch {
	case !closed:
		return element{}, "", errors.New("a bracket is not closed")
	case text == "":
		return element{}, "", errors.New("empty brackets")
	case strings.ContainsAny(text, `["`):
		return element{}, "", fmt.Errorf("[%s] needs quotes", text)
	}
	e := wildcard(text)
	e.bracket = true
	return e, rest, nil
}

func wildcard(text string) element {
	return element{text: text, glob: strings.Contains(text, "*"), deep: text == "**"}
}
