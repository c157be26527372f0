package settle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	logf "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle/internal/manager"
	"github.com/seatrial/seatrial/settle/internal/resume"
	"github.com/seatrial/seatrial/settle/kubestate"
)

// rerun is one run of a reconcile with the answers that it had. It takes place in a bubble of
// testing/synctest: all goroutines of the reconcile are in it, they have a clock of their own,
// and it is known when all of them wait. Then an answer is given to one of the requests
// that wait, or, when there are no more answers, the reconcile is abandoned.
type rerun struct {
	controller *manager.Controller
	request    reconcile.Request
	log        []*answer
	// mind is that of the reconciler, and memory what it remembers when it begins; nil is what a
	// new one does.
	mind   *mind
	memory []byte
	// clock is what time it is when it begins.
	clock time.Time
	habits
	// many: it has started goroutines before.
	many bool

	mu sync.Mutex
	// waiting are the requests that have no answer yet.
	waiting []*waiting
	// abandoned: nothing is answered any more. It was refused so often since.
	abandoned bool
	refused   int
	// ended: the reconcile has returned, or its goroutine was ended.
	ended bool
	// concluded: it is known what it does behind its last answer.
	concluded bool
	// looking: somebody finds out whether all others wait, which only one can do at a time.
	looking bool
	// wake is told when drive has something to do.
	wake chan struct{}
	// named: bubble is to be that which it takes place in, which takes long to find out.
	named  bool
	bubble string

	// returned: it came to its end by itself, with this.
	returned bool
	out      outcome
	// timed: it has asked for the same as before, but for times in what it writes.
	timed bool
	// wrong is what it does that cannot be run again.
	wrong error

	// given is how many answers it has had, and saved where a step.Machine said last that it is, when
	// it had savedAt.
	given   int
	saved   string
	savedAt int
}

// placed begins the answer that stands for all that a step.Machine had before.
const placed = "place "

// Resume is part of resume.Point.
func (r *rerun) Resume() ([]byte, bool) {
	if len(r.log) == 0 {
		return nil, false
	}
	text, ok := strings.CutPrefix(r.log[0].call, placed)
	return []byte(text), ok
}

// Save is part of resume.Point.
func (r *rerun) Save(state []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.saved, r.savedAt = placed+string(state), r.given
}

// habits are what is known of a controller from its runs.
type habits struct {
	// starts: it starts goroutines which ask for something.
	starts bool
	// alike: goroutines of it ask for the same at once, so that it matters where.
	alike bool
}

// waiting is a request that waits for its answer, which is nil when there will be none.
type waiting struct {
	call   *call
	answer chan *answer
	// from is where it was made, to tell it from another that asks for the same.
	from string
}

// outcome is what a reconcile does behind its last answer: it asks for more, or is over.
type outcome struct {
	// next are what it asks for at once, in the order of their texts.
	next   []*call
	result reconcile.Result
	err    error
	// panicked is what it panicked with.
	panicked error
	// timed: it writes what time it is.
	timed bool
	// saved stands for the first savedAt answers, if it is not empty.
	saved   string
	savedAt int
	// memory is what the reconciler remembers when it is over; nil is what a new one does.
	memory []byte
}

// The clocks of reconciles. What decides by the clock is noticed since it is another one when
// a reconcile is run for the second time; the odd hours and minutes are for schedules.
var (
	clock      = kubestate.Epoch.Add(time.Minute)
	otherClock = clock.AddDate(3, 1, 2).Add(5*time.Hour + 37*time.Minute + 11*time.Second)
)

const (
	// patience is how much of its own time a reconcile may wait for something else than answers.
	patience = 24 * time.Hour
	// refusedMax is how often goroutines of a reconcile that is abandoned may ask for more, until
	// they are ended where they are.
	refusedMax = 100
)

// background is what the contexts of reconciles are made of: they log nothing.
var background = logf.IntoContext(context.Background(), logr.Discard())

// drive runs the reconcile. It is called in a bubble.
func (r *rerun) drive() {
	time.Sleep(time.Until(r.clock)) // takes none
	ctx, cancel := context.WithCancel(background)
	r.wake = make(chan struct{}, 1)
	if _, ok := r.Resume(); ok {
		r.given = 1
	}
	if r.named {
		r.bubble = current().bubble
	}
	go r.reconcile(resume.With(ctx, r))
	all := r.quiet()
	for r.given < len(r.log) {
		a := r.log[r.given]
		at := slices.IndexFunc(all, func(w *waiting) bool { return w.call.text == a.call })
		if at < 0 {
			at = slices.IndexFunc(all, func(w *waiting) bool { return timeless(w.call.text) == timeless(a.call) })
			r.timed = true
		}
		if at < 0 {
			r.differs(a)
			break
		}
		r.give(at, a)
		all = r.quiet()
	}
	if r.conclude(all) {
		_ = cancel // nobody cancels it when a reconcile has returned
		return
	}
	cancel()
	r.abandon()
}

// conclude notes what the reconcile does behind its last answer, and tells whether it has ended
// as it is to.
func (r *rerun) conclude(all []*waiting) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.wrong != nil || r.concluded:
		return false
	case r.ended && len(all) > 0:
		r.wrong = fmt.Errorf("a goroutine of the reconcile asks for %q when the reconcile has returned: it has to wait for what it starts, with a sync.WaitGroup or an errgroup", all[0].call.text)
		return false
	case r.ended:
		return true
	}
	r.out = outcome{saved: r.saved, savedAt: r.savedAt}
	for _, w := range all {
		r.out.next = append(r.out.next, w.call)
	}
	return false
}

// reconcile calls the user's reconciler.
func (r *rerun) reconcile(ctx context.Context) {
	defer func() {
		e := recover()
		r.mu.Lock()
		defer r.mu.Unlock()
		switch {
		case r.abandoned:
		case e != nil:
			r.out.panicked = fmt.Errorf("%v%s", e, panicked())
		case !r.returned:
			r.wrong = errors.New("the reconcile ends its goroutine without returning: does it call runtime.Goexit, or FailNow of a test?")
		}
		r.ended = true
		r.awaken()
	}()
	if err := r.mind.recall(r.memory); err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.wrong, r.returned = err, true
		return
	}
	result, err := r.controller.Reconcile(ctx, r.request)
	memory := r.mind.remembered()
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.abandoned {
		r.out.result, r.out.err, r.out.memory, r.returned = result, err, memory, true
	}
}

// awaken is called with the lock.
func (r *rerun) awaken() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// ask is part of asker.
func (r *rerun) ask(c *call) *answer {
	w := &waiting{call: c}
	r.mu.Lock()
	if r.abandoned {
		r.mu.Unlock()
		return r.refuse()
	}
	if r.alike {
		w.from = callers()
	}
	r.waiting = append(r.waiting, w)
	if a := r.next(w); a != nil {
		r.mu.Unlock()
		return a
	}
	r.awaken()
	if r.abandoned {
		r.mu.Unlock()
		return r.refuse()
	}
	w.answer = make(chan *answer)
	r.mu.Unlock()
	if a := <-w.answer; a != nil {
		return a
	}
	return r.refuse()
}

// next is the next answer, if it is for the request that is made, and all others wait for something
// else than an answer: as drive would give it, without a change of goroutines. It is nil
// if it may be otherwise. Behind the last answer it concludes. It is called with the lock.
func (r *rerun) next(w *waiting) *answer {
	last := r.given >= len(r.log)
	if r.looking || len(r.waiting) > 1 || last && r.starts || !last && r.log[r.given].call != w.call.text {
		return nil
	}
	r.settle()
	if r.ended || len(r.waiting) > 1 {
		return nil
	}
	if last {
		r.out = outcome{next: []*call{w.call}, saved: r.saved, savedAt: r.savedAt}
		r.abandoned, r.concluded = true, true
		r.waiting = r.waiting[:0]
		return nil
	}
	r.waiting = r.waiting[:0]
	r.given++
	return r.log[r.given-1]
}

// settle waits until all others wait. It is called with the lock, and without anybody looking.
func (r *rerun) settle() {
	r.looking = true
	r.mu.Unlock()
	synctest.Wait()
	r.mu.Lock()
	r.looking = false
}

// refuse is told of a request that is not made: if nobody is to make any, who asks again and
// again is ended, too.
func (r *rerun) refuse() *answer {
	r.mu.Lock()
	r.refused++
	abandoned, alone := r.abandoned, !r.starts || r.refused > refusedMax
	r.mu.Unlock()
	if !abandoned {
		return nil
	}
	return r.leave(alone)
}

// leave is the end of a goroutine that asks for what there is no answer to, and which no recover
// can prevent. Where there are several, they get errors first, so that each does what others may
// wait for.
func (r *rerun) leave(alone bool) *answer {
	if alone {
		runtime.Goexit()
	}
	return canceled
}

// canceled is what they get.
var canceled = &answer{status: status(apierrors.NewInternalError(context.Canceled)), hash: [16]byte{1}}

// quiet waits until nothing happens any more without an answer, and gives the requests that wait
// for one: none if the reconcile has ended.
func (r *rerun) quiet() []*waiting {
	for {
		r.mu.Lock()
		if !r.looking && (r.ended || r.concluded || len(r.waiting) > 0 || r.wrong != nil) {
			r.settle()
			r.order()
			r.mu.Unlock()
			return r.waiting
		}
		r.mu.Unlock()
		// Who looks says so if there is more to do. Time does not pass while requests are answered,
		// and passes now.
		if !r.await() {
			r.wrong = fmt.Errorf("the reconcile waits for what does not come, though it has all answers: %s", goroutines(current().bubble))
		}
	}
}

// await lets time pass until there is something to do.
func (r *rerun) await() bool {
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-r.wake:
		return true
	case <-t.C:
		return false
	}
}

// order puts the requests that wait in order, and makes those of one text differ.
func (r *rerun) order() {
	if len(r.waiting) < 2 {
		return
	}
	r.starts = true
	slices.SortStableFunc(r.waiting, func(a, b *waiting) int {
		return cmp.Or(cmp.Compare(a.call.text, b.call.text), cmp.Compare(a.from, b.from), cmp.Compare(a.call.way(), b.call.way()))
	})
	taken := map[string]bool{}
	for _, w := range r.waiting {
		text := w.call.text
		for n := 2; taken[w.call.text]; n++ {
			w.call.text, r.alike = fmt.Sprintf("%s #%d", text, n), true
		}
		taken[w.call.text] = true
	}
}

// give answers one of the requests that wait.
func (r *rerun) give(at int, a *answer) {
	r.mu.Lock()
	w := r.waiting[at]
	r.waiting = slices.Delete(r.waiting, at, at+1)
	r.given++
	r.mu.Unlock()
	w.answer <- a
}

// differs notes that what was asked for is not asked for this time.
func (r *rerun) differs(a *answer) {
	if r.wrong != nil {
		return
	}
	is := r.out
	for _, w := range r.waiting {
		is.next = append(is.next, w.call)
	}
	n := r.given
	if _, ok := r.Resume(); !ok {
		n++
	}
	r.wrong = unlike{fmt.Sprintf("asked, as its request %d, for %s", n, a.call), is.text()}
}

// abandon ends what the reconcile is still at.
func (r *rerun) abandon() {
	r.mu.Lock()
	r.abandoned = true
	r.mu.Unlock()
	for {
		for len(r.waiting) > 0 {
			r.give(0, nil)
		}
		synctest.Wait()
		r.mu.Lock()
		ended := r.ended
		r.starts = r.starts || !ended // it was another goroutine that has asked
		r.mu.Unlock()
		if ended || !r.await() {
			break
		}
	}
	if r.starts {
		time.Sleep(patience) // what is left goes on, and ends
	}
}
