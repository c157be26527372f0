---- MODULE labels ----
EXTENDS Naturals, Sequences, TLC
(* --algorithm labels {
  variables x = 0, y = 0;
  procedure p() { x := y; return }
  procedure t(a) variable b = 1; { b := 2; call p(); return }
  { x := 1;
    either { either { y := 1; y := 2 } or skip; y := 3 }
    or { y := 4; y := 5; with (k \in {1}) { x := k } };
    call t(1);
    if (x = 1) { while (TRUE) { x := x + 1; x := 2 } }
  }
} *)
====
