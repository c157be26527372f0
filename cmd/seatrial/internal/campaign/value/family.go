package value

import (
	"slices"
	"strings"
)

// families are words that everybody knows who reads one of them: a program that takes one takes the others, and none
// that is made up.
var families = []words{
	{"debug", "info", "warn", "error"},
	{"debug", "info", "warning", "error"},
	{"json", "text"},
	{"json", "console"},
	{"http", "https"},
	{"tcp", "udp"},
	{"ipv4", "ipv6"},
	{"small", "medium", "large"},
	{"low", "medium", "high"},
	{"never", "always", "ifnotpresent"},
}

// written are words in letters that are not only the first's.
var written = map[string]string{"ifnotpresent": "IfNotPresent", "ipv4": "IPv4", "ipv6": "IPv6"}

// familyMost is how many other words of a family are tried: those at its ends, which differ most.
const familyMost = 2

// family are the words that a text is one of, as it is written, those at the ends before what is between; none for a
// text of no family.
func family(now string) (all words) {
	low := strings.ToLower(now)
	i := slices.IndexFunc(families, func(f words) bool { return slices.Contains(f, low) })
	if i < 0 {
		return nil
	}
	f := families[i]
	for _, word := range append(words{f[0], f[len(f)-1]}, f...) {
		switch {
		case word == low:
			continue
		case now == strings.ToUpper(now):
			word = strings.ToUpper(word)
		case now != low && written[word] != "":
			word = written[word]
		case now != low:
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		if !slices.Contains(all, word) && len(all) < familyMost {
			all = append(all, word)
		}
	}
	return all
}
