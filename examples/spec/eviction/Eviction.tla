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
  budget,   \* the status of the budget: how many disruptions it allows, and the pods that are about to be deleted
  client    \* of each client where it is, its pod, what it has read, and whether that is still the newest version

vars == <<healthy, budget, client>>

NoPod == "none"
Idle == [at |-> "idle", pod |-> NoPod, allowed |-> 0, newest |-> FALSE]

Init ==
  /\ healthy = Pods
  /\ budget = [allowed |-> Cardinality(Pods) - MinAvailable, disrupted |-> {}]
  /\ client = [c \in Clients |-> Idle]

(* A write of the budget's status: what others have read is not the newest version any more. *)
Stale(of) == [c \in Clients |-> [of[c] EXCEPT !.newest = FALSE]]

Read(c) ==
  /\ client[c].at \in {"idle", "conflict"}
  /\ \E pod \in IF client[c].at = "idle" THEN healthy ELSE {client[c].pod} :
       client' = [client EXCEPT ![c] = [at |-> "read", pod |-> pod, allowed |-> budget.allowed, newest |-> TRUE]]
  /\ UNCHANGED <<healthy, budget>>

(* 429 Too Many Requests: the client gives up for now. *)
Refuse(c) ==
  /\ client[c].at = "read"
  /\ client[c].allowed <= 0
  /\ Mistake # "unguarded"
  /\ client' = [client EXCEPT ![c] = Idle]
  /\ UNCHANGED <<healthy, budget>>

Conflict(c) ==
  /\ client[c].at = "read"
  /\ client[c].allowed > 0
  /\ Mistake # "blind"
  /\ ~client[c].newest
  /\ client' = [client EXCEPT ![c].at = "conflict"]
  /\ UNCHANGED <<healthy, budget>>

Take(c) ==
  /\ client[c].at = "read"
  /\ client[c].allowed > 0 \/ Mistake = "unguarded"
  /\ client[c].newest \/ Mistake = "blind"
  /\ Assert(client[c].allowed > 0, "a disruption is taken that is not allowed")
  /\ budget' = [allowed |-> client[c].allowed - 1, disrupted |-> budget.disrupted \union {client[c].pod}]
  /\ client' = [Stale(client) EXCEPT ![c].at = "allowed"]
  /\ UNCHANGED healthy

Delete(c) ==
  /\ client[c].at = "allowed"
  /\ healthy' = healthy \ {client[c].pod}
  /\ client' = [client EXCEPT ![c] = Idle]
  /\ UNCHANGED budget

(* The disruption controller. A pod that is about to be deleted is not counted as healthy, until it is seen to be gone. *)
(* Who looks away meanwhile sees another one of that name, and takes it for the one that is about to be deleted.      *)
Gone == budget.disrupted \ healthy

Allowed ==
  LET counted == IF Mistake = "forgetful" THEN healthy ELSE healthy \ budget.disrupted
      spare == Cardinality(counted) - MinAvailable
  IN  IF spare > 0 THEN spare ELSE 0

Recount ==
  /\ \E gone \in SUBSET Gone : budget' = [allowed |-> Allowed, disrupted |-> budget.disrupted \ gone]
  /\ budget' # budget
  /\ client' = Stale(client)
  /\ UNCHANGED healthy

(* Two minutes are long enough to delete a pod: nobody is about to delete it any more. *)
Expire ==
  /\ \E pod \in budget.disrupted :
       /\ \A c \in Clients : ~(client[c].at = "allowed" /\ client[c].pod = pod)
       /\ budget' = [budget EXCEPT !.disrupted = @ \ {pod}]
  /\ client' = Stale(client)
  /\ UNCHANGED healthy

(* The pod's owner makes another one instead. *)
Replace ==
  /\ \E pod \in Pods \ healthy : healthy' = healthy \union {pod}
  /\ UNCHANGED <<budget, client>>

Next ==
  \/ \E c \in Clients : Read(c) \/ Refuse(c) \/ Conflict(c) \/ Take(c) \/ Delete(c)
  \/ Recount
  \/ Expire
  \/ Replace

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
EnoughHealthy == Cardinality(healthy) >= MinAvailable

NeverNegative == budget.allowed >= 0
=============================================================================
