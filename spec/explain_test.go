package spec

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// controller creates a Pod for each replica that is wanted, one at a time; what it plans is its own.
const controller = `EXTENDS Naturals, Sequences
VARIABLES wanted, pods, planned
vars == <<wanted, pods, planned>>
Init == wanted = 0 /\ pods = {} /\ planned = {}
Scale(n) == wanted' = n /\ UNCHANGED <<pods, planned>>
Plan(i) == i <= wanted /\ i \notin pods /\ planned' = planned \cup {i} /\ UNCHANGED <<wanted, pods>>
Create(i) == i \in planned /\ pods' = pods \cup {i} /\ planned' = planned \ {i} /\ UNCHANGED wanted
Next == \E n \in 1..3 : Scale(n) \/ Plan(n) \/ Create(n)
Spec == Init /\ [][Next]_vars
Observed(objects) ==
  LET of(kind) == SelectSeq(objects, LAMBDA o : o.kind = kind)
  IN [wanted |-> IF of("Deployment") = <<>> THEN 0 ELSE of("Deployment")[1].spec.replicas,
      pods |-> {of("Pod")[i].number : i \in DOMAIN of("Pod")}]
`

func deployment(replicas int64) map[string]any {
	return map[string]any{"kind": "Deployment", "spec": map[string]any{"replicas": replicas}}
}

func pod(number int64) map[string]any { return map[string]any{"kind": "Pod", "number": number} }

func TestHistoriesAreExplained(t *testing.T) {
	folder := write(t, map[string]string{"M.tla": "---- MODULE M ----\n" + controller + "====\n", "M.cfg": "SPECIFICATION Spec"})
	for _, c := range []struct {
		name    string
		history [][]any
		verdict statespace.Verdict
		reason  string
		steps   int
	}{
		{"one after the other, in any order", [][]any{{}, {deployment(2)}, {deployment(2), pod(2)}, {deployment(2), pod(1), pod(2)}}, statespace.Holds, "", -1},
		{"nothing observed changes", [][]any{{}, {}, {deployment(1)}, {deployment(1)}}, statespace.Holds, "", -1},
		{"two at once", [][]any{{}, {deployment(2)}, {deployment(2), pod(1), pod(2)}}, statespace.Violated, "event 3: no step from what explains the history before it leads there; observed: pods = {1, 2}", 2},
		{"more than are wanted", [][]any{{}, {deployment(1)}, {deployment(1), pod(2)}}, statespace.Violated, "event 3: no step", 2},
		{"one goes", [][]any{{}, {deployment(1)}, {deployment(1), pod(1)}, {deployment(1)}}, statespace.Violated, "event 4: no step", 3},
		{"not from the beginning", [][]any{{deployment(1)}}, statespace.Violated, "event 1: no initial state shows it", -1},
	} {
		s, err := Load(filepath.Join(folder, "M.tla"), "")
		if err != nil {
			t.Fatal(err)
		}
		var observed []Observation
		for i, objects := range c.history {
			values, err := s.Observe("Observed", value.OfJSON(objects))
			if err != nil {
				t.Fatal(c.name, err)
			}
			observed = append(observed, Observation{Event: "event " + string(rune('1'+i)), Values: values})
		}
		r, err := s.Explain(t.Context(), observed, Options{})
		if err != nil {
			t.Fatal(c.name, err)
		}
		claim := r.Claims[len(r.Claims)-1]
		if claim.Verdict != c.verdict || !strings.HasPrefix(claim.Reason, c.reason) {
			t.Errorf("%s: verdict %d, %q", c.name, claim.Verdict, claim.Reason)
		}
		if c.name == "two at once" {
			want := "Scale(1) (wanted = 1), Scale(3) (wanted = 3), Create(1) (pods = {1}), Create(2) (pods = {2})"
			if got := strings.Join(claim.Unexplained.Instead, ", "); got != want {
				t.Errorf("possible instead: %s, want %s", got, want)
			}
		}
		if c.steps >= 0 && (claim.Trace == nil || len(claim.Trace.States) < c.steps) {
			t.Errorf("%s: the trace is %+v", c.name, claim.Trace)
		}
	}
}

func TestHistoriesThatCannotBeRead(t *testing.T) {
	folder := write(t, map[string]string{"M.tla": "---- MODULE M ----\n" + controller + "====\n", "M.cfg": "SPECIFICATION Spec"})
	s, err := Load(filepath.Join(folder, "M.tla"), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Explain(t.Context(), []Observation{{Values: map[string]value.Value{"replicas": value.True}}}, Options{}); err == nil || !strings.Contains(err.Error(), "replicas is observed, and is no variable of M") {
		t.Errorf("a variable that is not there: %v", err)
	}
	if _, err := s.Observe("Absent", value.EmptyTuple); err == nil || !strings.Contains(err.Error(), "Absent is not defined") {
		t.Errorf("an operator that is not there: %v", err)
	}
	if _, err := s.Observe("Observed", value.OfJSON([]any{map[string]any{"kind": nil}})); err != nil {
		t.Errorf("null: %v", err)
	}
	if _, err := s.Observe("Observed", value.OfJSON([]any{map[string]any{"name": "x"}})); err == nil || !strings.Contains(err.Error(), "has no field kind") {
		t.Errorf("an object without what is asked for: %v", err)
	}
	if got := value.Format(value.OfJSON(map[string]any{"a": []any{1.0, 1.5, nil, true, "x", int64(7)}})); got != `[a |-> <<1, "1.5", null, TRUE, "x", 7>>]` {
		t.Errorf("JSON: %s", got)
	}
}

// TestCanObserve: what is to say what of the objects the variables are is looked for before any history is.
func TestCanObserve(t *testing.T) {
	folder := write(t, map[string]string{
		"M.tla": "---- MODULE M ----\nVARIABLE x\nInit == x = 0\nNext == x' = x\nOne(objects) == [x |-> 0]\nNone == 1\n====\n", "M.cfg": "INIT Init NEXT Next",
	})
	s, err := Load(filepath.Join(folder, "M.tla"), "")
	if err != nil {
		t.Fatal(err)
	}
	for operator, problem := range map[string]string{"Nope": "Nope is not defined in M", "None": "None takes 0 arguments", "x": "x is not defined"} {
		if err := s.CanObserve(operator); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %v; want %s", operator, err, problem)
		}
	}
	if err := s.CanObserve("One"); err != nil {
		t.Error(err)
	}
}
