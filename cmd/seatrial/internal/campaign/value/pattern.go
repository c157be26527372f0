package value

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode"
)

// patterns are those of schemas, compiled; they are RE2, as Go's are. Nil for what is none.
var patterns sync.Map

func compiled(pattern string) *regexp.Regexp {
	if known, ok := patterns.Load(pattern); ok {
		return known.(*regexp.Regexp)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		re = nil
	}
	patterns.Store(pattern, re)
	return re
}

// matches tells that a text is as the schema wants it. A pattern that is none holds nothing back.
func (l *limit) matches(text string) bool {
	n := int64(len([]rune(text)))
	if n < l.shortest || l.longest >= 0 && n > l.longest {
		return false
	}
	for _, pattern := range l.patterns {
		if re := compiled(pattern); re != nil && !re.MatchString(text) {
			return false
		}
	}
	return true
}

// samplesMax is how many texts are drawn until one matches everything.
const samplesMax = 30

// drawn is the number-th text of a property, which has a number as well, that the first of the patterns matches, and
// that is as the schema wants it; false if none was found. Two properties with one pattern have different texts, if
// there are that many.
func (l *limit) drawn(property, number int) (string, bool) {
	if len(l.patterns) == 0 {
		return "", false
	}
	parsed, err := syntax.Parse(l.patterns[0], syntax.Perl)
	if err != nil {
		return "", false
	}
	parsed = parsed.Simplify()
	best, found := "", false
	for try := range samplesMax {
		g := generator{random: rand.New(rand.NewPCG(uint64(property)<<32|uint64(number), uint64(try))), more: try % 8}
		g.write(parsed, 0)
		if text := g.text.String(); l.matches(text) && (!found || len(text) >= telling) {
			if best, found = text, true; len(text) >= telling {
				break
			}
		}
	}
	return best, found
}

// telling is how long a text is to be, if it may: an empty one, or a 0, often stands for none.
const telling = 2

// generator writes a text that a regular expression matches.
type generator struct {
	random *rand.Rand
	text   strings.Builder
	// more is how often something is repeated beyond what has to be, at most.
	more int
}

const (
	depthMax = 200
	textMax  = 4096
)

func (g *generator) write(re *syntax.Regexp, depth int) {
	if depth > depthMax || g.text.Len() > textMax {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			g.text.WriteRune(r)
		}
	case syntax.OpCharClass:
		g.text.WriteRune(g.member(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		g.text.WriteRune(rune('a' + g.random.IntN(26)))
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			g.write(sub, depth+1)
		}
	case syntax.OpAlternate:
		g.write(re.Sub[g.random.IntN(len(re.Sub))], depth+1)
	case syntax.OpStar:
		g.repeat(re.Sub[0], 0, g.more, depth)
	case syntax.OpPlus:
		g.repeat(re.Sub[0], 1, 1+g.more, depth)
	case syntax.OpQuest:
		g.repeat(re.Sub[0], 0, min(1, g.more), depth)
	case syntax.OpRepeat:
		most := re.Max
		if most < 0 || most > re.Min+g.more {
			most = re.Min + g.more
		}
		g.repeat(re.Sub[0], re.Min, most, depth)
	}
}

func (g *generator) repeat(re *syntax.Regexp, least, most, depth int) {
	for range least + g.random.IntN(most-least+1) {
		g.write(re, depth+1)
	}
}

// member is one rune of a class of pairs, a plain one if there is any.
func (g *generator) member(class []rune) rune {
	var plain []rune
	for i := 0; i+1 < len(class); i += 2 {
		for r := max(class[i], '0'); r <= min(class[i+1], 'z'); r++ {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				plain = append(plain, r)
			}
		}
	}
	if len(plain) > 0 {
		return plain[g.random.IntN(len(plain))]
	}
	if len(class) == 0 {
		return 'x'
	}
	i := 2 * g.random.IntN(len(class)/2)
	// A class that leaves some out begins with what cannot be printed.
	for r := class[i]; r <= class[i+1]; r++ {
		if unicode.IsPrint(r) {
			return r
		}
	}
	return class[i]
}
