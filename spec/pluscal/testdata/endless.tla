---- MODULE endless ----
EXTENDS Naturals, Sequences, TLC
(* --algorithm endless {
  variable x = 0;
  process (a \in 1..2) { a1: while (TRUE) { x := 1; a2: if (x = 2) goto a1 } }
  process (b = 3) { b1: x := 2; }
} *)
====
