package change

import "strings"

// parseINI reads sections with keys; offset is the line before the first. What stands before the first section is at the root.
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
			if section = root.get(name); section == nil {
				section = &node{typ: Map, line: at}
				root.set(name, section)
			}
			continue
		}
		for continued(line) && i+1 < len(lines) {
			i++
			line = line[:len(line)-1] + strings.TrimSpace(lines[i])
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

// bare is a value without its quotes, or without a comment behind it.
func bare(value string) string {
	for _, quote := range []string{`"""`, `"`, "'", "`"} {
		if rest, is := strings.CutPrefix(value, quote); is {
			if inside, _, closed := strings.Cut(rest, quote); closed {
				return inside
			}
		}
	}
	for _, mark := range []string{" #", " ;", "\t#", "\t;"} {
		value, _, _ = strings.Cut(value, mark)
	}
	return strings.TrimSpace(value)
}
