// Package history is the ordered record of the writes to a control plane, as a
// watch of its etcd gives them: the events and their form on a wire, the state
// at a revision, what of an object counts (a [Mask] and canonical forms), what
// changed ([Diff]), and when nothing that counts is written any more
// ([Quiescence]).
//
// All of it is pure: time comes in as a parameter, and nothing depends on the
// order of a map.
package history
