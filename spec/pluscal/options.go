package pluscal

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/spec/syntax"
)

// options are what a module asks of a translation: PlusCal options (…).
type options struct {
	// fairness is wf, sf, wfNext or nof, empty if nothing is asked.
	fairness string
	// label asks for labels where they are missing, which begin with root.
	label bool
	root  string
	// stop leaves out the step that a terminated algorithm repeats.
	stop bool
}

var optionsWord = regexp.MustCompile(`PlusCal\s+options?\s*\(([^)]*)\)`)

// readOptions finds the options of the source that holds an algorithm. Options that are
// about files or about how the translation is laid out change nothing.
func readOptions(at syntax.Position) (options, error) {
	o := options{root: "Lbl_"}
	text := at.Source.Text
	found := optionsWord.FindStringSubmatchIndex(text)
	if found == nil {
		return o, nil
	}
	words := strings.FieldsFunc(text[found[2]:found[3]], func(r rune) bool { return strings.ContainsRune(" ,\t\r\n", r) })
	for i, word := range words {
		switch word = strings.TrimPrefix(word, "-"); {
		case slices.Contains([]string{"wf", "sf", "wfNext", "nof"}, word):
			if o.fairness != "" && o.fairness != word {
				return o, syntax.Errorf(syntax.Position{Source: at.Source, Line: 1 + strings.Count(text[:found[0]], "\n"), Column: 1},
					"the PlusCal options have both %s and %s: keep one", o.fairness, word)
			}
			o.fairness = word
		case word == "label":
			o.label = true
		case word == "labelRoot" && i+1 < len(words):
			o.root = words[i+1]
		case word == "noDoneDisjunct":
			o.stop = true
		}
	}
	return o, nil
}
