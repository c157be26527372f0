---- MODULE sequential ----
EXTENDS Naturals, Sequences, TLC
(* PlusCal options (-label) *)
(* --algorithm sequential
variables x = 0, seen = <<>>, grid = [i \in 1..2 |-> [j \in 1..2 |-> 0]], left;
begin
  while x < 3 do
    x := x + 1;
    if x = 1 then
      print x;
    elsif x = 2 then
      goto after;
    else
      seen := Append(seen, x);
    end if;
  end while;
  either
    await x = 3;
    grid[1][2] := x || grid[2] := grid[1];
  or
    with i \in 1..2, two = 2 * i do
      x := two;
      grid[i, 1] := x;
    end with;
  or
    skip;
  end either;
  after:
  assert x > 0;
  left := x;
end algorithm; *)
====
