package campaign

import (
	"cmp"
	"sync"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/history"
)

const (
	// quietMin and quietMax bound how long nothing may move until a step is over.
	quietMin = 250 * time.Millisecond
	quietMax = 10 * time.Second
	// longMin is how long nothing may move at least as long as something is waited for: how slow those are who
	// bring it about is not learned.
	longMin = 3 * time.Second
	// emptying is the same where a namespace is being deleted: its controller waits 5 s before it begins.
	emptying = 8 * time.Second
	// enoughMin is the same where only the operator could still bring it about.
	enoughMin = time.Second
	// longFirst is the same for the first step of all, the seed alone: a campaign ends if it does not come to
	// rest, and a scheduler may pause ten seconds before it looks at a pod again.
	longFirst = 15 * time.Second
	// backMax is how long nothing may move until an operator that is not done has looked again at what it has put off:
	// ten seconds are usual.
	backMax = 12 * time.Second
	// stepMax bounds a step.
	stepMax = 60 * time.Second
	// realMax does so where pods really run, and realLong is how long nothing may move there as long as
	// something is waited for: an image is pulled without a word.
	realMax  = 5 * time.Minute
	realLong = 30 * time.Second
)

// remembered is how many steps say how fast an operator is: the machine under it may have more to do
// at one time than at another.
const remembered = 40

// restlessLeast is how often an operator has to say that it is at work when nothing comes of it for long, and
// restlessPart in how many of the last steps at least, one in so many, until that is no more listened to: of one change
// it may make much work.
const (
	restlessLeast = 3
	restlessPart  = 4
)

// tempo is how fast an operator is, as far as it was seen of late.
type tempo struct {
	// real tells that pods really run.
	real bool

	mu sync.Mutex
	// gaps are the longest times between two writes of one step, of the last steps, and lates, of the last of those
	// that were waited for with patience, those until something was written though its metrics said that nothing
	// would be.
	gaps, lates []time.Duration
	// restless tells of the last steps at whose end they were read whether they said all the same that it was at work;
	// deaf is why they could not be read the last time that they could not.
	restless []bool
	deaf     error
	// later is how long it takes until an operator looks again that is not done; 0 if it does so by itself. Where it
	// polls, it does nothing at all before.
	later time.Duration
	polls bool
}

// forget takes what was seen for nothing: the operator did not get to work.
func (t *tempo) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.gaps, t.lates, t.restless, t.deaf, t.later, t.polls = nil, nil, nil, nil, 0, false
}

// slow takes how long it took until an operator went on that had not done anything, or was not done.
func (t *tempo) slow(gap time.Duration, polls bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.later, t.polls = gap+gap/2, polls
}

// learn takes how a step came to its end; patient tells that it was waited longer than the metrics ask for.
func (t *tempo) learn(r stage.Rest, patient bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	// Who tries again waits longer each time, which says nothing of how fast it is.
	if len(r.Failing) == 0 && r.Cycle == nil && (r.Pause == 0 || r.Gap > 2*r.Pause) {
		t.gaps = append(t.gaps, r.Gap)
		t.gaps = t.gaps[max(0, len(t.gaps)-remembered):]
	}
	if r.Deaf != nil {
		t.deaf = r.Deaf
	}
	if !r.Asked {
		return
	}
	t.restless = append(t.restless, r.Restless)
	t.restless = t.restless[max(0, len(t.restless)-remembered):]
	if patient {
		t.lates = append(t.lates, r.Late)
		t.lates = t.lates[max(0, len(t.lates)-remembered):]
	}
}

// quiet is how long nothing may move: half as long again as it took of late until something
// did.
func (t *tempo) quiet() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.polls {
		return max(longer(t.gaps), t.later)
	}
	return longer(t.gaps)
}

// sure is the same where the operator's metrics say that it has nothing to do; 0 where they
// are not listened to.
func (t *tempo) sure() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.alwaysAtWork() {
		return 0
	}
	return longer(t.lates)
}

// alwaysAtWork tells whether its metrics say so often that it is at work when nothing comes of it that this means
// nothing; mu is held.
func (t *tempo) alwaysAtWork() bool {
	n := 0
	for _, restless := range t.restless {
		if restless {
			n++
		}
	}
	return n >= restlessLeast && n*restlessPart >= len(t.restless)
}

// queues says whether the operator's metrics were asked for the end of steps.
func (t *tempo) queues() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.alwaysAtWork():
		return "the operator's metrics do not count for that: as they say, it is always at work"
	case len(t.restless) > 0:
		return "and the operator's work queues are empty, as its metrics say"
	case t.deaf != nil:
		return "the operator's metrics could not be read: " + t.deaf.Error()
	}
	return "the operator's metrics are not asked, since its command has no $(PORT_metrics)"
}

// enoughToTell is how many times tell that one that is longer than all others is the machine's, or that of one change
// only.
const enoughToTell = 8

// longer is half as long again as the longest of these times, within bounds. One alone does not count among many: all
// that follows would be waited for as long.
func longer(times []time.Duration) time.Duration {
	var longest, next time.Duration
	for _, d := range times {
		longest, next = max(longest, d), max(next, min(longest, d))
	}
	if len(times) >= enoughToTell {
		longest = next
	}
	return min(max(quietMin, longest+longest/2), quietMax)
}

// long is how long nothing may move as long as something is waited for.
func long(quiet time.Duration) time.Duration { return max(2*quiet+time.Second, longMin) }

// idleAtStart is how long an operator that was just started may write nothing: it fills its caches, and
// waits for them by looking now and then.
func idleAtStart(quiet time.Duration) time.Duration { return 2*quiet + time.Second }

// trust tells whether it was seen how right its metrics are.
func (t *tempo) trust() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.lates) > 0
}

// proven is how many steps have to have been waited for with patience until the metrics are believed there, too.
const proven = 10

// proved tells whether it was seen so often how right its metrics are that they need not be put to the test.
func (t *tempo) proved() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.lates) >= proven
}

// first tells that no step has come to its end yet.
func (t *tempo) first() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.gaps) == 0
}

// goesOnLater is how long it takes until the operator looks again that is not done; 0 if that is not to be waited for.
func (t *tempo) goesOnLater() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.later
}

// patience is how long a step is waited for.
func (t *tempo) patience(key history.Key) stage.Patience {
	quiet := t.quiet()
	p := stage.Patience{
		Quiet: quiet, Idle: 2 * quiet, Long: long(quiet), Max: stepMax, Sure: min(t.sure(), quiet), Trust: t.trust(),
		Waits: func(s history.State) string { return waits(s, key) }, Others: others, Passes: passing,
	}
	if t.first() {
		p.Long = max(p.Long, longFirst)
	}
	later := t.goesOnLater()
	p.LongFor = func(s history.State) time.Duration {
		switch {
		case later > 0 && (oracle.NotDone(s[key]) != "" || s[key].At("metadata", "deletionTimestamp") != nil):
			return later
		case emptied(s) != "":
			return emptying
		case unbound(s):
			return binding
		case hopeless(s):
			return max(2*quiet, enoughMin)
		case t.first() && len(oracle.Needs(s, s[key])) > 0:
			return longFirst // once
		}
		return 0
	}
	p.Back = func(s history.State) time.Duration {
		if oracle.NotDone(s[key]) == "" || hopeless(s) {
			return 0
		}
		return backMax
	}
	if later > 0 {
		notDone := func(s history.State) string { return oracle.NotDone(s[key]) }
		p.Waits = func(s history.State) string { return cmp.Or(waits(s, key), notDone(s)) }
		p.Others = func(s history.State) string { return cmp.Or(others(s), notDone(s)) }
	}
	if t.real {
		p.LongFor = nil
		p.Long, p.Max = max(p.Long, realLong), realMax
		p.Waits = func(s history.State) string { return cmp.Or(waits(s, key), starting(s), orphan(s, key)) }
		p.Others = func(s history.State) string { return cmp.Or(others(s), starting(s), orphan(s, key)) }
	}
	return p
}
