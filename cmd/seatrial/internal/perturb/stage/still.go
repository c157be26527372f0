package stage

import (
	"time"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/history"
)

// still is how long a run was at rest, as far as it was looked at: time in which a process of the controller works or
// waits for a processor, an answer or an event, and time in which nobody could look, since the machine has other things
// to do, is none. So what follows from it does not depend on how busy the machine is. It only goes up.
//
// What the machine gives the control plane counts as well: where that waits for a processor many times as long as it
// works, so that all takes longer, time goes more slowly.
type still struct {
	at     time.Duration
	looked time.Time
	// passed is the same time whether anything is under way or not, and at most passedMost times as slow as the clock.
	passed time.Duration
	strain strain
}

const (
	// lookEvery is how often a run is looked at while it is waited for, and lookMost how much rest one look stands for
	// at most.
	lookEvery = 100 * time.Millisecond
	lookMost  = 120 * time.Millisecond

	passedMost = 3
)

// look takes one look.
func (s *still) look(now time.Time, idle bool) {
	d := s.since(now)
	if idle {
		s.at += d
	}
	s.passed += max(d, min(now.Sub(s.looked), lookMost)/passedMost)
	s.looked = now
}

// since is what a look adds that sees nothing.
func (s *still) since(now time.Time) time.Duration {
	return time.Duration(float64(min(now.Sub(s.looked), lookMost)) * s.strain.speed(now))
}

// strain is how fast what is behind the API server gets on.
type strain struct {
	// read says how long it has worked, and waited for a processor; nil where that is not known.
	read func() (worked, waited time.Duration)
	// at is when it was read, total what it said, and of late how much of it was.
	at          time.Time
	total, late [2]time.Duration
}

const (
	// strainUsual is how many times as long as without others everything may take, for which all that is waited for has
	// time enough, and strainMost how much more slowly time goes at most.
	strainUsual, strainMost = 4, 8
)

// speed is how fast time goes: 1, or less where the plane waits for processors.
func (s *strain) speed(now time.Time) float64 {
	if s.read == nil {
		return 1
	}
	if now.Sub(s.at) >= lookEvery/2 {
		worked, waited := s.read()
		for i, total := range [2]time.Duration{worked, waited} {
			if s.at.IsZero() {
				s.total[i] = total
			}
			s.late[i] = s.late[i]*3/4 + max(0, total-s.total[i])
			s.total[i] = total
		}
		s.at = now
	}
	worked, all := float64(s.late[0]), float64(s.late[0]+s.late[1])
	if all == 0 {
		return 1
	}
	return min(1, max(strainUsual*worked/all, 1.0/strainMost))
}

// look looks whether any process has something under way; mu is held.
func (s *Stage) look() (idle bool) {
	idle = s.starting == 0
	for _, c := range s.casts {
		if !s.idle(c) {
			idle = false
		}
	}
	s.still.look(s.o.Now(), idle)
	return idle
}

// stir notes that something has moved that counts: what follows from it is still to come. mu is held.
func (s *Stage) stir() {
	now := s.o.Now()
	s.ended = max(s.ended, s.rested()+s.still.since(now))
	s.effective, s.stirred, s.still.looked = now, s.still.at, now
}

// rested is for how long nothing has; mu is held.
func (s *Stage) rested() time.Duration { return s.still.at - s.stirred }

// owedMax bounds how long an event is waited for that a stream should have given.
const owedMax = 5 * time.Second

// owed are the newest events, by what streams ask for: a resource, and a namespace or all.
type owed map[history.Key]owing

type owing struct {
	revision int64
	seen     time.Time
}

func (o owed) add(e history.Event, now time.Time) {
	one := owing{e.Revision, now}
	o[history.Key{Resource: e.Key.Resource}] = one
	o[history.Key{Resource: e.Key.Resource, Namespace: e.Key.Namespace}] = one
}

// to tells whether a stream has not given all yet that has happened. What is of some objects only need not.
func (o owed) to(s apiproxy.StreamActivity, now time.Time) bool {
	newest := o[history.Key{Resource: s.Resource, Namespace: s.Namespace}]
	return !s.Part && s.Delivered > 0 && s.Delivered < newest.revision && now.Sub(newest.seen) < owedMax
}
