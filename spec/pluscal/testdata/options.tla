---- MODULE options ----
EXTENDS Naturals, Sequences, TLC
(* PlusCal options (sf, -noDoneDisjunct -termination) *)
(* --algorithm options {
  variable x = 0;
  process (a \in 1..2) { a1:- x := 1; }
  fair process (b = 3) { b1: x := 2; }
} *)
====
