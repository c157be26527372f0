------------------------------ MODULE Operator ------------------------------
(* An operator makes one Secret for the custom resource "shop", and writes   *)
(* the Secret's name into the status of the resource. It may be rebooted     *)
(* between any two steps, and forgets what it has not written.               *)
EXTENDS FiniteSets, Naturals

CONSTANTS
  Suffixes,     \* what generateName draws the ends of names from
  Naming,       \* "generated": the API server draws a name; "fixed": it follows from the resource
  Checked,      \* whether the operator looks if the Secret is there before it reads it
  MaxReboots,   \* how often the operator is rebooted
  MaxDeletions  \* how often somebody deletes a Secret

VARIABLES
  secrets,      \* the Secrets of the API server
  status,       \* the status of the resource: the name of its Secret
  operator,     \* where the operator is, and what it has in mind
  reboots, deletions

vars == <<secrets, status, operator, reboots, deletions>>

None == "none"
Idle == [at |-> "look", made |-> None]

Init ==
  /\ secrets = {}
  /\ status = [secret |-> None]
  /\ operator = Idle
  /\ reboots = 0
  /\ deletions = 0

Named(name) == {s \in secrets : s.name = name}

(* The operator reads the resource. If a Secret is noted there, it uses it. *)
Look ==
  /\ operator.at = "look"
  /\ operator' = [operator EXCEPT !.at = IF status.secret = None THEN "create" ELSE "use"]
  /\ UNCHANGED <<secrets, status, reboots, deletions>>

(* A name that is fixed may be there already: that is taken for success. *)
Create ==
  /\ operator.at = "create"
  /\ \E name \in IF Naming = "fixed" THEN {"shop"} ELSE {s \in Suffixes : Named(s) = {}} :
       /\ secrets' = IF Named(name) = {} THEN secrets \union {[name |-> name, owner |-> "shop"]} ELSE secrets
       /\ operator' = [at |-> "record", made |-> name]
  /\ UNCHANGED <<status, reboots, deletions>>

Record ==
  /\ operator.at = "record"
  /\ status' = [status EXCEPT !.secret = operator.made]
  /\ operator' = [operator EXCEPT !.at = "use"]
  /\ UNCHANGED <<secrets, reboots, deletions>>

(* The operator reads its Secret, and begins again some time later. One that is gone is made again. *)
Use ==
  /\ operator.at = "use"
  /\ IF Checked /\ Named(status.secret) = {}
     THEN /\ operator' = [Idle EXCEPT !.at = "create"]
          /\ status' = [status EXCEPT !.secret = None]
     ELSE LET secret == CHOOSE s \in secrets : s.name = status.secret
          IN  /\ operator' = [Idle EXCEPT !.made = secret.name]
              /\ UNCHANGED status
  /\ UNCHANGED <<secrets, reboots, deletions>>

Reboot ==
  /\ reboots < MaxReboots
  /\ operator # Idle
  /\ operator' = Idle
  /\ reboots' = reboots + 1
  /\ UNCHANGED <<secrets, status, deletions>>

Delete ==
  /\ deletions < MaxDeletions
  /\ \E s \in secrets : secrets' = secrets \ {s}
  /\ deletions' = deletions + 1
  /\ UNCHANGED <<status, operator, reboots>>

Next == Look \/ Create \/ Record \/ Use \/ Reboot \/ Delete

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
TypeOK ==
  /\ secrets \subseteq [name : Suffixes \union {"shop"}, owner : {"shop"}]
  /\ status.secret \in Suffixes \union {"shop", None}
  /\ operator.at \in {"look", "create", "record", "use"}

OneSecret == Cardinality(secrets) <= 1
=============================================================================
