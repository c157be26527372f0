// Package campaign finds out whether an operator always brings about what a custom resource
// says: from every state, after every change. It makes operations from the schema, runs
// them one after another on planes that were reset, and has what is there behind each
// judged, beside a run that had nothing else to do (docs/adr/0034).
package campaign

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/custom"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/kind"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/fleet"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/headroom"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/kubeconfig"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// Options are one execution of the trial.
type Options struct {
	Input *input.Input
	// Cluster is the user's on which runs happen; nil for planes.
	Cluster *kubeconfig.Choice
	// Executable is the control plane's path; empty to look for it.
	Executable string
	// Parallel is how many planes there are; at least 1. As long as the machine has nothing to do there may be Most in
	// the end; no more than Parallel, if that is less.
	Parallel, Most int
	// Operations bounds how many there are; 0 for the usual.
	Operations int
	// Findings is how many are enough: no more sequences are begun when so many have come again; 0 for all that
	// there are.
	Findings int
	// Until is when all has to be over; zero for never. Some of the time is kept for what was found ([reserve]).
	Until time.Time
	// Known are results of sequences that need not be run again, by their IDs.
	Known map[string]*Result
	// Done is told of each result that was not known; nil for nobody.
	Done func(*Result)
	// Progress is told how far it is; nil for nobody.
	Progress func(Progress)
	Now      func() time.Time
	Version  string
	// ListOnly makes the plan and runs nothing.
	ListOnly bool
}

// Progress is how far a campaign is.
type Progress struct {
	// What is being done: "start" (a control plane), "set up" (a cluster), "learn",
	// "provide" (Of objects to which the seed refers), "operations", "repeat", "reduce",
	// "reproduce".
	What string
	// Done and Of count operations, or roots while they are repeated and made smaller; Found the causes of what was
	// seen so far, which is not repeated yet.
	Done, Of, Found int
	// Left is an estimate of how long it still takes.
	Left time.Duration
}

// Outcome is everything that one campaign has found.
type Outcome struct {
	Plan *operation.Plan
	// Results are those of the sequences that were run, in the order of the plan.
	Results []*Result
	// Findings are the roots of what is wrong, the most telling first.
	Findings []*Finding
	// Masked is what differs between runs that do the same.
	Masked []string
	// Gone are roots that did not come again when their operations were repeated.
	Gone []*Finding
	// Skipped is how many operations were not tried, since the time was over or somebody
	// ended the campaign.
	Skipped     int
	Interrupted bool
	// Enough tells that operations were not tried since there were as many findings as were wanted; others are left
	// out.
	Enough bool
	// Troubles are why sequences could not be run; nil if all could.
	Troubles error
	Lost     int
	// Real says on what pods really ran; empty where nothing runs them. Notes are what else is to be said of the
	// cluster, and of the seed.
	Real  string
	Notes []string
	// Unfinished is what the resource's status or warnings about it say with the seed that shows the operator not to be
	// done with it; empty for nothing.
	Unfinished string
	// Quiet is how long nothing moved behind each operation, in the end.
	Quiet time.Duration
	// Queues says whether the operator's metrics were asked for that.
	Queues string
	// Learning, Running and Reducing are how long it took.
	Learning, Running, Reducing time.Duration
	// Runs is how many runs were made.
	Runs       int
	Kubernetes string
	// Seed is what was seen of the seed.
	Seed *oracle.Step

	mask history.Mask
	// seed is the resource that everything begins with.
	seed history.Object
	// silent are the oracles that were not asked, and idle tells that the operator writes nothing with the seed.
	silent []string
	idle   bool
	// unwell is the first that is wrong with the seed already; empty for nothing.
	unwell string
}

// Result is what became of a sequence.
type Result struct {
	// ID is equal for sequences of the same operations; empty for what was learned from the seed.
	ID string `json:"id,omitempty"`
	// Number is its place in the plan.
	Number int           `json:"number"`
	Steps  []StepResult  `json:"steps"`
	Took   time.Duration `json:"took"`

	seen   []*seen
	doubts []string
	// updated are the files of ConfigMaps and Secrets that the operator has changed.
	updated []string
	// left are operations behind one that broke everything.
	left []*operation.Operation
	// probes are what the tracer has learned.
	probes []*oracle.Probe
}

// StepResult is what became of an operation.
type StepResult struct {
	Operation string `json:"operation"`
	Refused   string `json:"refused,omitempty"`
	Quiet     bool   `json:"quiet"`
	// Effective tells that the operator wrote something that counts.
	Effective bool `json:"effective"`
	// Waits tells that nothing was compared, since the operator waits for what it cannot reach.
	Waits bool `json:"waits,omitempty"`
	// Declined tells that the operator says that it does not do it.
	Declined bool `json:"declined,omitempty"`
	// Failed tells that it says so, or that it cannot, of what the API server took, be it as the twin does or of a
	// misoperation.
	Failed bool          `json:"failed,omitempty"`
	Took   time.Duration `json:"took"`
	Wrong  int           `json:"wrong,omitempty"`
}

func outcome(s *oracle.Step, found []oracle.Deviation, wrote bool) StepResult {
	return StepResult{
		Operation: s.Operation.Name, Refused: s.Refused, Quiet: s.Rest.Quiet, Took: s.Rest.Took, Wrong: len(found),
		Effective: s.Refused == "" && wrote,
	}
}

// Run learns, makes a plan, runs it and makes what it has found smaller. Beside an error it
// returns what it has.
func Run(ctx context.Context, o Options) (out *Outcome, err error) {
	o.Parallel = max(o.Parallel, 1)
	out = &Outcome{}
	begun := o.Now()
	var definition *schema.Definition
	if o.Input.Definition != nil {
		if definition, err = out.plan(&o); err != nil || o.ListOnly {
			return out, err
		}
	}
	f, err := open(ctx, &o)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, out.close(f)) }()
	if definition == nil {
		if err := discover(ctx, f, &o); err != nil {
			return out, err
		}
		if definition, err = out.plan(&o); err != nil || o.ListOnly {
			return out, err
		}
	}
	t, l, err := newTrial(ctx, &o, out, definition, f)
	if err != nil {
		return out, err
	}
	t.begun = begun
	defer func() { out.Runs, out.Quiet, out.Queues = l.runs, l.tempo.quiet(), l.tempo.queues() }()
	if err := t.learn(ctx, func() error { return f.Grow(ctx) }); err != nil {
		return out, err
	}
	l.mask, out.mask = t.mask, t.mask
	if err := t.runAll(ctx); err != nil {
		return out, err
	}
	return out, t.findings(ctx)
}

// noSuchImage is a kubelet rule: the images that values have for ones that are nowhere.
const noSuchImage = "- name: images that are nowhere\n  pods: {image: \"absent.invalid/*\"}\n  pull: {reason: ErrImagePull}\n"

// spec is what the planes of a campaign are made of.
func spec(s admin.Spec) admin.Spec {
	if s.Rules != "" && !strings.HasSuffix(s.Rules, "\n") {
		s.Rules += "\n"
	}
	s.Rules += noSuchImage
	return s
}

// plan makes the plan, from the definition that is known by now.
func (o *Outcome) plan(options *Options) (*schema.Definition, error) {
	definition, err := define(options.Input)
	if err != nil {
		return nil, err
	}
	o.Plan, err = operation.Make(options.planned(definition))
	return definition, err
}

// define is what the custom resource's schema says, with the types of Kubernetes that are in it.
func define(in *input.Input) (*schema.Definition, error) {
	definition, err := schema.Open(in.Definition, in.Seed.Text("apiVersion"))
	if err != nil {
		return nil, err
	}
	return definition, kind.Recognise(definition.Root, in.Kinds, append([]history.Object{in.Seed}, in.Examples...)...)
}

// planned are the options of the plan.
func (o *Options) planned(d *schema.Definition) operation.Options {
	in := o.Input
	return operation.Options{
		Definition: d, Seed: in.Seed, Setup: in.Setup.Objects, Examples: in.Examples, Focus: in.Focus, Ignore: in.Ignore, Values: in.Values,
		RandomSeed: in.RandomSeed, Max: o.Operations,
	}
}

// deadProperty is the oracle that only asks where the operator does what it does at all.
const deadProperty = "dead-property"

// silent are the oracles that are not asked: those that the user does not want, that have nothing to ask, or that
// cannot know, since what comes of a property may be in what the operator does with pods, and cannot here.
func silent(in *input.Input) []string {
	names := slices.Clone(in.Off)
	if len(in.Oracles) == 0 {
		names = append(names, "custom")
	}
	if len(in.Unreachable) > 0 {
		names = append(names, deadProperty)
	}
	return names
}

func newTrial(ctx context.Context, o *Options, out *Outcome, d *schema.Definition, f places) (*trial, *lab, error) {
	mask, err := startMask(o.Input.Mask)
	if err != nil {
		return nil, nil, err
	}
	seed := o.Input.Seed
	out.seed, out.silent = seed, silent(o.Input)
	key := history.Key{Resource: d.Plural + "." + d.Kind.Group, Namespace: seed.Text("metadata", "namespace"), Name: seed.Text("metadata", "name")}
	l := &lab{places: f, tempo: tempo{real: o.Cluster != nil}, input: o.Input, mask: mask, now: o.Now, key: key, complete: completed(d)}
	t := &trial{o: o, lab: l, out: out, key: key, seed: seed, mask: mask, given: mask, properties: schema.ByPath(d.Desired()), root: d.Root, tracer: oracle.NewTracer(d.Desired()...), customs: custom.Oracles(o.Input, ctx.Done()), twins: map[string]*twin{}}
	if !t.off(deadProperty) {
		t.more = func(properties []string) ([]*operation.Sequence, error) {
			return operation.More(o.planned(d), out.Plan, properties)
		}
	}
	if planes, is := f.(*fleet.Fleet); is && o.Most > o.Parallel {
		t.growth = newGrowth(func() (headroom.Load, bool) { return headroom.Now(o.Now()) }, planes.Add)
	}
	t.replan = func() (err error) {
		if out.Plan != nil {
			out.Plan, err = operation.Make(o.planned(d))
		}
		return err
	}
	t.dropped = func(failed []*operation.Operation) ([]*operation.Sequence, error) {
		return operation.Dropped(o.planned(d), failed)
	}
	return t, l, nil
}

func (o *Options) tell(p Progress) {
	if o.Progress != nil {
		o.Progress(p)
	}
}

// runAll runs the sequences on all planes, and behind them what was left of those that ended
// early; then other values of properties that nothing came of so far, and parts that are taken away in which something
// failed.
func (t *trial) runAll(ctx context.Context) error {
	begun := t.o.Now()
	defer func() { t.out.Running = t.o.Now().Sub(begun) }()
	w := &work{t: t, begun: begun}
	t.halt = func() bool { return w.halted(ctx) }
	w.run(ctx, t.out.Plan.Sequences)
	for _, behind := range []func(context.Context) ([]*operation.Sequence, error){w.more, w.dropped} {
		more, err := behind(ctx)
		if err != nil {
			return err
		}
		if len(more) > 0 {
			w.run(ctx, more)
		}
	}
	w.collect()
	if ctx.Err() != nil {
		t.out.Interrupted = true
		return nil
	}
	return w.err
}
