package trace

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain holds ASCII spellings of the signs that seatrial itself writes.
var plain = map[rune]string{
	'→': "->", '←': "<-", '↻': "(loop)", '…': "...", '–': "-", '—': "-",
	'≤': "<=", '≥': ">=", '≠': "!=", '×': "x", '·': "*", '│': "|", '’': "'",
	'“': `"`, '”': `"`,
}

// Printable makes text that comes from a user's files safe to show: control
// characters, escape sequences, line breaks, invisible and direction-changing
// characters and invalid UTF-8 appear as \n, \x1b, \u202e. With ascii set
// everything outside ASCII is spelt in ASCII as well.
func Printable(s string, ascii bool) string {
	safe := func(r rune) bool { return unicode.IsPrint(r) && (!ascii || r < utf8.RuneSelf) }
	clean := true
	for _, r := range s {
		if r == utf8.RuneError || !safe(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		spelling, known := plain[r]
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[i])|0x100, 16)[1:])
		case safe(r):
			b.WriteRune(r)
		case ascii && known:
			b.WriteString(spelling)
		default:
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		i += size
	}
	return b.String()
}

// Wrap breaks s at spaces into lines of at most width columns. A word that is
// wider stands on a line of its own, unbroken, so that names can be copied.
// Several spaces between two words on one line are kept. There is always at
// least one line.
func Wrap(s string, width int) []string {
	var lines []string
	line, used := "", 0
	for s = strings.TrimSpace(s); s != ""; {
		rest := strings.TrimLeft(s, " ")
		gap := len(s) - len(rest)
		word := rest
		if end := strings.IndexByte(rest, ' '); end >= 0 {
			word = rest[:end]
		}
		s = rest[len(word):]
		n := Columns(word)
		if used > 0 && used+gap+n > width {
			lines = append(lines, line)
			line, used = "", 0
		}
		if used > 0 {
			line += strings.Repeat(" ", gap)
			used += gap
		}
		line += word
		used += n
	}
	return append(lines, line)
}

// Columns counts the terminal columns that s takes.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r < 0x300:
			n++
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case wide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

// wide tells whether a terminal shows r two columns wide: the East Asian wide
// and full-width blocks and the emoji planes.
func wide(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3,
		r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f,
		r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6,
		r >= 0x1f300 && r <= 0x1f64f, r >= 0x1f900 && r <= 0x1f9ff,
		r >= 0x20000 && r <= 0x3fffd:
		return true
	}
	return false
}

// clip is the beginning of s that takes at most width columns.
func clip(s string, width int) string {
	taken := 0
	for i, r := range s {
		if taken += Columns(string(r)); taken > width {
			return s[:i]
		}
	}
	return s
}

// pad fills s with spaces up to width columns.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-Columns(s)))
}
