---- MODULE fairness ----
EXTENDS Naturals, Sequences, TLC
(* --fair algorithm fairness {
  variable x = 0;
  procedure p() { p1:- x := 1; p2:+ x := 2; call q(); return }
  procedure q() { q1: x := 3; return }
  fair process (a \in 1..2) { a1:+ call p(); a2:- x := 4; a3:- skip; }
  fair+ process (b = 3) { b1:+ call q(); b2:- x := 5; }
  process (c = 4) { c1: skip; }
} *)
====
