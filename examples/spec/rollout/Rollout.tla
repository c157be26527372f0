------------------------------ MODULE Rollout -------------------------------
(* The rolling update of a Deployment: its controller lowers the old         *)
(* ReplicaSet and raises the new one within maxSurge and maxUnavailable; the *)
(* ReplicaSets' controller makes and deletes pods, and reports how many are  *)
(* available, some time later. Recorded rollouts are behaviours of it: see   *)
(* Observed.                                                                 *)
EXTENDS Naturals, Integers

CONSTANTS
  Replicas,        \* spec.replicas
  MaxSurge,        \* spec.strategy.rollingUpdate.maxSurge, as a number
  MaxUnavailable,  \* spec.strategy.rollingUpdate.maxUnavailable, as a number
  Careful          \* whether the controller waits for a report that is behind

VARIABLES
  wanted,    \* spec.replicas of each ReplicaSet, which the Deployment's controller writes
  pods,      \* the pods of each ReplicaSet: those that start, and those that are available
  seen,      \* how many pods of each ReplicaSet its controller knows to be available
  reported   \* status.availableReplicas of each ReplicaSet, which may be behind

vars == <<wanted, pods, seen, reported>>

Sets == {"old", "new"}
Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b

Most == Replicas + MaxSurge           \* no more pods than that are wanted
Least == Replicas - MaxUnavailable    \* no fewer than that are to be available

Init ==
  /\ wanted = [old |-> Replicas, new |-> 0]
  /\ pods = [old |-> [starting |-> 0, available |-> Replicas], new |-> [starting |-> 0, available |-> 0]]
  /\ seen = [old |-> Replicas, new |-> 0]
  /\ reported = seen

Total == wanted["old"] + wanted["new"]

-----------------------------------------------------------------------------
(* The Deployment's controller: it raises first, and lowers when there is nothing to raise. What it *)
(* has read may be behind. It then does less than it could, and the rest later.                     *)
Room == Min(Most - Total, Replicas - wanted["new"])

Raise ==
  /\ Room > 0
  /\ \E n \in 1..Room : wanted' = [wanted EXCEPT !["new"] = @ + n]
  /\ UNCHANGED <<pods, seen, reported>>

(* Old pods that are not available go first; new ones that are not available yet hold the others back. *)
Waiting == wanted["new"] - reported["new"]
Spare == Total - Least - Waiting
Unhealthy == Min(Max(wanted["old"] - reported["old"], 0), Spare)
Healthy == Min(wanted["old"] - Unhealthy, reported["old"] + reported["new"] - Least)
Less == Unhealthy + Max(Healthy, 0)

Lower ==
  /\ Room <= 0
  /\ Careful => reported["old"] <= wanted["old"]
  /\ Spare > 0
  /\ wanted["old"] > 0
  /\ Less > 0
  /\ \E n \in 1..Less : wanted' = [wanted EXCEPT !["old"] = Max(@ - n, 0)]
  /\ UNCHANGED <<pods, seen, reported>>

-----------------------------------------------------------------------------
(* The ReplicaSets' controller, and the kubelets. *)
Count(set) == pods[set].starting + pods[set].available

MakePod(set) ==
  /\ Count(set) < wanted[set]
  /\ pods' = [pods EXCEPT ![set].starting = @ + 1]
  /\ UNCHANGED <<wanted, seen, reported>>

(* Pods that are not available yet are deleted first. *)
DeletePod(set) ==
  /\ Count(set) > wanted[set]
  /\ pods' = IF pods[set].starting > 0
             THEN [pods EXCEPT ![set].starting = @ - 1]
             ELSE [pods EXCEPT ![set].available = @ - 1]
  /\ UNCHANGED <<wanted, seen, reported>>

StartPod(set) ==
  /\ pods[set].starting > 0
  /\ pods' = [pods EXCEPT ![set].starting = @ - 1, ![set].available = @ + 1]
  /\ UNCHANGED <<wanted, seen, reported>>

(* What the controller knows of pods may be behind, too: a report may be of what has been. *)
See(set) ==
  /\ seen[set] # pods[set].available
  /\ seen' = [seen EXCEPT ![set] = pods[set].available]
  /\ UNCHANGED <<wanted, pods, reported>>

Report(set) ==
  /\ reported[set] # seen[set]
  /\ reported' = [reported EXCEPT ![set] = seen[set]]
  /\ UNCHANGED <<wanted, pods, seen>>

Complete ==
  /\ pods["old"] = [starting |-> 0, available |-> 0]
  /\ pods["new"] = [starting |-> 0, available |-> Replicas]
  /\ reported = [old |-> 0, new |-> Replicas]

Done == Complete /\ UNCHANGED vars

Next ==
  \/ Raise
  \/ Lower
  \/ \E set \in Sets : MakePod(set) \/ DeletePod(set) \/ StartPod(set) \/ See(set) \/ Report(set)
  \/ Done

Behaviours == Init /\ [][Next]_vars

(* What controllers and kubelets can do they do, but for pods that become available. *)
Works ==
  /\ WF_vars(Raise)
  /\ WF_vars(Lower)
  /\ \A set \in Sets : WF_vars(MakePod(set)) /\ WF_vars(DeletePod(set)) /\ WF_vars(See(set)) /\ WF_vars(Report(set))

Spec == Behaviours /\ Works /\ \A set \in Sets : WF_vars(StartPod(set))

(* A version that need not start. *)
Broken == Behaviours /\ Works

-----------------------------------------------------------------------------
TypeOK ==
  /\ wanted \in [Sets -> 0..Most]
  /\ pods \in [Sets -> [starting : 0..Most, available : 0..Most]]
  /\ seen \in [Sets -> 0..Most]
  /\ reported \in [Sets -> 0..Most]

WithinSurge == Total <= Most

(* Pods that are to be deleted are not gone yet: there may be more than maxSurge allows. *)
PodsWithinSurge == Count("old") + Count("new") <= Most

EnoughAvailable == pods["old"].available + pods["new"].available >= Least

Completes == <>[]Complete
=============================================================================
