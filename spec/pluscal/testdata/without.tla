---- MODULE without ----
EXTENDS Naturals, Sequences, TLC
(* --algorithm without {
  variable x = 0;
  fair process (a \in 1..2) variable y = 0; { a1: while (TRUE) { either y := x or { await y > 0; x := y } } }
  process (b = 3) { b1: while (TRUE) { x := 1 } }
} *)
====
