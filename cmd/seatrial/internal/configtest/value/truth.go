package value

import (
	"slices"
	"strings"
)

// truths are words for yes and no.
var truths = []string{"true", "false", "yes", "no", "on", "off", "enabled", "disabled"}

func init() {
	// There is one other value: a test that fails with it may be about just that.
	register(0, func(text string) ([]string, bool) { return nil, slices.Contains(truths, strings.ToLower(text)) })
	sorted(sort{6, "truth", func(p *asked) bool {
		_, is := p.value.(bool)
		return is || p.typed("bool") || p.shaped() && slices.Contains(truths, strings.ToLower(p.plain))
	}, func(p *asked) {
		other := Valid
		if p.plain == "" { // which of them holds is not known, and a test may be about just that
			other = Unsure
		}
		p.bare(other, "true", "the other one")
		p.bare(other, "false", "the other one")
		p.add(Invalid, "perhaps", "neither true nor false")
		p.bare(Invalid, "2", "a number for a truth")
		if p.text {
			p.add(Unsure, "yes", "another word for it")
		}
		p.add(Unsure, "", "empty")
	}})
}
