package change

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// node is a value in a file, whatever its format, with its line.
type node struct {
	line     int
	typ      Type
	text     string
	json     string   // of a number or a truth: the same in JSON, if the text is none
	spelt    string   // of a plain scalar of YAML, or a date of TOML: its text, if that is another thing to a decoder than what it is in JSON
	keys     []string // of a map
	children []*node  // of a map or a list
	// anchored: it is in an anchor, whose aliases have it, too.
	anchored bool
	// hidden: it is a secret, or a part of it is.
	hidden bool
	// first is the line on which the text begins, if its lines are those of the file.
	first int
}

// get is what a map has at a key; nil if it has nothing there, or is no map.
func (n *node) get(key string) *node {
	if n == nil || n.typ != Map {
		return nil
	}
	for i, k := range n.keys {
		if k == key {
			return n.children[i]
		}
	}
	return nil
}

// at is what is several maps below.
func (n *node) at(keys ...string) *node {
	for _, k := range keys {
		n = n.get(k)
	}
	return n
}

// says is the text of a scalar, and nothing of anything else.
func (n *node) says() string {
	if n == nil || n.typ == Map || n.typ == List {
		return ""
	}
	return n.text
}

// items are those of a list.
func (n *node) items() []*node {
	if n == nil || n.typ != List {
		return nil
	}
	return n.children
}

// set adds a key to a map.
func (n *node) set(key string, child *node) {
	n.keys, n.children = append(n.keys, key), append(n.children, child)
}

const (
	mostBytes  = 16 << 20
	mostNodes  = 200_000
	mostNested = 200
)

var (
	errMany = errors.New("has more values than a configuration has: is it one?")
	errDeep = fmt.Errorf("is nested more than %d deep", mostNested)
)

// inJSON is a number or a truth as JSON has it, if its text is not that; empty where JSON has none.
func inJSON(text string, value any) string {
	out, err := json.Marshal(value)
	if err != nil || json.Valid([]byte(text)) { // an infinite one
		return ""
	}
	return string(out)
}

// wrong is an error of a line.
func wrong(file string, line int, message any) error {
	return fmt.Errorf("%s:%d: %v", file, max(line, 1), message)
}

// leaf is a value without anything below it, its path, and the lines of the keys that lead to it.
type leaf struct {
	path  string
	lines []int
	*node
}

// leaves are those of a tree, in its order. A list of scalars is one value.
func (n *node) leaves(path string, lines ...int) []leaf {
	if path != "" {
		lines = append(slices.Clone(lines), n.line)
	}
	switch {
	case n.typ == Map && len(n.children) > 0:
		var out []leaf
		for i, k := range n.keys {
			out = append(out, n.children[i].leaves(join(path, k), lines...)...)
		}
		return out
	case n.typ == List && !n.plain():
		var out []leaf
		for i, c := range n.children {
			out = append(out, c.leaves(path+"["+strconv.Itoa(i)+"]", lines...)...)
		}
		return out
	}
	return []leaf{{path, lines, n}}
}

// plain says that a list has only scalars.
func (n *node) plain() bool {
	for _, c := range n.children {
		if c.typ == Map || c.typ == List {
			return false
		}
	}
	return true
}

// value is what a leaf says.
func (n *node) value() Value {
	switch n.typ {
	case Map:
		return Value{Type: Map, Anchored: n.anchored, text: "{}"}
	case List:
		var all, plain, bare []string
		var items []item
		for _, c := range n.children {
			text, it := c.text, item{text: c.text, json: c.json, line: c.line}
			if c.typ == Text {
				text = quoted(c.text)
				it.text = cmp.Or(c.spelt, text)
			}
			all, bare, items = append(all, text), append(bare, cmp.Or(it.json, it.text)), append(items, it)
			plain = append(plain, cmp.Or(it.json, text))
		}
		list := func(of []string) string { return "[" + strings.Join(of, ", ") + "]" }
		out := Value{Type: List, Anchored: n.anchored, text: list(all), items: items}
		if !slices.Equal(all, plain) {
			out.json = list(plain)
		}
		if !slices.Equal(bare, plain) {
			out.spelt = list(bare)
		}
		return out
	}
	out := Value{Type: n.typ, Anchored: n.anchored, text: n.text, json: n.json, spelt: n.spelt}
	if n.first > 0 {
		for i, line := range split([]byte(n.text)) {
			out.items = append(out.items, item{text: line, line: n.first + i})
		}
	}
	return out
}

// join is a path with one key more. A key with a dot in it is told from two.
func join(path, key string) string {
	switch {
	case key == "" || strings.ContainsAny(key, ".[]\""):
		return path + "[" + quoted(key) + "]"
	case path == "":
		return key
	}
	return path + "." + key
}
