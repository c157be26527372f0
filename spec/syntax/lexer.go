package syntax

import (
	"math/big"
	"regexp"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says what a token is.
type Kind uint8

const (
	// End is the end of the text, or of the part that is read.
	End Kind = iota
	// Word is a name.
	Word
	// Keyword is a word that the language keeps for itself.
	Keyword
	// Numeral is a number.
	Numeral
	// Text is a string.
	Text
	// Mark is everything else: operators, brackets, separators. Its text is the first
	// spelling (see Canonical).
	Mark
)

// Token is one word, literal or mark.
type Token struct {
	Kind Kind
	Text string
	At   Position
	// Offset and Until are where it is in the text, in bytes.
	Offset, Until int
}

var keywords = map[string]bool{}

func init() {
	for word := range strings.FieldsSeq(`ASSUME ASSUMPTION AXIOM CASE CHOOSE CONSTANT CONSTANTS COROLLARY DOMAIN ELSE
		ENABLED EXCEPT EXTENDS IF IN INSTANCE LEMMA LET LOCAL MODULE OTHER PROPOSITION SUBSET THEN THEOREM UNCHANGED
		UNION VARIABLE VARIABLES WITH LAMBDA RECURSIVE BY OBVIOUS OMITTED PROOF QED PROVE USE HIDE DEFINE HAVE TAKE
		PICK WITNESS SUFFICES NEW STATE ACTION TEMPORAL DEF DEFS ONLY`) {
		keywords[word] = true
	}
}

// soft keywords mean something in proofs only, and are names elsewhere.
var soft = map[string]bool{}

func init() {
	for word := range strings.FieldsSeq("NEW STATE ACTION TEMPORAL DEF DEFS ONLY TAKE HAVE PICK WITNESS DEFINE SUFFICES HIDE USE BY QED PROVE") {
		soft[word] = true
	}
}

// marks are the symbols that are not words with a backslash, longest first.
var marks = func() []string {
	all := []string{
		"-+->", "::=", "<=>", "...", "|->", ">>_", "(\\X)", "(+)", "(-)", "(.)", "(/)",
		"/\\", "\\/", "=>", "==", "/=", "<=", ">=", "=<", "~>", "<<", ">>", "[]", "<>", "]_", "->", "<-", "..", "::", ":=",
		"|-", "|=", "-|", "=|", "||", "&&", "**", "++", "--", "//", "^^", "^+", "^*", "^#", "??", "%%", "##", "$$", "!!",
		":>", "<:", "@@", "-.",
		"\\", "=", "#", "<", ">", "~", "'", "^", "+", "-", "*", "/", "%", "|", "&", "$", "!", "@", ":", ".", ",", ";",
		"(", ")", "[", "]", "{", "}", "_", "?", "`",
	}
	sort.SliceStable(all, func(i, j int) bool { return len(all[i]) > len(all[j]) })
	return all
}()

// comment is one comment: where it stands in the text, and before which token.
type comment struct {
	offset, until int
	at            Position
	token         int
}

type lexer struct {
	source   *Source
	text     string
	offset   int
	line     int
	column   int
	tokens   []Token
	comments []comment
	// module says that what is read ends with the ==== of the module that it begins with: what follows may be anything.
	// inner counts the modules that have not come to their ends.
	module bool
	inner  int
}

// Tokens reads the part of a source that begins at a place and ends before the byte
// until, and returns its tokens; the last has the kind End. It is for what
// stands in comments.
func Tokens(from Position, offset, until int) (tokens []Token, err error) {
	defer Catch(&err)
	l := &lexer{source: from.Source, text: from.Source.Text[:until], offset: offset, line: from.Line, column: from.Column}
	l.run()
	return l.tokens, nil
}

// step is what begins a step of a proof: <1>2.
var step = regexp.MustCompile(`^<(\d+|\*|\+)>[\pL\d_]*\.*`)

func (l *lexer) here() Position { return Position{l.source, l.line, l.column} }

func (l *lexer) fail(format string, args ...any) { panic(Errorf(l.here(), format, args...)) }

// skip goes on by some bytes.
func (l *lexer) skip(n int) {
	for end := l.offset + n; l.offset < end; {
		r, size := utf8.DecodeRuneInString(l.text[l.offset:])
		l.offset += size
		switch r {
		case '\n':
			l.line, l.column = l.line+1, 1
		case '\t':
			// Tabs go to the next eighth column, as editors show them.
			l.column += 8 - (l.column-1)%8
		default:
			l.column++
		}
	}
}

func (l *lexer) add(kind Kind, text string, n int) {
	l.tokens = append(l.tokens, Token{kind, text, l.here(), l.offset, l.offset + n})
	l.skip(n)
}

func (l *lexer) run() {
	for l.offset < len(l.text) {
		rest := l.text[l.offset:]
		switch c := rest[0]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			l.skip(1)
		case strings.HasPrefix(rest, "\\*"):
			l.lineComment(rest)
		case strings.HasPrefix(rest, "(*"):
			l.blockComment(rest)
		case c == '"':
			l.literal(rest)
		case strings.HasPrefix(rest, "----"):
			l.add(Mark, "----", run(rest, '-'))
		case strings.HasPrefix(rest, "===="):
			l.add(Mark, "====", run(rest, '='))
			if l.inner--; l.module && l.inner == 0 {
				l.add(End, "", 0)
				return
			}
		case isWord(rest):
			l.word(rest)
		case c == '\\' && l.backslash(rest):
		case c == '<' && step.MatchString(rest):
			l.add(Mark, "<n>", len(step.FindString(rest)))
		default:
			l.mark(rest)
		}
	}
	l.add(End, "", 0)
}

func run(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

func (l *lexer) lineComment(rest string) {
	n := strings.IndexByte(rest, '\n')
	if n < 0 {
		n = len(rest)
	}
	l.note(n)
}

func (l *lexer) blockComment(rest string) {
	depth, n := 0, 0
	for n < len(rest) {
		switch {
		case strings.HasPrefix(rest[n:], "(*"):
			depth, n = depth+1, n+2
		case strings.HasPrefix(rest[n:], "*)"):
			depth, n = depth-1, n+2
		default:
			n++
		}
		if depth == 0 {
			l.note(n)
			return
		}
	}
	l.fail("this comment does not end: *) is missing")
}

func (l *lexer) note(n int) {
	l.comments = append(l.comments, comment{l.offset, l.offset + n, l.here(), len(l.tokens)})
	l.skip(n)
}

// literal reads a string literal.
func (l *lexer) literal(rest string) {
	var b strings.Builder
	for n := 1; n < len(rest); n++ {
		switch c := rest[n]; {
		case c == '"':
			l.add(Text, b.String(), n+1)
			return
		case c == '\n':
			l.fail("this string does not end on its line")
		case c == '\\' && n+1 < len(rest):
			n++
			switch rest[n] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case 'r':
				b.WriteByte('\r')
			case 'f':
				b.WriteByte('\f')
			case '"', '\\':
				b.WriteByte(rest[n])
			default:
				b.WriteByte('\\')
				b.WriteByte(rest[n])
			}
		default:
			b.WriteByte(c)
		}
	}
	l.fail("this string does not end")
}

func letter(r rune) bool {
	return r == '_' || unicode.IsDigit(r) || unicode.IsLetter(r)
}

// isWord tells whether a word or a number begins here. A single _ is a mark.
func isWord(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	if r == '_' {
		next, _ := utf8.DecodeRuneInString(s[size:])
		return letter(next)
	}
	return letter(r)
}

func (l *lexer) word(rest string) {
	n := 0
	for n < len(rest) {
		r, size := utf8.DecodeRuneInString(rest[n:])
		if !letter(r) {
			break
		}
		n += size
	}
	word := rest[:n]
	switch {
	case strings.Trim(word, "0123456789") == "":
		l.add(Numeral, strings.TrimLeft(word[:n-1], "0")+word[n-1:], n)
	case (strings.HasPrefix(word, "WF_") || strings.HasPrefix(word, "SF_")):
		l.add(Mark, word[:3], 3)
	case keywords[word]:
		if last := len(l.tokens) - 1; word == "MODULE" && last >= 0 && l.tokens[last].Text == "----" {
			l.inner++
		}
		l.add(Keyword, word, n)
	default:
		l.add(Word, word, n)
	}
}

// backslash reads a number with a base, or an operator that is a word.
func (l *lexer) backslash(rest string) bool {
	if len(rest) > 2 {
		base, digits := 0, ""
		switch rest[1] {
		case 'b', 'B':
			base, digits = 2, "01"
		case 'o', 'O':
			base, digits = 8, "01234567"
		case 'h', 'H':
			base, digits = 16, "0123456789abcdefABCDEF"
		}
		if base != 0 && strings.IndexByte(digits, rest[2]) >= 0 {
			n := 2
			for n < len(rest) && strings.IndexByte(digits, rest[n]) >= 0 {
				n++
			}
			value, _ := new(big.Int).SetString(rest[2:n], base)
			l.add(Numeral, value.String(), n)
			return true
		}
	}
	n := 1
	for n < len(rest) && (rest[n] >= 'a' && rest[n] <= 'z' || rest[n] >= 'A' && rest[n] <= 'Z') {
		n++
	}
	if n == 1 {
		return false
	}
	symbol := Canonical(rest[:n])
	if !Symbol(symbol) {
		switch symbol {
		case "\\A", "\\E", "\\AA", "\\EE":
		default:
			l.fail("%s is no operator of TLA+", rest[:n])
		}
	}
	l.add(Mark, symbol, n)
	return true
}

func (l *lexer) mark(rest string) {
	for _, m := range marks {
		if strings.HasPrefix(rest, m) {
			l.add(Mark, Canonical(m), len(m))
			return
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	if symbol := Canonical(string(r)); symbol != string(r) {
		if (symbol == ">>") && strings.HasPrefix(rest[size:], "_") {
			symbol, size = ">>_", size+1
		}
		l.add(Mark, symbol, size)
		return
	}
	if r == utf8.RuneError {
		l.fail("this is not UTF-8")
	}
	l.fail("%q means nothing in TLA+", r)
}
