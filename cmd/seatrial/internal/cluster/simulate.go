package cluster

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

// Simulate takes one random walk through what can happen to the input's
// cluster: at most so many steps, fewer if it comes to rest. The same input,
// options and seed give the same walk. The cluster has its least size. No rule is judged. Errors are Check's;
// a walk that ctx or a budget cuts short is a result.
func Simulate(ctx context.Context, in *manifest.Input, o Options, seed uint64, steps int) (*finding.Simulation, error) {
	if o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Timeout)
		defer cancel()
	}
	r, start, err := least(ctx, in, o)
	if err != nil && !errors.Is(err, errStart) {
		return nil, err
	}
	frame := r.frame()
	out := &finding.Simulation{
		Schema: finding.SimulationSchema, Tool: frame.Tool, Kubernetes: frame.Kubernetes, Text: frame.Bound.Text, Seed: seed,
		Assumptions: frame.Assumptions, Omissions: frame.Omissions, Warnings: frame.Warnings,
	}
	if err != nil {
		out.End, out.CutShort = err.Error(), true
		return out, nil
	}
	w := r.w
	r.v = model.NewVector(w, start)
	_ = w.Faults.Take(w) // as in Check
	walked, end := newWalker(r.v, seed).walk(ctx, steps)
	if e := w.Kube.Err(); e != nil {
		return nil, e
	}
	for _, f := range w.Faults.Take(w) {
		out.Warnings = append(out.Warnings, finding.Warning{Location: f.Location, Message: f.Message})
	}
	out.Trace, _, _ = r.tell(&walked)
	out.AtRest, out.End = end == walkRests, string(end)
	switch end {
	case walkCut:
		out.CutShort, out.End = true, "cut short: "+context.Cause(ctx).Error()
	case walkLong:
		out.End = fmt.Sprintf("not at rest after %s", plural(steps, "step"))
	}
	return out, nil
}

// least makes the model of an input's cluster at its least size, and its states at
// the start; errStart if these cannot be found, with all else.
func least(ctx context.Context, in *manifest.Input, o Options) (*run, []*model.State, error) {
	o.Exact = true
	sizes, err := open(ctx, in, o)
	if err != nil {
		return nil, nil, err
	}
	in, o = sizes.setups[0].Apply(sizes.in), sizes.o
	w, err := build(ctx, in, o)
	if err != nil {
		return nil, nil, err
	}
	w.Prepare()
	start, _, err := starts(ctx, w, statespace.Options{MaxStates: o.MaxStates, MaxMemory: o.MaxMemory})
	if e := w.Kube.Err(); e != nil {
		return nil, nil, e
	}
	return &run{in: in, w: w, o: o}, start, err
}

// walkEnd is why a walk ends.
type walkEnd string

const (
	walkRests walkEnd = "at rest" // nothing is left to do
	walkLong  walkEnd = "long"    // as many steps as were asked for
	walkCut   walkEnd = "cut"     // ctx ended it
)

const (
	// patience is for how many steps a class of steps may be possible before it
	// is taken whatever the dice say: nobody starves.
	patience = 30
	// pauseMax is the longest pause between the environment's steps while the
	// controllers have something to do, so that events happen in the middle of
	// things, and not all at once.
	pauseMax = 12
)

// walker draws the steps of a random walk: steps of controllers by fairness
// class, those that have waited longer more often, and now and then, or when
// nothing else is left, a step of the environment.
type walker struct {
	*model.Vector
	random *rand.Rand
	// waited counts, by class, the steps for which it was possible and not taken.
	waited []int
	// pause is how many steps the environment still keeps quiet.
	pause int
}

func newWalker(v *model.Vector, seed uint64) *walker {
	const stream = 0x5ea7_71a1 // any constant: the seed alone tells walks apart
	w := &walker{Vector: v, random: rand.New(rand.NewPCG(seed, stream)), waited: make([]int, len(v.World.Classes))}
	w.pause = w.random.IntN(pauseMax + 1)
	return w
}

type walkStep = statespace.Step[[]statespace.ID]

func (w *walker) walk(ctx context.Context, steps int) (statespace.Trace[[]statespace.ID], walkEnd) {
	at := w.Encode(w.Start[w.random.IntN(len(w.Start))], nil, nil)
	t := statespace.Trace[[]statespace.ID]{Init: at, Loop: -1}
	for ctx.Err() == nil {
		own, outside := w.possible(at)
		step, ok := w.draw(at, own, outside)
		if !ok {
			return t, walkRests
		}
		if len(t.Steps) == steps {
			return t, walkLong
		}
		t.Steps = append(t.Steps, step)
		at = step.State
	}
	return t, walkCut
}

// possible are the steps that change the state: the controllers' own, and the
// environment's from outside.
func (w *walker) possible(at []statespace.ID) (own, outside []walkStep) {
	w.Next(at, func(a statespace.Action, to []statespace.ID) bool {
		switch {
		case slices.Equal(to, at):
		case w.World.Classes[a.Class].Fairness == statespace.Unfair:
			outside = append(outside, walkStep{Action: a, State: slices.Clone(to)})
		default:
			own = append(own, walkStep{Action: a, State: slices.Clone(to)})
		}
		return true
	})
	return own, outside
}

// draw picks the next step; there is none at rest.
func (w *walker) draw(at []statespace.ID, own, outside []walkStep) (walkStep, bool) {
	if len(outside) > 0 && (len(own) == 0 || w.pause == 0) {
		if len(own) == 0 && !w.more(at, outside) && w.random.IntN(2) == 0 {
			return walkStep{}, false // a node may come back, or not
		}
		w.pause = w.random.IntN(pauseMax + 1)
		return outside[w.random.IntN(len(outside))], true
	}
	if len(own) == 0 {
		return walkStep{}, false
	}
	w.pause = max(0, w.pause-1)
	class := w.drawClass(own)
	of := slices.DeleteFunc(slices.Clone(own), func(s walkStep) bool { return s.Action.Class != class })
	return of[w.random.IntN(len(of))], true
}

// more tells whether one of the environment's steps begins an event, and is not
// only what may follow one.
func (w *walker) more(at []statespace.ID, outside []walkStep) bool {
	used := w.Decode(at).Env.Used
	return slices.ContainsFunc(outside, func(s walkStep) bool { return !slices.Equal(w.Decode(s.State).Env.Used, used) })
}

// drawClass picks one of the classes of the steps, by how long each has waited.
func (w *walker) drawClass(own []walkStep) uint16 {
	var classes []uint16
	for _, s := range own {
		if !slices.Contains(classes, s.Action.Class) {
			classes = append(classes, s.Action.Class)
		}
	}
	chosen, total := classes[0], 0
	for _, c := range classes {
		if w.waited[c] > w.waited[chosen] {
			chosen = c
		}
		total += 1 + w.waited[c]
	}
	if w.waited[chosen] < patience {
		n := w.random.IntN(total)
		for _, c := range classes {
			if n -= 1 + w.waited[c]; n < 0 {
				chosen = c
				break
			}
		}
	}
	for c := range w.waited {
		possible := slices.Contains(classes, uint16(c))
		switch {
		case uint16(c) == chosen, !possible && w.World.Classes[c].Fairness != statespace.Strong:
			w.waited[c] = 0
		case possible:
			w.waited[c]++
		}
	}
	return chosen
}
