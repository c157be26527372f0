package spec

import (
	"strings"
	"testing"
)

// TestQuantifiersOverConstants: a set that never changes has its quantifiers written out. States, steps, their number
// and what is said of errors are those of the same set in a variable.
func TestQuantifiersOverConstants(t *testing.T) {
	const begins = `EXTENDS Naturals, FiniteSets
VARIABLES x, s, all, none
Const == {1, 2, 3}
None == {}
vars == <<s, all, none>>
Init == x \in [1..3 -> 0..1] /\ s = {} /\ all = {1, 2, 3} /\ none = {}
`
	for name, next := range map[string]string{
		"values":     `x[1] = 0 /\ x' = [x EXCEPT ![1] = IF \A p, q \in SET : x[p] = x[q] \/ p = q THEN 1 ELSE 0] /\ UNCHANGED vars`,
		"ways":       `(\E p \in SET, q \in SET : x[p] = x[q] /\ p # q) /\ x' = [x EXCEPT ![2] = 1 - @] /\ UNCHANGED vars`,
		"steps":      `\E p \in all : \E q \in SET : x[p] # x[q] /\ x' = [x EXCEPT ![p] = x[q]] /\ s' = s \cup {<<p, q>>} /\ UNCHANGED <<all, none>>`,
		"for all":    `x # <<1, 1, 1>> /\ (\A p \in SET : x'[p] = 1 /\ p \in DOMAIN x') /\ UNCHANGED vars`,
		"each step":  `s = {} /\ x' = x /\ (\A p \in SET : ((x[p] = 1 /\ s' \in {{}, {p}}) \/ (x[p] = 0 /\ s' = {}))) /\ UNCHANGED <<all, none>>`,
		"nothing":    `(\A p \in EMPTY : x[p] = 9) /\ ~(\E p \in EMPTY : x[p] = 9) /\ x' = <<1, 1, 1>> /\ UNCHANGED vars`,
		"no value":   `(\E p \in SET : x[p + 1] = 1) /\ x' = x /\ UNCHANGED vars`,
		"no boolean": `(\A p \in SET : x[p]) /\ x' = x /\ UNCHANGED vars`,
		"nested":     `LET A == {p \in SET : \E q \in SET : x[q] = p % 2} IN Cardinality(A) > 1 /\ x' = [p \in SET |-> IF p \in A THEN 1 ELSE x[p]] /\ UNCHANGED vars`,
	} {
		as := func(set, empty string) string {
			text := strings.NewReplacer("SET", set, "EMPTY", empty).Replace("Next == " + next)
			return check(t, begins+text, "INIT Init NEXT Next CHECK_DEADLOCK FALSE", Options{})
		}
		if constant, variable := as("Const", "None"), as("all", "none"); constant != variable {
			t.Errorf("%s:\n%s, over a constant set\n%s, over a variable", name, constant, variable)
		}
	}
}
