package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/crash"
)

// Fate is what became of a value.
type Fate string

// The fates.
const (
	// Dormant: it is taken, and a test fails that does not with each valid value; of a value that may not be meant, by
	// a panic or without an end.
	Dormant Fate = "dormant"
	// Silent: it is invalid, and all tests that read it pass.
	Silent Fate = "silent"
	// Refused: who loads it, a validation or a test does not take it.
	Refused Fate = "refused"
	// Passes: it is not invalid, and all tests that read it pass.
	Passes Fate = "passes"
	// Doubtful: a test fails, and whether the value is valid is not known.
	Doubtful Fate = "doubtful"
	// Unseen: no test that says anything was seen to read it.
	Unseen Fate = "unseen"
)

// Tried is what became of one value.
type Tried struct {
	value.Candidate
	Fate Fate
	// Test is the one that shows it, with what became of it, and Proof its read of the value.
	Test    choose.Test
	Outcome *run.Outcome
	Proof   Proof
	// Replaced: what was read is not what was given, but what was read before.
	Replaced bool
	// More are other tests that fail.
	More []choose.Test
}

// Generated is what became of the values of one parameter.
type Generated struct {
	// Change is its index, and Sort what sort of values it has.
	Change int
	Sort   string
	Tried  []Tried
	// HardCoded are tests that fail with every other valid value.
	HardCoded []choose.Test
	// Tests is how many read it and pass with the value that it has.
	Tests int
}

// Bases are tests with the values that the configuration has: those that pass then, by name.
type Bases struct {
	Passing map[string]*run.Outcome
	// Excluded says of the others why they say nothing.
	Excluded map[string]string
}

// Reads are the values of a parameter that tests read that set none, each once: those that hold where nobody gives one.
func (b *Bases) Reads(c choose.Change) []string {
	var out []string
	for _, o := range b.Passing {
		if len(events(c, o, record.Set)) > 0 {
			continue
		}
		for _, e := range events(c, o, record.Read) {
			if !strings.HasSuffix(e.At, record.Unsure) {
				out = append(out, e.Value)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Sites are the places where a parameter is read.
func (b *Bases) Sites(c choose.Change) []string {
	var out []string
	for _, o := range b.Passing {
		out = append(out, reads(c, o)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Key is what a test is known by.
func Key(t choose.Test) string { return t.Package + "." + t.Name }

// Before runs tests with the values that the configuration has.
func Before(ctx context.Context, tests []choose.Test, changes []choose.Change, trial Trial, workers int) (*Bases, error) {
	out := &Bases{map[string]*run.Outcome{}, map[string]string{}}
	var mu sync.Mutex
	err := Each(ctx, len(tests), workers, func(i int) error {
		j := &judging{ctx: ctx, test: tests[i], changes: changes, trial: trial, known: map[string]*run.Outcome{}, amid: map[string]bool{}, fell: map[string]bool{}}
		o, err := j.old()
		why := ""
		if err == nil && o.Ending != run.Passed {
			why = j.excluded(o)
		}
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err != nil:
			return err
		case why != "":
			out.Excluded[Key(tests[i])] = why
		default:
			out.Passing[Key(tests[i])] = o
		}
		return nil
	})
	return out, err
}

// Each calls a function for each number below n, at most so many at once, and gives the first error.
func Each(ctx context.Context, n, workers int, call func(int) error) error {
	var (
		wait  sync.WaitGroup
		mu    sync.Mutex
		first error
		next  int
	)
	for range max(1, min(workers, n)) {
		wait.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				over := first != nil || i >= n || ctx.Err() != nil
				mu.Unlock()
				if over {
					return
				}
				if err := call(i); err != nil {
					mu.Lock()
					if first == nil {
						first = err
					}
					mu.Unlock()
				}
			}
		})
	}
	wait.Wait()
	return first
}

// generating is one parameter.
type generating struct {
	ctx     context.Context
	changes []choose.Change
	at      int
	tests   []choose.Test
	bases   *Bases
	trial   Trial
	handsOn HandsOn
	hard    map[string]bool
	alone   map[string]bool // tests that have failed: what others of the package do is not to be seen in that
}

// Generate tries values of one parameter with the tests that read it. handsOn tells whether a test does no more at a
// place than to say that there is an error; nil if that is not known.
func Generate(ctx context.Context, at int, tests []choose.Test, bases *Bases, changes []choose.Change, trial Trial, candidates []value.Candidate, handsOn HandsOn) (*Generated, error) {
	g := &generating{ctx: ctx, changes: changes, at: at, bases: bases, trial: trial, handsOn: handsOn, hard: map[string]bool{}, alone: map[string]bool{}}
	out := &Generated{Change: at}
	for _, t := range tests {
		if _, is := bases.Passing[Key(t)]; is && slices.Contains(t.Reads, at) {
			g.tests = append(g.tests, t)
		}
	}
	if out.Tests = len(g.tests); out.Tests == 0 {
		return out, nil
	}
	valid := 0
	for valid < len(candidates) && candidates[valid].Kind == value.Valid {
		valid++
	}
	outcomes := make([][]*run.Outcome, valid)
	for n := range valid {
		for _, t := range g.tests {
			o, err := g.run(t, candidates[n].Text)
			if err != nil {
				return out, err
			}
			outcomes[n] = append(outcomes[n], o)
		}
	}
	for k, t := range g.tests {
		fails := func(all []*run.Outcome) bool { return all[k].Ending.Fails() }
		if valid > 0 && !slices.ContainsFunc(outcomes, func(all []*run.Outcome) bool { return !fails(all) }) {
			g.hard[Key(t)] = true
			out.HardCoded = append(out.HardCoded, t)
		}
	}
	for n, c := range candidates {
		var known []*run.Outcome
		if n < valid {
			known = outcomes[n]
		}
		tried, err := g.try(c, known)
		if err != nil {
			return out, err
		}
		out.Tried = append(out.Tried, tried)
	}
	return out, nil
}

func (g *generating) run(t choose.Test, text string) (*run.Outcome, error) {
	v := Values(g.changes, g.at, text)
	t.Alone = g.alone[Key(t)]
	o, err := g.trial(g.ctx, t, v)
	if err == nil && o.Ending.Fails() && o.Ending != run.TimedOut && !t.Alone {
		t.Alone, g.alone[Key(t)] = true, true
		o, err = g.trial(g.ctx, t, v)
	}
	if err == nil && o.Ending == run.Stopped {
		return nil, context.Cause(g.ctx)
	}
	return o, err
}

// Values are those that the configuration has, but for one.
func Values(changes []choose.Change, at int, text string) choose.Values {
	v := choose.Before(changes)
	v[at] = &text
	return v
}

// try says what became of a value; known are the outcomes of tests that have run with it.
func (g *generating) try(c value.Candidate, known []*run.Outcome) (Tried, error) {
	out := Tried{Candidate: c, Fate: Unseen}
	change := g.changes[g.at]
	change.New = &c.Text
	var failing *run.Outcome
	for k, t := range g.tests {
		var o *run.Outcome
		if known != nil {
			o = known[k]
		} else {
			var err error
			if o, err = g.run(t, c.Text); err != nil {
				return out, err
			}
		}
		before := g.bases.Passing[Key(t)]
		switch {
		case g.refuses(before, o) || o.Ending.Fails() && (names(o, c.Text) || value.MadeUp(nil, []string{c.Text}) && g.handsOn.error(t, o)):
			out.Fate, out.Test, out.Outcome, out.More = Refused, t, o, nil
			return out, nil
		case g.hard[Key(t)]:
		case o.Ending.Fails():
			if failing == nil || severe(o) && !severe(failing) {
				if failing != nil {
					out.More = append(out.More, out.Test)
				}
				failing, out.Test, out.Outcome = o, t, o
				out.Proof, _ = prove(change, before, o, o)
			} else {
				out.More = append(out.More, t)
			}
			if c.Kind == value.Invalid {
				out.Fate = Refused
				return out, nil
			}
		case failing == nil && out.Fate == Unseen && o.Ending == run.Passed:
			proof, is, err := g.prove(change, t, before, o)
			if err != nil {
				return out, err
			}
			if !is && c.Kind == value.Invalid { // else it may be meant that a default holds, and nothing is known of the value
				proof, is = replaced(change, o)
				out.Replaced = is
			}
			if is {
				out.Fate, out.Test, out.Outcome, out.Proof = Passes, t, o, proof
			}
		}
	}
	switch {
	case failing != nil && (c.Kind == value.Valid || severe(failing)):
		return out, g.again(&out)
	case failing != nil:
		out.Fate = Doubtful
	case out.Fate == Passes && c.Kind == value.Invalid:
		out.Fate = Silent
	}
	return out, nil
}

// prove looks for a read that shows that a value arrived; the test is run once more if only that can tell.
func (g *generating) prove(c choose.Change, t choose.Test, before, after *run.Outcome) (Proof, bool, error) {
	proof, is := prove(c, before, after, nil)
	if is {
		return proof, true, nil
	}
	if _, is = prove(c, before, after, after); !is {
		return proof, false, nil
	}
	again, err := g.run(t, *c.New)
	if err != nil {
		return proof, false, err
	}
	proof, is = prove(c, before, after, again)
	return proof, is, nil
}

// severe is for endings that no assertion asks for.
func severe(o *run.Outcome) bool { return o.Ending == run.Panicked || o.Ending == run.TimedOut }

// again runs both versions of what fails once more, as often as one run is not believed.
func (g *generating) again(t *Tried) error {
	t.Fate = Dormant
	times := Repeats - 1
	if t.Outcome.Ending == run.TimedOut {
		times = 1
	}
	for range times {
		o, err := g.run(t.Test, t.Text)
		if err != nil {
			return err
		}
		of := t.Test
		of.Alone = true
		before, err := g.trial(g.ctx, of, choose.Before(g.changes))
		if err != nil {
			return err
		}
		if !o.Ending.Fails() || before.Ending != run.Passed {
			t.Fate = Doubtful // it is flaky
		}
	}
	return nil
}

// refuses tells whether who loads the value, or a validation, says what is wrong with it, and has not said so before.
func (g *generating) refuses(before, o *run.Outcome) bool {
	said := map[string]bool{}
	for _, e := range before.Events {
		if e.Verb == record.Checked {
			said[e.At+"\n"+e.Value] = true
		}
	}
	for _, e := range o.Events {
		switch {
		case e.Verb == record.Gave && e.At != "":
			return true
		case e.Verb == record.Checked && e.Value != "" && !said[e.At+"\n"+e.Value]:
			return true
		}
	}
	return o.Ending == run.Exited
}

var amount = regexp.MustCompile(`^-?[0-9.]+[A-Za-z]+$`)

// names tells whether what a test says has an amount in it in quotes, as errors of parsers have what they are given:
// who quotes it refuses it.
func names(o *run.Outcome, text string) bool {
	var plain string
	if json.Unmarshal([]byte(text), &plain) != nil {
		plain = text
	}
	return amount.MatchString(plain) && strings.Contains(Says(o), strconv.Quote(plain))
}

// replaced is a read that shows that something else holds than what was given, though it arrived where it is loaded.
// What was given is read where it is only put into a field of the program's, too: that shows nothing, and neither does
// what the test has set.
func replaced(c choose.Change, after *run.Outcome) (Proof, bool) {
	if c.Class == nil || c.Class.Several {
		return Proof{}, false
	}
	arrived := slices.ContainsFunc(after.Events, func(e record.Event) bool {
		return e.Verb == record.Gave && e.At == "" && slices.Contains(c.IDs, e.Subject)
	}) || slices.ContainsFunc(c.IDs, func(id parameter.ID) bool {
		return id.Kind() == parameter.Env && slices.Contains(after.Variables, id.Name())
	})
	read := events(c, after, record.Read)
	if !arrived || slices.ContainsFunc(read, func(e record.Event) bool { return tells(c, e.Value) }) {
		return Proof{}, false
	}
	own := ownOf(c, after)
	for _, e := range read {
		if !strings.HasSuffix(e.At, record.Unsure) && !slices.Contains(own, e.Value) {
			return Proof{Value: e.Value, At: e.At}, true
		}
	}
	return Proof{}, false
}

var digits = regexp.MustCompile(`[0-9]+`)

// Cause is equal for failures that have one cause: a panic at one place, or one assertion.
func (t *Tried) Cause() string {
	switch o := t.Outcome; o.Ending {
	case run.Panicked:
		if all := crash.Find(strings.Split(o.Output, "\n")); len(all) > 0 {
			return all[0].Key()
		}
	case run.Failed:
		if found := assertion.FindStringSubmatch(firstAssertion(o.Output)); found != nil {
			return t.Test.Package + " " + found[1]
		}
	case run.TimedOut:
		return "no end of " + Key(t.Test)
	}
	return fmt.Sprintf("%s %s", Key(t.Test), digits.ReplaceAllString(Says(t.Outcome), "#"))
}

// firstAssertion is the first line in which a test says what is wrong.
func firstAssertion(output string) string {
	for line := range strings.Lines(output) {
		if line = strings.TrimRight(line, "\n"); assertion.MatchString(line) {
			return line
		}
	}
	return ""
}
