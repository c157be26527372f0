package fidelity_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/fidelity"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/trace"
)

// traceOf is the first trace of a bad case, three times round its loop.
func traceOf(t *testing.T, name string) *trace.Trace {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "..", "examples", "cases", filepath.FromSlash(name))
	in, err := manifest.Load(t.Context(), []string{dir}, strings.NewReader(""), manifest.Options{ValidateDescheduler: cluster.CheckPolicy})
	if err != nil {
		t.Fatal(err)
	}
	report, err := cluster.Check(t.Context(), in, cluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Trace != nil {
			long, err := r.Trace.Rounds(3)
			if err != nil {
				t.Fatal(err)
			}
			return long
		}
	}
	t.Fatal("nothing is violated")
	return nil
}

// What a control plane records when a trace happens on it is all of the trace and
// nothing else, whichever of pods that cannot be told apart it takes.
func TestWhatHappensAsSaidMatches(t *testing.T) {
	for _, name := range []string{
		"kivi-c1/bad", "kivi-c2/bad", "kivi-c3/bad", "kivi-c4/bad", "kivi-c5/bad", "kivi-c6/bad", "kivi-c7/bad", "kivi-c8/bad",
		"b1/bad", "b6/bad", "node-loss-recovery/bad", "own-reaper/bad", "g3/bad", "recreate-node-loss/bad", "scale-down-doubled/bad",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			long := traceOf(t, name)
			expected := fidelity.Expected(long)
			for seed := range uint64(20) {
				seen := fidelity.Record(long, rand.New(rand.NewPCG(seed, 1)), nil)
				if m := fidelity.Match(expected, seen); m.Rate() != 1 || m.Matched == 0 && len(expected) > 0 {
					t.Fatalf("seed %d: %d of %d expected and %d seen match:\n%s", seed, m.Matched, m.Expected, m.Seen, sides(m))
				}
			}
		})
	}
}

// sides are the rows that are not on both sides.
func sides(m fidelity.Matching) string {
	var out strings.Builder
	for _, r := range m.Rows {
		switch {
		case r.Seen == nil:
			fmt.Fprintf(&out, "expected: %s\n", r.Expected)
		case r.Expected == nil:
			fmt.Fprintf(&out, "seen:     %s\n", r.Seen)
		}
	}
	return out.String()
}

// TestWhatDiffersIsShown changes single actions of a record.
func TestWhatDiffersIsShown(t *testing.T) {
	long := traceOf(t, "kivi-c1/bad")
	expected := fidelity.Expected(long)
	if len(expected) < 8 {
		t.Fatalf("only %d actions", len(expected))
	}
	find := func(verb string) int {
		for i, a := range expected {
			if a.Verb == verb {
				return i
			}
		}
		t.Fatalf("no %s among %v", verb, expected)
		return -1
	}
	for _, c := range []struct {
		name   string
		change func(all []fidelity.Action) []fidelity.Action
		want   []string
	}{
		{"bound elsewhere", func(all []fidelity.Action) []fidelity.Action {
			all[find("bind")].Node = "elsewhere"
			return all
		}, []string{"expected: bind pod", "seen:     bind pod", "on elsewhere"}},
		{"one missing", func(all []fidelity.Action) []fidelity.Action {
			i := find("scale")
			return append(all[:i:i], all[i+1:]...)
		}, []string{"expected: scale Deployment default/web"}},
		{"one too many", func(all []fidelity.Action) []fidelity.Action {
			return append(all, fidelity.Action{Verb: "scale", Object: "Deployment default/web", Revision: -1, From: 1, To: 7})
		}, []string{"seen:     scale Deployment default/web from 1 to 7"}},
		{"another pod, which can be told apart", func(all []fidelity.Action) []fidelity.Action {
			all[find("delete")].Ordinal = 77
			return all
		}, []string{"expected: delete pod", "seen:     delete pod 77"}},
		{"a pod is bound before it is created", func(all []fidelity.Action) []fidelity.Action {
			i, k := find("create"), find("bind")
			all[i], all[k] = all[k], all[i]
			return all
		}, []string{"expected: bind pod", "seen:     bind pod"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			seen := c.change(fidelity.Record(long, nil, nil))
			m := fidelity.Match(expected, seen)
			got := sides(m)
			if m.Rate() >= 1 || m.Rate() <= 0 {
				t.Errorf("the rate is %v", m.Rate())
			}
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in\n%s", want, got)
				}
			}
			rows := 0
			for _, r := range m.Rows {
				if r.Expected != nil && r.Seen != nil {
					rows++
				}
			}
			if rows != m.Matched || len(m.Rows) != m.Expected+m.Seen-m.Matched {
				t.Errorf("%d rows, %d of both sides, of %d and %d, %d matched", len(m.Rows), rows, m.Expected, m.Seen, m.Matched)
			}
		})
	}
	if m := fidelity.Match(nil, nil); m.Rate() != 1 {
		t.Error("nothing is not nothing")
	}
}

// A control plane may name a ReplicaSet otherwise than the trace.
func TestAReplicaSetWithAnotherName(t *testing.T) {
	long := traceOf(t, "b1/bad")
	expected := fidelity.Expected(long)
	if m := fidelity.Match(expected, fidelity.Record(long, nil, func(set string) string { return set + "-x" })); m.Rate() != 1 {
		t.Errorf("%d of %d and %d match:\n%s", m.Matched, m.Expected, m.Seen, sides(m))
	}
}
