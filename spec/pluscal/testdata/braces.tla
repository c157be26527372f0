---- MODULE braces ----
EXTENDS Naturals, Sequences, TLC
(*
--fair algorithm braces {
  variables x = 0; y \in {1, 2};
  {
    while (x < 3) {
      x := x + 1;
      if (x = 1) print x;
      else if (x = 2) { y := x }
    };
    either { when x = 3; y := x } or skip;
    with (i \in 1..2; j = i) { x := i + j };
  }
}
The rest of the comment is prose that isn't read: "quotes need no partner. *)
====
