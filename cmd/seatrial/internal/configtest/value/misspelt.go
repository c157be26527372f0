package value

import (
	"slices"
	"strings"
	"unicode"
)

// lettered is how many letters a word has at least that may have one wrong: shorter ones differ by one as they are
// meant.
const lettered = 6

// Misspelt is the one of several words that a value is likely to be meant for, and is not: of letters only, but for
// what is between them, it has the same, or one of them is missing, is too many, or has changed places with the next;
// or with digits, it differs in nothing but what is between its parts. Empty if there is none, several, or the value is
// one of the words, in capitals or not. Values are texts, or such in JSON.
func Misspelt(v string, words []string) string {
	v = strings.TrimSpace(Bare(v))
	var same, like []string // of the same letters, and of nearly the same
	for _, w := range words {
		switch w = Bare(w); {
		case strings.EqualFold(w, v):
			return ""
		case joined(w) != "" && joined(w) == joined(v):
			same = append(same, w)
		case bare(w) == "" || bare(v) == "":
		case bare(w) == bare(v):
			same = append(same, w)
		case nearly([]rune(bare(w)), []rune(bare(v))):
			like = append(like, w)
		}
	}
	if len(same) > 0 {
		like = same
	}
	if len(like) != 1 {
		return ""
	}
	return like[0]
}

// Unknown tells whether one value is among several words, and another one is not. Values are texts, or such in JSON.
func Unknown(old, now string, words []string) bool {
	among := func(v string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, strings.TrimSpace(Bare(v))) })
	}
	return len(words) > 1 && among(old) && !among(now)
}

// Recased tells whether a value is one of several words, or of one, in other capitals than before. A program may mind
// these.
func Recased(old, now string, words []string) bool {
	old, now = Bare(old), strings.TrimSpace(Bare(now))
	return old != now && strings.EqualFold(old, now) && slices.Contains(words, old) && !slices.Contains(words, now)
}

// bare are the letters of a word, in small letters, without what is between its parts; empty if there is anything else
// in it: 1.5s and 15s are two values.
func bare(word string) string {
	only := true
	letters := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		only = only && strings.ContainsRune("-_. ", r)
		return -1
	}, word)
	if !only {
		return ""
	}
	return letters
}

// joined is a word with digits behind its first letter without what is between its parts, in small letters: sha-256 is
// sha256. Empty for anything else.
func joined(word string) string {
	first := true
	for _, r := range word {
		if first && !unicode.IsLetter(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_ ", r) {
			return ""
		}
		first = false
	}
	if !strings.ContainsFunc(word, unicode.IsDigit) {
		return ""
	}
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(word))
}

// nearly tells whether two words of letters differ by one slip. That one letter is another is none: reader and leader
// may both be meant.
func nearly(a, b []rune) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(b) < lettered || len(a) > len(b)+1 {
		return false
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	if len(a) > len(b) {
		return slices.Equal(a[i+1:], b[i:])
	}
	return i+1 < len(b) && a[i] == b[i+1] && a[i+1] == b[i] && slices.Equal(a[i+2:], b[i+2:])
}
