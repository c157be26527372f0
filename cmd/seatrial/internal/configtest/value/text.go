package value

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

func letter(r rune) bool { return unicode.IsLetter(r) }

// other makes a text another one.
const other = "other"

func init() {
	// Anything else is a name, of which any other is as good: the code compares it with nothing.
	register(anything, func(text string) ([]string, bool) {
		if before, after, is := strings.Cut(text, ","); is {
			items := strings.Split(after, ",")
			out := []string{before, before + "-" + other + "," + after} // a list
			for _, item := range texts(items[len(items)-1], nil) {
				return append(out, text+","+item), true // with one more, like the last
			}
			return out, true
		}
		return append(append(next(text), within(text)...), text+"-"+other, other), text != ""
	})
}

var ends = regexp.MustCompile(`^(.*[^0-9])([0-9]{1,6})$`)

// next is a text that ends in a number with the next number, if it is one: of versions and of what is numbered the
// nearest is often valid.
func next(text string) []string {
	part := ends.FindStringSubmatch(text)
	if part == nil {
		return nil
	}
	n, _ := strconv.Atoi(part[2]) // it is short, and of digits
	return []string{fmt.Sprintf("%s%0*d", part[1], len(part[2]), n+1)}
}

var holds = regexp.MustCompile(`^(.*[^0-9])?([0-9]{1,6})([^0-9]{1,12})$`)

// within is a text with the next number in it, if it is written around one: "every 24h", "0 3 * * *". It has the form
// that the text has, and whether it is taken is not known all the same: of what is numbered there may be no more.
func within(text string) []string {
	part := holds.FindStringSubmatch(text)
	if part == nil {
		return nil
	}
	n, _ := strconv.Atoi(part[2]) // it is short, and of digits
	return []string{fmt.Sprintf("%s%0*d%s", part[1], len(part[2]), n+1, part[3])}
}

// MadeUp tells whether values are nothing but other texts than the old one, which may be JSON: it is not known whether
// the program takes them.
func MadeUp(old *string, values []string) bool {
	var near []string
	if old != nil {
		near = append(next(Bare(*old)), within(Bare(*old))...)
	}
	return !slices.ContainsFunc(values, func(v string) bool { return !strings.Contains(v, other) && !slices.Contains(near, Bare(v)) })
}

// AnotherForm tells whether a text that was a number, a duration or a truth is none any more, a share is not of a
// hundred any more, or a list has another sign between its items.
func AnotherForm(old, now *string) bool {
	if old == nil || now == nil {
		return false
	}
	for _, is := range []func(string) bool{
		func(v string) bool { _, err := strconv.ParseFloat(v, 64); return err == nil },
		func(v string) bool { _, err := time.ParseDuration(v); return err == nil },
		func(v string) bool { _, err := strconv.ParseBool(v); return err == nil },
	} {
		if is(*old) {
			return !is(*now)
		}
	}
	if _, err := strconv.ParseFloat(*now, 64); err == nil && strings.HasSuffix(*old, "%") {
		return true
	}
	return joinedOtherwise(*old, *now)
}

// joinedOtherwise tells whether two texts are the same items, with another sign between them.
func joinedOtherwise(old, now string) bool {
	items := func(text, sign string) []string {
		all := strings.Split(text, sign)
		for i, item := range all {
			all[i] = strings.TrimSpace(item)
		}
		return all
	}
	const signs = ",;|"
	for _, was := range signs {
		all := items(old, string(was))
		for _, is := range signs {
			if is != was && len(all) > 1 && slices.Equal(all, items(now, string(is))) {
				return true
			}
		}
	}
	return false
}
