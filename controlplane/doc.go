// Package controlplane starts a real Kubernetes control plane as a child process:
// etcd, kube-apiserver, the controllers, the scheduler and the descheduler,
// without machines. [Start] is for tests, [Launch] for everything else.
//
//	func TestController(t *testing.T) {
//		plane := controlplane.Start(t)
//		config, err := clientcmd.BuildConfigFromFlags("", plane.Kubeconfig)
//		...
//	}
//
// The executable is seatrial-controlplane of the same release. It is looked for
// where the environment variable SEATRIAL_CONTROLPLANE says, beside the running
// executable, and in PATH.
//
// The package has the standard library only. What it gives is the path of a
// kubeconfig, which every version of every Kubernetes library reads.
package controlplane
