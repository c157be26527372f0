------------------------------ MODULE Observed ------------------------------
(* What the objects of a recorded history say of the variables of Eviction:  *)
(* the pods of a StatefulSet, whose names come again, and their budget. What *)
(* clients have read, and what the controller has seen, is not among the     *)
(* objects.                                                                  *)
EXTENDS Eviction, Sequences

Field(record, name, default) == IF name \in DOMAIN record THEN record[name] ELSE default

Of(kind, objects) == {objects[i] : i \in {i \in DOMAIN objects : objects[i].kind = kind}}

Ready(pod) ==
  LET conditions == Field(pod.status, "conditions", <<>>)
  IN \E i \in DOMAIN conditions : conditions[i].type = "Ready" /\ conditions[i].status = "True"

Deleted(pod) == "deletionTimestamp" \in DOMAIN pod.metadata

Observed(objects) ==
  LET budgets == Of("PodDisruptionBudget", objects)
      status == Field(CHOOSE o \in budgets : TRUE, "status", <<>>)
      disrupted == Field(status, "disruptedPods", <<>>)
  IN IF budgets = {} THEN <<>> ELSE
     [healthy |-> {p.metadata.name : p \in {p \in Of("Pod", objects) : Ready(p) /\ ~Deleted(p)}},
      budget  |-> [allowed |-> Field(status, "disruptionsAllowed", 0), disrupted |-> DOMAIN disrupted]]

(* It begins with the budget, when there are no pods yet. *)
New ==
  /\ healthy = {}
  /\ seen = {}
  /\ budget = [allowed |-> 0, disrupted |-> {}]
  /\ client = [c \in Clients |-> Idle]

History == New /\ [][Next]_vars
=============================================================================
