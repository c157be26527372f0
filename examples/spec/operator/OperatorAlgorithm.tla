-------------------------- MODULE OperatorAlgorithm --------------------------
(* The same operator as an algorithm. Between any two labels it may be       *)
(* rebooted, and forgets what it has not written.                            *)
EXTENDS FiniteSets, Naturals

CONSTANTS Suffixes, Naming, MaxReboots

None == "none"

(* --algorithm OperatorAlgorithm
variables
  secrets = {},          \* the Secrets of the API server
  status = None,         \* the name that the resource's status has
  reboots = 0;

define
  \* A name that is fixed follows from the resource; others are drawn by the API server.
  Names == IF Naming = "fixed" THEN {"shop"} ELSE {s \in Suffixes : \A secret \in secrets : secret.name # s}
end define;

macro reboot() begin
  await reboots < MaxReboots;
  reboots := reboots + 1;
  made := None;
  goto Look;
end macro;

fair process operator = "operator"
variable made = None;
begin
  Look:
    if status # None then
      goto Ready;
    end if;
  Create:
    either
      with name \in Names do
        secrets := secrets \union {[name |-> name, owner |-> "shop"]};
        made := name;
      end with;
    or
      reboot();
    end either;
  Record:
    either
      status := made;
    or
      reboot();
    end either;
  Ready:
    skip;
end process;
end algorithm; *)

OneSecret == Cardinality(secrets) <= 1

Recorded == <>(\E secret \in secrets : secret.name = status)
=============================================================================
