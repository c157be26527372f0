---- MODULE processes ----
EXTENDS Naturals, Sequences, TLC
CONSTANT Node
(* --algorithm processes {
  variables network = [n \in Node |-> {}], clock = 0;
  define {
    Empty(n) == network[n] = {}
  }
  process (node \in Node)
    variables sent = 0, neighbour \in Node, at = self, log;
  {
    send: network[neighbour] := network[neighbour] \cup {self} || sent := sent + 1;
    wait: await ~Empty(self);
          log := [from |-> neighbour, at |-> at];
    more: log.at := clock;
          with (sender \in network[self]) {
            network[self] := network[self] \ {sender};
            if (sender = self) goto wait
          };
    again: if (sent < 2) goto send;
  }
  process (timer = "timer")
    variable ticks = 0;
  {
    tick: while (ticks < 3) {
      ticks := ticks + 1;
      clock := ticks;
      who: print self;
    }
  }
} *)
====
