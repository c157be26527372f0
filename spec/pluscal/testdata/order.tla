---- MODULE order ----
EXTENDS Naturals, Sequences, TLC
(* --algorithm order {
  variable x = 0;
  { a: if (x = 1) {
         if (x = 2) { deep: skip }
       } else {
         other: skip
       };
    b: either { if (x = 1) { inner: skip } } or { second: skip };
    c: while (x = 1) { if (x = 3) { within: skip }; later: skip };
       if (x = 4) { last: skip }
  }
} *)
====
