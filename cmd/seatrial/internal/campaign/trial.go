package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

// trial is one campaign under way.
type trial struct {
	o   *Options
	lab laboratory
	out *Outcome
	// key is the custom resource's, seed what the campaign begins with, and mask what does not count; given is
	// that without what was learned.
	key         history.Key
	seed        history.Object
	mask, given history.Mask
	// dialled tells that the operator wants what it cannot reach with the seed already.
	dialled bool
	// properties are the resource's, by their paths.
	properties map[string]*schema.Property
	// root has the resource's properties; nil if nobody asks for names.
	root *schema.Property
	// tracer learns where values go, and customs are the user's judges.
	tracer  *oracle.Tracer
	customs []oracle.Custom
	// begun is when the campaign was, and halt tells that a sequence need not go on; nil for never.
	begun time.Time
	halt  func() bool
	// more plans other values of properties; nil if nobody needs to know whether anything comes of them.
	more func(properties []string) ([]*operation.Sequence, error)
	// replan makes the plan again, when more is known to be there before the seed; nil if there is no plan.
	replan func() error
	// dropped plans that what the operator did not do a part of is taken away; nil if there is no plan.
	dropped func(failed []*operation.Operation) ([]*operation.Sequence, error)
	// enough are the findings that came again where those end the campaign; nil where it went on.
	enough []*Finding
	// again are the findings that were repeated while the sequences ran, by the causes that they had when they were
	// seen; nil for what did not come again; tried are the properties that were changed for that.
	again map[string]*Finding
	tried map[string][]string

	// growth adds planes; nil where there are as many as there may be.
	growth *growth

	mu    sync.Mutex
	twins map[string]*twin
	// grown are the planes that were added.
	grown int
}

// laboratory makes runs: a [lab], or what tests have for one.
type laboratory interface {
	do(context.Context, job) (*run, error)
}

// twin is a run that has a custom resource as its only step; it is made once.
type twin struct {
	once sync.Once
	step *oracle.Step
	err  error
}

// twinOf is the run whose only step is this resource; nil if the API server does not take it as
// a new one. number tells several apart: the second is a run of its own.
func (t *trial) twinOf(ctx context.Context, resource history.Object, objects []history.Object, number int) (*oracle.Step, error) {
	text, err := json.Marshal([]any{resource, objects, number})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	id := hex.EncodeToString(sum[:])
	t.mu.Lock()
	w := t.twins[id]
	if w == nil {
		w = &twin{}
		t.twins[id] = w
	}
	t.mu.Unlock()
	w.once.Do(func() {
		var r *run
		r, w.err = t.lab.do(ctx, job{Resource: resource, Objects: objects, Patient: number > 1})
		var no *RefusedError
		switch {
		case errors.As(w.err, &no):
			w.err = nil
		case w.err == nil:
			w.step = t.caseOf(r, 0).Bare()
			w.step.Wrong = t.byItself(r)
		}
	})
	if w.err != nil && ctx.Err() == nil {
		t.mu.Lock()
		delete(t.twins, id) // another time it may work
		t.mu.Unlock()
	}
	return w.step, w.err
}

// seen is what is wrong behind one operation for one cause, and was not before it.
type seen struct {
	// path are the operations that led there.
	path []*operation.Operation
	// cause is equal for the same cause, and the first of deviations says it.
	cause      string
	deviations []oracle.Deviation
	end        ending
}

// property is that of the last operation, if that is what shows it.
func (s *seen) property() string {
	if len(s.path) == 0 || s.end != plain && s.end != created {
		return ""
	}
	return s.path[len(s.path)-1].Property
}

// ending is what is done behind the last operation.
type ending string

const (
	plain     ending = ""
	restarted ending = "restart"
	deleted   ending = "delete"
	// created is not behind it: the custom resource is made as it is there, and was never another.
	created ending = "creation"
)

// sequence runs one sequence and judges its steps.
func (t *trial) sequence(ctx context.Context, number int, s *operation.Sequence) (*Result, error) {
	begun := t.o.Now()
	r, err := t.lab.do(ctx, job{Resource: t.seed, Operations: s.Operations, After: t.after, Restart: true, Delete: true})
	if err != nil {
		return nil, err
	}
	result := &Result{Number: number}
	var before, alone []oracle.Deviation
	var declined []*oracle.Standing
	for i, step := range r.Steps {
		if i == 0 {
			continue // the seed was judged when it was learned
		}
		declined = slices.DeleteFunc(declined, func(s *oracle.Standing) bool { return !s.Still(step, t.key) })
		var excused []oracle.Deviation
		for _, s := range declined {
			excused = append(excused, s.Deviations...)
		}
		waits, no, failed, known := false, false, false, slices.Concat(before, excused)
		var twins []oracle.Deviation
		found, err := t.judge(ctx, r, i, known, func(c *oracle.Case) {
			waits, no, twins = c.Waits(), c.Declined(), without(ofTwins(c), alone)
			failed = c.Failed()
			if p := t.tracer.Add(c, known); p != nil {
				result.probes = append(result.probes, p)
			}
			if s := c.Stand(); s != nil {
				declined = append(declined, s)
			}
		})
		if err != nil {
			return result, err
		}
		found = without(found, excused)
		of := outcome(step, found, t.caseOf(r, i).Wrote())
		of.Waits, of.Declined, of.Failed = waits, no, failed
		if !r.back(i) { // which is none of the plan
			result.Steps = append(result.Steps, of)
		}
		result.updated = append(result.updated, t.updated(step)...)
		fresh := without(found, before)
		t.keep(result, r, i, plain, fresh)
		before = append(before, found...)
		t.keep(result, r, i, created, without(twins, before))
		alone = append(alone, twins...)
		if lost := slices.ContainsFunc(fresh, func(d oracle.Deviation) bool { return d.Oracle == "recovery" }); lost && r.back(i) {
			r.end(i) // what comes behind it is not of the plan's resource alone
			break
		}
	}
	slices.Sort(result.updated)
	result.updated = slices.Compact(result.updated)
	for _, end := range []ending{restarted, deleted} {
		t.keep(result, r, len(r.Steps)-1, end, without(t.judgeEnd(r, end), before))
	}
	result.left = s.Operations[min(done(r, s), len(s.Operations)):]
	result.Took = t.o.Now().Sub(begun)
	return result, nil
}

// done is how many operations of a sequence were tried, or could not be, since what they change is not there.
func done(r *run, s *operation.Sequence) int {
	if !r.Stopped {
		return len(s.Operations)
	}
	i := len(r.Steps) - 1
	if r.back(i) {
		i--
	}
	last := r.Steps[i].Operation
	return slices.Index(s.Operations, last) + 1
}

// after says how a run goes on. What a valid operation has broken would be found again behind
// each of the others, so that it is taken back, as is what the operator fails at: it would not do
// the others either. The way back is judged as that from a misoperation is.
func (t *trial) after(steps []*oracle.Step) next {
	if t.halt != nil && t.halt() {
		return stop
	}
	last := steps[len(steps)-1]
	switch c := t.caseOf(&run{Steps: steps}, len(steps)-1); {
	case last.Operation.Misoperation, last.Operation.Followed, last.Operation.Repairs && last.Rest.Quiet:
		return goOn // the next operation repairs it, or takes it away
	case last.Operation.Repairs, c.Waits():
		return stop
	case !last.Rest.Quiet, last.Rest.Restates, c.Fails():
		return back
	}
	return goOn
}

// keep notes what is wrong behind a step, by cause. What gives no verdict is a doubt.
func (t *trial) keep(result *Result, r *run, i int, end ending, found []oracle.Deviation) {
	property, one := "", false
	if o := r.Steps[i].Operation; o != nil && (end == plain || end == created) {
		property, one = o.Property, len(o.With) == 0
	}
	fields := map[string]*seen{}
	for _, g := range t.groups(found, property) {
		s := &seen{path: path(r, i), cause: cause(g, t.key), deviations: append([]oracle.Deviation{g.Lead}, g.Others...), end: end}
		where, _, of := strings.Cut(s.cause, part)
		if known := fields[where]; known != nil && of && one { // what one property has in several files
			known.deviations = append(known.deviations, s.deviations...)
			continue
		}
		fields[where] = s
		result.seen = append(result.seen, s)
	}
	for _, d := range found {
		if d.Inconclusive {
			result.doubts = append(result.doubts, d.Text)
		}
	}
}

// groups puts together what has one cause.
func (t *trial) groups(found []oracle.Deviation, property string) []oracle.Group {
	return fold(oracle.Root(slices.DeleteFunc(slices.Clone(found), func(d oracle.Deviation) bool { return d.Inconclusive }), property))
}

// path are the operations up to a step that the API server took, and that step's. What was taken back is not among
// them, but where the step is the way back from it.
func path(r *run, i int) []*operation.Operation {
	var all []*operation.Operation
	for j, s := range r.Steps[:i+1] {
		stands := s.Refused == "" && !r.Undone[s] && !r.back(j)
		if s.Operation != nil && (stands || j == i || j == i-1 && r.back(i)) {
			all = append(all, s.Operation)
		}
	}
	return all
}

// judge says what is wrong behind a step, and is sure of what was not known. learn is told of the step beside its twin
// then; nil for nobody.
func (t *trial) judge(ctx context.Context, r *run, i int, known []oracle.Deviation, learn func(*oracle.Case)) ([]oracle.Deviation, error) {
	c := t.caseOf(r, i)
	// What cannot work is compared with nothing: a run of its own would only show what it shows. A pause can.
	if o := r.Steps[i].Operation; r.Steps[i].Refused == "" && (o == nil || !o.Misoperation || o.Pauses) {
		if sure, err := t.beside(ctx, c, known); err != nil || !sure {
			return nil, err
		}
	}
	if learn != nil {
		learn(c)
	}
	return oracle.Judge(c, t.off), nil
}

// beside gives a case its twin; a second one, and a third, where something differs that was not known: the twin may
// have been taken for quiet too early, or two runs always differ in it. False if there is no second one, and so nothing
// is sure.
func (t *trial) beside(ctx context.Context, c *oracle.Case, known []oracle.Deviation) (sure bool, err error) {
	step := c.Last()
	var objects []history.Object
	for _, s := range c.Steps {
		if s.Operation != nil { // also of one that was refused or taken back: what it refers to is there
			objects = append(objects, s.Operation.Objects...)
		}
	}
	twin := func(number int) (*oracle.Step, error) {
		s, err := t.twinOf(ctx, step.Resource, objects, number)
		if s != nil {
			c.Twins = append(c.Twins, s)
		}
		return s, err
	}
	if c.Twin, err = twin(1); err != nil {
		return false, fmt.Errorf("a run from the resource as it is behind %s: %w", name(step), err)
	}
	if c.Twin == nil || len(without(t.compared(c), known)) == 0 {
		return true, nil
	}
	first := c.Twin
	if c.Twin, err = twin(2); err != nil || c.Twin == nil {
		return false, err
	}
	if len(t.compared(c)) == 0 {
		return true, nil
	}
	// What did not come to rest is no measure of what differs where two do.
	if c.Twice = first; !first.Rest.Quiet && c.Twin.Rest.Quiet || len(oracle.Unsteady(c)) > 0 {
		c.Twice, err = twin(3)
	}
	return err == nil, err
}

// compared is what follows from the twin. Nobody else is asked, as programs of the user's that answer once for each
// operation.
func (t *trial) compared(c *oracle.Case) []oracle.Deviation {
	return oracle.Judge(c, func(name string) bool { return t.off(name) || !needsTwin(name) })
}

// judgeEnd says what is wrong behind what was done last in a run; nothing if that was not come to.
func (t *trial) judgeEnd(r *run, end ending) []oracle.Deviation {
	c := t.caseOf(r, len(r.Steps)-1)
	switch end {
	case restarted:
		c.Restart = r.Restart
	case deleted:
		c.Deleted = r.Deleted
	}
	if end == plain || c.Restart != nil || c.Deleted != nil {
		return oracle.Judge(c, t.off)
	}
	if end == deleted && r.Restart != nil && !r.Restart.Rest.Quiet {
		return []oracle.Deviation{{Oracle: "deletion", Inconclusive: true, Text: "the resource was not deleted: the operator did not get ready when it was started again before that"}}
	}
	return nil
}

func (t *trial) caseOf(r *run, i int) *oracle.Case {
	return &oracle.Case{Steps: r.Steps[:i+1], Customs: t.customs, Mask: t.mask, Given: t.given, Keep: t.o.Input.Unmask, Key: t.key, Properties: t.properties, Unreachable: t.o.Input.Unreachable, Dials: t.dialled}
}

func needsTwin(name string) bool {
	return slices.ContainsFunc(oracle.All(), func(o oracle.Oracle) bool { return o.Name == name && o.Twin })
}

// off tells whether an oracle is not asked: the user does not want it, or it cannot know.
func (t *trial) off(name string) bool { return slices.Contains(t.out.silent, name) }

// without leaves out what was so before.
func without(found, before []oracle.Deviation) (left []oracle.Deviation) {
	for _, d := range found {
		lines, known := slices.Clone(d.Lines), false
		for _, b := range before {
			if !so(b, d) {
				continue
			}
			known = known || len(b.Lines) == 0 || len(d.Lines) == 0
			lines = slices.DeleteFunc(lines, func(line string) bool { return slices.Contains(b.Lines, line) })
		}
		if !known && (len(lines) > 0 || len(d.Lines) == 0) {
			d.Lines = lines // of the text those that were as expected
			left = append(left, d)
		}
	}
	return left
}

// so tells whether a deviation b was there before that says what d says. What is about no field says it by its place:
// an operator may crash twice, and for two reasons.
func so(b, d oracle.Deviation) bool {
	if b.Object != d.Object || whole(b) && d.Object.Resource != "" {
		return b.Object == d.Object
	}
	return (b.Oracle == d.Oracle || needsTwin(b.Oracle) && needsTwin(d.Oracle)) && b.Path == d.Path && (d.Path != "" || b.Place == d.Place)
}

// name is what was done in a step.
func name(s *oracle.Step) string {
	if s.Operation == nil {
		return "the seed"
	}
	return s.Operation.Name
}
