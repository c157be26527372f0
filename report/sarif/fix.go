package sarif

import (
	"strings"

	"github.com/seatrial/seatrial/finding"
)

// fixes are suggestions as replacements of whole lines. What is inserted is the text of
// a file, and not made printable: it is for editors.
func fixes(all []finding.Suggestion) []fix {
	var out []fix
	for _, s := range all {
		one := fix{Description: message{safe(s.Title + " (" + s.Cost + ")")}}
		for _, c := range s.Changes {
			if n := len(one.Changes); n == 0 || one.Changes[n-1].Artifact.URI != uri(c.File) {
				one.Changes = append(one.Changes, artifactChange{Artifact: artifact{uri(c.File)}})
			}
			with := replacement{Deleted: deletion{c.Line, 1, c.Line + len(c.Old), 1}}
			if len(c.New) > 0 {
				with.Inserted = &message{strings.Join(c.New, "\n") + "\n"}
			}
			to := &one.Changes[len(one.Changes)-1]
			to.Replacements = append(to.Replacements, with)
		}
		if len(one.Changes) > 0 {
			out = append(out, one)
		}
	}
	return out
}
