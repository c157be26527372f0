------------------------------ MODULE Rollout -------------------------------
(* The rolling update of a Deployment: its controller lowers the old         *)
(* ReplicaSet and raises the new one within maxSurge and maxUnavailable, as  *)
(* far as it has heard of them; the ReplicaSets' controller makes and        *)
(* deletes pods, and reports how many are available, some time later.        *)
(* Recorded rollouts are behaviours of it: see Observed.                     *)
EXTENDS Naturals, Integers, Sequences

CONSTANTS
  Replicas,        \* spec.replicas
  MaxSurge,        \* spec.strategy.rollingUpdate.maxSurge, as a number
  MaxUnavailable,  \* spec.strategy.rollingUpdate.maxUnavailable, as a number
  Lag,             \* how many writes of ReplicaSets the Deployment's controller may not have heard of yet
  Careful          \* whether it waits for a report that is behind

VARIABLES
  wanted,    \* spec.replicas of each ReplicaSet, which the Deployment's controller writes
  pods,      \* the pods of each ReplicaSet: those that start, and those that are available
  seen,      \* how many pods of each ReplicaSet its controller knows to be available
  late,      \* how many there have been since then, one number after the other
  reported,  \* status.availableReplicas of each ReplicaSet, which may be behind
  known,     \* both, as far as the Deployment's controller has heard
  news       \* the writes of which it has not heard yet, in their order

vars == <<wanted, pods, seen, late, reported, known, news>>

Sets == {"old", "new"}
Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b

Most == Replicas + MaxSurge           \* no more pods than that are wanted
Least == Replicas - MaxUnavailable    \* no fewer than that are to be available

Init ==
  /\ wanted = [old |-> Replicas, new |-> 0]
  /\ pods = [old |-> [starting |-> 0, available |-> Replicas], new |-> [starting |-> 0, available |-> 0]]
  /\ seen = [old |-> Replicas, new |-> 0]
  /\ late = [set \in Sets |-> <<>>]
  /\ reported = seen
  /\ known = [wanted |-> wanted, reported |-> reported]
  /\ news = <<>>

Total(of) == of.wanted["old"] + of.wanted["new"]

-----------------------------------------------------------------------------
(* The Deployment's controller hears of one write after the other. *)
Written(set, number, available, own) ==
  /\ Len(news) < Lag
  /\ wanted' = [wanted EXCEPT ![set] = number]
  /\ reported' = [reported EXCEPT ![set] = available]
  /\ news' = Append(news, [set |-> set, wanted |-> number, reported |-> available, own |-> own])

Hear ==
  /\ news # <<>>
  /\ LET write == Head(news)
     IN known' = [wanted |-> [known.wanted EXCEPT ![write.set] = write.wanted], reported |-> [known.reported EXCEPT ![write.set] = write.reported]]
  /\ news' = Tail(news)
  /\ UNCHANGED <<wanted, pods, seen, late, reported>>

(* What it writes it has to know in the newest version, or there is a conflict; its own writes are known to it. Of the other ReplicaSet it may know what has been. *)
Newest(set) == \A i \in DOMAIN news : news[i].set = set => news[i].own

View(set) ==
  [wanted |-> [known.wanted EXCEPT ![set] = wanted[set]], reported |-> [known.reported EXCEPT ![set] = reported[set]]]

(* It raises first, and lowers when there is nothing to raise. *)
Room(view) == Min(Most - Total(view), Replicas - view.wanted["new"])

Raise ==
  LET room == Room(View("new"))
  IN /\ Newest("new")
     /\ room > 0
     /\ Written("new", wanted["new"] + room, reported["new"], TRUE)
     /\ UNCHANGED <<pods, seen, late, known>>

(* New pods that are not available yet hold the others back. *)
Spare(view) == Total(view) - Least - (view.wanted["new"] - view.reported["new"])

(* Old pods that are not available go first. *)
Less(view) ==
  LET unhealthy == Min(Max(view.wanted["old"] - view.reported["old"], 0), Spare(view))
  IN IF unhealthy > 0 THEN unhealthy
     ELSE Min(view.wanted["old"], view.reported["old"] + view.reported["new"] - Least)

Lower ==
  LET view == View("old")
  IN /\ Newest("old")
     /\ Room(view) <= 0
     /\ Careful => view.reported["old"] <= view.wanted["old"]
     /\ Spare(view) > 0
     /\ view.wanted["old"] > 0
     /\ Less(view) > 0
     /\ Written("old", wanted["old"] - Less(view), reported["old"], TRUE)
     /\ UNCHANGED <<pods, seen, late, known>>

-----------------------------------------------------------------------------
(* The ReplicaSets' controller, and the kubelets. *)
Count(set) == pods[set].starting + pods[set].available

(* What the controller knows of pods is behind, too: a report may be of what has been. *)
Become(set, starting, available) ==
  /\ pods' = [pods EXCEPT ![set] = [starting |-> starting, available |-> available]]
  /\ \/ available = pods[set].available /\ UNCHANGED late
     \/ available # pods[set].available /\ Len(late[set]) < Lag /\ late' = [late EXCEPT ![set] = Append(@, available)]
  /\ UNCHANGED <<wanted, seen, reported, known, news>>

MakePod(set) ==
  /\ Count(set) < wanted[set]
  /\ Become(set, pods[set].starting + 1, pods[set].available)

(* Pods that are not available yet are deleted first. *)
DeletePod(set) ==
  /\ Count(set) > wanted[set]
  /\ IF pods[set].starting > 0
     THEN Become(set, pods[set].starting - 1, pods[set].available)
     ELSE Become(set, 0, pods[set].available - 1)

StartPod(set) ==
  /\ pods[set].starting > 0
  /\ Become(set, pods[set].starting - 1, pods[set].available + 1)

See(set) ==
  /\ late[set] # <<>>
  /\ seen' = [seen EXCEPT ![set] = Head(late[set])]
  /\ late' = [late EXCEPT ![set] = Tail(@)]
  /\ UNCHANGED <<wanted, pods, reported, known, news>>

Report(set) ==
  /\ reported[set] # seen[set]
  /\ Written(set, wanted[set], seen[set], FALSE)
  /\ UNCHANGED <<pods, seen, late, known>>

Complete ==
  /\ pods["old"] = [starting |-> 0, available |-> 0]
  /\ pods["new"] = [starting |-> 0, available |-> Replicas]
  /\ reported = [old |-> 0, new |-> Replicas]
  /\ news = <<>>

Done == Complete /\ UNCHANGED vars

Next ==
  \/ Raise
  \/ Lower
  \/ Hear
  \/ \E set \in Sets : MakePod(set) \/ DeletePod(set) \/ StartPod(set) \/ See(set) \/ Report(set)
  \/ Done

Behaviours == Init /\ [][Next]_vars

(* What controllers and kubelets can do they do, but for pods that become available. *)
Works ==
  /\ WF_vars(Raise)
  /\ WF_vars(Lower)
  /\ WF_vars(Hear)
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
  /\ known \in [wanted : [Sets -> 0..Most], reported : [Sets -> 0..Most]]

WithinSurge == wanted["old"] + wanted["new"] <= Most

(* Pods that are to be deleted are not gone yet: there may be more than maxSurge allows. *)
PodsWithinSurge == Count("old") + Count("new") <= Most

EnoughAvailable == pods["old"].available + pods["new"].available >= Least

Completes == <>[]Complete
=============================================================================
