package settle

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"runtime/metrics"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// bubbles runs reruns, one at a time, in a goroutine of its own: so that who waits for one can
// give it up.
type bubbles struct {
	runs  chan *rerun
	done  chan error
	timer *time.Timer
	// root is the goroutine that they are begun in.
	root atomic.Pointer[string]
}

// endurance is how much real time a reconcile may take from one request to the next.
var endurance = 10 * time.Second

// leftMax is how many abandoned runs of a program may leave goroutines behind.
var leftMax = 10_000

func newBubbles() *bubbles {
	b := &bubbles{runs: make(chan *rerun), done: make(chan error), timer: time.NewTimer(time.Hour)}
	go b.serve()
	return b
}

// serve goes on in another goroutine if that of a run is ended.
func (b *bubbles) serve() {
	id := current().id
	b.root.Store(&id)
	for r := range b.runs {
		err := errRace
		func() {
			defer func() {
				if errors.Is(err, errRace) {
					go b.serve()
					b.done <- err
				}
			}()
			err = bubble(r.drive)
		}()
		b.done <- err
	}
}

var (
	// errLeft is that there are goroutines left in a bubble.
	errLeft = errors.New("goroutines are left")
	// errRace is what else a test fails for in which nothing fails.
	errRace = errors.New("the race detector has found that goroutines of the reconcile write what others read or write: see above")
)

// bubble runs f in a bubble of testing/synctest. That wants a test for its name, its log and
// for failing; none of these is made use of, and there need not be a test: an empty one does.
func bubble(f func()) (err error) {
	defer func() {
		switch e := recover(); {
		case e == nil:
		case strings.HasPrefix(fmt.Sprint(e), "deadlock: main bubble goroutine has exited"):
			err = errLeft
		default:
			err = fmt.Errorf("it cannot be run in a bubble of testing/synctest: %v", e)
		}
	}()
	synctest.Test(new(testing.T), func(*testing.T) { f() })
	return nil
}

// run runs a rerun.
func (b *bubbles) run(r *rerun) error {
	b.runs <- r
	first, unseen := uint64(0), 0
	for begun := time.Now(); ; {
		b.timer.Reset(min(endurance, lookEvery))
		select {
		case err := <-b.done:
			return err
		case <-b.timer.C:
		}
		held := inUse()
		if first = cmp.Or(first, held); held > first+growthMax {
			// The stack of a goroutine that helps the garbage collector may not be its own.
			where := goroutinesOf(*b.root.Load())
			if unseen++; where == "" && unseen < unseenMax {
				continue
			}
			return fmt.Errorf("%d MiB were allocated, and the reconcile has not come to a request or to its end: %s: %w", (held-first)>>20, cmp.Or(where, "nobody can say where it is"), errAllocates)
		}
		if time.Since(begun) >= endurance {
			return fmt.Errorf("the reconcile has not come to a request or to its end within %s: %s: %w", endurance, goroutinesOf(*b.root.Load()), errComputes)
		}
	}
}

// lookEvery is how often is looked at what a run does that takes long.
const lookEvery = 20 * time.Millisecond

// unseenMax is how often is looked for where a run is that allocates.
const unseenMax = 20

// growthMax is by how much the program may grow meanwhile, in bytes.
var growthMax uint64 = 2 << 30

// inUse is how many bytes there are of what was allocated.
func inUse() uint64 {
	of := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(of)
	return of[0].Value.Uint64()
}

// stuck is that a goroutine is not to be had any more, and why that may be.
type stuck string

func (s stuck) Error() string { return string(s) }

func isStuck(err error) bool { return errors.As(err, new(stuck)) }

// errAllocates is that of a reconcile which has ever more.
const errAllocates = stuck("it makes ever more of something without asking for anything; it goes on with that until the program ends")

// errComputes is that of a reconcile.
const errComputes = stuck("it computes for ever, or waits for what is outside of it: a lock that is held while a request is made, a channel that Setup has made, or the network")

// run runs a reconcile with the answers that it had. What it does is to follow from those alone,
// which is seen when it is run again: with one answer more, where it has to ask for the same until
// then; and with another clock at its beginning, and at its end, where all that it has asked for
// is looked at once more. A machine goes on where it was, and is run twice each time.
func (p *program) run(controller int, f flight) (outcome, error) {
	first, err := p.once(controller, f, clock)
	if err != nil {
		return outcome{}, byChance(err)
	}
	if len(first.next) > 0 && len(f.log) > 0 && first.saved == "" {
		return first, nil
	}
	second, err := p.once(controller, f, otherClock)
	if err != nil && !errors.As(err, &unlike{}) {
		return outcome{}, err
	}
	if err == nil {
		if err = differ(&first, &second); err == nil {
			first.timed = second.timed || !same(first.next, second.next)
			if len(first.next) == 0 {
				err = p.opaque(controller, f, first)
			}
			return first, err
		}
	}
	for range 8 { // it may be by chance that it is the same again
		again, other := p.once(controller, f, clock)
		if other == nil {
			other = differ(&first, &again)
		}
		if other != nil {
			return outcome{}, byChance(other)
		}
	}
	return outcome{}, fmt.Errorf("what the reconcile does depends on what time it is: with the same answers, but at another time, %w", err)
}

// byChance explains that a reconcile is unlike itself at the same time.
func byChance(err error) error {
	if !errors.As(err, &unlike{}) {
		return err
	}
	return chance{fmt.Errorf("the reconcile is not the same when it is run again with the same answers: %w: it is to depend on those alone, and not on a random number (of math/rand or crypto/rand: draw with k8s.io/apimachinery/pkg/util/rand or as a UUID of github.com/google/uuid, which are taken care of, or have GenerateName draw names), on the order of a map, or on what it remembers", err)}
}

// chance is that a reconcile is unlike itself.
type chance struct{ error }

func (c chance) Unwrap() error { return c.error }

// once runs a reconcile once.
func (p *program) once(controller int, f flight, at time.Time) (outcome, error) {
	r := &rerun{controller: p.controllers[controller], mind: &p.minds[controller], request: f.request, log: f.log, clock: at, habits: p.habits[controller], many: p.habits[controller].starts, named: p.named}
	if len(f.log) > 0 && f.log[0].call == memoryCall {
		r.memory, r.log = f.log[0].drawn, f.log[1:]
	}
	p.asking(controller, r)
	if p.bubbles == nil {
		p.bubbles = newBubbles()
	}
	err := sown(f.seed(), func() error { return p.bubbles.run(r) })
	if isStuck(err) {
		p.bubbles = nil // and the run may go on
		return outcome{}, err
	}
	before := p.habits[controller]
	p.habits[controller] = r.habits
	switch {
	case r.alike && !before.alike:
		return p.once(controller, f, at)
	case r.wrong != nil:
		return outcome{}, r.wrong
	case errors.Is(err, errLeft) && !p.named && (r.returned || p.left >= leftMax):
		p.named = true // to say where they are
		return p.once(controller, f, at)
	case errors.Is(err, errLeft) && r.returned:
		return outcome{}, fmt.Errorf("a goroutine of the reconcile goes on when the reconcile has returned: %s: it has to wait for what it starts, with a sync.WaitGroup or an errgroup", goroutines(r.bubble))
	case errors.Is(err, errLeft):
		if p.left++; p.left > leftMax {
			return outcome{}, fmt.Errorf("goroutines of the reconcile do not end when all of its requests fail and its context is cancelled, for instance: %s", goroutines(r.bubble))
		}
	case err != nil:
		return outcome{}, err
	}
	for _, m := range p.managers {
		if err := m.Bypassed(); err != nil {
			return outcome{}, err
		}
	}
	if err := missing(r.out.err); err != nil {
		return outcome{}, fmt.Errorf("it returns: %w", err)
	}
	if err := p.kept(controller, !r.returned); err != nil {
		return outcome{}, err
	}
	r.out.timed = r.timed
	return r.out, nil
}

// unlike is how a run differs from another with the same answers.
type unlike struct{ was, is string }

func (u unlike) Error() string {
	was, is := apart(u.was, u.is)
	return fmt.Sprintf("it %s, and did not before: then it %s", is, was)
}

// apartMax is how much is shown of texts before and behind where they begin to differ.
const apartMax = 60

// apart shortens two texts so that it is still seen what they are, and where they differ.
func apart(a, b string) (string, string) {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	cut := func(s string) string {
		if at > 2*apartMax {
			s = s[:apartMax] + " … " + s[at-apartMax/2:]
		}
		if len(s) > 3*apartMax {
			s = s[:3*apartMax] + " …"
		}
		return strings.ToValidUTF8(s, "")
	}
	return cut(a), cut(b)
}

// times are those in a text, as they are in JSON.
var times = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`)

// timeless is a text without the times in it.
func timeless(text string) string { return times.ReplaceAllLiteralString(text, "TIME") }

// same tells whether the same is asked for, with the same times.
func same(a, b []*call) bool {
	return slices.EqualFunc(a, b, func(a, b *call) bool { return a.text == b.text })
}

// differ is how two outcomes differ, but for times in what is written.
func differ(was, is *outcome) error {
	if !same(was.next, is.next) && !slices.EqualFunc(was.next, is.next, func(a, b *call) bool { return timeless(a.text) == timeless(b.text) }) ||
		(was.panicked == nil) != (is.panicked == nil) || was.again() != is.again() || timeless(string(was.memory)) != timeless(string(is.memory)) || timeless(was.saved) != timeless(is.saved) {
		return unlike{was.text(), is.text()}
	}
	return nil
}

// text is an outcome as what the reconcile does.
func (o *outcome) text() string {
	var asked []string
	for _, c := range o.next {
		asked = append(asked, c.text)
	}
	switch {
	case len(asked) > 0:
		return "asks for " + strings.Join(asked, " and ")
	case o.panicked != nil:
		return fmt.Sprintf("panics: %v", o.panicked)
	case o.err != nil:
		return fmt.Sprintf("returns the error %q", o.err)
	case o.memory != nil:
		return fmt.Sprintf("remembers %q", o.memory)
	case o.again():
		return "wants to be called again"
	}
	return "returns"
}

// again tells whether the reconcile is to be run another time. With an error, nothing else of the result
// counts.
func (o *outcome) again() bool {
	if o.err != nil {
		return !terminal(o.err)
	}
	return o.result.RequeueAfter > 0 || o.result.Requeue //nolint:staticcheck // deprecated, and used
}
