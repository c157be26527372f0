// Package reference is what is usual of an experiment, learned from runs without a
// perturbation: how they end, how often objects are created and deleted, what of
// them differs for no reason, when the controller is ready and when all is quiet,
// which of its lists may be old, and which of its writes belong together.
package reference

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// Reference is what several runs without a perturbation have in common.
type Reference struct {
	// Mask is what does not count: the usual, what the user says, and Learned, what
	// differed between the runs.
	Mask    history.Mask
	Learned []string
	Runs    []*recording.Recording
	// Counts are how often each object is created and deleted, at least and at most.
	Counts map[history.Key]Range
	// Numbers are how many objects there are at the end, of resources whose objects
	// have other names in each run.
	Numbers map[Kind]Span
	// Streams are the resources that the controller watches when it is ready.
	Streams, StandbyStreams []string
	// Exposed are the resources whose first list may be an old one.
	Exposed map[string]bool
	// Short and Long are how long nothing moves before a run is over; see
	// stage.Expectation.
	Short, Long time.Duration
	// Events are those of the first run that count, in order.
	Events []*Event
	// Took is the mean time of a run, and Writes how many own writes that count it has.
	Took   time.Duration
	Writes int
}

// Kind is the objects of one resource in one namespace.
type Kind struct{ Resource, Namespace string }

// Span is a number, at least and at most.
type Span struct{ Min, Max int }

func (s Span) has(n int) bool { return s.Min <= n && n <= s.Max }

// near is has, or not much beside: where a few runs differ, another may differ as far
// again.
func (s Span) near(n int) bool {
	chance := s.Max - s.Min
	return s.Min-chance <= n && n <= s.Max+chance
}

// String is "2" or "1 to 3".
func (s Span) String() string {
	if s.Min == s.Max {
		return fmt.Sprint(s.Min)
	}
	return fmt.Sprintf("%d to %d", s.Min, s.Max)
}

// Range is how often an object is created and deleted.
type Range struct{ Created, Deleted Span }

// Event is an event of the first run with what is known of it.
type Event struct {
	history.Event
	plan.Numbered
	// Index is its place among the events, and At when it came.
	Index int
	At    time.Duration
	// Exchange is the request of the controller whose effect it is; nil if it is
	// somebody else's.
	Exchange *apiproxy.Exchange
	// Burst numbers the bursts of the controller's writes: this one, or the next.
	Burst int
	// Last tells that it is the last of its burst.
	Last bool
	// exact and ordinal tell whether all runs have it.
	exact, ordinal bool
}

// Own tells whether the controller wrote it.
func (e *Event) Own() bool { return e.Actor == plan.Controller }

// occurrenceMax bounds how often the same is perturbed.
const occurrenceMax = 3

// Trigger is what fires with this event in any run; false if it is not the same in
// all of them, or if the same has been there too often.
func (e *Event) Trigger() (plan.Trigger, bool) {
	switch {
	case e.exact && e.Exact.Occurrence <= occurrenceMax:
		return e.Exact, true
	case e.ordinal && e.Ordinal.Occurrence <= occurrenceMax:
		return e.Ordinal, true
	}
	return plan.Trigger{}, false
}

// ByOrdinal is the trigger that counts writes to the object, for faults that have
// to know a write before it is done.
func (e *Event) ByOrdinal() (plan.Trigger, bool) { return e.Ordinal, e.ordinal }

// burstGap is how long the controller does not write between two bursts. A proxy
// sees milliseconds; users wait longer than this between their steps.
const burstGap = 80 * time.Millisecond

// Mask is what does not count before anything was learned.
func Mask(ignore []string) (history.Mask, error) {
	return history.DefaultMask().With(append([]string{
		"metadata.annotations[" + stage.NudgeAnnotation + "]",
		// Who applied what; the objects say what there is.
		"metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]",
		// Which of several machines it is that are all alike.
		"~pods:spec.nodeName",
		"pods:status.hostIP",
		"pods:status.hostIPs",
		"~endpointslices.discovery.k8s.io:endpoints[*].nodeName",
		"endpointslices.discovery.k8s.io:endpoints[*].zone",
		"persistentvolumes:spec.nodeAffinity",
		"persistentvolumeclaims:metadata.annotations[volume.kubernetes.io/selected-node]",
		"~persistentvolumeclaims:spec.volumeName",
		"persistentvolumes:spec.claimRef.uid",
		"persistentvolumes:spec.claimRef.resourceVersion",
	}, ignore...)...)
}

// Learn makes a reference of runs without a perturbation, of which there are at
// least two.
func Learn(mask history.Mask, runs []*recording.Recording) (*Reference, error) {
	r := &Reference{Runs: runs, Mask: mask, Numbers: map[Kind]Span{}}
	if err := r.learnMask(); err != nil {
		return nil, err
	}
	r.learnCounts()
	r.learnStreams()
	r.learnEvents()
	r.learnTimes()
	return r, nil
}

// position is an item of a list that has no key.
var position = regexp.MustCompile(`\[\d+\]`)

// learnMask leaves out what is different at the ends of two runs.
func (r *Reference) learnMask() error {
	const roundsMax = 8 // what is left out may uncover how lists pair up
	for range roundsMax {
		more := map[string]bool{}
		for _, run := range r.Runs[1:] {
			for _, d := range history.CompareRuns(r.Runs[0].Final, run.Final, r.Mask) {
				kind := Kind{d.Resource, d.Namespace}
				if _, counted := r.Numbers[kind]; counted {
					continue
				}
				if d.Type != history.Update {
					r.Numbers[kind] = Span{}
					continue
				}
				for _, c := range d.Changes {
					more[pattern(d.Resource, c)] = true
				}
			}
		}
		if len(more) == 0 {
			break
		}
		learned := slices.Sorted(maps.Keys(more))
		mask, err := r.Mask.With(learned...)
		if err != nil {
			return fmt.Errorf("what differs between two runs: %w", err)
		}
		r.Mask, r.Learned = mask, append(r.Learned, learned...)
	}
	for kind := range r.Numbers {
		span := Span{Min: len(r.Runs[0].Final)}
		for _, run := range r.Runs {
			n := Number(run.Final, kind)
			span.Min, span.Max = min(span.Min, n), max(span.Max, n)
		}
		r.Numbers[kind] = span
	}
	return nil
}

// pattern masks a change: its value, if both have one.
func pattern(resource string, c history.Change) string {
	p := resource + ":" + position.ReplaceAllString(c.Path, "[*]")
	if c.From != nil && c.To != nil {
		p = "~" + p
	}
	return p
}

// Number is how many objects of a kind there are.
func Number(s history.State, kind Kind) int {
	n := 0
	for key := range s {
		if key.Resource == kind.Resource && key.Namespace == kind.Namespace {
			n++
		}
	}
	return n
}

func (r *Reference) learnCounts() {
	r.Counts = map[history.Key]Range{}
	for i, run := range r.Runs {
		counts := run.Counts(r.Mask)
		for key, c := range counts {
			known, ok := r.Counts[key]
			if !ok && i > 0 {
				known = Range{} // not in the runs before
			} else if !ok {
				known = Range{Span{c.Created, c.Created}, Span{c.Deleted, c.Deleted}}
			}
			r.Counts[key] = Range{known.Created.with(c.Created), known.Deleted.with(c.Deleted)}
		}
		for key, known := range r.Counts {
			if _, ok := counts[key]; !ok {
				r.Counts[key] = Range{known.Created.with(0), known.Deleted.with(0)}
			}
		}
	}
}

func (s Span) with(n int) Span { return Span{min(s.Min, n), max(s.Max, n)} }

// learnStreams finds what every process of the controller watches before the first
// step, and which of its lists take any version.
func (r *Reference) learnStreams() {
	r.Exposed = map[string]bool{}
	for i, run := range r.Runs {
		names := lives(run)
		for j, into := range []*[]string{&r.Streams, &r.StandbyStreams} {
			if j >= len(names) {
				break
			}
			open := begun(run, names[j])
			if *into == nil && i == 0 {
				*into = open
			} else if len(open) > 0 {
				*into = slices.DeleteFunc(*into, func(s string) bool { return !slices.Contains(open, s) })
			}
		}
		for _, x := range run.Exchanges {
			if x.Kind == apiproxy.RecordRequest && x.Exchange.Verb == "list" && x.Exchange.ResourceVersion == "0" {
				r.Exposed[x.Exchange.Resource] = true
			}
		}
	}
}

// lives are the names of the processes, in the order of their first records.
func lives(run *recording.Recording) []string {
	var names []string
	for _, x := range run.Exchanges {
		if !slices.Contains(names, x.Incarnation) {
			names = append(names, x.Incarnation)
		}
	}
	return names
}

// begun are the resources that a process watched before the first step was done.
func begun(run *recording.Recording, name string) []string {
	resources := map[string]bool{}
	for _, x := range run.Exchanges {
		if x.Kind == apiproxy.RecordStreamBegin && x.Incarnation == name && x.Sequence <= run.Ready {
			resources[x.Resource] = true
		}
	}
	return slices.Sorted(maps.Keys(resources))
}

const (
	shortMin, shortMax = 400 * time.Millisecond, time.Second
	longMin, longMax   = 2 * time.Second, 12 * time.Second
)

// learnTimes finds how long the controller may be silent before it writes again.
func (r *Reference) learnTimes() {
	var gap, took time.Duration
	for _, run := range r.Runs {
		took += run.Took
		numbers := plan.NewNumbering(r.Mask)
		last := time.Duration(-1)
		steps := run.Steps
		for i, e := range run.Events {
			if _, counts := numbers.Next(e); !counts {
				continue
			}
			at := run.Times[i]
			// What users begin is not what was waited for.
			waited := e.Actor == plan.User
			for len(steps) > 0 && steps[0].At <= at {
				steps, waited = steps[1:], true
			}
			if last >= 0 && !waited {
				gap = max(gap, at-last)
			}
			last = at
		}
	}
	r.Took = took / time.Duration(len(r.Runs))
	r.Short = min(max(gap*3/2, shortMin), shortMax)
	r.Long = min(max(gap*3, longMin), longMax)
}

// learnEvents numbers the events of the first run, and finds who is in all runs.
func (r *Reference) learnEvents() {
	type seen struct{ exact, ordinal map[string]int }
	var others []seen
	for _, run := range r.Runs[1:] {
		s := seen{map[string]int{}, map[string]int{}}
		numbers := plan.NewNumbering(r.Mask)
		for _, e := range run.Events {
			if n, counts := numbers.Next(e); counts {
				s.exact[n.Exact.Signature()], s.ordinal[n.Ordinal.Signature()] = n.Exact.Occurrence, n.Ordinal.Occurrence
			}
		}
		others = append(others, s)
	}
	run := r.Runs[0]
	numbers := plan.NewNumbering(r.Mask)
	burst, last := 0, time.Duration(-1)
	var previous *Event
	for i, e := range run.Events {
		n, counts := numbers.Next(e)
		if !counts || e.Actor == plan.Tool {
			continue
		}
		event := &Event{Event: e, Numbered: n, Index: len(r.Events), At: run.Times[i], exact: true, ordinal: true}
		for _, o := range others {
			event.exact = event.exact && o.exact[n.Exact.Signature()] >= n.Exact.Occurrence
			event.ordinal = event.ordinal && o.ordinal[n.Ordinal.Signature()] >= n.Ordinal.Occurrence
		}
		if event.Own() {
			event.Exchange = exchangeOf(run, e)
			if last >= 0 && event.At-last >= burstGap {
				burst++
				previous.Last = true
			}
			last, previous = event.At, event
			r.Writes++
		}
		event.Burst = burst
		r.Events = append(r.Events, event)
	}
	if previous != nil {
		previous.Last = true
	}
}

// exchangeOf is the request whose effect an event is.
func exchangeOf(run *recording.Recording, e history.Event) *apiproxy.Exchange {
	for _, x := range run.Exchanges {
		if x.Kind != apiproxy.RecordRequest || !x.Exchange.Writes() || x.Exchange.Code < 200 || x.Exchange.Code > 299 {
			continue
		}
		resource, _, _ := strings.Cut(x.Exchange.Resource, "/")
		if resource != e.Resource {
			continue
		}
		if x.Exchange.Revision == e.Revision && x.Exchange.Revision != 0 ||
			e.Type == history.Delete && (x.Exchange.Verb == "delete" || x.Exchange.Removed) && x.Exchange.UID == e.UID {
			return x.Exchange
		}
	}
	return nil
}

// Expectation is what a run is held to while it runs.
func (r *Reference) Expectation(usual func(*recording.Recording) bool) *stage.Expectation {
	return &stage.Expectation{Known: true, Streams: r.Streams, StandbyStreams: r.StandbyStreams, Short: r.Short, Long: r.Long, Usual: usual}
}

// Compare lists what is different at the end of a run. Objects of kinds whose
// names change from run to run are only counted.
func (r *Reference) Compare(final history.State) []history.Difference {
	var out []history.Difference
	for _, d := range history.CompareRuns(r.Runs[0].Final, final, r.Mask) {
		if _, counted := r.Numbers[Kind{d.Resource, d.Namespace}]; !counted {
			out = append(out, d)
		}
	}
	kinds := slices.SortedFunc(maps.Keys(r.Numbers), func(a, b Kind) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Namespace, b.Namespace))
	})
	for _, kind := range kinds {
		if n := Number(final, kind); !r.Numbers[kind].has(n) {
			t := history.Create
			if n < r.Numbers[kind].Min {
				t = history.Delete
			}
			out = append(out, history.Difference{
				Key: history.Key{Resource: kind.Resource, Namespace: kind.Namespace, Name: "*"}, Type: t,
				Changes: []history.Change{{Path: "number", From: r.Numbers[kind].String(), To: int64(n)}},
			})
		}
	}
	return out
}

// Miscounted are the objects that a run created or deleted more or less often than usual,
// by more than chance.
func (r *Reference) Miscounted(run *recording.Recording) []Miscount {
	var out []Miscount
	counts := run.Counts(r.Mask)
	keys := maps.Clone(counts)
	for key := range r.Counts {
		if _, ok := keys[key]; !ok {
			keys[key] = recording.Count{}
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(keys), history.Key.Compare) {
		usual, is := r.Counts[key], counts[key]
		_, counted := r.Numbers[Kind{key.Resource, key.Namespace}]
		if counted && !strings.HasSuffix(key.Name, "*") && usual.Created.Min == 0 {
			continue // its name is another one in each run
		}
		if !usual.Created.near(is.Created) || !usual.Deleted.near(is.Deleted) {
			out = append(out, Miscount{key, usual, is})
		}
	}
	return out
}

// Miscount is an object that was created or deleted more or less often than usual.
type Miscount struct {
	history.Key
	Usual Range
	Is    recording.Count
}

// OtherUsers tells whether users went on without what they waited for, and what
// they did then had another effect than usual: an object was changed that they
// would have created. Where such a run ends says nothing of the controller.
func (r *Reference) OtherUsers(run *recording.Recording) bool {
	if !slices.ContainsFunc(run.Steps, func(s recording.Step) bool { return s.Soft }) {
		return false
	}
	return !slices.Equal(byUsers(r.Runs[0], r.Mask), byUsers(run, r.Mask))
}

// byUsers are the writes of users: what was done to which object.
func byUsers(run *recording.Recording, mask history.Mask) []string {
	var out []string
	for _, e := range run.Events {
		if e.Actor == plan.User && !mask.Ignores(e.Resource) {
			out = append(out, fmt.Sprintf("%s %s %s/%s", e.Type, e.Resource, e.Namespace, e.GenericName()))
		}
	}
	return out
}
