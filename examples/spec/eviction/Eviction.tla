------------------------------ MODULE Eviction ------------------------------
(* The eviction API with a PodDisruptionBudget. Several clients evict at     *)
(* once. An eviction takes one of disruptionsAllowed by an update of the     *)
(* budget's status, which another write in between makes a conflict, and     *)
(* deletes the pod after that. The disruption controller counts anew. Pods   *)
(* have the names of those that they replace, as a StatefulSet's do.         *)
(* Recorded evictions are behaviours of it: see Observed.                    *)
EXTENDS FiniteSets, Integers, TLC

CONSTANTS
  Pods, Clients,
  MinAvailable,  \* spec.minAvailable
  Mistake        \* "none", "blind", "forgetful", "unguarded"

ASSUME Possible == MinAvailable <= Cardinality(Pods)
ASSUME KnownMistake == Mistake \in {"none", "blind", "forgetful", "unguarded"}

VARIABLES
  healthy,  \* the pods that are healthy
  seen,     \* those that are, as far as the disruption controller knows: it is behind
  budget,   \* the status of the budget: how many disruptions it allows, and the pods that are about to be deleted
  client    \* of each client where it is, its pod, what it has read, and whether that is still the newest version

vars == <<healthy, seen, budget, client>>

NoPod == "none"
Idle == [at |-> "idle", pod |-> NoPod, allowed |-> 0, newest |-> FALSE]

Init ==
  /\ healthy = Pods
  /\ seen = Pods
  /\ budget = [allowed |-> Cardinality(Pods) - MinAvailable, disrupted |-> {}]
  /\ client = [c \in Clients |-> Idle]

(* A write of the budget's status: what others have read is not the newest version any more. *)
Stale(of) == [c \in Clients |-> [of[c] EXCEPT !.newest = FALSE]]

Read(c) ==
  /\ client[c].at \in {"idle", "conflict"}
  /\ \E pod \in IF client[c].at = "idle" THEN healthy ELSE {client[c].pod} :
       client' = [client EXCEPT ![c] = [at |-> "read", pod |-> pod, allowed |-> budget.allowed, newest |-> TRUE]]
  /\ UNCHANGED <<healthy, seen, budget>>

(* 429 Too Many Requests: the client gives up for now. *)
Refuse(c) ==
  /\ client[c].at = "read"
  /\ client[c].allowed <= 0
  /\ Mistake # "unguarded"
  /\ client' = [client EXCEPT ![c] = Idle]
  /\ UNCHANGED <<healthy, seen, budget>>

Conflict(c) ==
  /\ client[c].at = "read"
  /\ client[c].allowed > 0
  /\ Mistake # "blind"
  /\ ~client[c].newest
  /\ client' = [client EXCEPT ![c].at = "conflict"]
  /\ UNCHANGED <<healthy, seen, budget>>

Take(c) ==
  /\ client[c].at = "read"
  /\ client[c].allowed > 0 \/ Mistake = "unguarded"
  /\ client[c].newest \/ Mistake = "blind"
  /\ Assert(client[c].allowed > 0, "a disruption is taken that is not allowed")
  /\ budget' = [allowed |-> client[c].allowed - 1, disrupted |-> budget.disrupted \union {client[c].pod}]
  /\ client' = [Stale(client) EXCEPT ![c].at = "allowed"]
  /\ UNCHANGED <<healthy, seen>>

Delete(c) ==
  /\ client[c].at = "allowed"
  /\ healthy' = healthy \ {client[c].pod}
  /\ client' = [client EXCEPT ![c] = Idle]
  /\ UNCHANGED <<seen, budget>>

(* The disruption controller hears of one pod after the other. Where a pod goes, and another one of its name comes before that is heard of,   *)
(* it takes that for the one that is about to be deleted.                                                                                  *)
See ==
  /\ \E pod \in Pods : (pod \in seen) # (pod \in healthy) /\ seen' = IF pod \in healthy THEN seen \union {pod} ELSE seen \ {pod}
  /\ UNCHANGED <<healthy, budget, client>>

(* A pod that is about to be deleted is not counted as healthy, until it is seen to be gone. *)
Allowed ==
  LET counted == IF Mistake = "forgetful" THEN seen ELSE seen \ budget.disrupted
      spare == Cardinality(counted) - MinAvailable
  IN  IF spare > 0 THEN spare ELSE 0

Recount ==
  /\ budget' = [allowed |-> Allowed, disrupted |-> budget.disrupted \intersect seen]
  /\ budget' # budget
  /\ client' = Stale(client)
  /\ UNCHANGED <<healthy, seen>>

(* Two minutes are long enough to delete a pod, and to hear of that: nobody is about to delete it any more. *)
Expire ==
  /\ \E pod \in budget.disrupted :
       /\ (pod \in seen) = (pod \in healthy)
       /\ \A c \in Clients : ~(client[c].at = "allowed" /\ client[c].pod = pod)
       /\ budget' = [budget EXCEPT !.disrupted = @ \ {pod}]
  /\ client' = Stale(client)
  /\ UNCHANGED <<healthy, seen>>

(* The pod's owner makes another one instead. *)
Replace ==
  /\ \E pod \in Pods \ healthy : healthy' = healthy \union {pod}
  /\ UNCHANGED <<seen, budget, client>>

Next ==
  \/ \E c \in Clients : Read(c) \/ Refuse(c) \/ Conflict(c) \/ Take(c) \/ Delete(c)
  \/ See
  \/ Recount
  \/ Expire
  \/ Replace

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
EnoughHealthy == Cardinality(healthy) >= MinAvailable

NeverNegative == budget.allowed >= 0
=============================================================================
