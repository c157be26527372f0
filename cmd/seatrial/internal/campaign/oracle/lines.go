package oracle

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// linesMost is how many lines of a text may differ that are told apart: where it is more, it is the text.
const linesMost = 8

var (
	// data is the path of a file in a ConfigMap or Secret.
	data = regexp.MustCompile(`^(data|stringData|binaryData)[.\[]`)
	// begins is what a line begins with: the name of what it sets.
	begins = regexp.MustCompile(`^[-*\s"']*([A-Za-z_][\w./-]*)`)
	// fragments are what a text of one line consists of that is JSON.
	fragments = regexp.MustCompile(`[^,{}\[\]]+`)
)

// lines are what the lines begin with in which two texts of a ConfigMap or Secret differ, in their order; nil for other
// fields, for texts of one line, and for what is not there on one side, or differs as a whole.
func linesOf(resource string, ch history.Change) []string {
	plain := Plain(resource, ch)
	from, isFrom := plain.From.(string)
	to, isTo := plain.To.(string)
	if !data.MatchString(plain.Path) || !isFrom || !isTo {
		return nil
	}
	a, b := split(from), split(to)
	if len(a) < 2 && len(b) < 2 {
		return nil
	}
	return few(append(missing(a, b), missing(b, a)...))
}

// linesWith are what the lines of a text begin with that have one of the sentinels, as those of linesOf.
func linesWith(resource, path string, v any, sentinels []string) []string {
	text, is := v.(string)
	if !data.MatchString(path) || !is {
		return nil
	}
	if decoded, err := base64.StdEncoding.DecodeString(text); resource == secrets && err == nil {
		text = string(decoded)
	}
	all := split(text)
	if len(all) < 2 {
		return nil
	}
	return few(slices.DeleteFunc(all, func(line string) bool { return !in(line, sentinels) }))
}

// split are the lines of a text, or what one of JSON consists of.
func split(text string) []string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	if len(all) == 1 && strings.HasPrefix(all[0], "{") {
		all = fragments.FindAllString(all[0], -1)
	}
	return slices.DeleteFunc(all, func(line string) bool { return strings.TrimSpace(line) == "" })
}

// missing are the lines of one text that the other has not as often.
func missing(of, in []string) (out []string) {
	n := map[string]int{}
	for _, line := range in {
		n[strings.TrimSpace(line)]++
	}
	for _, line := range of {
		if line = strings.TrimSpace(line); n[line] == 0 {
			out = append(out, line)
		} else {
			n[line]--
		}
	}
	return out
}

// few are what lines begin with, each once; nil if they are many, or one begins with nothing that it could be known by.
func few(lines []string) (out []string) {
	for _, line := range lines {
		found := begins.FindStringSubmatch(line)
		if found == nil || given.MatchString(found[1]) {
			return nil
		}
		if !slices.Contains(out, found[1]) {
			out = append(out, found[1])
		}
	}
	if len(out) > linesMost {
		return nil
	}
	return out
}
