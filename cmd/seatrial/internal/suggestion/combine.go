package suggestion

import (
	"reflect"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/suggestion/edit"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/suggestion/remedy"
)

// combine makes one patch of the first suggestion of each violation, in the order of
// the results: each is added if those before it have not mended what it is for, and if
// all of them together were checked.
func (s *search) combine(firsts map[int]*attempt) {
	var whole *attempt
	var mended []int
	for i := range s.r.Results {
		first, violated := firsts[i]
		if !violated {
			continue
		}
		p := s.r.Results[i]
		switch {
		case first == nil:
			s.out.Left = append(s.out.Left, named(p)+": "+p.Unmended)
			continue
		case whole == nil:
			whole, mended = first, []int{i}
			continue
		}
		if s.judge(append(slices.Clone(mended), i), whole) == good {
			mended = append(mended, i) // along with the others
			continue
		}
		both := s.check(remedy.Candidate{Edits: join(whole.candidate.Edits, first.candidate.Edits)}, "all together")
		if both != nil {
			s.know()
			s.decide(both)
		}
		if both == nil || s.judge(append(slices.Clone(mended), i), both) != good {
			s.out.Left = append(s.out.Left, named(p)+": its suggestion does not go with those before it")
			continue
		}
		whole, mended = both, append(mended, i)
	}
	if whole != nil {
		s.out.Patch, s.out.Folder = s.patch(whole.texts)
	}
}

// join is two lists of edits; what both say is said once.
func join(a, b []edit.Edit) []edit.Edit {
	out := slices.Clone(a)
	for _, e := range b {
		if !slices.ContainsFunc(a, func(had edit.Edit) bool { return same(had, e) }) {
			out = append(out, e)
		}
	}
	return out
}

func same(a, b edit.Edit) bool {
	return a.File == b.File && a.Line == b.Line && a.Op == b.Op && a.Path.String() == b.Path.String() && reflect.DeepEqual(a.Value, b.Value)
}
