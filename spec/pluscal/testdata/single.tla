---- MODULE single ----
EXTENDS Naturals, Sequences, TLC
(* --algorithm single
  process keeper = "keeper"
    variables count = 0, own = 1;
  begin
    keep: while own < 3 do own := own + count; end while;
  end process;
  process other = "other"
    variables
  begin
    add: while pc["keeper"] # "Done" do count := count + 1; end while;
  end process;
  process third \in 1..2
    variables own = 0;
  begin
    look: own := count;
  end process;
end algorithm; *)
====
