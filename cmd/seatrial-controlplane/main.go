// Command seatrial-controlplane runs a real Kubernetes control plane without
// machines: etcd, kube-apiserver, kube-controller-manager, kube-scheduler and
// descheduler in one process, on loopback and in memory, with kubelets that only
// say what kubelets say.
package main

import (
	"context"
	"os"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/command"
)

func main() {
	os.Exit(command.Main(context.Background(), os.Args[1:], command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
