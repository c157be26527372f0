package change

import (
	"slices"
	"strings"
)

// parseINI reads sections with keys; offset is the line before the first. What stands before the first section is at
// the root.
func parseINI(file string, offset int, text []byte) (*node, error) {
	root := &node{typ: Map, line: offset + 1}
	section := root
	lines := split(text)
	for i := 0; i < len(lines); i++ {
		at := offset + i + 1
		line := strings.TrimSpace(lines[i])
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if line[0] == '[' {
			name, _, is := strings.Cut(line[1:], "]")
			if !is {
				return nil, wrong(file, at, "the bracket of a section is not closed")
			}
			section = root.section(name, at)
			continue
		}
		quote := opened(line)
		for quote == "" && continued(line) && i+1 < len(lines) {
			i++
			line = line[:len(line)-1] + strings.TrimSpace(lines[i])
		}
		for quote != "" { // the lines behind it are as they are
			if i++; i == len(lines) {
				return nil, wrong(file, at, "the quotes of a value are not closed")
			}
			line += "\n" + lines[i]
			if strings.Contains(lines[i], quote) {
				break
			}
		}
		key, value := line, &node{line: at, typ: Text, text: "true"} // a key that is there
		if end := strings.IndexAny(line, "=:"); end >= 0 {
			key, value.text = strings.TrimSpace(line[:end]), bare(strings.TrimSpace(line[end+1:]))
		}
		if before := section.get(key); before != nil {
			*before = *value // the last one stands
		} else {
			section.set(key, value)
		}
	}
	return root, nil
}

// section is that of a name, which a key may have, too.
func (n *node) section(name string, line int) *node {
	for i, key := range n.keys {
		if key == name && n.children[i].typ == Map {
			return n.children[i]
		}
	}
	out := &node{typ: Map, line: line}
	n.set(name, out)
	return out
}

// Quotes that a value may have, and those of them in which it may have several lines.
var (
	quotes  = []string{`"""`, `"`, "'", "`"} // of two with which a value begins the first
	several = []string{`"""`, "`"}
)

// opened is the quote with which the value of a line begins and that is not closed there, if lines behind it may do so.
func opened(line string) string {
	var value string
	if end := strings.IndexAny(line, "=:"); end >= 0 {
		value = strings.TrimSpace(line[end+1:])
	}
	for _, quote := range several {
		if rest, is := strings.CutPrefix(value, quote); is && !strings.Contains(rest, quote) {
			return quote
		}
	}
	return ""
}

// bare is a value without its quotes, or without a comment behind it.
func bare(value string) string {
	if i := slices.IndexFunc(quotes, func(quote string) bool { return strings.HasPrefix(value, quote) }); i >= 0 {
		if inside, _, closed := strings.Cut(value[len(quotes[i]):], quotes[i]); closed {
			return inside
		}
	}
	for _, mark := range []string{" #", " ;", "\t#", "\t;"} {
		value, _, _ = strings.Cut(value, mark)
	}
	return strings.TrimSpace(value)
}
