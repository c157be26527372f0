package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// Finding is one root of what is wrong, with the shortest way to it that was found.
type Finding struct {
	// Deviations are those of the run that was made last, the most telling first.
	Deviations []oracle.Deviation
	// Operations lead there from the seed.
	Operations []*operation.Operation
	// Seen is how many operations of the campaign show it, and Properties are what those change.
	Seen       int
	Properties []string
	// Restart tells that the operator has to be killed behind the last operation, and
	// Delete that the custom resource has to be deleted.
	Restart, Delete bool
	// Made tells that the custom resource is made as it is behind the operations, and was never another.
	Made bool
	// Runs is how often it was tried again, and Failed how often it was so. Both are 0 where
	// there was no time for it: it is not confirmed then.
	Runs, Failed int
	// Small tells that it was made as small as it becomes; else another property that Operations change may be the
	// cause.
	Small bool

	// doubt is why what was done to see it again says nothing; empty if it does.
	doubt string

	run *run
	// ways are those on which it was seen, the shortest first, and tries how often it was looked for on them.
	ways  []*seen
	tries int
	// cause is equal for the same cause, as it is said of a change of property.
	cause, property string
	// chance: it did not come again each time.
	chance bool
	// instead are what else was wrong when it did not come again.
	instead []string
	// traced: it is about where values go, which several operations together show.
	traced bool
}

// Property is the one that it is about, or are those that only together show it.
func (f *Finding) Property() string {
	if p := f.Deviations[0].Property; p != "" {
		return p
	}
	n := len(f.Operations)
	switch {
	case n == 0:
		return ""
	case n > 1 && f.Operations[n-1].Repairs: // what it repairs may have been made smaller, to another property
		return subject(f.Operations[n-2])
	}
	return subject(f.Operations[n-1])
}

// subject names what an operation changes, the first of many.
func subject(o *operation.Operation) string {
	const named = 3
	all := append([]string{o.Property}, o.With...)
	if len(all) <= named {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:named], ", "), len(all)-named)
}

// Confirmed tells that it came again, or that one look is enough. Else it may be chance.
func (f *Finding) Confirmed() bool { return f.Failed > 0 || f.Deviations[0].Certain }

// Resources are the custom resource as it is applied, one after another: the seed first.
func (f *Finding) Resources(seed history.Object) []history.Object {
	all := []history.Object{seed}
	for _, o := range f.Operations {
		next, err := o.Apply(all[len(all)-1])
		if err != nil {
			continue
		}
		all = append(all, next)
	}
	return all
}

const (
	// confirmations is how often a root has to be seen again as it is reported.
	confirmations = 2
	// triesMax bounds the runs that make one root smaller; for each change beside another one in its operation there is
	// one more, since it is named after those that are left.
	triesMax = 20
)

// findings sees that each root comes again, and makes those that do smaller. What is interrupted before is kept as it
// was seen, and is not confirmed.
func (t *trial) findings(ctx context.Context) error {
	begun := t.o.Now()
	defer func() { t.out.Reducing = t.o.Now().Sub(begun) }()
	all, err := t.enough, error(nil)              // which are small already
	if t.out.Enough = all != nil; !t.out.Enough { // else something may still come of what nothing has come of
		small, open := t.repeated()
		all, err = t.confirm(ctx, append(open, t.traced()...))
		all = append(small, all...)
	}
	t.out.Findings = merge(all)
	if ctx.Err() != nil {
		t.out.Interrupted = true
	}
	return err
}

// confirm repeats roots on their first way each, and makes those smaller that come again, before it tries the other
// ways of those that do not: most of what does not come at once was chance, and there may be no time for all of it.
func (t *trial) confirm(ctx context.Context, open []*Finding) ([]*Finding, error) {
	first := func(ctx context.Context, f *Finding) (bool, error) { return t.repeat(ctx, f, 1) }
	came, later, err := t.each(ctx, "repeat", likely(open), first)
	if err != nil {
		return append(came, later...), err
	}
	came, gone, err := t.each(ctx, "reduce", came, t.reduce)
	t.out.Gone = append(t.out.Gone, gone...)
	if err != nil {
		return append(came, later...), err
	}
	rest := func(ctx context.Context, f *Finding) (bool, error) { return t.repeat(ctx, f, f.chances()+len(f.ways)) }
	late, gone, err := t.each(ctx, "repeat", later, rest)
	t.out.Gone = append(t.out.Gone, gone...)
	if err == nil {
		late, gone, err = t.each(ctx, "reduce", late, t.reduce)
		t.out.Gone = append(t.out.Gone, gone...)
	}
	return append(came, late...), err
}

// likely puts those first that most likely come again, and take least: with the fewest changes on their way, and shown
// by the most operations.
func likely(all []*Finding) []*Finding {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b *Finding) int {
		return cmp.Or(changes(a.Operations)-changes(b.Operations), b.Seen-a.Seen)
	})
	return all
}

// repeated are the roots that were repeated already while the sequences ran: those that came again, and were made
// smaller as far as there was time; and open are those that were not, or not on each of their ways.
func (t *trial) repeated() (small, open []*Finding) {
	for _, f := range roots(t.out.Results) {
		again, done := t.again[f.cause]
		switch {
		case again != nil:
			again.Seen, again.Properties = f.Seen, f.Properties
			small = append(small, again)
		case !done || f.leave(t.tried[f.cause]):
			open = append(open, f)
		default:
			t.out.Gone = append(t.out.Gone, f)
		}
	}
	return small, open
}

// each does something with each root, several at once: left are those that came again, or for which there was no time,
// and gone the others.
func (t *trial) each(ctx context.Context, what string, all []*Finding, do func(context.Context, *Finding) (bool, error)) (left, gone []*Finding, err error) {
	lost := make([]bool, len(all))
	done := 0
	err = inParallel(t.workers(), len(all), func(i int) error {
		if ctx.Err() != nil {
			return nil
		}
		again, err := do(ctx, all[i])
		if ctx.Err() != nil {
			return nil
		}
		lost[i] = !again && err == nil
		t.mu.Lock()
		defer t.mu.Unlock()
		done++
		t.o.tell(Progress{What: what, Done: done, Of: len(all)})
		return err
	})
	for i, f := range all {
		if lost[i] {
			gone = append(gone, f)
			continue
		}
		left = append(left, f)
	}
	return left, gone, err
}

// traced are the properties that nothing comes of. That is not said of one of which operations are left that were
// planned: they may change it where it has a part.
func (t *trial) traced() []*Finding {
	var all []*Finding
	left := t.out.left()
	for _, d := range t.tracer.Judge(t.off) {
		if d.Oracle == deadProperty && left[d.Property] {
			continue
		}
		all = append(all, &Finding{
			cause: cause(oracle.Group{Lead: d.Deviation, Property: d.Property}, t.key), Deviations: []oracle.Deviation{d.Deviation}, Operations: d.Operations, Seen: d.Seen, traced: true,
		})
	}
	return all
}

// left are the properties of which operations were planned and not tried, since the campaign was over.
func (o *Outcome) left() map[string]bool {
	if o.Skipped == 0 { // what cannot be tried, since what it changes is not there, is not waited for
		return nil
	}
	tried, left := map[string]bool{}, map[string]bool{}
	for _, r := range o.Results {
		for _, s := range r.Steps {
			tried[s.Operation] = true
		}
	}
	for _, s := range o.Plan.Sequences {
		for _, planned := range s.Operations {
			if !tried[planned.Name] && !planned.Repairs {
				left[planned.Property] = true
			}
		}
	}
	return left
}

// trace is what a tracer says that has seen one run alone.
func (t *trial) trace(ctx context.Context, r *run) ([]oracle.Deviation, error) {
	tracer := t.tracer.Fresh()
	var known []oracle.Deviation
	for i := 1; i < len(r.Steps); i++ {
		found, err := t.judge(ctx, r, i, known, func(c *oracle.Case) { tracer.Add(c, known) })
		if err != nil {
			return nil, err
		}
		known = append(known, found...)
	}
	var all []oracle.Deviation
	for _, d := range tracer.Judge(t.off) {
		all = append(all, d.Deviation)
	}
	return all, nil
}

// reduce makes a root smaller that has come again; false if it does not any more. What comes only now and then is not
// confirmed.
func (t *trial) reduce(ctx context.Context, f *Finding) (bool, error) {
	if f.Failed == 0 {
		return true, nil
	}
	tries, most := 0, triesMax
	for _, o := range f.Operations {
		most += max(0, len(o.All())-1)
	}
	fails := func(path []*operation.Operation) (bool, error) {
		if tries++; tries > most {
			return false, nil
		}
		return t.shows(ctx, f, path)
	}
	whole := *f
	if !f.traced {
		smaller, err := operation.Reduce(t.seed, t.root, f.Operations, fails)
		f.Operations = smaller // which was seen to fail, also where there was no time for more
		if err != nil {
			return false, err
		}
		if _, err = t.meant(ctx, f, smaller); err != nil {
			return false, err
		}
	}
	sure, err := t.comes(ctx, f)
	f.Small = err == nil
	if sure || err != nil {
		return sure, err
	}
	doubt := f.doubt
	if len(f.Operations) < len(whole.Operations) { // less may have shown it by chance only
		*f = whole
		if sure, err = t.comes(ctx, f); sure || err != nil {
			return sure, err
		}
		doubt = cmp.Or(f.doubt, doubt)
	}
	f.doubt = doubt
	if doubt != "" {
		f.Runs, f.Failed = 0, 0
	}
	return doubt != "", nil
}

// meant takes a last misoperation for what is asked for, and leaves out its repair, where that shows the root as well:
// it was only not asked behind the former. What is about the repair stays as it is.
func (t *trial) meant(ctx context.Context, f *Finding, path []*operation.Operation) ([]*operation.Operation, error) {
	n := len(path) - 1
	if n < 1 || !path[n].Repairs || !path[n-1].Misoperation || f.Deviations[0].Oracle == "recovery" {
		return path, nil
	}
	asked := *path[n-1]
	asked.Misoperation = false
	less := append(slices.Clone(path[:n-1]), &asked)
	again, err := t.shows(ctx, f, less)
	if err != nil || !again {
		return path, err
	}
	f.Operations = less
	return less, nil
}

// shows tells whether operations lead to the root, and keeps what was seen if they do.
func (t *trial) shows(ctx context.Context, f *Finding, path []*operation.Operation) (bool, error) {
	for n := 0; ; n++ {
		a, err := t.attempt(ctx, f, path)
		var operator *OperatorError
		if errors.As(err, &operator) {
			return false, nil
		}
		if a.again || err != nil || !f.chance || n+1 >= f.chances() {
			return a.again, err
		}
	}
}

// attempt is whether operations lead to a root: if not, doubt may say why that means nothing.
type attempt struct {
	again bool
	doubt string
	// others are what else is wrong.
	others []string
}

// judge is the oracle that found it.
func (f *Finding) judge() oracle.Oracle {
	if len(f.Deviations) == 0 {
		return oracle.Oracle{}
	}
	return oracle.Named(f.Deviations[0].Oracle)
}

// attempt makes a run and judges its end; what was seen is kept if it is the root.
func (t *trial) attempt(ctx context.Context, f *Finding, path []*operation.Operation) (attempt, error) {
	j := job{Resource: t.seed, Operations: path, Restart: f.Restart, Delete: f.Delete, Patient: true}
	if f.Made {
		j = t.creation(path)
	}
	j.Pokes = f.chances()
	r, err := t.lab.do(ctx, j)
	var refused *RefusedError
	if f.Made && errors.As(err, &refused) {
		return attempt{doubt: "the API server does not take the resource as a new one: " + refused.Error()}, nil
	}
	if err != nil {
		return attempt{}, err
	}
	i := len(r.Steps) - 1
	if i != len(j.Operations) {
		return attempt{doubt: doubtful(r, len(j.Operations)+1, f.judge(), nil)}, nil
	}
	var found []oracle.Deviation
	switch {
	case f.Restart:
		found = t.judgeEnd(r, restarted)
	case f.Delete:
		found = t.judgeEnd(r, deleted)
	case f.Made:
		found = t.byItself(r)
	case i == 0:
		found = oracle.Judge(t.caseOf(r, i), t.off)
	case f.traced:
		if found, err = t.trace(ctx, r); err != nil {
			return attempt{}, err
		}
	default:
		if found, err = t.judge(ctx, r, i, nil, nil); err != nil {
			return attempt{}, err
		}
	}
	property := changed(path, f)
	groups := t.groups(found, property)
	g, again := led(groups, f.cause, t.key)
	if !again {
		// Less of an operation may be about another property: it is what was seen, if it would be under
		// the name that that had.
		g, again = led(t.groups(found, f.property), f.cause, t.key)
	}
	if !again && len(f.Deviations) > 0 {
		// What is made for another item of a list has another name.
		if at := slices.IndexFunc(groups, func(g oracle.Group) bool { return alike(g.Lead, f.Deviations[0]) }); at >= 0 {
			g, again = groups[at], true
		}
	}
	if !again {
		a := attempt{doubt: doubtful(r, len(j.Operations)+1, f.judge(), found)}
		for _, g := range groups {
			a.others = append(a.others, g.Lead.Text)
		}
		return a, nil
	}
	f.Deviations, f.run = append([]oracle.Deviation{g.Lead}, g.Others...), r
	g.Property = cmp.Or(g.Lead.Property, property)
	f.cause, f.property = cause(g, t.key), property
	return attempt{again: true}, nil
}

// changed is the property that a root is about as far as operations say it: that of the last, if it is judged right
// behind that.
func changed(path []*operation.Operation, f *Finding) string {
	if len(path) == 0 || f.Restart || f.Delete {
		return ""
	}
	return path[len(path)-1].Property
}

// subjects are the properties that it is about: several, where only a change of all of them shows it.
func (f *Finding) subjects() []string {
	if p := f.Deviations[0].Property; p != "" {
		return []string{p}
	}
	n := len(f.Operations)
	if n > 1 && f.Operations[n-1].Repairs {
		n--
	}
	if n == 0 {
		return nil
	}
	o := f.Operations[n-1]
	return append([]string{o.Property}, o.With...)
}
