package dump_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/spec"
	"github.com/seatrial/seatrial/spec/dump"
	"github.com/seatrial/seatrial/statespace"
)

// turns has values of all kinds: its second state violates Below, and its last one is followed by the first.
const turns = `---- MODULE Turns ----
EXTENDS Integers, Sequences, TLC
CONSTANTS a, b
VARIABLES n, held, queue, of
vars == <<n, held, queue, of>>
Init == n = 0 /\ held = {} /\ queue = <<>> /\ of = (a :> 1)
Up == n < 2 /\ n' = n + 1 /\ held' = held \cup {"x\"\\"} /\ queue' = Append(queue, [at |-> n, on |-> TRUE]) /\ of' = (b :> 2)
Again == n = 2 /\ n' = 0 /\ held' = {} /\ queue' = <<>> /\ of' = (a :> 1)
Spec == Init /\ [][Up \/ Again]_vars
Below == n < 1
====
`

const drawn = `digraph "Turns" {
  node [shape=box, fontname="monospace"]
  edge [fontname="sans-serif"]
  0 [label="n = 0\lheld = {}\lqueue = <<>>\lof = (a :> 1)\l", style=filled, fillcolor=lightgrey, color=red]
  1 [label="n = 1\lheld = {\"x\\\"\\\\\"}\lqueue = <<[at |-> 0, on |-> TRUE]>>\lof = (b :> 2)\l", color=red]
  2 [label="n = 2\lheld = {\"x\\\"\\\\\"}\lqueue = <<[at |-> 0, on |-> TRUE], [at |-> 1, on |-> TRUE]>>\lof = (b :> 2)\l"]
  0 -> 1 [label="Up", color=red, penwidth=2]
  1 -> 2 [label="Up"]
  2 -> 0 [label="Again"]
}
`

const stepped = `{"#meta":{"format":"ITF","format-description":"https://apalache-mc.org/docs/adr/015adr-trace.html","source":"Turns"},` +
	`"vars":["n","held","queue","of"],"states":[` +
	`{"#meta":{"index":0},"held":{"#set":[]},"n":{"#bigint":"0"},"of":{"#map":[["a",{"#bigint":"1"}]]},"queue":[]},` +
	`{"#meta":{"action":"Up","index":1},"held":{"#set":["x\"\\"]},"n":{"#bigint":"1"},"of":{"#map":[["b",{"#bigint":"2"}]]},"queue":[{"at":{"#bigint":"0"},"on":true}]}]}`

const listed = `{"schema":"seatrial.dev/states/v1alpha1","module":"Turns","variables":["n","held","queue","of"],"states":[` +
	`{"id":0,"depth":0,"violation":true,"values":{"held":{"#set":[]},"n":{"#bigint":"0"},"of":{"#map":[["a",{"#bigint":"1"}]]},"queue":[]}},` +
	`{"id":1,"depth":1,"violation":true,"values":{"held":{"#set":["x\"\\"]},"n":{"#bigint":"1"},"of":{"#map":[["b",{"#bigint":"2"}]]},"queue":[{"at":{"#bigint":"0"},"on":true}]}},` +
	`{"id":2,"depth":2,"values":{"held":{"#set":["x\"\\"]},"n":{"#bigint":"2"},"of":{"#map":[["b",{"#bigint":"2"}]]},"queue":[{"at":{"#bigint":"0"},"on":true},{"at":{"#bigint":"1"},"on":true}]}}],` +
	`"steps":[{"from":0,"to":1,"action":"Up","at":"Turns.tla:7"},{"from":1,"to":2,"action":"Up","at":"Turns.tla:7"},{"from":2,"to":0,"action":"Again","at":"Turns.tla:8"}]}`

func load(t *testing.T, module, cfg string) *spec.Spec {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"Turns.tla": module, "Turns.cfg": cfg} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := spec.Load("Turns.tla", "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestFormats writes all states, and the behaviour that violates an invariant, in each format.
func TestFormats(t *testing.T) {
	s := load(t, turns, "SPECIFICATION Spec INVARIANT Below CONSTANTS a = a b = b")
	found, err := s.Check(t.Context(), spec.Options{})
	if err != nil || found.Verdict() != statespace.Violated {
		t.Fatal(found, err)
	}
	g, err := s.Graph(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"a.dot": drawn, "b.json": listed, "c.itf.json": stepped} {
		f, ok := dump.Of(filepath.Join("out", file))
		if !ok {
			t.Fatalf("no format of %s", file)
		}
		var b bytes.Buffer
		if f.Graph != nil {
			err = f.Graph(&b, g, found.Claims[0].Trace)
		} else {
			err = f.Trace(&b, "Turns", found.Claims[0].Trace)
		}
		got := b.String()
		if strings.HasSuffix(file, "json") {
			got = compact(got)
		}
		if err != nil || got != want {
			t.Errorf("%s: %v, got\n%s\nwant\n%s", file, err, got, want)
		}
	}
	if _, ok := dump.Of("states.txt"); ok {
		t.Error("there is a format of .txt")
	}
}

// compact is JSON without what is there to be read.
func compact(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.Replace(strings.TrimSpace(line), `": `, `":`, 1))
	}
	return b.String()
}

// TestTooManyStates: a graph that would have more nodes than are wanted is none.
func TestTooManyStates(t *testing.T) {
	s := load(t, turns, "SPECIFICATION Spec CONSTANTS a = a b = b")
	var many *spec.TooManyStates
	if g, err := s.Graph(t.Context(), 2); !errors.As(err, &many) || many.Most != 2 {
		t.Errorf("%v, %v", g, err)
	}
}

// TestOneOfSymmetricStates: of states that are alike the graph has one.
func TestOneOfSymmetricStates(t *testing.T) {
	const module = "---- MODULE Turns ----\nEXTENDS TLC\nCONSTANT S\nVARIABLE x\nNext == \\E s \\in S : x' = x \\cup {s}\nInit == x = {}\nAlike == Permutations(S)\n====\n"
	for cfg, want := range map[string]int{"": 8, " SYMMETRY Alike": 4} {
		g, err := load(t, module, "INIT Init NEXT Next CONSTANT S = {a, b, c}"+cfg).Graph(t.Context(), 100)
		if err != nil || len(g.Nodes) != want {
			t.Errorf("%q: %d nodes, want %d; %v", cfg, len(g.Nodes), want, err)
		}
	}
}
