package configtest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// outlived runs packages once more as go test does, where goroutines outlive their tests and read what changes then, or
// where a process of several tests has crashed and none of them had: a panic in such a goroutine is one of no test, and
// ends them all. In a process of its own the test is over before. What crashes with the new values, three times of
// three, and never with the old ones, is found.
func (s *session) outlived(ctx context.Context, m *parameter.Map, out *Outcome) error {
	if s.runner == nil || out.Tests == nil && len(s.broken) == 0 && !reads(m, out) {
		return nil
	}
	out.late = map[int][]string{}
	for _, p := range m.Packages {
		in := out.outliving(p, s.broken[p.Path])
		if len(in) == 0 || ctx.Err() != nil {
			continue
		}
		at := slices.IndexFunc(s.packages, func(of run.Package) bool { return of.Name == p.Path })
		if err := s.compile(ctx, s.packages[at:at+1]); err != nil {
			return err
		}
		if err := s.outliving(ctx, p, out, in); err != nil {
			return err
		}
	}
	return nil
}

// reads tells whether any goroutine was seen to read what changes when its test was over.
func reads(m *parameter.Map, out *Outcome) bool {
	return slices.ContainsFunc(m.Packages, func(p parameter.Package) bool { return len(out.outliving(p, false)) > 0 })
}

// outliving are the changes that tests of a package read whose goroutines are seen to be at work when they are over, of
// which nothing is found; all of these, if its tests have crashed together.
func (o *Outcome) outliving(p parameter.Package, broken bool) (in []int) {
	for i, c := range o.Changes {
		found := slices.ContainsFunc(o.Tests, func(t *judge.Judged) bool {
			return t != nil && slices.ContainsFunc(t.Culprits, func(c judge.Culprit) bool { return !c.HardCoded && slices.Contains(c.Changes, i) })
		})
		if c.Class == nil || c.Unknown != "" || found {
			continue
		}
		if broken || slices.ContainsFunc(p.Tests, func(t parameter.Test) bool {
			return c.Class.Among(t.Late) || len(t.Late) > 0 && c.Class.Among(t.Reads)
		}) {
			in = append(in, i)
		}
	}
	return in
}

// outliving runs the tests of a package that have not failed, with both versions in turn.
func (s *session) outliving(ctx context.Context, p parameter.Package, out *Outcome, in []int) error {
	var tests []string
	for _, t := range p.Tests {
		failed := slices.ContainsFunc(out.Tests, func(j *judge.Judged) bool {
			return j != nil && j.Package == p.Path && j.Name == t.Name && (j.Excluded != "" || len(j.Culprits) > 0)
		})
		if t.Ends == "" && !failed {
			tests = append(tests, t.Name)
		}
	}
	changes := slices.Concat(out.Changes, out.Around)
	give := giving(changes)
	var last error
	together := func(part []int) (*run.Outcome, string) {
		o, by, err := s.runner.Package(ctx, s.programs[p.Path], tests, give(choose.Before(changes).With(changes, part)), min(s.Timeout, time.Minute))
		last = cmp.Or(last, err, ctx.Err())
		return o, by
	}
	crashes := func(part []int) bool {
		o, _ := together(part)
		return last == nil && o.Ending == run.Panicked
	}
	times := 0
	for range judge.Repeats {
		if crashes(nil) || last != nil { // it does not depend on what changes
			return last
		}
		if crashes(in) {
			times++
		}
	}
	for _, i := range in {
		for _, t := range p.Tests {
			if out.Changes[i].Class.Among(t.Late) {
				out.late[i] = append(out.late[i], testName(&judge.Judged{Test: choose.Test{Package: p.Path, Name: t.Name}}))
			}
		}
	}
	if times == 0 || last != nil {
		return last
	}
	if times < judge.Repeats {
		out.Untrue = append(out.Untrue, fmt.Sprintf("the tests of %s end with a panic now and then, with the new values, in a goroutine whose test is over", p.Path))
		return nil
	}
	part := judge.Smallest(in, crashes)
	o, by := together(part)
	if last != nil || o.Ending != run.Panicked {
		return last
	}
	out.Tests = append(out.Tests, out.ofGoroutine(p, part, o, by))
	return nil
}

// ofGoroutine is a panic as one of the test whose goroutine it was, as far as that is known: where the runtime does not
// say it, those that read the change are named.
func (o *Outcome) ofGoroutine(p parameter.Package, part []int, with *run.Outcome, by string) *judge.Judged {
	if by == "" {
		var names []string
		for _, t := range p.Tests {
			if slices.ContainsFunc(part, func(i int) bool { return o.Changes[i].Class.Among(t.Late) || o.Changes[i].Class.Among(t.Reads) }) {
				names = append(names, t.Name)
			}
		}
		by = strings.Join(names, " or ")
	}
	with.Output = strings.Replace(with.Output, "panic: ", "panic: in a goroutine, when the test is over: ", 1)
	return &judge.Judged{Test: choose.Test{Package: p.Path, Name: by, Reads: part}, Proofs: map[int]judge.Proof{}, Culprits: []judge.Culprit{{Changes: part, Outcome: with}}}
}
