package value

import (
	"slices"
	"strings"
	"unicode"
)

// spelling is how many letters a word has at least that may have one wrong: shorter ones differ by one as they are meant.
const spelling = 6

// Misspelt is the one of several words that a value is likely to be meant for, and is not: it has the same letters and digits, or
// both are letters only and one of them is missing, is too many, is another one, or has changed places with the next. Empty if there is none,
// several, or the value is one of the words, in capitals or not. Values are texts, or such in JSON.
func Misspelt(v string, words []string) string {
	v = strings.TrimSpace(Bare(v))
	var like []string
	for _, w := range words {
		switch w = Bare(w); {
		case strings.EqualFold(w, v):
			return ""
		case bare(w) == bare(v) && bare(v) != "", nearly([]rune(bare(w)), []rune(bare(v))):
			like = append(like, w)
		}
	}
	if len(like) != 1 {
		return ""
	}
	return like[0]
}

// bare are the letters and digits of a word, in small letters.
func bare(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, word)
}

// nearly tells whether two words of letters differ by one slip.
func nearly(a, b []rune) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(b) < spelling || len(a) > len(b)+1 || slices.ContainsFunc(slices.Concat(a, b), unicode.IsDigit) {
		return false
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	switch {
	case len(a) > len(b):
		return slices.Equal(a[i+1:], b[i:])
	case i == len(b):
		return false
	case slices.Equal(a[i+1:], b[i+1:]):
		return true
	}
	return i+1 < len(b) && a[i] == b[i+1] && a[i+1] == b[i] && slices.Equal(a[i+2:], b[i+2:])
}
