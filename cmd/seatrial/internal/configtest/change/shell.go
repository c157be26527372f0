package change

import (
	"regexp"
	"slices"
	"strings"
)

// word is one of a script for a shell, or an operator between words.
type word struct {
	text string // what it comes to; of one that is not known, as it is written
	raw  string // as it is written
	line int    // how many are before it
	// unknown: the shell makes something of it that is not known here.
	unknown bool
	// operator: it is none, but stands between words.
	operator bool
	// secret: a part of it is the value of a variable that is one.
	secret bool
	// all: it is "$@", the arguments behind the script.
	all bool
}

// variableName is what a variable may be called.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*`)

// lexer takes a script apart as a shell does, as far as programs are called in it.
type lexer struct {
	script string
	at     int
	known  variables
}

// operators are those of a shell, the longer ones first.
var operators = []string{"&&", "||", ";;", "<<", ">>", ">&", "<&", "&>", "|", "&", ";", "<", ">", "(", ")", "\n"}

// words are those of the script, and what is between them; false if a quote is not closed: the last one is all from
// there on.
func (l *lexer) words() ([]word, bool) {
	var out []word
	for {
		l.blank()
		if l.at >= len(l.script) {
			return out, true
		}
		from := l.at
		line := strings.Count(l.script[:from], "\n")
		if op := slices.IndexFunc(operators, func(op string) bool { return strings.HasPrefix(l.script[from:], op) }); op >= 0 {
			l.at += len(operators[op])
			out = append(out, word{text: operators[op], raw: operators[op], line: line, operator: true})
			continue
		}
		w, closed := l.word()
		if !closed {
			return append(out, word{raw: l.script[from:], line: line}), false
		}
		w.raw, w.line = l.script[from:l.at], line
		if w.unknown {
			w.text = w.raw
		}
		w.all = w.raw == `"$@"`
		out = append(out, w)
	}
}

// blank goes on behind blanks, lines that go on, and comments.
func (l *lexer) blank() {
	for l.at < len(l.script) {
		switch rest := l.script[l.at:]; {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r':
			l.at++
		case strings.HasPrefix(rest, "\\\n"):
			l.at += 2
		case rest[0] == '#':
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			l.at += end
		default:
			return
		}
	}
}

// word reads one; false if a quote in it is not closed.
func (l *lexer) word() (w word, closed bool) {
	var b strings.Builder
	quoted := byte(0)
	for ; l.at < len(l.script); l.at++ {
		c, rest := l.script[l.at], l.script[l.at:]
		switch {
		case quoted == '\'' && c != '\'':
			b.WriteByte(c)
		case c == quoted:
			quoted = 0
		case quoted == 0 && (c == '\'' || c == '"'):
			quoted = c
		case c == '\\' && len(rest) > 1:
			l.at++
			if quoted == '"' && !strings.ContainsRune("$`\"\\\n", rune(rest[1])) {
				b.WriteByte(c)
			}
			if rest[1] != '\n' {
				b.WriteByte(rest[1])
			}
		case c == '`':
			end := strings.IndexByte(rest[1:], '`')
			if end < 0 {
				return w, false
			}
			w.unknown = true
			l.at += end + 1
		case c == '$':
			v, length := l.expansion(rest, quoted != 0)
			b.WriteString(v.text)
			w.unknown, w.secret = w.unknown || v.Type == Reference, w.secret || v.Secret
			l.at += length - 1
		case quoted == 0 && strings.IndexByte(" \t\r\n;&|<>()", c) >= 0:
			w.text = b.String()
			return w, true
		case quoted == 0 && (strings.IndexByte("*?[", c) >= 0 || c == '~' && b.Len() == 0 || c == '{' && strings.ContainsAny(rest, "},")):
			w.unknown = true
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	w.text = b.String()
	return w, quoted == 0
}

// expansion is what stands at the beginning of a text for something else: its value, which is a reference if it is not
// known, and how long it is. A text without quotes around it may become several words.
func (l *lexer) expansion(text string, quoted bool) (value Value, length int) {
	name := ""
	switch {
	case strings.HasPrefix(text, "$("):
		return Value{Type: Reference}, closing(text, '(', ')')
	case strings.HasPrefix(text, "${"):
		length = closing(text, '{', '}')
		name = strings.TrimSuffix(text[2:length], "}")
	default:
		name = variableName.FindString(text[1:])
		if length = 1 + len(name); name == "" && len(text) > 1 && strings.IndexByte("@*#?$!-0123456789", text[1]) >= 0 {
			return Value{Type: Reference}, 2
		} else if name == "" {
			return Value{Type: Text, text: "$"}, 1
		}
	}
	name, otherwise, or := strings.Cut(name, ":-")
	value, is := l.known[name]
	if is && value.text == "" && or {
		value.text = otherwise
	}
	if !is || strings.Contains(value.text, "$") || !quoted && strings.ContainsAny(value.text, " \t\n*?[") {
		value.Type = Reference
	}
	return value, length
}

// closing is how much of a text there is up to the bracket that closes the first one; all if none does.
func closing(text string, open, end byte) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}
