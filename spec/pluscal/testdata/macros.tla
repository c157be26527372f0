---- MODULE macros ----
EXTENDS Naturals, Sequences, TLC
(* --algorithm macros {
  variables x = 0, a = [i \in 1..2 |-> [f |-> 0]];
  macro set(v, e) { v := e; if (v > 1) print <<v, "v">> }
  macro twice(i) { set(a[i].f, x + i); await \A v \in {i} : v = i; with (e \in {i}) x := e }
  { one: set(x, x + 1);
    two: twice(2);
  }
} *)
====
