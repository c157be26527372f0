package configtest

import (
	"slices"
	"strings"
	"sync"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// bench is what tests are judged with. seen are places at which others were seen to read each change; nil for none.
func (s *session) bench(changes []choose.Change, seen [][]string) *judge.Bench {
	bench := &judge.Bench{Changes: changes, Trial: s.trial(changes), Others: s.otherValues(changes), Workers: s.Workers, Every: s.AllTests, Seen: seen}
	bench.Apart = func(t choose.Test, in []int) bool {
		_, is := s.fileWith(t.File, changes, in)
		return is
	}
	bench.Unknown = func(i int, sites []string) (like string, is, unsure bool) {
		c := changes[i]
		if c.Old == nil || c.New == nil {
			return "", false, false
		}
		words := s.code.Constants(sites, namesOf(c)...)
		if value.Recased(*c.Old, *c.New, words) {
			return value.Bare(*c.Old), true, true
		}
		like, is = value.Misspelt(*c.New, words), value.Unknown(*c.Old, *c.New, words)
		if is && (like != "" || !s.code.Open(sites, namesOf(c)...)) {
			return like, true, false
		}
		unsure = like != "" && strings.EqualFold(like, value.Bare(*c.Old))
		return like, unsure, unsure
	}
	bench.Compared = func(i int, sites []string) []string {
		return s.code.Constants(sites, namesOf(changes[i])...)
	}
	bench.Unlisted = func(i int) bool { return s.unlisted(changes[i]) }
	bench.Words = func(i int) []string {
		if changes[i].Old == nil || changes[i].Class == nil {
			return nil
		}
		return facts(s.sources.Facts).words(changes[i])
	}
	s.asserted(bench, changes)
	bench.Guarded = once(len(changes), func(i int) bool { return s.code.Guarded(namesOf(changes[i])...) })
	bench.Meant = once(len(changes), func(i int) bool {
		return changes[i].New != nil && s.code.Meant(*changes[i].New, namesOf(changes[i])...)
	})
	bench.Bounds = func(i int, sites []string) bool {
		return s.code.Bounds(sites, namesOf(changes[i])...)
	}
	bench.Away = func(i int, sites []string) bool {
		return s.code.Away(sites, namesOf(changes[i])...)
	}
	bench.Known = once(len(changes), func(i int) bool {
		return changes[i].New != nil && value.Word(value.Bare(*changes[i].New)) && s.code.Known(*changes[i].New)
	})
	bench.Unwritten = once(len(changes), func(i int) bool { return s.unwritten(changes[i]) })
	bench.Nothing = func(i int, sites []string) bool {
		return s.code.Nothing(sites, namesOf(changes[i])...)
	}
	bench.Asserted = s.code.Asserted
	return bench
}

// asserted is what the sources of tests say of what they assert.
func (s *session) asserted(bench *judge.Bench, changes []choose.Change) {
	bench.Asserts = func(t choose.Test, texts []string) bool {
		return s.code.Written(t.Package, t.Name, texts)
	}
	bench.Mentions = func(t choose.Test, word, whole string) bool {
		return s.code.Mentions(t.Package, t.Name, word, whole)
	}
	bench.HandsOn = s.handsOn
	bench.Between = func(t choose.Test, i int) bool {
		var deployed []string
		for at, c := range changes {
			if at != i && c.Old != nil {
				deployed = append(deployed, value.Scalars(*c.Old)...)
			}
		}
		return s.code.Between(t.Package, t.Name, *changes[i].Old, changes[i].Meant(), deployed)
	}
}

// otherValues are valid values of changes beside the old one and the new one.
func (s *session) otherValues(changes []choose.Change) judge.Others {
	return func(t choose.Test, i int, sites []string) []string {
		c := changes[i]
		var known []string
		for _, v := range []*string{c.Old, c.New} {
			if v != nil {
				known = append(known, *v)
			}
		}
		words := s.code.Constants(sites, namesOf(c)...)
		if len(words) < 2 && c.Old != nil { // one may be a special case
			words = append(words, s.code.Listed(t.Package, value.Bare(*c.Old))...)
		}
		if len(words) == 0 && c.Old != nil {
			words = facts(s.sources.Facts).words(c)
		}
		found := value.Others(known, words, c.JSON())
		if c.Old != nil && len(words) == 0 {
			found = value.Fractions(facts(s.sources.Facts).about(c, nil, nil).Type, *c.Old, found)
		}
		return slices.DeleteFunc(found, func(other string) bool {
			_, is := s.otherwise(t.File, changes, i, other)
			return t.File != "" && !is
		})
	}
}

// once asks about each of so many changes once: all sources of the module are looked through for that.
func once(n int, ask func(int) bool) func(int) bool {
	answers := make([]func() bool, n)
	for i := range answers {
		answers[i] = sync.OnceValue(func() bool { return ask(i) })
	}
	return func(i int) bool { return answers[i]() }
}

// namesOf are what a parameter is called.
func namesOf(c choose.Change) (out []string) {
	if c.Class != nil {
		for _, id := range c.Class.Identities() {
			out = append(out, id.Name())
		}
	}
	return out
}

// handsOn tells whether a test does no more at a place than to say that there is an error.
func (s *session) handsOn(t choose.Test, at string) bool {
	return s.code.HandsOn(t.Package, at)
}
