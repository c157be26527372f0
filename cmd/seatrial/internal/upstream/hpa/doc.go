// Package hpa is the HorizontalPodAutoscaler controller of Kubernetes 1.36 as
// a pure function: one reconcile takes what the controller would read (scale,
// pods, metrics) and what it remembers, and gives the replica count it would
// write and what it remembers afterwards.
//
// The replica counts come from the real calculator
// (pkg/controller/podautoscaler/replica_calculator.go), called through its
// exported methods. What is unexported there, on HorizontalController in
// horizontal.go, is written here anew: the order of the checks, the combination
// of several metrics, the stabilisation windows, the rate limits. Each function
// names the one it stands for, and the tests run the real controller beside it.
//
// # Time
//
// Nothing here reads a clock, and [State] holds no time. The real controller
// looks at the age of three things:
//
//   - a pod's start, readiness change and sample. These are facts about the
//     pod, given by the caller in [Usage]; the pods handed to the calculator
//     get dates so far in the past or future that the time of the call cannot
//     matter.
//   - its recommendations, for the stabilisation windows. Of those in a window
//     only the running maxima (for the window of scale-down) or minima (of
//     scale-up) can ever decide, so State keeps these, oldest first. A window
//     running out removes the oldest.
//   - its scale events, for the policies' periods. State keeps the changes of
//     the replica count, oldest first, each with the number of periods it has
//     outlived.
//
// [Elapse] gives the states to which the passing of time may lead. It does not
// measure time, so it allows more than the real controller does (two windows of
// different length may run out in either order), never less.
//
// # Assumptions
//
// The flags of kube-controller-manager are at their defaults, HPAScaleToZero is
// off (alpha) and HPAConfigurableTolerance as the linked Kubernetes has it (on
// since 1.35). Selectors of metrics are ignored: a metric is its name.
package hpa
