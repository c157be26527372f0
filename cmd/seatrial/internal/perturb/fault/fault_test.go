package fault

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/cockroachdb/datadriven"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

// fakeStage is a stage that says what a fault does to it.
type fakeStage struct {
	mu              sync.Mutex
	said            []string
	active, standby View
	counts          map[string]int
	there           map[history.Key]history.Object
	done, of, begun int
	acted           bool
}

func (s *fakeStage) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = append(s.said, fmt.Sprintf(format, args...))
}

func (s *fakeStage) Active() View  { s.mu.Lock(); defer s.mu.Unlock(); return s.active }
func (s *fakeStage) Standby() View { s.mu.Lock(); defer s.mu.Unlock(); return s.standby }
func (s *fakeStage) Crash(limits map[string]int64) {
	var said []string
	for _, r := range slices.Sorted(maps.Keys(limits)) {
		said = append(said, fmt.Sprintf(", %s up to %d", r, limits[r]))
	}
	s.say("  crash%s", strings.Join(said, ""))
}

func (s *fakeStage) TakeOver() {
	s.say("  take over")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active, s.standby = s.standby, nil
}
func (s *fakeStage) Pause()                          { s.say("  pause") }
func (s *fakeStage) Resume()                         { s.say("  resume") }
func (s *fakeStage) Retire()                         { s.say("  retire") }
func (s *fakeStage) Mark(format string, args ...any) { s.say("  # "+format, args...) }
func (s *fakeStage) Step() (done, of int)            { return s.done, s.of }
func (s *fakeStage) Begun() int                      { return s.begun }
func (s *fakeStage) Acted(since int) bool            { return s.acted && since == s.begun }
func (s *fakeStage) Seen(t *plan.Trigger) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts[t.Signature()]
}

func (s *fakeStage) Object(key history.Key) history.Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.there[key]
}

// fakeView is a process of the controller.
type fakeView struct {
	name  string
	stage *fakeStage
}

func (v fakeView) Limit(resource string, revision int64) {
	v.stage.say("  the %s sees %q up to %d", v.name, resource, revision)
}

func (v fakeView) Lift(resource string, how apiproxy.Lifting) {
	v.stage.say("  the %s sees all of %q again, %s", v.name, resource, map[apiproxy.Lifting]string{apiproxy.Deliver: "late", apiproxy.Relist: "anew"}[how])
}

// newFakeStage is one on which an active process is, and three steps to be done.
func newFakeStage() *fakeStage {
	s := &fakeStage{counts: map[string]int{}, there: map[history.Key]history.Object{}, of: 3}
	s.active = fakeView{"active", s}
	return s
}

// session is what a transcript has said so far.
type session struct {
	stage   *fakeStage
	fault   Fault
	numbers *plan.Numbering
	giveUp  context.CancelFunc
}

// trigger is ACTOR,TYPE,NAME or ACTOR,TYPE,NAME,OCCURRENCE, of a pod.
func trigger(t testing.TB, words []string) plan.Trigger {
	t.Helper()
	out := plan.Trigger{Actor: words[0], Type: history.Type(words[1]), Object: experiment.Reference{Resource: "pods", Namespace: "default", Name: words[2]}, Occurrence: 1}
	if len(words) > 3 {
		var err error
		if out.Occurrence, err = strconv.Atoi(words[3]); err != nil {
			t.Fatal(err)
		}
	}
	return out.ByOrdinal()
}

// perturbation reads the arguments of a plan command.
func perturbation(t testing.TB, d *datadriven.TestData) *plan.Plan {
	p := &plan.Plan{Trigger: plan.Trigger{Type: "create"}}
	for _, a := range d.CmdArgs {
		switch a.Key {
		case "kind":
			p.Fault.Kind = a.Vals[0]
		case "resource":
			p.Fault.Resource = a.Vals[0]
		case "verb":
			p.Fault.Verb = a.Vals[0]
		case "reason":
			p.Fault.Reason = a.Vals[0]
		case "code":
			p.Fault.Code, _ = strconv.Atoi(a.Vals[0])
		case "trigger":
			p.Trigger = trigger(t, a.Vals)
		case "until", "seen":
			when := trigger(t, a.Vals)
			if a.Key == "until" {
				p.Fault.Until = &when
			} else {
				p.Fault.Seen = &when
			}
		case "before":
			p.Fault.Before = true
		case "ends":
			p.Fault.Ends = true
		case "step":
			p.Fault.Step = true
		case "relist":
			p.Fault.Relist = true
		default:
			t.Fatalf("unknown argument %s", a.Key)
		}
	}
	return p
}

// TestTranscripts runs the files in testdata against a stage that says what is done
// to it:
//
//	plan kind=KIND …             a fault of its own for what follows
//	stage standby of=N …         what of the stage is otherwise
//	events                       lines REVISION ACTOR TYPE NAME, and "ending" if it is being deleted
//	ask VERB NAME                a write is about to be passed on
//	answer VERB NAME REVISION    a write was done; without a revision a delete, and
//	                             with "removed" it has taken the last finalizer
//	quiet                        nothing moves any more
//	give-up                      the clients of writes that wait have gone
//
// What waits is said, and what ends a wait.
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		synctest.Test(t, func(t *testing.T) {
			s := &session{}
			var ctx context.Context
			renew := func() {
				if s.giveUp != nil {
					s.giveUp()
				}
				ctx, s.giveUp = context.WithCancel(context.Background())
			}
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				if d.Cmd == "plan" {
					f, needs, err := New(perturbation(t, d))
					if err != nil {
						return err.Error() + "\n"
					}
					renew()
					s.stage, s.fault, s.numbers = newFakeStage(), f, plan.NewNumbering(history.DefaultMask())
					if needs != (Needs{}) {
						return fmt.Sprintf("%+v\n", needs)
					}
					return ""
				}
				s.run(t, ctx, d)
				if d.Cmd == "give-up" {
					renew()
				}
				synctest.Wait()
				s.stage.mu.Lock()
				defer s.stage.mu.Unlock()
				said := append(s.stage.said, []string{"waiting", "fired", "done"}[s.fault.Phase()])
				s.stage.said = nil
				if why := s.fault.Infeasible(); why != "" {
					said = append(said, "infeasible: "+why)
				}
				return strings.Join(said, "\n") + "\n"
			})
			s.giveUp()
		})
	})
}

func (s *session) run(t *testing.T, ctx context.Context, d *datadriven.TestData) {
	switch d.Cmd {
	case "stage":
		for _, a := range d.CmdArgs {
			switch a.Key {
			case "standby":
				s.stage.standby = fakeView{"standby", s.stage}
			case "none":
				s.stage.active = nil
			case "active":
				s.stage.active = fakeView{"active", s.stage}
			case "acted":
				s.stage.acted = true
			case "done":
				s.stage.done, _ = strconv.Atoi(a.Vals[0])
			}
		}
	case "events":
		for line := range strings.Lines(d.Input) {
			s.event(t, line)
		}
	case "ask":
		x := &apiproxy.Exchange{Sequence: 1, Request: apiproxy.Request{Verb: d.CmdArgs[0].Key, Resource: "pods", Namespace: "default", Name: d.CmdArgs[1].Key}}
		if prefix, drawn := strings.CutSuffix(x.Name, "*"); drawn {
			x.Name, x.GenerateName = "", prefix
		}
		s.wait("ask", func() apiproxy.Answer { return s.fault.Before(ctx, s.stage, x) })
	case "answer":
		x := &apiproxy.Exchange{Sequence: 1, Request: apiproxy.Request{Verb: d.CmdArgs[0].Key, Resource: "pods", Namespace: "default", Name: d.CmdArgs[1].Key}, Code: 200}
		x.UID = "uid-" + x.Name
		if len(d.CmdArgs) > 2 {
			x.Revision, _ = strconv.ParseInt(d.CmdArgs[2].Key, 10, 64)
		}
		x.Removed = d.HasArg("removed")
		s.wait("answer", func() apiproxy.Answer { return s.fault.After(ctx, s.stage, x) })
	case "quiet":
		if !s.fault.Quiet(s.stage) {
			s.stage.say("  nothing is done")
		}
	case "give-up":
		s.giveUp()
	default:
		t.Fatalf("unknown command %s", d.Cmd)
	}
}

// wait asks a question, as a request does, beside what follows.
func (s *session) wait(what string, question func() apiproxy.Answer) {
	answered := make(chan struct{})
	go func() {
		a := question()
		s.stage.say("  %s: %s", what, a)
		close(answered)
	}()
	synctest.Wait()
	select {
	case <-answered:
	default:
		s.stage.say("  %s: waits", what)
	}
}

// event is one line REVISION ACTOR TYPE NAME, about a pod that is being deleted if
// "ending" stands behind it.
func (s *session) event(t *testing.T, line string) {
	t.Helper()
	var revision int64
	var actor, kind, name string
	line, ending := strings.CutSuffix(strings.TrimSpace(line), " ending")
	if _, err := fmt.Sscan(line, &revision, &actor, &kind, &name); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	e := history.Event{Revision: revision, Actor: actor, Type: history.Type(kind), UID: "uid-" + name, Key: history.Key{Resource: "pods", Namespace: "default", Name: name}}
	metadata := map[string]any{}
	if prefix, _, drawn := strings.Cut(name, "-"); drawn {
		metadata["generateName"] = prefix + "-"
	}
	if ending {
		metadata["deletionTimestamp"] = "now"
	}
	is := history.Object{"data": revision, "metadata": metadata}
	switch e.Type {
	case history.Delete:
		e.Previous = is
	case history.Update:
		e.Object, e.Previous = is, history.Object{"data": revision - 1}
	case history.Create:
		e.Object = is
	}
	n, _ := s.numbers.Next(e)
	s.stage.mu.Lock()
	s.stage.there[e.Key] = e.Object
	s.stage.counts[n.Ordinal.Signature()] = n.Ordinal.Occurrence
	s.stage.mu.Unlock()
	s.fault.Observe(s.stage, e, n)
}

// TestTogether asks and answers each kind of fault from several goroutines at once,
// as requests do, while events come and all is quiet: what is done, is done once.
// The race detector says the rest.
func TestTogether(t *testing.T) {
	for _, name := range Names() {
		for range 20 {
			when := trigger(t, []string{"controller", "update", "a"})
			f, _, err := New(&plan.Plan{Trigger: when, Fault: plan.Fault{Kind: name, Resource: "pods", Seen: &when, Verb: "update", Code: 409}})
			if err != nil {
				t.Fatal(err)
			}
			s := &session{stage: newFakeStage(), fault: f, numbers: plan.NewNumbering(history.DefaultMask())}
			s.stage.standby = fakeView{"standby", s.stage}
			s.stage.done = s.stage.of
			s.stage.there[history.Key{Resource: "pods", Namespace: "default", Name: "a"}] = history.Object{"data": 1}
			ctx, cancel := context.WithCancel(t.Context())
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					x := &apiproxy.Exchange{Request: apiproxy.Request{Verb: "update", Resource: "pods", Namespace: "default", Name: "a"}, Code: 200, Revision: 7}
					f.Before(ctx, s.stage, x)
					f.After(ctx, s.stage, x)
				})
			}
			all.Go(func() {
				s.event(t, "7 controller update a")
				for range 1000 {
					f.Quiet(s.stage)
				}
				cancel()
			})
			all.Wait()
			cancel()
			counts := map[string]int{}
			for _, line := range s.stage.said {
				counts[line]++
			}
			for line, n := range counts {
				if n > 1 && !strings.Contains(line, "held back") {
					t.Errorf("%s: %d times %s", name, n, line)
				}
			}
			if counts["  pause"] != counts["  resume"] {
				t.Errorf("%s: %v", name, s.stage.said)
			}
		}
	}
}
