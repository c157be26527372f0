package change

import "strings"

// variables are those of a container, by their names. One that is in another object is a reference.
type variables map[string]Value

// expanded is a text with the values of variables where it says $(NAME). What is said of one that is in another object
// is there, and so is what is said of any that is not known, if there are more: it is a reference then. Otherwise that
// stays as it is written, as it does in a container.
func (all variables) expanded(text string, more bool) Value {
	out := Value{Type: Text}
	var b strings.Builder
	for {
		before, rest, is := strings.Cut(text, "$(")
		if !is {
			out.text = b.String() + text
			return out
		}
		name, after, closed := strings.Cut(rest, ")")
		v, known := all[name]
		if known && closed && !strings.HasSuffix(before, "$") {
			v.Handed = true
			all[name] = v
		}
		switch {
		case strings.HasSuffix(before, "$"): // $$(NAME) is no variable
			b.WriteString(before[:len(before)-1] + "$(")
			text = rest
			continue
		case !closed || !known || v.Type == Reference:
			if closed && (known || more) {
				out.Type = Reference
			}
			b.WriteString(before + "$(")
			text = rest
			continue
		}
		b.WriteString(before + v.text)
		out.Secret = out.Secret || v.Secret
		text = after
	}
}

// arguments are those of a container with the values of variables.
func (all variables) arguments(written []*node, more bool) []*node {
	var out []*node
	for _, n := range written {
		v := all.expanded(n.says(), more)
		out = append(out, &node{line: n.line, first: n.first, typ: v.Type, text: v.text, hidden: v.Secret})
	}
	return out
}
