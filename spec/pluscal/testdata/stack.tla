---- MODULE stack ----
EXTENDS Naturals, Sequences, TLC
(* --algorithm stack {
  variable x = 0;
  procedure p(a) variable b = a; {
    enter: b := b + 1;
    leave: x := b; return
  }
  {
    begins: call p(1);
    then2: call p(x); goto begins
  }
} *)
====
