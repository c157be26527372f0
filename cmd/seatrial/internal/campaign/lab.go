package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// lab makes runs of the operator: each on a plane that was reset, with a process that was
// started for it.
type lab struct {
	places places
	input  *input.Input
	mask   history.Mask
	now    func() time.Time
	// complete is what the API server stores of a custom resource ([completed]).
	complete func(history.Object) history.Object
	// key is the custom resource's.
	key   history.Key
	tempo tempo

	mu sync.Mutex
	// streams are what the operator watches when it is ready; nil as long as that is
	// not known.
	streams []string
	runs    int
}

// job is a run that is asked for.
type job struct {
	// Resource is the custom resource that it begins with, and Objects what it refers to.
	Resource history.Object
	Objects  []history.Object
	// Operations come one after another.
	Operations []*operation.Operation
	// After is asked behind each step how to go on; nil for always.
	After func(steps []*oracle.Step) next
	// Restart has the operator killed and started again behind the last step, and
	// Delete the custom resource deleted after that.
	Restart, Delete bool
	// First tells that it is to be seen whether the operator gets on with the seed: for want of what that refers to, no
	// more is done.
	First bool
	// Patient waits longer behind the last step and what is done behind it, and gives the operator an
	// event before it takes that for over.
	Patient bool
	// Pokes is how many such events a patient one gives, if more than one: by chance the operator does nothing with
	// one.
	Pokes int
}

// next is how a run goes on behind a step.
type next int

const (
	// goOn is with the next operation.
	goOn next = iota
	// back is with the resource as it was before the step.
	back
	// stop is not at all.
	stop
)

// run is what came of a job.
type run struct {
	// Steps are the custom resource's first, and then the operations'.
	Steps []*oracle.Step
	// Undone are those of Steps behind which the resource was put back. The next of Steps is the way back, if the API
	// server took it.
	Undone map[*oracle.Step]bool
	// Stopped: the operations after that of the last step were not come to.
	Stopped bool
	// Restart and Deleted are nil if they were not asked for, or not come to: behind a start at which the operator does
	// not get ready, nothing is deleted.
	Restart, Deleted *oracle.Step
}

// back tells whether a step is the way back from the one before it.
func (r *run) back(i int) bool { return i > 0 && r.Undone[r.Steps[i-1]] }

// end leaves out what came behind a step.
func (r *run) end(i int) {
	r.Steps, r.Restart, r.Deleted, r.Stopped = r.Steps[:i+1], nil, nil, true
}

// OperatorError is about the operator: it cannot be started, or does nothing.
type OperatorError struct{ Err error }

// Error is one line, and what the operator said last.
func (e *OperatorError) Error() string { return e.Err.Error() }

// Unwrap is what is behind it.
func (e *OperatorError) Unwrap() error { return e.Err }

// RefusedError is about the custom resource that a run begins with: the API server does not
// take it.
type RefusedError struct{ Err error }

// Error is what the API server says.
func (e *RefusedError) Error() string { return e.Err.Error() }

// Unwrap is the API server's.
func (e *RefusedError) Unwrap() error { return e.Err }

// do makes a run. Beside an error it returns what there was before it.
func (l *lab) do(ctx context.Context, j job) (r *run, err error) {
	err = l.places.Use(ctx, func(ctx context.Context, place stage.Place) error {
		r = &run{Undone: map[*oracle.Step]bool{}}
		return l.on(ctx, place, j, r)
	})
	return r, err
}

// on makes a run in a place.
func (l *lab) on(ctx context.Context, place stage.Place, j job, r *run) error {
	live, err := stage.Open(ctx, stage.Options{
		Place:      place,
		Experiment: &experiment.Experiment{Controller: l.input.Controller}, Mask: l.mask, Now: l.now, Expect: l.expectation(),
		Fill: func(kubeconfig string) (experiment.Controller, string, error) {
			return input.Fill(l.input.Controller, input.Places{Namespace: cmp.Or(place.Namespace, l.key.Namespace), Kubeconfig: kubeconfig})
		},
	})
	if live != nil {
		defer live.Close()
	}
	if err != nil {
		var controller *stage.ControllerError
		if errors.As(err, &controller) {
			return &OperatorError{err}
		}
		return err
	}
	l.learnStreams(live)
	p := &performance{lab: l, live: live, started: true}
	if l.input.Busy() {
		// Else what the operator does with it would be taken for what it does with the seed, or not, as it comes.
		if _, err := live.Settle(ctx, p.patience()); err != nil {
			return err
		}
		p.started = false
	}
	return p.play(ctx, j, r)
}

// expectation is what is known of an operator that is ready.
func (l *lab) expectation() *stage.Expectation {
	l.mu.Lock()
	defer l.mu.Unlock()
	quiet := l.tempo.quiet()
	return &stage.Expectation{Known: l.streams != nil, Streams: l.streams, Short: quiet, Long: long(quiet)}
}

// learnStreams keeps what the operator of the first run watches when it is ready.
func (l *lab) learnStreams(live *stage.Live) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.runs++
	if l.streams == nil {
		l.streams = live.Streams()
	}
}

// stageLive is what a run wants of the stage that it is on.
type stageLive interface {
	Begin()
	Do(ctx context.Context, step *experiment.Step) error
	Setup(ctx context.Context, objects []history.Object) error
	Provide(ctx context.Context, objects []history.Object) error
	Poke(ctx context.Context, r experiment.Reference, value string) error
	Restart(ctx context.Context, meanwhile func()) error
	UntilActed(ctx context.Context, p stage.Patience, apart history.Key) error
	Settle(ctx context.Context, p stage.Patience) (stage.Rest, error)
	Events() []history.Event
	State() history.State
	Untouched() history.State
	Lives() []recording.Life
	Output(since int64) (text string, bytes int64)
}

// performance is one run under way.
type performance struct {
	lab     *lab
	live    stageLive
	patient bool
	// asking tells that it is to be seen whether the seed lacks something.
	asking bool
	// started tells that the operator was just started.
	started bool
	// begun tells that the API server has taken what an operation overtakes, and neither the rest of it nor that it is
	// taken back.
	begun bool
	// printed is how many bytes the operator had printed, and pokes how often it was poked.
	printed int64
	pokes   int
	// poking is how many come behind a step that is waited for longer.
	poking int
	// lacked tells that what the step before refers to was not there, and comesBack that the operator looks again by
	// itself.
	lacked, comesBack bool
}

// lacks tells whether a step's resource refers to something for want of which nothing could come of it.
func lacks(s *oracle.Step) bool { return s.Operation != nil && s.Operation.Lacks }

func (p *performance) play(ctx context.Context, j job, r *run) error {
	ends := 0
	if j.Restart {
		ends++
	}
	if j.Delete {
		ends++
	}
	p.asking = j.First
	p.patient, p.poking = j.Patient && len(j.Operations)+ends == 0, max(j.Pokes, 1)
	if p.lab.input != nil {
		if err := p.live.Provide(ctx, p.lab.input.Made); err != nil {
			return fmt.Errorf("what the seed refers to: %w", err)
		}
	}
	first, err := p.step(ctx, nil, nil, j.Resource, j.Objects)
	if err != nil {
		return err
	}
	if first.Refused != "" {
		return &RefusedError{errors.New(first.Refused)}
	}
	r.Steps = append(r.Steps, first)
	if p.asking && !first.Rest.Quiet && len(oracle.Needs(first.End, j.Resource)) > 0 {
		return nil
	}
	p.asking = false
	current := j.Resource
	for i, o := range j.Operations {
		p.patient = j.Patient && i == len(j.Operations)-1 && ends == 0
		changed, err := o.Apply(current)
		if err != nil || reflect.DeepEqual(changed, current) && !o.Content {
			continue // what it changes is not there, or is so already: the sequence was cut, or what was to come before was taken back
		}
		last := r.Steps[len(r.Steps)-1]
		p.lacked = lacks(last)
		p.comesBack = p.lab.input != nil && p.lab.input.ComesBack
		if p.lacked { // who looks again when all is there need not do so for want of something
			p.comesBack = last.Rest.ComesBack
		}
		s, err := p.step(ctx, o, current, changed, o.Objects)
		if err != nil {
			return err
		}
		r.Steps = append(r.Steps, s)
		how := goOn
		switch {
		case p.begun:
			how = stop // the API server keeps what should have been overtaken
		case s.Refused != "" && !o.Repairs:
			continue
		case s.Refused != "":
			how = stop // what cannot work stays, and the others would be held to what can
		case j.After != nil:
			how = j.After(r.Steps)
		}
		if how == back {
			undone, err := p.step(ctx, o.Undo(current), changed, current, nil)
			if err != nil {
				return err
			}
			r.Undone[s] = true
			if undone.Refused == "" {
				r.Steps = append(r.Steps, undone) // what the API server refuses is nothing that the operator could do
			}
			if undone.Refused == "" && undone.Rest.Quiet {
				continue
			}
			how = stop
		}
		if how == stop {
			r.Stopped = true
			return nil
		}
		current = changed
	}
	p.patient = j.Patient
	up := true
	if j.Restart {
		if r.Restart, up, err = p.restart(ctx, current); err != nil {
			return err
		}
	}
	if j.Delete && up { // who does not come to work would not delete anything either
		r.Deleted, err = p.remove(ctx, current)
	}
	return err
}

// step applies the custom resource as it is after an operation, and waits.
func (p *performance) step(ctx context.Context, o *operation.Operation, before, resource history.Object, objects []history.Object) (*oracle.Step, error) {
	s := &oracle.Step{Operation: o, Before: before, Resource: resource, Start: p.live.State()}
	content := o != nil && o.Content && reflect.DeepEqual(before, resource)
	if content { // what the operator does is behind that
		p.live.Begin()
	}
	if err := p.live.Setup(ctx, objects); err != nil {
		return nil, fmt.Errorf("what the custom resource refers to: %w", err)
	}
	if content {
		return s, p.settle(ctx, s)
	}
	p.live.Begin()
	var err error
	apply := func() { err = p.live.Do(ctx, p.lab.apply(before, resource, s.Start[p.lab.key])) }
	switch {
	case o != nil && o.Restarts:
		if up, broken := p.again(ctx, s, apply); broken != nil || err == nil && !up {
			return s, broken
		}
	case o != nil && len(o.Overtakes) > 0:
		err = p.overtake(ctx, o, before, resource)
	default:
		apply()
	}
	if refused(err) {
		s.Refused, s.End = err.Error(), s.Start
		if o != nil && len(o.Overtakes) > 0 {
			s.End = p.live.State()
		}
		s.Rest.Quiet = true
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	return s, p.settle(ctx, s)
}

// overtake applies what an operation overtakes, and the rest of it when the operator has written something that comes
// of that: to its resource it may write no more than that it has seen it.
func (p *performance) overtake(ctx context.Context, o *operation.Operation, before, resource history.Object) error {
	begun, err := o.Begun(before)
	if err != nil {
		return err
	}
	if err := p.live.Do(ctx, p.lab.apply(before, begun, p.live.State()[p.lab.key])); err != nil {
		return err
	}
	if err := p.live.UntilActed(ctx, p.patience(), p.lab.key); err != nil {
		return err
	}
	err = p.live.Do(ctx, p.lab.apply(begun, resource, p.live.State()[p.lab.key]))
	if !refused(err) {
		return err
	}
	// What was to be overtaken is taken back, and what the operator does with that is nobody's.
	back := p.live.Do(ctx, p.lab.apply(begun, before, p.live.State()[p.lab.key]))
	if p.begun = refused(back); back != nil && !p.begun {
		return back
	}
	if _, broken := p.live.Settle(ctx, p.patience()); broken != nil {
		return broken
	}
	return err
}

// untyped is how the API server begins what it says of an apply whose object is not as the schema has
// it, such as one with two items of one key. It is no error that could be asked what it is.
const untyped = "failed to create typed patch object"

// refused tells whether the API server, or a webhook, found an object wrong.
func refused(err error) bool {
	return err != nil && strings.Contains(err.Error(), untyped) ||
		apierrors.IsInvalid(err) || apierrors.IsForbidden(err) || apierrors.IsBadRequest(err) || apierrors.IsRequestEntityTooLargeError(err) || apierrors.IsConflict(err)
}

// settle waits until all is quiet, and takes down what there is then.
func (p *performance) settle(ctx context.Context, s *oracle.Step) error {
	patience, first := p.patience(), p.lab.tempo.first()
	p.started = false
	if p.patient {
		patience.Quiet *= 2
		patience.Idle *= 2
		patience.Long *= 2
		patience.Sure *= 2
	}
	// That what belonged to a resource goes with it is the work of others.
	patience.Trust = patience.Trust && s.Resource != nil && (!p.patient || p.lab.tempo.proved())
	rest, err := p.live.Settle(ctx, patience)
	if err != nil {
		return err
	}
	content := s.Operation != nil && s.Operation.Content
	unwatched := content && !p.comesBack                                                    // a poke would have the operator look again
	lacking := p.asking && !rest.Quiet && len(oracle.Needs(p.live.State(), s.Resource)) > 0 // to look again is of no help
	if !lacking && (p.patient && !unwatched || content && p.comesBack) {
		if rest, err = p.poke(ctx, patience, rest); err != nil {
			return err
		}
	}
	if first && rest.Quiet {
		if rest, err = p.late(ctx, rest); err != nil {
			return err
		}
	}
	if unwatched && (p.patient || p.lacked) && rest.Quiet && !p.wrote() {
		again, err := p.live.Settle(ctx, p.lasting())
		if err != nil {
			return err
		}
		rest = both(rest, again)
	}
	if s.Resource == nil {
		rest.Late = 0
	}
	goesOn(&rest, p.live.State())
	p.lab.tempo.learn(rest, p.patient && !patience.Trust)
	s.End, s.Untouched, s.Events, s.Lives = p.live.State(), p.live.Untouched(), p.live.Events(), p.live.Lives()
	s.Output, p.printed = p.live.Output(p.printed)
	s.Rest = oracle.Rest{Quiet: rest.Quiet, Still: rest.Still, Cycle: rest.Cycle, Restates: rest.Restates, Why: rest.Why, Took: rest.Took, Restarts: rest.Restarts, Failing: rest.Failing, Panicked: rest.Panicked, ComesBack: rest.ComesBack}
	if e := rest.Endless; e.Is() {
		s.Rest.Endless = &oracle.Endless{Object: e.Object, Path: e.Path, Text: e.String()}
	}
	return nil
}

// poke has the operator look again, and waits for what comes of it.
func (p *performance) poke(ctx context.Context, patience stage.Patience, rest stage.Rest) (stage.Rest, error) {
	for n := 0; n < p.poking && rest.Cycle == nil && !rest.Endless.Is() && p.live.State()[p.lab.key] != nil; n++ {
		p.pokes++
		if err := p.live.Poke(ctx, experiment.Reference(p.lab.key), fmt.Sprint(p.pokes)); err != nil {
			return rest, err
		}
		again, err := p.live.Settle(ctx, patience)
		if err != nil {
			return rest, err
		}
		rest = both(rest, again)
	}
	return rest, nil
}

// both is how it is behind a step that was waited for again, with what was seen before that.
func both(rest, again stage.Rest) stage.Rest {
	again.Restarts, again.Late = max(again.Restarts, rest.Restarts), max(again.Late, rest.Late)
	again.Panicked = append(again.Panicked, rest.Panicked...)
	return again
}

// patience is how long a step is waited for.
func (p *performance) patience() stage.Patience {
	patience := p.lab.tempo.patience(p.lab.key)
	if p.started {
		patience.Idle = idleAtStart(patience.Quiet)
	}
	return patience
}

// restart kills the operator and starts it again; up tells that the new process is ready.
func (p *performance) restart(ctx context.Context, resource history.Object) (s *oracle.Step, up bool, err error) {
	s = &oracle.Step{Before: resource, Resource: resource, Start: p.live.State()}
	p.live.Begin()
	if up, err = p.again(ctx, s, nil); err != nil || !up {
		return s, up, err
	}
	return s, true, p.settle(ctx, s)
}

// again kills the operator and starts it again; what is to be done meanwhile is done while there is none. Of a new
// process that does not get ready it is noted why.
func (p *performance) again(ctx context.Context, s *oracle.Step, meanwhile func()) (up bool, err error) {
	p.printed = 0
	if err := p.live.Restart(ctx, meanwhile); err != nil {
		var controller *stage.ControllerError
		if !errors.As(err, &controller) {
			return false, err
		}
		s.Rest.Why, s.End, s.Events, s.Lives = err.Error(), p.live.State(), p.live.Events(), p.live.Lives()
		s.Output, p.printed = p.live.Output(p.printed)
		return false, nil
	}
	p.started = true
	return true, nil
}

// remove deletes the custom resource.
func (p *performance) remove(ctx context.Context, resource history.Object) (*oracle.Step, error) {
	s := &oracle.Step{Before: resource, Start: p.live.State()}
	p.live.Begin()
	if err := p.live.Do(ctx, &experiment.Step{Delete: &experiment.Delete{Object: experiment.Reference(p.lab.key)}}); err != nil {
		return nil, err
	}
	return s, p.settle(ctx, s)
}
