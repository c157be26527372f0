package value

import "strings"

func init() {
	sorted(sort{0, "word", func(p *asked) bool {
		return len(p.Members) > 0 || len(p.Constants) > 0 && (p.Type == "" || p.shaped())
	}, others})
}

// others are the other words that are known, and one that is not: it is invalid only where all words are known, or
// where the code tells several apart.
func others(p *asked) {
	known, unknown := p.Members, Invalid
	if len(known) == 0 {
		known = p.Constants
		if len(known) < 2 {
			unknown = Unsure
		}
	}
	for _, m := range known {
		p.add(Valid, m, "another word that the code knows")
	}
	p.add(unknown, "no-such-word", "a word that the code does not know")
	p.add(Unsure, strings.ToUpper(p.plain), "in capital letters")
	p.add(Unsure, "", "empty")
}
