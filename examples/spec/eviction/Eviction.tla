------------------------------ MODULE Eviction ------------------------------
(* The eviction API with a PodDisruptionBudget. Several clients evict at     *)
(* once. An eviction takes one of disruptionsAllowed by an update of the     *)
(* budget's status, which another write in between makes a conflict, and     *)
(* deletes the pod after that. The disruption controller counts anew, from   *)
(* what it has heard of pods. Pods have the names of those that they         *)
(* replace, as a StatefulSet's do. Recorded evictions are behaviours of it:  *)
(* see Observed.                                                             *)
EXTENDS FiniteSets, Integers, Sequences, TLC

CONSTANTS
  Pods, Clients,
  Kind,     \* what the budget's spec has: "minAvailable" or "maxUnavailable"
  Amount,   \* and how much of it,
  Percent,  \* in percent or not
  Lag,      \* of how many changes of pods the disruption controller may not have heard yet
  Mistake   \* "none", "blind", "forgetful", "unguarded"

Replicas == Cardinality(Pods)

Share(whole) == IF Percent THEN (Amount * whole + 99) \div 100 ELSE Amount

(* status.desiredHealthy *)
Desired(expected) ==
  CASE Kind = "minAvailable" -> Share(expected)
    [] Share(expected) > expected -> 0
    [] OTHER -> expected - Share(expected)

ASSUME KnownKind == Kind \in {"minAvailable", "maxUnavailable"}
ASSUME Possible == Desired(Replicas) <= Replicas
ASSUME KnownMistake == Mistake \in {"none", "blind", "forgetful", "unguarded"}

VARIABLES
  pods,    \* of each pod whether it is "absent", "starting", "ready" or "ending"
  seen,    \* the same, as far as the disruption controller knows
  news,    \* changes of pods of which it has not heard yet, in their order
  budget,  \* the status of the budget
  client   \* of each client where it is, its pod, what it has read, and whether that is still the newest version

vars == <<pods, seen, news, budget, client>>

NoPod == "none"
Idle == [at |-> "idle", pod |-> NoPod, allowed |-> 0, newest |-> FALSE]

(* status.expectedPods: as many as the pods' owner wants, or as there are where the budget does not ask for a share. *)
Expected(known) ==
  LET there == {pod \in Pods : known[pod] # "absent"}
  IN IF Kind = "minAvailable" /\ ~Percent THEN Cardinality(there) ELSE IF there = {} THEN 0 ELSE Replicas

(* A pod that is about to be deleted is not counted as healthy, until it is seen to go. *)
Status(known, disrupted) ==
  LET still == {pod \in disrupted : known[pod] \in {"starting", "ready"}}
      counted == {pod \in Pods : known[pod] = "ready" /\ (pod \notin still \/ Mistake = "forgetful")}
      healthy == Cardinality(counted)
      expected == Expected(known)
      desired == Desired(expected)
  IN [healthy |-> healthy, desired |-> desired, expected |-> expected, disrupted |-> still,
      allowed |-> IF expected > 0 /\ healthy > desired THEN healthy - desired ELSE 0]

Init ==
  /\ pods = [pod \in Pods |-> "ready"]
  /\ seen = pods
  /\ news = <<>>
  /\ budget = Status(pods, {})
  /\ client = [c \in Clients |-> Idle]

-----------------------------------------------------------------------------
(* The pods, and who hears of them. *)
Becomes(pod, is) ==
  /\ Len(news) < Lag
  /\ pods' = [pods EXCEPT ![pod] = is]
  /\ news' = Append(news, [pod |-> pod, is |-> is])

(* What is not on a machine yet goes at once. *)
Goes(pod) == Becomes(pod, "ending") \/ (pods[pod] = "starting" /\ Becomes(pod, "absent"))

Change(pod) ==
  /\ \/ pods[pod] = "ending" /\ Becomes(pod, "absent")
     \/ pods[pod] = "absent" /\ Becomes(pod, "starting")
     \/ pods[pod] = "starting" /\ Becomes(pod, "ready")
  /\ UNCHANGED <<seen, budget, client>>

Hear ==
  /\ news # <<>>
  /\ seen' = [seen EXCEPT ![Head(news).pod] = Head(news).is]
  /\ news' = Tail(news)
  /\ UNCHANGED <<pods, budget, client>>

-----------------------------------------------------------------------------
(* A write of the budget's status: what others have read is not the newest version any more. *)
Stale(of) == [c \in Clients |-> [of[c] EXCEPT !.newest = FALSE]]

(* The pod is read once, the budget again after each conflict. *)
Ask(c) ==
  /\ client[c].at = "idle"
  /\ \E pod \in Pods : pods[pod] = "ready" /\ client' = [client EXCEPT ![c] = [Idle EXCEPT !.at = "asked", !.pod = pod]]
  /\ UNCHANGED <<pods, seen, news, budget>>

Read(c) ==
  /\ client[c].at = "asked"
  /\ client' = [client EXCEPT ![c] = [at |-> "read", pod |-> @.pod, allowed |-> budget.allowed, newest |-> TRUE]]
  /\ UNCHANGED <<pods, seen, news, budget>>

(* 429 Too Many Requests: the client gives up for now. *)
Refuse(c) ==
  /\ client[c].at = "read"
  /\ client[c].allowed <= 0
  /\ Mistake # "unguarded"
  /\ client' = [client EXCEPT ![c] = Idle]
  /\ UNCHANGED <<pods, seen, news, budget>>

Conflict(c) ==
  /\ client[c].at = "read"
  /\ client[c].allowed > 0
  /\ Mistake # "blind"
  /\ ~client[c].newest
  /\ client' = [client EXCEPT ![c] = [Idle EXCEPT !.at = "asked", !.pod = client[c].pod]]
  /\ UNCHANGED <<pods, seen, news, budget>>

Take(c) ==
  /\ client[c].at = "read"
  /\ client[c].allowed > 0 \/ Mistake = "unguarded"
  /\ client[c].newest \/ Mistake = "blind"
  /\ Assert(client[c].allowed > 0, "a disruption is taken that is not allowed")
  /\ budget' = [budget EXCEPT !.allowed = client[c].allowed - 1, !.disrupted = @ \union {client[c].pod}]
  /\ client' = [Stale(client) EXCEPT ![c] = [Idle EXCEPT !.at = "allowed", !.pod = client[c].pod]]
  /\ UNCHANGED <<pods, seen, news>>

(* Another one may have been faster. *)
Delete(c) ==
  /\ client[c].at = "allowed"
  /\ IF pods[client[c].pod] \in {"starting", "ready"} THEN Goes(client[c].pod) ELSE UNCHANGED <<pods, news>>
  /\ client' = [client EXCEPT ![c] = Idle]
  /\ UNCHANGED <<seen, budget>>

(* A pod that does not run yet is deleted without a look at its budget. *)
Drop(c) ==
  /\ client[c].at = "idle"
  /\ \E pod \in Pods : pods[pod] = "starting" /\ Goes(pod)
  /\ UNCHANGED <<seen, budget, client>>

-----------------------------------------------------------------------------
(* The disruption controller. *)
Write(status) ==
  /\ status # budget
  /\ budget' = status
  /\ client' = Stale(client)
  /\ UNCHANGED <<pods, seen, news>>

Recount == Write(Status(seen, budget.disrupted))

(* Two minutes are long enough to delete a pod, and to hear of that: nobody is about to delete it any more. *)
Expire ==
  \E pod \in budget.disrupted :
    /\ news = <<>>
    /\ \A c \in Clients : ~(client[c].at = "allowed" /\ client[c].pod = pod)
    /\ Write(Status(seen, budget.disrupted \ {pod}))

Next ==
  \/ \E c \in Clients : Ask(c) \/ Read(c) \/ Refuse(c) \/ Conflict(c) \/ Take(c) \/ Delete(c) \/ Drop(c)
  \/ \E pod \in Pods : Change(pod)
  \/ Hear
  \/ Recount
  \/ Expire

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
EnoughHealthy == Cardinality({pod \in Pods : pods[pod] = "ready"}) >= Desired(Replicas)

NeverNegative == budget.allowed >= 0
=============================================================================
