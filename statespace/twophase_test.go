package statespace

import (
	"fmt"
	"testing"
)

// Two-phase commit after Gray and Lamport: resource managers, a transaction
// manager, and messages that are never consumed.
const (
	working uint8 = iota
	prepared
	committed
	aborted
)

const (
	msgCommit = 1 << 14
	msgAbort  = 1 << 15
)

type twoPhaseState struct {
	rm [10]uint8
	// tm is working (its initial state), committed or aborted.
	tm, _    uint8
	received uint16
	messages uint16
}

type twoPhase struct {
	managers int
}

func (m twoPhase) Init(yield func(twoPhaseState) bool) { yield(twoPhaseState{}) }

func (m twoPhase) Next(s twoPhaseState, yield func(Action, twoPhaseState) bool) {
	all := uint16(1)<<m.managers - 1
	if s.tm == working {
		if s.received == all {
			t := s
			t.tm, t.messages = committed, s.messages|msgCommit
			if !yield(Action{Label: 0}, t) {
				return
			}
		}
		t := s
		t.tm, t.messages = aborted, s.messages|msgAbort
		if !yield(Action{Label: 1}, t) {
			return
		}
	}
	for r := range m.managers {
		bit := uint16(1) << r
		act := func(kind uint32, change func(*twoPhaseState)) bool {
			t := s
			change(&t)
			return yield(Action{Label: kind<<8 | uint32(r)}, t)
		}
		if s.tm == working && s.messages&bit != 0 &&
			!act(2, func(t *twoPhaseState) { t.received |= bit }) {
			return
		}
		if s.rm[r] == working && (!act(3, func(t *twoPhaseState) { t.rm[r], t.messages = prepared, t.messages|bit }) ||
			!act(4, func(t *twoPhaseState) { t.rm[r] = aborted })) {
			return
		}
		if s.messages&msgCommit != 0 && !act(5, func(t *twoPhaseState) { t.rm[r] = committed }) {
			return
		}
		if s.messages&msgAbort != 0 && !act(6, func(t *twoPhaseState) { t.rm[r] = aborted }) {
			return
		}
	}
}

func (m twoPhase) consistent(s twoPhaseState) bool {
	seen := [4]bool{}
	for _, r := range s.rm[:m.managers] {
		seen[r] = true
	}
	return !seen[committed] || !seen[aborted]
}

// symmetricTwoPhase sorts the managers by all that is known of each.
type symmetricTwoPhase struct{ twoPhase }

func (m symmetricTwoPhase) Canonical(s twoPhaseState) twoPhaseState {
	code := func(r int) uint8 { return s.rm[r]<<2 | uint8(s.received>>r&1)<<1 | uint8(s.messages>>r&1) }
	var codes [10]uint8
	for r := range m.managers {
		c := code(r)
		at := r
		for ; at > 0 && codes[at-1] > c; at-- {
			codes[at] = codes[at-1]
		}
		codes[at] = c
	}
	t := twoPhaseState{tm: s.tm, messages: s.messages & (msgCommit | msgAbort)}
	for r, c := range codes[:m.managers] {
		t.rm[r] = c >> 2
		t.received |= uint16(c>>1&1) << r
		t.messages |= uint16(c&1) << r
	}
	return t
}

var twoPhaseCounts = []struct{ managers, states, transitions, levels int }{
	{2, 56, 154, 8},
	{3, 288, 1_146, 11},
	{4, 1_568, 8_258, 14},
	{5, 8_832, 58_146, 17},
	{6, 50_816, 402_306, 20},
	{7, 296_448, 2_744_706, 23},
	{8, 1_745_408, 18_507_778, 26},
	{9, 10_340_352, 123_558_402, 29},
}

func TestTwoPhaseCommitCounts(t *testing.T) {
	for _, want := range twoPhaseCounts {
		if want.managers > twoPhaseMost() {
			continue
		}
		t.Run(fmt.Sprintf("with %d managers", want.managers), func(t *testing.T) {
			m := twoPhase{want.managers}
			r, err := Check(t.Context(), m, []Property[twoPhaseState]{Always("consistent", m.consistent)}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			checkCounts(t, r.Stats, want.states, want.transitions, want.levels)
			if v := r.Properties[0].Verdict; v != Holds {
				t.Errorf("verdict %d, want Holds", v)
			}
			t.Logf("%.1f bytes a state", r.Stats.BytesPerState)
		})
	}
}

// twoPhaseMost is the largest instance to count.
func twoPhaseMost() int {
	switch {
	case slowdown > 1:
		return 6
	case testing.Short():
		return 7
	}
	return 9
}

func checkCounts(t *testing.T, s Stats, states, transitions, levels int) {
	t.Helper()
	if s.States != states || s.Transitions != transitions || s.Levels != levels || !s.Complete {
		t.Errorf("%d states, %d transitions, %d levels, complete %v (%s); want %d, %d, %d",
			s.States, s.Transitions, s.Levels, s.Complete, s.Reason, states, transitions, levels)
	}
}

func TestTwoPhaseCommitQuotientCounts(t *testing.T) {
	for _, want := range []struct{ managers, states, transitions int }{
		{3, 80, 317}, {4, 166, 868}, {5, 314, 2_047}, {6, 553, 4_327}, {7, 920, 8_409}, {10, 3_300, 43_297},
	} {
		t.Run(fmt.Sprintf("with %d managers", want.managers), func(t *testing.T) {
			m := symmetricTwoPhase{twoPhase{want.managers}}
			r, err := Check(t.Context(), m, []Property[twoPhaseState]{Always("consistent", m.consistent)}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			// The oracle does not count the initial state.
			checkCounts(t, r.Stats, want.states, want.transitions+1, 3*want.managers+2)
			if v := r.Properties[0].Verdict; v != Holds {
				t.Errorf("verdict %d, want Holds", v)
			}
		})
	}
}
