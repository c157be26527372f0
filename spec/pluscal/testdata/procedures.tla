---- MODULE procedures ----
EXTENDS Naturals, Sequences, TLC
(* --algorithm procedures
variables total = 0;
procedure add(n, by = 1)
  variables before = total; unset;
begin
  sum: total := before + n * by;
  if n > 2 then
    return;
  else
    nested: call add(n + 1, by);
  end if;
  twice: call add(n + 2, by);
  return;
end procedure;
procedure log()
begin
  show: print total;
  logged: call add(1, 1);
  return;
end procedure;
process worker \in {1, 2}
variable mine = 0;
begin
  first: mine := 2;
         call add(mine, self);
  second: call log();
  goto second;
end process;
process boss = "boss"
begin
  order: call log();
end process;
end algorithm; *)
====
