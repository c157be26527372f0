// Package suggestion looks for small changes of the user's files that mend what a
// check found, and offers those that it has checked: with them the violated property
// holds up to the same bound and no other is worse off (docs/adr/0016).
package suggestion

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/suggestion/edit"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/suggestion/remedy"
	"github.com/seatrial/seatrial/finding"
)

const (
	// offeredMax is how many suggestions a violation gets, triesMax how many single
	// changes are checked for it, and how many pairs if none of them helps.
	offeredMax = 3
	triesMax   = 60
	// dear is the rank from which a change costs machines: where a smaller one helps,
	// none of these is tried.
	dear = 40
)

// Options are what Find cannot know by itself.
type Options struct {
	// Check checks an input with the limits of the run; all goes on after the first
	// violation.
	Check func(ctx context.Context, in *manifest.Input, all bool) (*finding.Report, error)
	// Read is a file as it is now: a patch is made of no other text than that.
	Read func(file string) ([]byte, error)
	// Folder is the working directory, absolute.
	Folder string
	// Progress is told what is about to be checked; nil for none.
	Progress func(what string)
}

// Find adds suggestions to the violations of r that count, and says in r.Suggesting how
// it looked. r is the report of a check of in. When ctx ends, what was found by then
// stays.
func Find(ctx context.Context, in *manifest.Input, r *finding.Report, o Options) {
	s := &search{ctx: ctx, in: in, r: r, o: o, out: &finding.Suggesting{}, checked: map[string]*attempt{}, unreadable: map[string]bool{}}
	s.prints = finding.Fingerprints(r.Results)
	r.Suggesting = s.out
	firsts := map[int]*attempt{}
	for i := range r.Results {
		if p := &r.Results[i]; p.Verdict == finding.Violated && p.Ignored == nil {
			firsts[i] = s.mend(i)
		}
	}
	s.combine(firsts)
	s.out.Tried = len(s.checked)
	if err := ctx.Err(); errors.Is(err, context.DeadlineExceeded) {
		s.out.Reason = "the time for suggestions is over (--suggest-timeout)"
	} else if err != nil {
		s.out.Reason = "interrupted"
	}
}

// search looks for the suggestions of one report.
type search struct {
	ctx    context.Context
	in     *manifest.Input
	r      *finding.Report
	o      Options
	out    *finding.Suggesting
	prints []string
	// checked are the changes that were checked, by what they write.
	checked map[string]*attempt
	// base is what every property said before, once it was asked for.
	base map[string]finding.Result
	// unreadable are files that cannot be patched: standard input, and those that are
	// not on the disk as they were read.
	unreadable map[string]bool
}

// attempt is a change that was checked.
type attempt struct {
	candidate remedy.Candidate
	texts     map[string][]byte
	report    *finding.Report
	all       bool
}

// mend looks for suggestions for the i-th result; it returns the first.
func (s *search) mend(i int) *attempt {
	p := &s.r.Results[i]
	candidates := remedy.Candidates(remedy.For(s.in, *p))
	singles := candidates[:min(len(candidates), triesMax)]
	held := s.try(i, singles)
	if len(held) == 0 {
		held = s.try(i, pairs(singles))
	}
	for _, a := range held {
		p.Suggestions = append(p.Suggestions, s.suggestion(i, a))
	}
	if len(held) > 0 {
		return held[0]
	}
	switch stdin := len(s.unreadable) > 0; {
	case s.ctx.Err() != nil:
		p.Unmended = "the search for a change was cut short"
	case stdin:
		p.Unmended = fmt.Sprintf("there is no file to change: %s", strings.Join(sortedKeys(s.unreadable), ", "))
	case len(candidates) == 0:
		p.Unmended = "no change of the files is known that could mend it"
	default:
		p.Unmended = "none of the changes that were tried mends it and leaves all else as it is"
	}
	return nil
}

// try returns the changes with which the i-th result holds, at most offeredMax.
func (s *search) try(i int, candidates []remedy.Candidate) []*attempt {
	var held, unclear []*attempt
	for n, c := range candidates {
		if len(held) == offeredMax || s.ctx.Err() != nil {
			break
		}
		if len(held) > 0 && (c.Rank >= dear || c.Fields > held[0].candidate.Fields+1) {
			continue
		}
		a := s.check(c, fmt.Sprintf("%d of %d for %s", n+1, len(candidates), cmp.Or(s.r.Results[i].Rule, s.r.Results[i].Name)))
		if a == nil {
			continue
		}
		switch s.judge([]int{i}, a) {
		case good:
			held = append(held, a)
		case unsure:
			unclear = append(unclear, a)
		}
	}
	if len(held) > 0 || len(unclear) == 0 || s.ctx.Err() != nil {
		s.out.Held += len(held)
		return held
	}
	s.know()
	for _, a := range unclear {
		if len(held) == offeredMax || s.ctx.Err() != nil {
			break
		}
		if s.decide(a); s.judge([]int{i}, a) == good {
			held = append(held, a)
		}
	}
	s.out.Held += len(held)
	return held
}

// check reads and checks the input with a change; nil if it cannot be made, or time is
// up.
func (s *search) check(c remedy.Candidate, what string) *attempt {
	texts := s.texts(c.Edits)
	if texts == nil {
		return nil
	}
	key := keyOf(texts)
	if a, again := s.checked[key]; again {
		return a
	}
	if s.o.Progress != nil {
		s.o.Progress(what)
	}
	in, err := s.in.With(s.ctx, texts)
	if err != nil {
		return nil
	}
	report, err := s.o.Check(s.ctx, in, s.r.All)
	if err != nil || report == nil || s.ctx.Err() != nil {
		return nil
	}
	a := &attempt{candidate: c, texts: texts, report: report, all: s.r.All}
	s.checked[key] = a
	return a
}

// decide checks a change once more until every property has a verdict.
func (s *search) decide(a *attempt) {
	if a.all {
		return
	}
	in, err := s.in.With(s.ctx, a.texts)
	if err != nil {
		return
	}
	if report, err := s.o.Check(s.ctx, in, true); err == nil && report != nil && s.ctx.Err() == nil {
		a.report, a.all = report, true
	}
}

// know finds out what all properties say of the input as it is.
func (s *search) know() {
	if s.base != nil {
		return
	}
	report := s.r
	if !s.r.All {
		if full, err := s.o.Check(s.ctx, s.in, true); err == nil && full != nil {
			report = full
		}
	}
	s.base = map[string]finding.Result{}
	prints := finding.Fingerprints(report.Results)
	for i, p := range report.Results {
		if p.Verdict != finding.Inconclusive {
			s.base[prints[i]] = p
		}
	}
}

// texts are the files that edits change, or nil if they cannot.
func (s *search) texts(edits []edit.Edit) map[string][]byte {
	byFile := map[string][]edit.Edit{}
	for _, e := range edits {
		byFile[e.File] = append(byFile[e.File], e)
	}
	out := map[string][]byte{}
	for file, all := range byFile {
		before, known := s.in.Text(file)
		if now, err := s.o.Read(file); !known || err != nil || !bytes.Equal(now, before) {
			s.unreadable[file] = true
			return nil
		}
		after, err := edit.Apply(before, all)
		if err != nil {
			return nil
		}
		if !bytes.Equal(before, after) {
			out[file] = after
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// keyOf is what texts say, as one key.
func keyOf(texts map[string][]byte) string {
	var b strings.Builder
	for _, file := range sortedKeys(texts) {
		fmt.Fprintf(&b, "%q %d\n%s", file, len(texts[file]), texts[file])
	}
	return b.String()
}

// pairs are two changes of different remedies each, the smallest first.
func pairs(singles []remedy.Candidate) []remedy.Candidate {
	var out []remedy.Candidate
	for i, a := range singles {
		for _, b := range singles[i+1:] {
			if a.Remedy == b.Remedy {
				continue
			}
			out = append(out, remedy.Candidate{
				Remedy: a.Remedy + "+" + b.Remedy, Title: a.Title + "; and " + b.Title, Cost: a.Cost + "; " + b.Cost,
				Rank: a.Rank + b.Rank, Fields: a.Fields + b.Fields, Edits: slices.Concat(a.Edits, b.Edits),
			})
		}
	}
	slices.SortStableFunc(out, func(a, b remedy.Candidate) int {
		return cmp.Or(cmp.Compare(a.Fields, b.Fields), cmp.Compare(a.Rank, b.Rank))
	})
	return out[:min(len(out), triesMax)]
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
