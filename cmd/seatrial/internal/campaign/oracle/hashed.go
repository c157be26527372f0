package oracle

import (
	"regexp"
	"strings"

	"github.com/seatrial/seatrial/history"
)

var (
	// sums are what fields are called that hold a sum of something else, which may be named behind (checksum/config).
	sums = regexp.MustCompile(`(?i)(checksum|hash|sha-?(1|256|512)?|digest|fingerprint)(/[\w.-]+)?[\])"]*$`)
	// given is a text that was drawn for an operation: the user's, and no sum.
	given = regexp.MustCompile(`st[-_x]?p[0-9]+[-_x]?o[0-9]`)
	// hexadecimal is a sum as programs write it.
	hexadecimal = regexp.MustCompile(`^([a-z0-9]+[:-])?[0-9a-f]{8,}$`)
)

// hashed tells whether two values are both sums of something else, or names with one at the end, by the name of the
// field or by how they look: that they differ only says that what they are of does.
func hashed(path string, a, b any) bool {
	from, isFrom := a.(string)
	to, isTo := b.(string)
	if a == nil && b == nil || !isFrom && a != nil || !isTo && b != nil {
		return false
	}
	return sums.MatchString(path) && !given.MatchString(from+" "+to) || sum(from) && sum(to) || suffixed(from, to)
}

// sum tells whether a text looks as a sum does: a number has no letters, and a word no digits.
func sum(text string) bool {
	return hexadecimal.MatchString(text) && strings.ContainsAny(text, "abcdef") && strings.ContainsAny(text, "0123456789")
}

// suffixed tells whether two names are the same but for what is drawn behind the last sign.
func suffixed(a, b string) bool {
	i, j := strings.LastIndexByte(a, '-'), strings.LastIndexByte(b, '-')
	if i <= 0 || i != j || a[:i] != b[:j] {
		return false
	}
	letters := func(part string) bool { return strings.Trim(part, "0123456789") != "" }
	return drawn(a[i+1:]) && drawn(b[j+1:]) && letters(a[i+1:]) && letters(b[j+1:])
}

// hashed tells whether a deviation is of a sum.
func (d *Deviation) hashed() bool { return d.Path != "" && hashed(d.Path, d.Expected, d.Found) }

// sumsOnly tells whether all that differs of an object are sums.
func sumsOnly(d *history.Difference) bool {
	for _, ch := range d.Changes {
		if !hashed(ch.Path, ch.From, ch.To) {
			return false
		}
	}
	return d.Type == history.Update
}

// hashedLast is 1 for a change of a sum.
func hashedLast(ch history.Change) int {
	if hashed(ch.Path, ch.From, ch.To) {
		return 1
	}
	return 0
}

// signs are those of which Kubernetes makes what it draws for a name, and writes sums in names (utilrand.String and
// SafeEncodeString in k8s.io/apimachinery).
const signs = "bcdfghjklmnpqrstvwxz2456789"

var (
	encodedSum = regexp.MustCompile(`^[` + signs + `]{8,}$`)
	drawnEnd   = regexp.MustCompile(`^(?:[` + signs + `]{5,}|[0-9a-f]{6,})$`)
)

// beforeSum is a name without the sum of something at its end; empty for a name without.
func beforeSum(name string) string {
	stem, end := cutEnd(name)
	if given.MatchString(end) || !sum(end) && !(encodedSum.MatchString(end) && mixed(end)) {
		return ""
	}
	return stem
}

// Kin is a name without what was drawn, or is a sum, at its end: of those that the same code makes it is the same.
func Kin(name string) string {
	if stem, end := cutEnd(name); drawnEnd.MatchString(end) && mixed(end) {
		return stem + "-*"
	}
	return name
}

// cutEnd cuts a name at its last sign between words; the end is empty if it has none.
func cutEnd(name string) (stem, end string) {
	at := strings.LastIndexByte(name, '-')
	if at <= 0 {
		return name, ""
	}
	return name[:at], name[at+1:]
}

// mixed tells whether a text has figures, and something else.
func mixed(text string) bool {
	const figures = "0123456789"
	return strings.ContainsAny(text, figures) && strings.Trim(text, figures) != ""
}
