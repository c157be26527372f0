// Package replay makes a trace happen on a real control plane.
//
// It builds the setup, does the environment's part of each step itself, and waits
// for the components to do theirs. What they do is theirs: their writes are parked
// at the control plane's gate and let through in the order of the trace, and a
// decision that was made before the last step is refused with a conflict, upon
// which its component looks again. A component that decides otherwise, with
// everything before its eyes, has diverged from the trace.
//
// docs/adr/0012 has the reasons.
package replay
