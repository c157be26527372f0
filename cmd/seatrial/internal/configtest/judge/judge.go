// Package judge says what the tests of a module show of changes: which of them break a test, and which
// a test was seen to read and passes with. A pass without such a read is none.
package judge

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// Trial runs a test once with some values.
type Trial func(context.Context, choose.Test, choose.Values) (*run.Outcome, error)

// Others are valid values of a change, beside the old one and the new one; sites are where the test was seen to read
// it. Without any, whether a test fails with every other value is not known.
type Others func(test choose.Test, change int, sites []string) []string

// HandsOn tells whether a test does no more at a place, file:line in its package, than to say that there is an error.
type HandsOn func(test choose.Test, at string) bool

// Repeats is how often a test is run where one run is not believed: it fails with the new values.
const Repeats = 3

// Judged is what became of one test.
type Judged struct {
	choose.Test
	// Excluded is why it says nothing: it fails with the old values, too, or not always.
	Excluded string
	// Culprits are the smallest parts of the changes with which it fails, each by itself.
	Culprits []Culprit
	// Proofs are reads of new values in a run that passed, by the change.
	Proofs map[int]Proof
	// Unproved are changes of which no new value was seen to arrive in a run that passed.
	Unproved []int
	// At are the places at which it has read what is proved.
	At map[int][]string
	// Copied are those of Unproved of which the new value was only put into a field of the program's: what was read,
	// and that field with the place.
	Copied map[int]Proof
	// Skips: it passes with the old values, and is skipped with the new ones, or not run at all.
	Skips bool
	// Silent are changes of which it reads what it reads where nothing is said: the new value may not be taken, without
	// a word.
	Silent []int
	// Dropped are those of Silent of which that is known: what it reads instead.
	Dropped map[int]Proof
	// Strange are changes that it was seen to read, and passes with, of which the code compares the old value with
	// other words, and the new one is written nowhere in the module; and the word that it is nearly, if there is one.
	Strange map[int]string
	// Own are changes with which it fails by what it sets itself.
	Own []int

	loads bool // something was given to what loads it
}

// Culprit is some changes without any of which the test passes.
type Culprit struct {
	// Changes are their indexes.
	Changes []int
	// Outcome is what became of the test with them alone.
	Outcome *run.Outcome
	// Proofs are the reads of the new values in it.
	Proofs map[int]Proof
	// Beside are those that do not change without any of which it passes; none if it fails whatever else is configured.
	Beside []choose.Change
	// HardCoded: it fails with every other value that was tried, too, which are Tried; or there is none, and it asserts
	// what it is.
	HardCoded bool
	Tried     []string
	// Meant: the program says that it is off, or has no bound, with the new value: it may be about that. It is taken
	// for hard-coded.
	Meant bool
	// Across: it fails with less and with more than the old value alike, and passes next to it; Tried is the one on the
	// other side.
	Across bool
	// Passes is a value further from the old one than the new one is, with which it passes; FailsToo is one on the
	// other side of the old one.
	Passes, FailsToo string
	// Few: those are all made up, and it asserts no default.
	Few bool
	// Far: a test that has the value written by hand passes with one next to the old one, and fails by the size of the
	// new one, or as a list is empty. Tried are values between these, with which it passes.
	Far bool
	// Crossed is what the new value passes, where such a test passes just before that, which is Tried, and fails just
	// behind it.
	Crossed choose.Bound
	// Likely: such a test passes with all of Tried, which are less and more than the old value, and may be about its
	// own figures all the same. Nothing: it passes with these and with a little, and the new value is nothing, which
	// may be meant.
	Likely, Nothing bool
	// At are the places at which such a test reads it then.
	At []string
	// Further: with some of Tried it fails, too, and with the new value at one more place.
	Further bool
	// Foreign: the code compares the only change with several words, and not with its new value; and it does not fail
	// with each other one at the same place, or the program says which there are, or the new value is nearly one of
	// them, which is Like.
	Foreign bool
	Like    string
	// Alike: both values of the only change look the same, as [value.Likeness] says.
	Alike bool
	// Document: the test has one of its own, and was run with all that is deployed in its place: what it says is of
	// what refuses that.
	Document bool
}

// Bench is what tests are judged with.
type Bench struct {
	Changes []choose.Change
	Trial   Trial
	// Batch is for repeats of what fails; nil if each test needs a process.
	Batch Batch
	// Sharing is for the first look at all; nil if each test needs a process.
	Sharing Sharing
	Others  Others
	// Unknown tells whether the code compares a change with several words at some places, the old one among them, and
	// not with the new one; nil if that is not known. The new value may be like one of them, as a misspelt word is.
	// Where the code compares with the old one alone, of which the new one is another spelling, or that in other
	// capitals, it is unsure.
	Unknown func(change int, sites []string) (like string, is, unsure bool)
	// Unlisted tells whether the program says of a change which words there are, and the old value is one of them, and
	// the new one is not; nil if that is not known.
	Unlisted func(change int) bool
	// Compared are the words that the program compares with a change that it reads at some places; nil if that is not
	// known.
	Compared func(change int, sites []string) []string
	// Words are those that a change may be, as far as the program says so, if the old value is one of them; nil if that
	// is not known.
	Words func(change int) []string
	// Apart tells whether the file that a test opens can have some of the changes, and not the others; nil if it has
	// all or none.
	Apart func(test choose.Test, in []int) bool
	// Asserts tells whether the test has one of some texts written in it; nil if that is not known.
	Asserts func(test choose.Test, texts []string) bool
	// Mentions tells whether the test has a text written in it that has a word in it, and is another one than that as a
	// whole; nil if that is not known.
	Mentions func(test choose.Test, word, whole string) bool
	// HandsOn tells whether the test does no more at a place, file:line, than to say that there is an error; nil if
	// that is not known.
	HandsOn HandsOn
	// Guarded tells whether the program compares a change with nothing anywhere: what is nothing may not come to where
	// a test has put it; nil if that is not known.
	Guarded func(change int) bool
	// Meant tells whether the program says of a change that it is off, or has no bound, with its new value, which is
	// nothing or less; nil if that is not known.
	Meant func(change int) bool
	// Bounds tells whether all that the program does with a change, which it reads at some places, is to compare
	// something with it; nil if that is not known.
	Bounds func(change int, sites []string) bool
	// Away tells whether the program hands a change that it reads at some places on to code that is not its own; nil if
	// that is not known.
	Away func(change int, sites []string) bool
	// Known tells whether the program has the new value of a change written in it as a word: it may be another one for
	// what is read; nil if that is not known.
	Known func(change int) bool
	// Unwritten tells whether the new value of a change is a word that is written nowhere in the module; nil if that is
	// not known.
	Unwritten func(change int) bool
	// Asserted tells whether a change that is read at some places, and nowhere else, is only compared there by tests;
	// nil if that is not known.
	Asserted func(sites []string) bool
	// Between tells whether the test may have a figure of its own written in it that is between the two values of a
	// change; nil if that is not known.
	Between func(test choose.Test, change int) bool
	// Nothing tells whether the program compares a change that is read at some places with nothing; nil if that is not
	// known.
	Nothing func(change int, sites []string) bool
	// Seen are places at which others than these tests were seen to read each change; nil for none.
	Seen [][]string
	// Workers is how many tests run at once.
	Workers int
	// Every: each test is run, also of a change that what loads it refuses.
	Every bool
	// Done, if set, is called after each test, one at a time.
	Done func(*Judged)

	without map[int]bool // changes that tests are run without
	sites   [][]string   // where tests read each change; nil before all have been run
	// refused are changes that what loads them is known to refuse, each with what does not change and it is refused
	// beside.
	refused map[int][]choose.Change
}

// All judges tests, and gives what became of them in their order. What had no turn before the context ended, or is not
// needed, is nil. What loads a key that nobody knows is asked first, and where many tests are to run what loads any
// change: the others are judged without what it refuses.
func (b *Bench) All(ctx context.Context, tests []choose.Test) ([]*Judged, error) {
	if b.Every {
		out, err := b.judge(ctx, tests)
		if err == nil {
			err = b.loaded(ctx, loaders(out), b.undecided(out), out)
		}
		return out, err
	}
	out := make([]*Judged, len(tests))
	first := b.undecided(nil)
	if len(tests) <= enough {
		first = slices.DeleteFunc(first, func(i int) bool { return !b.Changes[i].Strange })
	}
	if err := b.loaded(ctx, tests, first, out); err != nil {
		return out, err
	}
	b.leave(out)
	open := b.undecided(out)
	var left []int
	var needed []choose.Test
	for n, t := range tests {
		if slices.ContainsFunc(open, func(i int) bool { return slices.Contains(t.Reads, i) || slices.Contains(t.Loads, i) }) {
			left, needed = append(left, n), append(needed, t)
		}
	}
	judged, err := b.judge(ctx, needed)
	for at, n := range left {
		switch shown := out[n]; {
		case shown == nil:
			out[n] = judged[at]
		case judged[at] != nil:
			out[n] = judged[at]
			out[n].Culprits = slices.Concat(shown.Culprits, slices.DeleteFunc(judged[at].Culprits, func(c Culprit) bool { return slices.Equal(c.Changes, shown.Culprits[0].Changes) }))
		}
	}
	if err == nil && len(tests) <= enough {
		err = b.loaded(ctx, loaders(out), b.undecided(out), out)
	}
	return out, err
}

// leave notes changes that what loads them refuses, and what is missing in the place of a misspelt key.
func (b *Bench) leave(judged []*Judged) {
	b.without = map[int]bool{}
	for _, j := range judged {
		if j == nil {
			continue
		}
		for _, c := range j.Culprits {
			refused := c.Changes[0]
			b.without[refused] = true
			for i, o := range b.Changes {
				b.without[i] = b.without[i] || o.Lost(b.Changes[refused])
			}
		}
	}
}

// judge runs tests with both versions.
func (b *Bench) judge(ctx context.Context, tests []choose.Test) ([]*Judged, error) {
	out := make([]*Judged, len(tests))
	var mu sync.Mutex
	end := func(i int, j *judging) error {
		judged, err := j.judged()
		if err != nil {
			return err
		}
		judged.loads = j.loads()
		mu.Lock()
		defer mu.Unlock()
		if out[i] = judged; b.Done != nil {
			b.Done(judged)
		}
		return nil
	}
	all := make([]*judging, len(tests))
	for i, test := range tests {
		all[i] = b.begin(ctx, test)
	}
	if err := b.first(ctx, all); err != nil {
		return out, err
	}
	failing := make([]*judging, len(tests))
	var later []int
	err := b.each(ctx, len(tests), func(i int) error {
		fails, err := all[i].fails()
		if err == nil && fails == nil {
			if err = end(i, all[i]); !errors.Is(err, errLater) {
				return err
			}
			err = nil
		}
		mu.Lock()
		defer mu.Unlock()
		failing[i], later = fails, append(later, i)
		return err
	})
	if err != nil {
		return out, err
	}
	b.look(all)
	slices.Sort(later)
	fell := map[*judging]bool{}
	for _, i := range later {
		fell[all[i]] = failing[i] != nil
	}
	failing = slices.DeleteFunc(failing, func(j *judging) bool { return j == nil })
	if err := b.ask(ctx, failing); err != nil {
		return out, err
	}
	if err := b.repeat(ctx, failing); err != nil {
		return out, err
	}
	return out, b.each(ctx, len(later), func(n int) error {
		if j := all[later[n]]; fell[j] {
			j.alone()
		}
		return end(later[n], all[later[n]])
	})
}

// errLater is for what cannot be said before each test has been run.
var errLater = errors.New("the other tests have not been run")

// look notes where tests read each of the changes: what is compared with it at one place is what it may be for a test
// that reads it at another one.
func (b *Bench) look(all []*judging) {
	b.sites = make([][]string, len(b.Changes))
	for i, c := range b.Changes {
		if i < len(b.Seen) {
			b.sites[i] = slices.Clone(b.Seen[i])
		}
		for _, j := range all {
			if before := j.known[keyOf(nil)]; before != nil {
				b.sites[i] = append(b.sites[i], reads(c, before)...)
			}
		}
		slices.Sort(b.sites[i])
		b.sites[i] = slices.Compact(b.sites[i])
	}
}

// each does something n times, as many at once as may be. What the end of the context leaves undone is no error.
func (b *Bench) each(ctx context.Context, n int, do func(int) error) error {
	var (
		wait  sync.WaitGroup
		mu    sync.Mutex
		first error
		next  int
	)
	for range max(1, min(b.Workers, n)) {
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
				if err := do(i); err != nil && ctx.Err() == nil {
					mu.Lock()
					first = cmp.Or(first, err)
					mu.Unlock()
				}
			}
		})
	}
	wait.Wait()
	return first
}
