------------------------------ MODULE Observed ------------------------------
(* What the objects of a recorded history say of the variables of Operator:  *)
(* the operator itself, and who reboots it, are not among the objects.       *)
EXTENDS Operator, Sequences

Of(kind, objects) == SelectSeq(objects, LAMBDA o : o.kind = kind)

Observed(objects) ==
  LET made  == Of("Secret", objects)
      shops == Of("Shop", objects)
      noted == shops # <<>> /\ "status" \in DOMAIN shops[1] /\ "secret" \in DOMAIN shops[1].status
  IN [secrets |-> {[name |-> made[i].metadata.name, owner |-> "shop"] : i \in DOMAIN made},
      status  |-> [secret |-> IF noted THEN shops[1].status.secret ELSE None]]
=============================================================================
