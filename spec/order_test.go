package spec

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestOrderOfNames: strings and model values are in the order in which they are first seen, in the configuration, in
// modules as they are read, and as strings in those that need no others first. What is printed is what TLC prints, but
// for what comes up while values are found. The names are this test's alone: their order is that of the process.
func TestOrderOfNames(t *testing.T) {
	folder := write(t, map[string]string{
		"OrM.tla": `---- MODULE OrM ----
EXTENDS OrA, OrB, TLC, Sequences
CONSTANTS OrS
VARIABLE orx
OrD1 == INSTANCE OrD
OrS1 == {"orsM2", "orsM1", "orsA1", "orsA2", "orsB", "orsC", "orsD", "oriA", "oriB", "oriC", "oriD", "oriM", "orsE", "oriE", "orm1"}
oriM == 1
ASSUME PrintT(OrS1)
ASSUME PrintT(OrS)
ASSUME PrintT(CHOOSE r \in {[orzeta |-> 1, oralpha |-> 2], [orzeta |-> 2, oralpha |-> 1]} : TRUE)
ASSUME PrintT({"orsM1" \o "a", "orsM1" \o "Z", "orsM2"})
Init == orx = 0
Next == orx' = orx
====
`,
		"OrA.tla": "---- MODULE OrA ----\nEXTENDS OrC\noriA == {\"orsA2\", \"orsA1\"}\n====\n",
		"OrB.tla": "---- MODULE OrB ----\noriB == {\"orsB\"}\nOrE1 == INSTANCE OrE\n====\n",
		"OrC.tla": "---- MODULE OrC ----\nEXTENDS Naturals\noriC == {\"orsC\"}\n====\n",
		"OrD.tla": "---- MODULE OrD ----\noriD == {\"orsD\"}\n====\n",
		"OrE.tla": "---- MODULE OrE ----\noriE == {\"orsE\"}\n====\n",
		"OrM.cfg": "CONSTANTS OrS = {orm3, orm1, orm2}\nINIT Init NEXT Next",
	})
	s, err := Load(filepath.Join(folder, "OrM.tla"), "")
	if err != nil {
		t.Fatal(err)
	}
	var printed []string
	if _, err := s.Check(t.Context(), Options{Print: func(line string) { printed = append(printed, line) }}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"orm1", "oriM", "oriA", "oriB", "oriC", "oriD", "oriE", "orsC", "orsA2", "orsA1", "orsE", "orsB", "orsD", "orsM2", "orsM1"}`,
		`{orm3, orm1, orm2}`, `[orzeta |-> 1, oralpha |-> 2]`, `{"orsM2", "orsM1Z", "orsM1a"}`,
	}
	if got := strings.Join(printed, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("printed is\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}
