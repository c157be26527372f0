// Package trial holds the tests of the executable as others use it: through the
// helper for tests, the admin interface and the Kubernetes API. It links nothing
// of the control plane, so that it is built in seconds.
//
// TestMain builds the executable, unless SEATRIAL_CONTROLPLANE names one.
package trial
