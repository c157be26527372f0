package value

import (
	"strconv"
	"strings"
)

// Format writes a value as TLA+ does: what it writes of a value that is listed can be read again.
func Format(v Value) string {
	var b strings.Builder
	write(&b, v)
	return b.String()
}

// Describe is Format, cut to what fits a message.
func Describe(v Value) string {
	text := []rune(Format(v))
	if len(text) > 120 {
		return string(text[:119]) + "…"
	}
	return string(text)
}

func write(b *strings.Builder, v Value) {
	switch v.Kind() {
	case None:
		b.WriteString("no value")
	case Bool:
		b.WriteString(strings.ToUpper(strconv.FormatBool(v.n != 0)))
	case Int:
		b.WriteString(strconv.FormatInt(v.n, 10))
	case String:
		b.WriteString(quote(v.o.text))
	case Model:
		b.WriteString(v.o.text)
	case Enumerated:
		list(b, "{", v.o.items, "}")
	case Tuple:
		list(b, "<<", v.o.items, ">>")
	case Function:
		function(b, v.o)
	case Symbolic:
		if n := v.o.set.size(); n < 0 || n > shownMembers || isInterval(v.o.set) {
			b.WriteString(v.o.set.text())
			return
		}
		list(b, "{", v.Members(), "}")
	case Rule:
		if infinite(v.o.rule.domain) {
			b.WriteString("[x \\in " + Format(v.o.rule.domain) + " |-> …]")
			return
		}
		write(b, Value{o: v.function()})
	case Operator:
		b.WriteString("an operator")
	}
}

// shownMembers bounds the sets that are shown with their members if they are not kept so.
const shownMembers = 64

func isInterval(s set) bool {
	_, ok := s.(interval)
	return ok
}

func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`, "\f", `\f`).Replace(text) + `"`
}

func list(b *strings.Builder, open string, items []Value, end string) {
	b.WriteString(open)
	for i, item := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		write(b, item)
	}
	b.WriteString(end)
}

func function(b *strings.Builder, o *object) {
	record := true
	for _, arg := range o.domain.items {
		record = record && arg.Kind() == String && isName(arg.o.text)
	}
	open, arrow, separator, end := "(", " :> ", " @@ ", ")"
	if record {
		open, arrow, separator, end = "[", " |-> ", ", ", "]"
	}
	b.WriteString(open)
	for i, arg := range o.domain.items {
		if i > 0 {
			b.WriteString(separator)
		}
		if record {
			b.WriteString(arg.o.text)
		} else {
			write(b, arg)
		}
		b.WriteString(arrow)
		write(b, o.items[i])
	}
	b.WriteString(end)
}

// isName tells whether a text can be the name of a field.
func isName(text string) bool {
	named := false
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_':
			named = true
		case r >= '0' && r <= '9':
		default:
			return false
		}
	}
	return named
}
