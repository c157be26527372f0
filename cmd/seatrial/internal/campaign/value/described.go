package value

import (
	"regexp"
	"slices"
	"strings"
)

// words are values that a description names.
type words []string

// describedMost is how many words are tried, and how many a list of values has at most: a longer one is a sentence.
const describedMost, listMost = 3, 12

var (
	// listed are the words behind which descriptions list the values that there are, up to the end of the sentence.
	listed = regexp.MustCompile(`(?i)(?:one of|either|(?:valid|allowed|possible|supported|accepted|permitted)(?: values| options| modes| types)?(?: are| include)?|values are|can be|may be|must be|options are)\s*:?\s+([^.;()\n]+)`)
	// barred are values with bars between them: a|b|c.
	barred = regexp.MustCompile(`[A-Za-z][-A-Za-z0-9_]*(?:\s?\|\s?[A-Za-z][-A-Za-z0-9_]*)+`)
	// quoted is a word as values are written in a text, and bare one of a list without such signs.
	quoted  = regexp.MustCompile("[\"'`“]([A-Za-z][-A-Za-z0-9_]*)[\"'`”]")
	bare    = regexp.MustCompile(`^[A-Za-z][-A-Za-z0-9_]*$`)
	between = regexp.MustCompile(`\s*(?:,\s*(?:or|and)\s|,|\s(?:or|and)\s|/)\s*`)
)

// described are the values that a description lists, two at least, in order. A schema that comes from Go often says so
// in words alone: who reads the property compares it with these, and takes anything else for the default.
func described(text string) (found words) {
	add := func(all []string) {
		if len(all) < 2 || len(all) > listMost {
			return
		}
		for _, word := range all {
			if !slices.Contains(found, word) {
				found = append(found, word)
			}
		}
	}
	for _, list := range barred.FindAllString(text, -1) {
		var all []string
		for _, word := range strings.Split(list, "|") {
			all = append(all, strings.TrimSpace(word))
		}
		add(all)
	}
	for _, list := range listed.FindAllStringSubmatch(text, -1) {
		if in := quoted.FindAllStringSubmatch(list[1], -1); in != nil {
			var all []string
			for _, word := range in {
				all = append(all, word[1])
			}
			add(all)
			continue
		}
		parts := between.Split(strings.TrimSpace(list[1]), -1)
		if !slices.ContainsFunc(parts, func(p string) bool { return !bare.MatchString(p) }) {
			add(parts)
		}
	}
	return found
}

// cases are those that are not there yet, of as many as are tried; how says why.
func (w words) cases(how string, now any, l *limit) (all []Case) {
	for _, word := range w {
		if word != now && l.matches(word) && len(all) < describedMost {
			all = append(all, Case{Name: how + ": " + word, Value: word})
		}
	}
	return all
}
