package spec

import (
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestGraphs compares what is found by following edges with what the definitions say, on all graphs of three nodes: no
// path that says something new is longer.
func TestGraphs(t *testing.T) {
	const sequences = `N == {1, 2, 3}
Sequences3 == UNION {[1..k -> N] : k \in 1..3}
`
	for name, text := range map[string]struct{ module, main string }{
		"Graphs": {
			module: `IsDirectedGraph(G) == G.edge \subseteq (G.node \X G.node)
SimplePath(G) == 1
AreConnectedIn(m, n, G) == 1
IsStronglyConnected(G) == 1
`,
			main: `Path(G) == {p \in Sequences3 : \A i \in 1..(Len(p) - 1) : <<p[i], p[i + 1]>> \in G.edge}
ASSUME \A E \in SUBSET (N \X N) : LET G == [node |-> N, edge |-> E] IN
  /\ \A m, n \in N : AreConnectedIn(m, n, G) = \E p \in Path(G) : p[1] = m /\ p[Len(p)] = n
  /\ SimplePath(G) = {p \in Path(G) : \A i, j \in 1..Len(p) : p[i] = p[j] => i = j}
  /\ IsStronglyConnected(G) = \A m, n \in N : AreConnectedIn(m, n, G)
ASSUME ~AreConnectedIn(1, 4, [node |-> N, edge |-> {<<1, 4>>}])
`,
		},
		"UndirectedGraphs": {
			module: `IsUndirectedGraph(G) == \A e \in G.edge : \E a, b \in G.node : e = {a, b}
SimplePath(G) == 1
AreConnectedIn(m, n, G) == 1
ConnectedComponents(G) == 1
IsStronglyConnected(G) == 1
`,
			main: `Path(G) == {p \in Sequences3 : \A i \in 1..(Len(p) - 1) : {p[i], p[i + 1]} \in G.edge}
Joined(S, G) == \A m, n \in S : \E p \in Path(G) : p[1] = m /\ p[Len(p)] = n /\ \A i \in 1..Len(p) : p[i] \in S
ASSUME \A E \in SUBSET {{a, b} : a, b \in N} : LET G == [node |-> N, edge |-> E] IN
  /\ \A m, n \in N : AreConnectedIn(m, n, G) = \E p \in Path(G) : p[1] = m /\ p[Len(p)] = n
  /\ SimplePath(G) = {p \in Path(G) : \A i, j \in 1..Len(p) : p[i] = p[j] => i = j}
  /\ ConnectedComponents(G) = {S \in SUBSET N \ {{}} : Joined(S, G) /\ \A T \in SUBSET N : S \subseteq T /\ S # T => ~Joined(T, G)}
  /\ IsStronglyConnected(G) = (ConnectedComponents(G) = {N})
ASSUME ~IsStronglyConnected([node |-> {}, edge |-> {}])
`,
		},
	} {
		folder := write(t, map[string]string{
			name + ".tla": "---- MODULE " + name + " ----\n" + text.module + "====\n",
			"M.tla":       "---- MODULE M ----\nEXTENDS Naturals, Sequences, " + name + "\n" + sequences + text.main + "====\n",
			"M.cfg":       "",
		})
		s, err := Load(filepath.Join(folder, "M.tla"), "")
		if err != nil {
			t.Fatal(err)
		}
		if r, err := s.Check(t.Context(), Options{}); err != nil || r.Verdict() != statespace.Holds {
			t.Errorf("%s: %v, %+v", name, err, r.Claims)
		}
	}
	// A module of that name that is something else keeps what it says.
	folder := write(t, map[string]string{
		"Graphs.tla": "---- MODULE Graphs ----\nEXTENDS Naturals\nSimplePath(x) == x + 1\n====\n",
		"M.tla":      "---- MODULE M ----\nEXTENDS Naturals, Graphs\nASSUME SimplePath(1) = 2\n====\n",
		"M.cfg":      "",
	})
	s, err := Load(filepath.Join(folder, "M.tla"), "")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := s.Check(t.Context(), Options{}); err != nil || r.Verdict() != statespace.Holds {
		t.Errorf("%v, %+v", err, r.Claims)
	}
}
