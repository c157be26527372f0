package stage

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/metric"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// runOf is a run on a clock that goes when something is waited for; behind each wait it has one more
// reading, and the controller writes at the times in writes.
func runOf(readings []*metric.Reading, writes ...time.Duration) (l *Live, begin time.Time) {
	begin = time.Unix(0, 0)
	now := begin
	s := &Stage{o: Options{Now: func() time.Time { return now }, Mask: history.DefaultMask()}, rec: &recording.Recording{}, effective: begin, owed: owed{}, still: still{looked: begin}, active: &cast{metrics: "there", ended: true}, changed: make(chan struct{})}
	s.cycles, s.endless = history.NewQuiescence(s.o.Mask, time.Hour, now), newEndless(s.o.Mask)
	l = &Live{s: s, begun: begin}
	l.askQueues()
	l.queues.read = func(context.Context, string) (*metric.Reading, error) {
		if len(readings) == 0 {
			return nil, errors.New("nobody listens")
		}
		r := readings[0]
		if len(readings) > 1 {
			readings = readings[1:]
		}
		return r, nil
	}
	l.wait = func(_ context.Context, _ <-chan struct{}, d time.Duration) error {
		until := now.Add(d)
		if len(writes) > 0 && !begin.Add(writes[0]).After(until) {
			now, writes = begin.Add(writes[0]), writes[1:]
			s.rec.Events = append(s.rec.Events, history.Event{Actor: plan.Controller, Type: history.Update, Key: history.Key{Resource: "configmaps", Name: "a"}})
			s.stir()
			return nil
		}
		now = until
		return nil
	}
	return l, begin
}

// TestQueues: a step is over sooner where the controller says that it has nothing to do, and not as long as it
// says that it has.
func TestQueues(t *testing.T) {
	const ms = time.Millisecond
	trust := Patience{Quiet: 1000 * ms, Idle: 2000 * ms, Long: 3000 * ms, Max: time.Minute, Sure: 200 * ms, Trust: true}
	look := trust
	look.Trust = false
	fails := func(failed float64) *metric.Reading {
		return &metric.Reading{Turns: failed + 1, Later: failed, Failed: map[string]float64{"web": failed}, Done: map[string]float64{"web": 1}}
	}
	idle, busy := &metric.Reading{Turns: 5}, &metric.Reading{Turns: 5, Waiting: 1}
	for _, test := range []struct {
		name     string
		readings []*metric.Reading
		writes   []time.Duration
		patience Patience
		took     time.Duration
		want     Rest
	}{
		{"it has nothing to do", []*metric.Reading{idle}, nil, trust, 200 * ms, Rest{Asked: true}},
		{"it only looks", []*metric.Reading{idle}, nil, look, 2000 * ms, Rest{Asked: true}},
		{"it was wrong", []*metric.Reading{idle}, []time.Duration{700 * ms}, look, 1700 * ms, Rest{Asked: true, Late: 700 * ms}},
		{"it has, and then not", []*metric.Reading{busy, busy, idle}, nil, trust, 300 * ms, Rest{Asked: true}},
		{"it is at work for ever", []*metric.Reading{busy}, nil, trust, busyMax, Rest{Asked: true, Restless: true}},
		{"something came between two readings", []*metric.Reading{{Turns: 4}, idle}, nil, trust, 250 * ms, Rest{Asked: true}},
		{"it has not looked at the change", []*metric.Reading{{}}, nil, trust, 2000 * ms, Rest{Asked: true}},
		{"something is put off", []*metric.Reading{{Turns: 5, Later: 1}}, nil, trust, 2000 * ms, Rest{Asked: true}},
		{"what failed is put off", []*metric.Reading{{Turns: 5, Later: 3, Failed: map[string]float64{"web": 1, "db": 2}}}, nil, trust, 200 * ms, Rest{Asked: true, Failing: []string{"db"}}},
		{"more is put off than failed", []*metric.Reading{{Turns: 5, Later: 3, Failed: map[string]float64{"web": 2}}}, nil, trust, 2000 * ms, Rest{Asked: true, Failing: []string{"web"}}},
		{"it has failed, and fails again", []*metric.Reading{fails(5), fails(5), fails(6), fails(6)}, nil, trust, 350 * ms, Rest{Asked: true, Failing: []string{"web"}}},
		{"it has failed, and works again", []*metric.Reading{fails(5), fails(5), {Turns: 9, Failed: fails(5).Failed, Done: map[string]float64{"web": 2}}}, nil, trust, 350 * ms, Rest{Asked: true}},
		{"it has failed, and nothing comes of it", []*metric.Reading{fails(9)}, nil, trust, retryMax, Rest{Asked: true}},
		{"nobody listens", nil, []time.Duration{100 * ms}, trust, 1100 * ms, Rest{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			l, begin := runOf(test.readings, test.writes...)
			got, err := l.settle(t.Context(), test.patience)
			if err != nil || !got.Quiet {
				t.Fatalf("%+v, %v", got, err)
			}
			if took := l.s.o.Now().Sub(begin); took != test.took {
				t.Errorf("it took %s, want %s", took, test.took)
			}
			if !slices.Equal(got.Failing, test.want.Failing) || got.Asked != test.want.Asked || got.Late != test.want.Late || got.Restless != test.want.Restless {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestBack: one that is not done, and has put something off, is waited for until it has looked again: what it writes
// then counts, and if it writes nothing that is its end. It is not waited for if it has put nothing off in the step, if
// it is done, and for ever.
func TestBack(t *testing.T) {
	const ms = time.Millisecond
	notDone := Patience{
		Quiet: 300 * ms, Idle: 600 * ms, Long: 3000 * ms, Max: time.Minute, Sure: 200 * ms, Trust: true,
		Back: func(history.State) time.Duration { return 5000 * ms },
	}
	done := notDone
	done.Back = func(history.State) time.Duration { return 0 }
	later := &metric.Reading{Turns: 5, Later: 1, Again: 1}
	comes := []*metric.Reading{later, later, later, {Turns: 7, Later: 1, Again: 1}}
	var wrote []*metric.Reading
	for range int(2*time.Second/lookEvery) + 1 { // until it does so
		wrote = append(wrote, later)
	}
	wrote = append(wrote, &metric.Reading{Turns: 7, Later: 1, Again: 1})
	again := []*metric.Reading{later, later, later, {Turns: 7, Later: 2, Again: 2}}
	for _, test := range []struct {
		name     string
		readings []*metric.Reading
		writes   []time.Duration
		patience Patience
		least    time.Duration
		most     time.Duration
	}{
		{"it looks again, and is done", comes, nil, notDone, 600 * ms, 2000 * ms},
		{"it looks again, and puts it off again", again, nil, notDone, 600 * ms, 2000 * ms},
		{"it looks again, and writes", wrote, []time.Duration{2000 * ms}, notDone, 2200 * ms, 3000 * ms},
		{"it does not look for long", []*metric.Reading{later}, nil, notDone, 5000 * ms, 6000 * ms},
		{"it is done", []*metric.Reading{later}, nil, done, 600 * ms, 600 * ms},
		{"nothing was put off", []*metric.Reading{{Turns: 5}}, nil, notDone, 200 * ms, 200 * ms},
	} {
		t.Run(test.name, func(t *testing.T) {
			l, begin := runOf(test.readings, test.writes...)
			got, err := l.settle(t.Context(), test.patience)
			if err != nil || !got.Quiet {
				t.Fatalf("%+v, %v", got, err)
			}
			if took := l.s.o.Now().Sub(begin); took < test.least || took > test.most {
				t.Errorf("it took %s, want %s to %s", took, test.least, test.most)
			}
		})
	}
}

// TestUnderWay: what others are still at is waited for longer, as long as something moves.
func TestUnderWay(t *testing.T) {
	var writes []time.Duration
	for at := time.Second; at <= 220*time.Second; at += time.Second {
		writes = append(writes, at)
	}
	for _, test := range []struct {
		name   string
		others bool
		// until is when the last write is; looks are counted and not the clock, so that it takes a little longer.
		until, least, most time.Duration
		still              bool
	}{
		{"the controller is at it", false, 200 * time.Second, 60 * time.Second, 70 * time.Second, false},
		{"others are at it", true, 220 * time.Second, 180 * time.Second, 210 * time.Second, false},
		{"others are at it, and then no more", true, 100 * time.Second, 102 * time.Second, 104 * time.Second, false},
		{"nobody is any more", false, 10 * time.Second, 12 * time.Second, 15 * time.Second, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			l, begin := runOf(nil, writes[:test.until/time.Second]...)
			pods := func(history.State) string { return "330 of 2 pods are ready" }
			patience := Patience{Quiet: 2 * time.Second, Long: 3 * time.Second, Max: time.Minute, Waits: pods}
			if test.others {
				patience.Others = pods
			}
			got, err := l.settle(t.Context(), patience)
			if err != nil || got.Quiet || got.Still != test.still || got.Why != "330 of 2 pods are ready" {
				t.Errorf("%+v, %v", got, err)
			}
			if took := l.s.o.Now().Sub(begin); took < test.least || took > test.most {
				t.Errorf("it took %s, want %s to %s", took, test.least, test.most)
			}
		})
	}
}

// TestPasses: what goes by itself is waited for, and held against nobody if it stays.
func TestPasses(t *testing.T) {
	for _, test := range []struct {
		name   string
		passes bool
		least  time.Duration
	}{{"nothing does", false, 2 * time.Second}, {"something does", true, 9 * time.Second}} {
		t.Run(test.name, func(t *testing.T) {
			l, begin := runOf(nil, time.Second)
			got, err := l.settle(t.Context(), Patience{Quiet: 2 * time.Second, Long: 9 * time.Second, Max: time.Minute, Passes: func(history.State) bool { return test.passes }})
			if err != nil || !got.Quiet || got.Why != "" {
				t.Errorf("%+v, %v", got, err)
			}
			if took := l.s.o.Now().Sub(begin); took < test.least || took > test.least+3*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

// TestFailing: reconciles go on failing that fail at rest, or that have only failed.
func TestFailing(t *testing.T) {
	type counts = map[string]float64
	said := func(failed, done float64) *metric.Reading {
		return &metric.Reading{Turns: 5, Failed: counts{"web": failed}, Done: counts{"web": done}}
	}
	for _, test := range []struct {
		name                string
		base, earlier, last *metric.Reading
		before, want        []string
	}{
		{"none", said(0, 1), said(0, 2), said(0, 2), nil, nil},
		{"one, and then it works", said(0, 1), said(1, 2), said(1, 2), nil, nil},
		{"at rest", said(0, 1), said(3, 2), said(4, 2), nil, []string{"web"}},
		{"all of them", said(0, 1), said(5, 1), said(5, 1), nil, []string{"web"}},
		{"one alone", said(0, 1), said(1, 1), said(1, 1), nil, nil},
		{"it works in between", said(0, 1), said(3, 2), said(4, 3), nil, nil},
		{"once more, as before the step", said(5, 1), said(6, 1), said(6, 1), []string{"web"}, []string{"web"}},
		{"not at all, as before the step", said(5, 1), said(5, 1), said(5, 1), []string{"web"}, []string{"web"}},
		{"it works, and did not before the step", said(5, 1), said(5, 2), said(5, 2), []string{"web"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			readings := []*metric.Reading{test.earlier, test.last}
			q := &queues{of: &cast{}, base: test.base, before: test.before, read: func(context.Context, string) (*metric.Reading, error) {
				r := readings[0]
				readings = readings[1:]
				return r, nil
			}}
			q.ask(t.Context())
			q.ask(t.Context())
			if got := q.failing(); !slices.Equal(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
	q := &queues{base: &metric.Reading{}, last: &metric.Reading{Panicked: counts{"web": 1, "db": 0}}}
	if got := q.panicked(); !slices.Equal(got, []string{"web"}) {
		t.Errorf("%q have panicked", got)
	}
}

// TestPause: what has failed so often was put off for so long, twice as long each time.
func TestPause(t *testing.T) {
	for _, test := range []struct {
		failed float64
		want   time.Duration
	}{{2, 0}, {3, 5 * time.Millisecond}, {11, 1280 * time.Millisecond}, {500, 20480 * time.Millisecond}} {
		q := &queues{base: &metric.Reading{Failed: map[string]float64{"web": 2}}, last: &metric.Reading{Failed: map[string]float64{"web": test.failed}}}
		if got := q.pause(); got != test.want {
			t.Errorf("%.0f failures, 2 of them before the step: %s, want %s", test.failed, got, test.want)
		}
	}
	if got := (&queues{}).pause(); got != 0 {
		t.Errorf("%s of what was not asked", got)
	}
}

// TestRestates: what a controller writes again and again without a pause is waited for, until it is known that it does
// not end; a heartbeat is not. What the machine takes to bring about is no pause.
func TestRestates(t *testing.T) {
	for _, test := range []struct {
		name string
		// rest is how long the controller rests between two writes, and busy how long it waits for a processor or an
		// answer.
		rest, busy time.Duration
		want       bool
	}{
		{"a loop", 50 * time.Millisecond, 0, true},
		{"a heartbeat", time.Second, 0, false},
		{"a loop on a slow machine", 50 * time.Millisecond, time.Second, true},
		{"a loop on a very slow machine", 50 * time.Millisecond, 5 * time.Second, true},
		{"a heartbeat on a slow machine", 3 * time.Second, 2 * time.Second, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			l, begin := runOf(nil)
			now, next := begin, begin.Add(test.rest+test.busy)
			l.s.o.Now = func() time.Time { return now }
			l.wait = func(_ context.Context, _ <-chan struct{}, d time.Duration) error {
				now = now.Add(min(d, next.Sub(now)))
				l.s.starting = 0
				if next.Sub(now) < test.busy {
					l.s.starting = 1 // something is under way
				}
				if now.Equal(next) {
					l.s.restate()
					next = now.Add(test.rest + test.busy)
				}
				return nil
			}
			l.s.restate()
			got, err := l.settle(t.Context(), Patience{Quiet: time.Millisecond, Long: time.Minute, Max: time.Minute})
			if err != nil || got.Restates != test.want {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// TestComesBack: what worked and asks to be looked at again comes back; what failed is only tried again.
func TestComesBack(t *testing.T) {
	done := map[string]float64{"web": 1}
	for _, test := range []struct {
		name       string
		base, last *metric.Reading
		want       bool
	}{
		{"never asked", &metric.Reading{}, nil, false},
		{"it asked for it", &metric.Reading{Again: 1}, &metric.Reading{Again: 2, Done: done}, true},
		{"before the step", &metric.Reading{Again: 1}, &metric.Reading{Again: 1, Done: done}, false},
		{"more was put off, but not for a time", &metric.Reading{}, &metric.Reading{Later: 3, Done: done}, false},
		{"of no reconciles known", &metric.Reading{}, &metric.Reading{Later: 3}, true},
		{"of no reconciles known, as many as failed", &metric.Reading{}, &metric.Reading{Later: 3, Failed: map[string]float64{"web": 3}}, false},
	} {
		if got := (&queues{base: test.base, last: test.last}).comesBack(); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
	}
}
