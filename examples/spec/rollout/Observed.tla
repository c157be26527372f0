------------------------------ MODULE Observed ------------------------------
(* What the objects of a recorded history say of the variables of Rollout:   *)
(* the ReplicaSets of the first and of the second revision of a Deployment,  *)
(* and their pods. It begins when all of the first revision is available.    *)
EXTENDS Rollout, FiniteSets

Field(record, name, default) == IF name \in DOMAIN record THEN record[name] ELSE default

Of(kind, objects) == {objects[i] : i \in {i \in DOMAIN objects : objects[i].kind = kind}}

Revision(o) == o.metadata.annotations["deployment.kubernetes.io/revision"]

Revisions == [old |-> "1", new |-> "2"]

Ready(pod) ==
  LET conditions == Field(pod.status, "conditions", <<>>)
  IN \E i \in DOMAIN conditions : conditions[i].type = "Ready" /\ conditions[i].status = "True"

Deleted(pod) == "deletionTimestamp" \in DOMAIN pod.metadata

Observed(objects) ==
  LET made == [set \in Sets |-> {o \in Of("ReplicaSet", objects) : Revision(o) = Revisions[set]}]
      its(set) == CHOOSE o \in made[set] : TRUE
      number(set, at(_)) == IF made[set] = {} THEN 0 ELSE at(its(set))
      available(o) == Field(o.status, "availableReplicas", 0)
      owned(set) == {p \in Of("Pod", objects) : ~Deleted(p) /\ \E o \in made[set] : p.metadata.ownerReferences[1].uid = o.metadata.uid}
      ready(set) == Cardinality({p \in owned(set) : Ready(p)})
      begun == made["new"] # {} \/ number("old", available) = Replicas
  IN IF ~begun THEN <<>> ELSE
     [wanted   |-> [set \in Sets |-> number(set, LAMBDA o : o.spec.replicas)],
      pods     |-> [set \in Sets |-> [starting |-> Cardinality(owned(set)) - ready(set), available |-> ready(set)]],
      reported |-> [set \in Sets |-> number(set, available)]]
=============================================================================
