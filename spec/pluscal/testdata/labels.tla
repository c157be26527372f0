---- MODULE labels ----
EXTENDS Naturals, Sequences, TLC
(* --algorithm labels {
  variables x = 0, y = 0;
  procedure p() { x := y; return }
  { x := 1;
    either { either { y := 1; y := 2 } or skip; y := 3 }
    or { y := 4; y := 5; with (k \in {1}) { x := k } };
    call p();
    if (x = 1) { while (TRUE) { x := x + 1; x := 2 } }
  }
} *)
====
