package run

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/process"
)

// longest is how long tests that share a process have, as those of a package have with go test.
const longest = 10 * time.Minute

// once is at work while a sync.Once is, which may be one of an object of the test; those of onces are as good as
// variables.
const once = "sync.(*Once).doSlow"

var onces = []string{once, "sync.OnceFunc", "sync.OnceValue", "sync.OnceValues"}

// Shared runs tests of a program in one process with some values, for so long at most. It gives the outcomes of those
// that passed, or were skipped, and of which it is sure what they did; the others are to be run by themselves. Outputs
// are left out, and so is what does not matter.
func (r *Runner) Shared(ctx context.Context, p Program, tests []string, v Values, limit time.Duration, matters func(record.Event) bool) (map[string]*Outcome, error) {
	return inParts(tests, func(tests []string) (map[string]*Outcome, error) { return r.shared(ctx, p, tests, v, limit, matters) })
}

// longestArgument is less than Linux takes for one, which is 128 KiB.
const longestArgument = 120 << 10

// inParts runs tests in so many processes that the names of those of one are an argument.
func inParts[T any](tests []string, run func(tests []string) (map[string]T, error)) (map[string]T, error) {
	if len(tests) < 2 || len(only(tests)) <= longestArgument {
		return run(tests)
	}
	out := map[string]T{}
	for _, part := range [][]string{tests[:len(tests)/2], tests[len(tests)/2:]} {
		some, err := inParts(part, run)
		if err != nil {
			return nil, err
		}
		maps.Copy(out, some)
	}
	return out, nil
}

func (r *Runner) shared(ctx context.Context, p Program, tests []string, v Values, limit time.Duration, matters func(record.Event) bool) (map[string]*Outcome, error) {
	defer r.room(p, v.Alone)()
	folder, err := os.MkdirTemp(r.Folder, "tests-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // what is left goes with the folder around it
	keepers := strings.Join(slices.Concat(r.Keepers, onces), "\n")
	if err := os.WriteFile(filepath.Join(folder, record.KeepersFile), []byte(keepers), 0o600); err != nil {
		return nil, err
	}
	var took times
	all, exit, err := r.process(ctx, p, folder, v, min(limit, longest), &took, only(tests), "-test.v=true")
	if err == nil && ctx.Err() == nil {
		r.tellLate(p, all)
	}
	if err != nil || ctx.Err() != nil || !explained(exit, all.Events) {
		return nil, err
	}
	out := apart(slices.DeleteFunc(all.Events, func(e record.Event) bool { return !matters(e) }))
	for name, o := range out {
		o.Took = took.of(name, all.Took/time.Duration(len(tests)))
	}
	return out, nil
}

// Together runs tests of a program in one process with some values, and says how those ended that had their turn. A
// test that ends the process, or that is over after the limit only, takes that of all behind it.
func (r *Runner) Together(ctx context.Context, p Program, tests []string, v Values, limit time.Duration) (map[string]Ending, error) {
	return inParts(tests, func(tests []string) (map[string]Ending, error) { return r.together(ctx, p, tests, v, limit) })
}

func (r *Runner) together(ctx context.Context, p Program, tests []string, v Values, limit time.Duration) (map[string]Ending, error) {
	defer r.room(p, v.Alone)()
	folder, err := os.MkdirTemp(r.Folder, "tests-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // what is left goes with the folder around it
	all, _, err := r.process(ctx, p, folder, v, limit, nil, only(tests))
	if err != nil || ctx.Err() != nil {
		return nil, err
	}
	return endings(all.Events), nil
}

// explained tells whether it follows from the tests of a process how that ended. If it does not, what is around all of
// them has failed, as TestMain does that looks for what they leave, or what one had deferred, and which one that was is
// not known.
func explained(exit process.Exit, events []record.Event) bool {
	if exit.Code == 0 {
		return true
	}
	tests, open := "", map[string]bool{}
	for _, e := range events {
		if tests == "" && e.Verb == record.Begin {
			tests = e.Process
		}
		switch ended := Ending(e.Value); {
		case e.Process != tests:
		case e.Verb == record.Begin:
			open[e.Label] = true
		case e.Verb == record.End && (ended == Panicked || ended == Failed && exit.Code == 1):
			return true
		case e.Verb == record.End:
			delete(open, e.Label)
		}
	}
	return len(open) > 0
}

// endings are those of tests in one process. Of two of one name, as a package may have one and its outside another,
// none is told: by themselves they run both.
func endings(events []record.Event) map[string]Ending {
	names, times, out := map[string]string{}, map[string]int{}, map[string]Ending{}
	for _, e := range events {
		switch key := e.Process + " " + e.Label; {
		case e.Verb == record.Begin:
			names[key] = e.Subject.Name()
			times[names[key]]++
		case e.Verb == record.End && names[key] != "":
			out[names[key]] = Ending(e.Value)
		}
	}
	maps.DeleteFunc(out, func(name string, _ Ending) bool { return times[name] > 1 })
	return out
}

// only is the argument by which some tests of a program run.
func only(tests []string) string {
	names := make([]string, len(tests))
	for i, test := range tests {
		names[i] = regexp.QuoteMeta(test)
	}
	return "-test.run=^(" + strings.Join(names, "|") + ")$"
}

// sharing is what tests in one process did.
type sharing struct {
	process string           // by its number; others are those that it started
	tests   map[string]*turn // by their labels
	active  map[string]bool  // labels of those that have begun, and are not over
	before  []record.Event   // what nobody's goroutine did while there was no test
}

// turn is one test in a shared process.
type turn struct {
	name   string
	ending Ending
	events []record.Event
	// unsure: what it did alone is not known.
	unsure bool
}

// apart gives each test what it did. A goroutine has the label of the test that started it. What was done meanwhile by
// goroutines of no test, of one that is over, or by another process may be for any test that was running; what somebody
// keeps may have been read by any later one.
func apart(events []record.Event) map[string]*Outcome {
	s := &sharing{tests: map[string]*turn{}, active: map[string]bool{}}
	kept, objects := false, ofObjects(events)
	for _, e := range events {
		if e.Verb == record.Begin && (s.process == "" || e.Process == s.process) {
			s.process = e.Process
			s.tests[e.Label] = &turn{name: e.Subject.Name(), unsure: kept || e.Value != ""}
			s.active[e.Label] = true
			continue
		}
		of := s.tests[e.Label]
		switch {
		case s.process != "" && e.Process != s.process:
			s.doubt()
		case e.Verb == record.End && of != nil:
			of.ending = Ending(e.Value)
			delete(s.active, e.Label)
		case e.Label == record.NoLabel && len(s.active) == 0:
			s.before = append(s.before, e)
		case of == nil || !s.active[e.Label]:
			s.doubt()
		case e.Verb == record.Left:
			of.unsure = true
		default:
			of.events = append(of.events, e)
			if e.Keeper != "" && !objects[unlabelled(e)] {
				kept = true
				s.doubtBut(e.Label)
			}
		}
	}
	out, times := map[string]*Outcome{}, map[string]int{}
	for _, t := range s.tests {
		times[t.name]++
	}
	for _, t := range s.tests {
		if !t.unsure && times[t.name] == 1 && (t.ending == Passed || t.ending == Skipped) {
			out[t.name] = s.outcome(t)
		}
	}
	return out
}

// ofObjects are events while a sync.Once was at work that more than one test had: it is no variable's, with which that
// happens once.
func ofObjects(events []record.Event) map[record.Event]bool {
	first, out := map[record.Event]string{}, map[record.Event]bool{}
	for _, e := range events {
		if e.Keeper != once {
			continue
		}
		if label, is := first[unlabelled(e)]; is && label != e.Label {
			out[unlabelled(e)] = true
		} else {
			first[unlabelled(e)] = e.Label
		}
	}
	return out
}

// unlabelled is an event, whoever had it, and whatever the value was.
func unlabelled(e record.Event) record.Event {
	e.Label, e.Value = "", ""
	return e
}

// doubt is for what any of the tests that are running may have done.
func (s *sharing) doubt() { s.doubtBut("") }

func (s *sharing) doubtBut(label string) {
	for other := range s.active {
		if other != label {
			s.tests[other].unsure = true
		}
	}
}

// outcome is that of a test, with what is done before and after all tests.
func (s *sharing) outcome(t *turn) *Outcome {
	out := &Outcome{Ending: t.ending}
	for _, e := range slices.Concat(s.before, t.events) {
		if out.asked(e); e.Verb != record.Getenv && e.Verb != record.Open {
			out.Events = append(out.Events, e)
		}
	}
	out.sort()
	return out
}
