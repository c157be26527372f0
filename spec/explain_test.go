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

// observations are what an operator Observed says of numbers, one after the other.
func observations(t *testing.T, s *Spec, seen ...any) (all []Observation) {
	t.Helper()
	for i, v := range seen {
		values, err := s.Observe("Observed", value.OfJSON(v))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, Observation{Event: "event " + string(rune('1'+i)), Values: values})
	}
	return all
}

// TestExplanationsAreLookedForDeepFirst: what is not observed may be in any number of states, as long as one of them
// explains the history.
func TestExplanationsAreLookedForDeepFirst(t *testing.T) {
	for _, c := range []struct {
		name, module, config string
		seen                 []any
		verdict              statespace.Verdict
		reason               string
		// most are the states that may be looked at.
		most int
	}{
		{"the hidden never ends", `EXTENDS Naturals
VARIABLES shown, hidden
Init == shown = 0 /\ hidden = 0
Next == (hidden' = hidden + 1 /\ shown' = shown) \/ (hidden > 2 /\ shown' = shown + 1 /\ hidden' = 0)
Observed(n) == [shown |-> n]
`, "INIT Init NEXT Next", []any{int64(0), int64(1), int64(2), int64(3)}, statespace.Holds, "", 20},
		{"the first way is none", `EXTENDS Naturals
VARIABLES shown, hidden
Init == shown = 0 /\ hidden \in 1..3
Next == shown < hidden /\ shown' = shown + 1 /\ UNCHANGED hidden
Observed(n) == [shown |-> n]
`, "INIT Init NEXT Next", []any{int64(0), int64(1), int64(2), int64(3)}, statespace.Holds, "", 10},
		{"clients that are alike", `EXTENDS Naturals, TLC
CONSTANT Clients
VARIABLES shown, has
Init == shown = 0 /\ has = [c \in Clients |-> 0]
Next == (\E c \in Clients : has[c] < 3 /\ has' = [has EXCEPT ![c] = @ + 1] /\ UNCHANGED shown) \/ ((\A c \in Clients : has[c] = 3) /\ shown' = shown + 2 /\ UNCHANGED has)
Alike == Permutations(Clients)
Observed(n) == [shown |-> n]
`, "INIT Init NEXT Next SYMMETRY Alike CONSTANT Clients = {c1, c2, c3, c4, c5}", []any{int64(0), int64(1)}, statespace.Violated, "event 2: no step", 60},
		{"clients that are told apart by what is seen", `EXTENDS Naturals, TLC
CONSTANTS Clients, c1, c2
VARIABLES last, twice
Init == last = c2 /\ twice = {}
Next == \E c \in Clients : last' = c /\ twice' = IF c = last THEN twice \union {c} ELSE twice
Alike == Permutations(Clients)
Observed(n) == [last |-> IF n = 1 THEN c1 ELSE c2]
`, "INIT Init NEXT Next SYMMETRY Alike CONSTANTS c1 = c1 c2 = c2 Clients = {c1, c2}", []any{int64(2), int64(1), int64(1)}, statespace.Holds, "", 10},
		{"a view", `EXTENDS Naturals
VARIABLES shown, hidden
Init == shown = 0 /\ hidden = 0
Next == hidden' = hidden + 1 /\ UNCHANGED shown
Seen == <<shown, hidden % 3>>
Observed(n) == [shown |-> n]
`, "INIT Init NEXT Next VIEW Seen", []any{int64(0), int64(1)}, statespace.Violated, "event 2: no step", 10},
		{"a constraint cuts the way", `EXTENDS Naturals
VARIABLES shown, hidden
Init == shown = 0 /\ hidden = 0
Next == (hidden' = hidden + 1 /\ UNCHANGED shown) \/ (hidden = 4 /\ shown' = 1 /\ UNCHANGED hidden)
Few == hidden < 3
Observed(n) == [shown |-> n]
`, "INIT Init NEXT Next CONSTRAINT Few", []any{int64(0), int64(1)}, statespace.Inconclusive, "event 2: no step", 10},
		{"a budget", `EXTENDS Naturals
VARIABLES shown, hidden
Init == shown = 0 /\ hidden = 0
Next == hidden' = hidden + 1 /\ UNCHANGED shown
Observed(n) == [shown |-> n]
`, "INIT Init NEXT Next", []any{int64(0), int64(1)}, statespace.Inconclusive, "the budget of 10 states was reached, before an explanation was found of event 2", 10},
	} {
		folder := write(t, map[string]string{"M.tla": "---- MODULE M ----\n" + c.module + "====\n", "M.cfg": c.config})
		s, err := Load(filepath.Join(folder, "M.tla"), "")
		if err != nil {
			t.Fatal(c.name, err)
		}
		r, err := s.Explain(t.Context(), observations(t, s, c.seen...), Options{MaxStates: c.most})
		if err != nil {
			t.Fatal(c.name, err)
		}
		claim := r.Claims[len(r.Claims)-1]
		if claim.Verdict != c.verdict || !strings.HasPrefix(claim.Reason, c.reason) {
			t.Errorf("%s: verdict %d, %q after %d states", c.name, claim.Verdict, claim.Reason, r.Stats.States)
		}
	}
}

// TestHistoryWithoutAValue: an expression without a value is shown with the behaviour that leads there.
func TestHistoryWithoutAValue(t *testing.T) {
	folder := write(t, map[string]string{"M.tla": `---- MODULE M ----
EXTENDS Naturals
VARIABLE shown
Init == shown = 0
Next == shown' = shown + 1 /\ (shown = 1 => shown.field = 1)
Observed(n) == [shown |-> n]
====
`, "M.cfg": "INIT Init NEXT Next"})
	s, err := Load(filepath.Join(folder, "M.tla"), "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Explain(t.Context(), observations(t, s, int64(0), int64(1), int64(2)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if claim := r.Claims[0]; claim.Verdict != statespace.Violated || claim.Kind != Evaluation || claim.Trace == nil || len(claim.Trace.States) != 2 {
		t.Errorf("%+v", claim)
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
