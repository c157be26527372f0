package model

import (
	"encoding/binary"
	"errors"
	"testing"
	"time"
)

func TestMemoForgetsAndAsksAgain(t *testing.T) {
	const bytes = memoShards * 4 * answerBytes
	m := NewMemo(bytes, nil)
	k := &Kube{memo: m}
	for i := range uint64(10_000) {
		key := binary.AppendUvarint(nil, i%5000)
		if got := k.Remember(AskRoom, false, key, func() any { return i % 5000 }); got != i%5000 {
			t.Fatalf("%d: remembered %v", i, got)
		}
	}
	held := 0
	for i := range m.shards {
		s := &m.shards[i]
		held += s.held
		n := 0
		for key := range s.answers {
			n += len(key) + answerBytes
		}
		if n != s.held || n > bytes/memoShards {
			t.Fatalf("shard %d holds %d bytes, and says %d", i, n, s.held)
		}
	}
	if held == 0 {
		t.Error("nothing is remembered")
	}
}

func TestMemoTellsQuestionsApart(t *testing.T) {
	k := &Kube{memo: NewMemo(0, nil)}
	other := &Kube{memo: k.memo, rest: content{1}}
	key := []byte("key")
	for want, ask := range map[string]func() any{
		"room":       func() any { return k.Remember(AskRoom, false, key, func() any { return "room" }) },
		"admission":  func() any { return k.Remember(AskAdmission, false, key, func() any { return "admission" }) },
		"other rest": func() any { return other.Remember(AskRoom, false, key, func() any { return "other rest" }) },
	} {
		if got := ask(); got != want {
			t.Errorf("%v for %s", got, want)
		}
	}
	other.all = content{2}
	k.all = content{3}
	if got := k.Remember(AskRoom, true, key, func() any { return "all" }); got != "all" {
		t.Error(got)
	}
	if got := other.Remember(AskRoom, true, key, func() any { return "other all" }); got != "other all" {
		t.Error(got)
	}
}

// TestMemoKeepsDoubts: what is not exact about an answer counts for everyone who
// gets it, not only for who asked first.
func TestMemoKeepsDoubts(t *testing.T) {
	m := NewMemo(0, nil)
	wrong := errors.New("wrong")
	for range 2 {
		k := &Kube{memo: m}
		k.remember(AskSchedule, true, []byte("key"), func(d *doubt) any {
			*d = doubt{sampled: true, partial: true, err: wrong}
			return Decision{}
		})
		if sampled, partial := k.Caveats(); !sampled || !partial || !errors.Is(k.Err(), wrong) {
			t.Errorf("sampled %v, partial %v, %v", sampled, partial, k.Err())
		}
	}
}

func TestMemoCounts(t *testing.T) {
	var now time.Duration
	k := &Kube{memo: NewMemo(0, func() time.Duration { now += time.Second; return now })}
	for _, key := range []string{"a", "b", "a", "a"} {
		k.Remember(AskAutoscaler, false, []byte(key), func() any { return key })
	}
	got := k.memo.Tallies()
	if want := (Tally{Question: AskAutoscaler, Asked: 4, Missed: 2, Spent: 2 * time.Second}); len(got) != 1 || got[0] != want {
		t.Errorf("%+v", got)
	}
}
