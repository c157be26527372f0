---- MODULE renamed ----
EXTENDS Naturals, Sequences, TLC
(* --algorithm renamed {
  variable x = 0;
  procedure p(a, c) variable b = a; { a: b := a; c: return }
  process (one \in 1..2) variables v = 1, w; { a: v := x; c: call p(v, w); b: goto c }
  process (onetwo \in 3..4) variables v = 2, w; { a: v := x; x: w := v; one: goto a }
} *)
====
