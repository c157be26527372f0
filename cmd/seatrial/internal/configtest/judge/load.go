package judge

import (
	"cmp"
	"context"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// Where more than enough tests are to run, what loads the changes is asked first: a handful says more of what comes of
// a refusal. asked is how many tests are run for that, the quickest ones.
const (
	enough = 10
	asked  = 3
)

// loading asks what loads a change whether it takes that, with all that does not change, in the process of a test. What
// the test makes of it does not matter, since many a test brings a document of its own, which does not go with what is
// deployed.
type loading struct {
	*judging
	change int
}

// undecided are the changes that no test was seen to take, and none to fail with.
func (b *Bench) undecided(judged []*Judged) (out []int) {
	for i, c := range b.Changes {
		if c.Unchanged || b.without[i] || slices.ContainsFunc(judged, func(j *Judged) bool {
			if j == nil {
				return false
			}
			_, proved := j.Proofs[i]
			return proved || slices.ContainsFunc(j.Culprits, func(c Culprit) bool { return !c.HardCoded && slices.Contains(c.Changes, i) })
		}) {
			continue
		}
		out = append(out, i)
	}
	return out
}

// loaders are tests in which something loads what it is given.
func loaders(judged []*Judged) (out []choose.Test) {
	for _, j := range judged {
		if j != nil && j.loads {
			out = append(out, j.Test)
		}
	}
	return out
}

// loads tells whether something loaded what was given in any run of the test.
func (j *judging) loads() bool {
	for _, o := range j.known {
		if slices.ContainsFunc(o.Events, func(e record.Event) bool { return e.Verb == record.Gave }) {
			return true
		}
	}
	return false
}

// loaded asks what loads some changes, and adds what is refused to what became of the tests.
func (b *Bench) loaded(ctx context.Context, tests []choose.Test, changes []int, to []*Judged) error {
	refused, err := b.load(ctx, tests, changes)
	for _, i := range changes {
		shown := refused[i]
		if shown == nil {
			continue
		}
		at := slices.IndexFunc(to, func(j *Judged) bool { return j != nil && j.Package == shown.Package && j.Name == shown.Name })
		if at < 0 {
			at = slices.IndexFunc(tests, func(t choose.Test) bool { return t.Package == shown.Package && t.Name == shown.Name })
			to[at] = shown
			continue
		}
		to[at].Excluded, to[at].Culprits = "", append(to[at].Culprits, shown.Culprits...)
	}
	return err
}

// load asks tests for some changes, and gives what is refused: the test that shows it, with the culprit.
func (b *Bench) load(ctx context.Context, tests []choose.Test, changes []int) (map[int]*Judged, error) {
	out := map[int]*Judged{}
	for _, i := range changes {
		if c := b.Changes[i]; c.Class == nil || c.Class.Several || c.Unknown != "" || c.New == nil {
			continue
		}
		of := slices.DeleteFunc(slices.Clone(tests), func(t choose.Test) bool {
			return t.File != "" || !slices.Contains(t.Reads, i) && !slices.Contains(t.Loads, i)
		})
		flag := b.Changes[i].IDs[0].Kind() == parameter.Flag
		slices.SortStableFunc(of, func(x, y choose.Test) int {
			if flag && x.Starts != y.Starts { // flags are loaded where the program starts: who reads their fields may have made these
				return cmp.Compare(loadsLast(x), loadsLast(y))
			}
			return cmp.Compare(x.Took, y.Took)
		})
		for _, t := range of[:min(len(of), asked)] {
			l := loading{b.begin(ctx, t), i}
			culprit, err := l.culprit()
			if err != nil {
				return out, err
			}
			if culprit != nil {
				out[i] = &Judged{Test: t, Culprits: []Culprit{*culprit}, Proofs: map[int]Proof{}}
				break
			}
		}
	}
	return out, nil
}

// ask asks what loads changes, where several tests show that it refuses them. What is known then need not be seen of
// each test again: each repeat of one that starts the program and waits for it takes as long as the first time.
func (b *Bench) ask(ctx context.Context, failing []*judging) error {
	var tests []choose.Test
	var changes []int
	for _, j := range failing {
		after, err := j.run(j.all())
		if err != nil {
			return err
		}
		shows := false
		for _, i := range j.all() {
			c := j.changes[i]
			if c.Class == nil || c.Class.Several || refusesNow(c, j.before, after) == "" {
				continue
			}
			if shows = true; !slices.Contains(changes, i) {
				changes = append(changes, i)
			}
		}
		if shows {
			tests = append(tests, j.test)
		}
	}
	b.refused = map[int][]choose.Change{}
	if len(tests) < 2 {
		return nil
	}
	refused, err := b.load(ctx, tests, changes)
	for i, shown := range refused {
		b.refused[i] = shown.Culprits[0].Beside
	}
	return err
}

// certain tells whether the test fails with some changes as one of them is refused, by what is known to refuse it.
func (j *judging) certain(in []int) bool {
	after := j.known[keyOf(slices.Concat(j.beside, in))]
	return after != nil && slices.ContainsFunc(in, func(i int) bool {
		_, refused := j.bench.refused[i]
		return refused && refusesNow(j.changes[i], j.before, after) != ""
	})
}

// loadsLast puts tests that start programs before others.
func loadsLast(t choose.Test) int {
	if t.Starts {
		return 0
	}
	return 1
}

// culprit is the change by itself, if it is refused each time, and what was there before is taken each time.
func (l loading) culprit() (*Culprit, error) {
	for i, c := range l.changes {
		if c.Unchanged {
			l.beside = append(l.beside, i)
		}
	}
	var why string
	for range Repeats {
		before, err := l.trial(l.ctx, l.test, l.given(nil))
		if err != nil || before.Ending == run.Stopped || !l.takes(before, nil) {
			return nil, cmp.Or(err, context.Cause(l.ctx))
		}
		after, err := l.trial(l.ctx, l.test, l.given([]int{l.change}))
		if err != nil || after.Ending == run.Stopped {
			return nil, cmp.Or(err, context.Cause(l.ctx))
		}
		if why = l.refuses(after); why == "" {
			return nil, nil
		}
	}
	said := record.Event{Verb: record.Gave, Subject: l.changes[l.change].IDs[0], At: why}
	out := &Culprit{Changes: []int{l.change}, Outcome: &run.Outcome{Ending: run.Failed, Output: why, Events: []record.Event{said}}}
	return out, l.needs(out)
}

// needs finds what does not change and the change is refused beside, if it is taken without.
func (l loading) needs(c *Culprit) error {
	var failed error
	beside := slices.DeleteFunc(slices.Clone(l.beside), func(i int) bool { return l.changes[i].Type != l.changes[l.change].Type })
	refused := func(part []int) bool {
		l.beside = part
		o, err := l.trial(l.ctx, l.test, l.given([]int{l.change}))
		failed = cmp.Or(failed, err)
		return err == nil && l.refuses(o) != ""
	}
	if refused(nil) || !refused(beside) {
		return failed
	}
	for _, i := range Smallest(beside, refused) {
		c.Beside = append(c.Beside, l.changes[i])
	}
	return failed
}

// refuses is why nothing that loads all that is given with the change takes it; empty if something does, or it is not
// known.
func (l loading) refuses(o *run.Outcome) (why string) {
	in := []int{l.change}
	if l.takes(o, in) {
		return ""
	}
	for _, g := range l.loaded(o, in) {
		for _, e := range g {
			if e.At != "" && slices.Contains(l.changes[l.change].IDs, e.Subject) {
				return e.At
			}
		}
	}
	return ""
}

// takes tells whether something that loads all that is given takes it.
func (l loading) takes(o *run.Outcome, in []int) bool {
	return slices.ContainsFunc(l.loaded(o, in), func(g []record.Event) bool {
		return !slices.ContainsFunc(g, func(e record.Event) bool { return e.At != "" })
	})
}

// loaded are what was given to decoders, a list for each time, with all in it that there is to give: a test may have
// made a part of it, which does not go with the rest.
func (l loading) loaded(o *run.Outcome, in []int) (out [][]record.Event) {
	gave := slices.DeleteFunc(slices.Clone(o.Events), func(e record.Event) bool { return e.Verb != record.Gave })
	of := l.changes[l.change]
	v := l.given(in)
	for from := range gave {
		g := until(gave[from:])
		whole := true
		for i, c := range l.changes {
			if v[i] == nil || c.Class == nil || c.Type != of.Type || i != l.change && of.Type == "" {
				continue
			}
			whole = whole && slices.ContainsFunc(g, func(e record.Event) bool { return slices.Contains(c.IDs, e.Subject) })
		}
		if whole {
			out = append(out, g)
		}
	}
	return out
}

// until is the beginning of some events up to what is about the same as one before: that is another time.
func until(events []record.Event) []record.Event {
	for end, e := range events {
		if slices.ContainsFunc(events[:end], func(other record.Event) bool { return other.Subject == e.Subject }) {
			return events[:end]
		}
	}
	return events
}

// refused is an outcome as a failure, if what loads a new value refuses it, and took the old one: the test does not see
// that where it goes on with what it has made itself.
func (j *judging) refused(v choose.Values, o *run.Outcome) (*run.Outcome, error) {
	if o.Ending != run.Passed || slices.Equal(v, j.given(nil)) {
		return o, nil
	}
	for i, c := range j.changes {
		if c.Unchanged || v[i] == nil || c.Class == nil || c.Class.Several { // another command's flag may be of another type
			continue
		}
		if refusal(c, o) == "" {
			continue
		}
		before, err := j.run(nil)
		if err != nil {
			return nil, err
		}
		if why := refusesNow(c, before, o); why != "" {
			failed := *o
			failed.Ending, failed.Output = run.Failed, why
			return &failed, nil
		}
	}
	return o, nil
}

// refusal is what is said by what loads a value, and does not take it; empty if it does.
func refusal(c choose.Change, o *run.Outcome) string {
	for _, e := range events(c, o, record.Gave) {
		if e.At != "" {
			return e.At
		}
	}
	return ""
}

// refusesNow is why what loads a new value refuses it, and took the old one; empty if it takes it. Where there was no
// old value it is not known that the same decoder, with what the test has made, takes any: then one that takes the new
// one is enough.
func refusesNow(c choose.Change, before, after *run.Outcome) string {
	if refusal(c, before) != "" || c.Old == nil && taken(c, after) {
		return ""
	}
	return refusal(c, after)
}

// taken tells whether something that loads a value took it.
func taken(c choose.Change, o *run.Outcome) bool {
	return slices.ContainsFunc(events(c, o, record.Gave), func(e record.Event) bool { return e.At == "" })
}
