package oracle

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/seatrial/seatrial/history"
)

// telling is how many digits a number has that hardly is another one by chance.
const telling = 4

// asked tells whether a change is one that the user has made in the custom resource, or its way back: one side is what
// its spec says of something now, and the other what it said of that before. Then it is no time or count of the
// operator's own, whatever it looks like.
func (v *view) asked(ch history.Change) bool {
	steps := v.c.Steps
	now := specOf(steps[len(steps)-1])
	for _, s := range steps[:len(steps)-1] {
		if s.Refused != "" {
			continue
		}
		for _, of := range flat(history.Diff(specOf(s), now)) {
			stays := rendered(of.From, ch.To) && rendered(of.To, ch.From)
			// What is only there behind a change may be what a change sets off: that pods start anew, from that time.
			follows := of.From != nil && rendered(of.From, ch.From) && rendered(of.To, ch.To)
			if !stays && !follows {
				continue
			}
			if !short(ch.From) && !short(ch.To) || lastName(of.Path) != "" && strings.HasSuffix(lastName(ch.Path), lastName(of.Path)) {
				return true
			}
		}
	}
	return false
}

// specOf is the spec of a step's resource, as the only field of an object.
func specOf(s *Step) history.Object { return history.Object{"spec": s.Resource.At("spec")} }

// short tells whether a value is a number of few digits, which may be equal to another by chance.
func short(v any) bool {
	text, is := decimal(v)
	return is && len(text) < telling
}

// lastName are the letters of the last name of a path, in lower case.
func lastName(path string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, path[strings.LastIndexAny(path, "./")+1:])
}

// rendered tells whether two values are the same, or the same time in two forms.
func rendered(a, b any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if fmt.Sprint(a) == fmt.Sprint(b) {
		return true
	}
	one, isOne := instant(a)
	other, isOther := instant(b)
	return isOne && isOther && one.Equal(other)
}

// instant is the time that a value is in one of the forms that [moment] knows, in whole seconds; false if it is none.
func instant(v any) (time.Time, bool) {
	text := fmt.Sprint(v)
	if epoch(text) {
		n, err := strconv.ParseInt(text[:10], 10, 64) // smaller units have more digits behind
		return time.Unix(n, 0), err == nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t, err = time.Parse("2006-01-02 15:04:05", text[:min(len(text), 19)])
	}
	return t.Truncate(time.Second), err == nil
}
