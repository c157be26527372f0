------------------------------ MODULE Observed ------------------------------
(* What the objects of a recorded history say of the variables of Eviction:  *)
(* the pods of a StatefulSet, whose names come again, and their budget. What *)
(* clients have read, and what the controller has heard of, is not among the *)
(* objects.                                                                  *)
EXTENDS Eviction

Field(record, name, default) == IF name \in DOMAIN record THEN record[name] ELSE default

Of(kind, objects) == {objects[i] : i \in {i \in DOMAIN objects : objects[i].kind = kind}}

Ready(pod) ==
  LET conditions == Field(pod.status, "conditions", <<>>)
  IN \E i \in DOMAIN conditions : conditions[i].type = "Ready" /\ conditions[i].status = "True"

Phase(name, objects) ==
  LET its == {p \in Of("Pod", objects) : p.metadata.name = name}
  IN CASE its = {} -> "absent"
       [] \E p \in its : "deletionTimestamp" \in DOMAIN p.metadata -> "ending"
       [] \E p \in its : Ready(p) -> "ready"
       [] OTHER -> "starting"

Observed(objects) ==
  LET budgets == Of("PodDisruptionBudget", objects)
      status == Field(CHOOSE o \in budgets : TRUE, "status", <<>>)
  IN IF budgets = {} THEN <<>> ELSE
     [pods   |-> [pod \in Pods |-> Phase(pod, objects)],
      budget |-> [healthy   |-> Field(status, "currentHealthy", 0),
                  desired   |-> Field(status, "desiredHealthy", 0),
                  expected  |-> Field(status, "expectedPods", 0),
                  disrupted |-> DOMAIN Field(status, "disruptedPods", <<>>),
                  allowed   |-> Field(status, "disruptionsAllowed", 0)]]

(* It begins with the budget, when there are no pods yet. *)
New ==
  /\ pods = [pod \in Pods |-> "absent"]
  /\ seen = pods
  /\ news = <<>>
  /\ budget = [healthy |-> 0, desired |-> 0, expected |-> 0, disrupted |-> {}, allowed |-> 0]
  /\ client = [c \in Clients |-> Idle]

(* Nothing tells when a client reads the budget. It may as well be right before it takes a disruption, or is refused one: no earlier read *)
(* lets it do more. Nor does it take two minutes, so that nothing expires.                                                             *)
Played ==
  \/ \E c \in Clients : Ask(c) \/ (Read(c) \cdot Take(c)) \/ (Read(c) \cdot Refuse(c)) \/ Delete(c) \/ Drop(c)
  \/ \E pod \in Pods : Change(pod)
  \/ Hear
  \/ Recount

History == New /\ [][Played]_vars

(* Which client it is does not matter. *)
Alike == Permutations(Clients)
=============================================================================
