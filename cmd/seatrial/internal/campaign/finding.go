package campaign

import (
	"context"
	"errors"
	"slices"

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
	// Seen is how many operations of the campaign show it.
	Seen int
	// Restart tells that the operator has to be killed behind the last operation, and
	// Delete that the custom resource has to be deleted.
	Restart, Delete bool
	// Runs is how often it was tried as it is, and Failed how often it was so.
	Runs, Failed int

	run *run
	// cause is equal for the same cause.
	cause string
	// traced: it is about where values go, which several operations together show.
	traced bool
}

// Property is the one that it is about.
func (f *Finding) Property() string {
	if p := f.Deviations[0].Property; p != "" {
		return p
	}
	if n := len(f.Operations); n > 0 {
		return f.Operations[n-1].Property
	}
	return ""
}

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
	// triesMax bounds the runs that make one root smaller.
	triesMax = 20
)

// findings makes each root smaller and sees that it comes again. What is interrupted is
// reported as it was seen.
func (t *trial) findings(ctx context.Context) error {
	begun := t.o.Now()
	defer func() { t.out.Reducing = t.o.Now().Sub(begun) }()
	all := append(roots(t.out.Results), t.traced()...)
	kept := make([]*Finding, len(all))
	done := 0
	err := inParallel(t.o.Parallel, len(all), func(i int) error {
		f := all[i]
		if ctx.Err() != nil {
			kept[i] = f
			return nil
		}
		again, err := t.reduce(ctx, f)
		if ctx.Err() != nil {
			kept[i] = f
			return nil
		}
		if again {
			kept[i] = f
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		done++
		t.o.tell(Progress{What: "reduce", Done: done, Of: len(all)})
		return err
	})
	for _, f := range kept {
		if f != nil {
			t.out.Findings = append(t.out.Findings, f)
		} else {
			t.out.Uncertain++
		}
	}
	t.out.Findings = merge(t.out.Findings)
	if ctx.Err() != nil {
		t.out.Interrupted = true
	}
	return err
}

// tracedMost is how many operations on a property are shown that nothing comes of.
const tracedMost = 2

// traced are the properties that nothing comes of.
func (t *trial) traced() []*Finding {
	var all []*Finding
	for _, d := range t.tracer.Judge(t.off) {
		all = append(all, &Finding{
			cause: oracle.Root([]oracle.Deviation{d.Deviation}, d.Property)[0].Class, Deviations: []oracle.Deviation{d.Deviation}, Operations: d.Operations[:min(len(d.Operations), tracedMost)], Seen: len(d.Operations), traced: true,
		})
	}
	return all
}

// trace is what a tracer says that has seen one run alone.
func (t *trial) trace(ctx context.Context, r *run) ([]oracle.Deviation, error) {
	tracer := oracle.NewTracer()
	for i := 1; i < len(r.Steps); i++ {
		if _, err := t.judge(ctx, r, i, func(c *oracle.Case) { tracer.Add(c) }); err != nil {
			return nil, err
		}
	}
	var all []oracle.Deviation
	for _, d := range tracer.Judge(t.off) {
		all = append(all, d.Deviation)
	}
	return all, nil
}

// reduce makes a root smaller; false if it does not come again.
func (t *trial) reduce(ctx context.Context, f *Finding) (bool, error) {
	tries := 0
	fails := func(path []*operation.Operation) (bool, error) {
		if tries++; tries > triesMax {
			return false, nil
		}
		found, err := t.again(ctx, f, path)
		return found, err
	}
	smaller := f.Operations
	if !f.traced {
		var err error
		if smaller, err = operation.Reduce(t.seed, t.root, f.Operations, fails); err != nil {
			return false, err
		}
	}
	f.Operations, f.Runs, f.Failed = smaller, 0, 0
	for range confirmations {
		found, err := t.again(ctx, f, smaller)
		if err != nil {
			return false, err
		}
		f.Runs++
		if found {
			f.Failed++
		}
	}
	return f.Failed == f.Runs, nil
}

// again tells whether operations lead to the root, and keeps what was seen if they do.
func (t *trial) again(ctx context.Context, f *Finding, path []*operation.Operation) (bool, error) {
	a, err := t.attempt(ctx, f, path)
	var operator *OperatorError
	if errors.As(err, &operator) {
		return false, nil
	}
	return a.again, err
}

// attempt is whether operations lead to a root: if not, doubt may say why that means nothing.
type attempt struct {
	again bool
	doubt string
	// others are what else is wrong.
	others []string
}

// attempt makes a run and judges its end; what was seen is kept if it is the root.
func (t *trial) attempt(ctx context.Context, f *Finding, path []*operation.Operation) (attempt, error) {
	r, err := t.lab.do(ctx, job{
		Resource: t.seed, Operations: path, Restart: f.Restart, Delete: f.Delete, Patient: true,
	})
	if err != nil {
		return attempt{}, err
	}
	i := len(r.Steps) - 1
	if i != len(path) {
		return attempt{doubt: doubtful(r, len(path)+1, nil)}, nil
	}
	var found []oracle.Deviation
	switch {
	case f.Restart:
		found = t.judgeEnd(r, restarted)
	case f.Delete:
		found = t.judgeEnd(r, deleted)
	case i == 0:
		found = oracle.Judge(t.caseOf(r, i), t.off)
	case f.traced:
		if found, err = t.trace(ctx, r); err != nil {
			return attempt{}, err
		}
	default:
		if found, err = t.judge(ctx, r, i, nil); err != nil {
			return attempt{}, err
		}
	}
	property := ""
	if i > 0 && !f.Restart && !f.Delete {
		property = path[i-1].Property
	}
	groups := t.groups(found, property)
	at := slices.IndexFunc(groups, func(g oracle.Group) bool { return cause(g, t.key) == f.cause })
	if at < 0 {
		a := attempt{doubt: doubtful(r, len(path)+1, found)}
		for _, g := range groups {
			a.others = append(a.others, g.Lead.Text)
		}
		return a, nil
	}
	f.Deviations, f.run = append([]oracle.Deviation{groups[at].Lead}, groups[at].Others...), r
	return attempt{again: true}, nil
}

// merge puts roots together that are the same after all: the same oracle, the same property
// and the same objects.
func merge(all []*Finding) []*Finding {
	var out []*Finding
	for _, f := range all {
		i := slices.IndexFunc(out, func(o *Finding) bool {
			return o.Property() == f.Property() && o.Deviations[0].Oracle == f.Deviations[0].Oracle && o.Restart == f.Restart && o.Delete == f.Delete &&
				o.Deviations[0].Object.Resource == f.Deviations[0].Object.Resource
		})
		if i < 0 {
			out = append(out, f)
			continue
		}
		out[i].Seen += f.Seen
		out[i].Deviations = append(out[i].Deviations, f.Deviations...)
	}
	place := map[string]int{}
	for i, o := range oracle.All() {
		place[o.Name] = i
	}
	slices.SortStableFunc(out, func(a, b *Finding) int { return place[a.Deviations[0].Oracle] - place[b.Deviations[0].Oracle] })
	return out
}
