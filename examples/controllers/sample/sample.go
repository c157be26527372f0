// Package sample runs one of the sample controllers, and has what all of them need:
// the shape of a custom resource, and deletions that are conditional.
package sample

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// Soon is after what time a reconciler looks again at something whose end it waits
// for. Events alone are not enough: a cache that never had an object does not tell
// when it is gone.
const Soon = 300 * time.Millisecond

// Sample is one controller in two forms, which differ in one mistake.
type Sample struct {
	// Register makes the custom resource known to a scheme.
	Register func(*runtime.Scheme) error
	// Buggy and Fixed add the controller to a manager.
	Buggy, Fixed func(ctrl.Manager) error
	// Lease is the name of the Lease by which replicas elect a leader; empty for a
	// controller that has one replica.
	Lease string
}

// Run runs the controller that add adds, with the cluster of KUBECONFIG, until ctx is
// done. An error says that it could not start, or that it is no longer the leader.
func (s Sample) Run(ctx context.Context, add func(ctrl.Manager) error) error {
	ctrl.SetLogger(klog.Background())
	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("find the cluster: %w", err)
	}
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	if err := s.Register(scheme); err != nil {
		return err
	}
	// A new leader takes over after seconds, so that one who waits for it need not be
	// patient; the usual 15 s, 10 s and 2 s are for clusters that are under load.
	lease, renew, retry := 6*time.Second, 4*time.Second, time.Second
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                        scheme,
		Metrics:                       metricsserver.Options{BindAddress: "0"},
		LeaderElection:                s.Lease != "",
		LeaderElectionID:              s.Lease,
		LeaderElectionNamespace:       "default",
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 &lease,
		RenewDeadline:                 &renew,
		RetryPeriod:                   &retry,
	})
	if err != nil {
		return fmt.Errorf("make the manager: %w", err)
	}
	if err := add(mgr); err != nil {
		return fmt.Errorf("add the controller: %w", err)
	}
	return mgr.Start(ctx)
}

// CheckOwner gives an error if a child belongs to another object than owner, which can
// only be an earlier one of the same name: the child is about to be collected, and the
// reconciler has to be called again until it is.
func CheckOwner(child, owner client.Object) error {
	if metav1.IsControlledBy(child, owner) {
		return nil
	}
	return fmt.Errorf("%s is of an earlier %s, and not yet collected", child.GetName(), owner.GetName())
}

// Unchanged lets a deletion happen only if the object is still the one that was read,
// in the version that was read. A name says neither.
func Unchanged(object client.Object) client.Preconditions {
	uid, version := object.GetUID(), object.GetResourceVersion()
	return client.Preconditions{UID: &uid, ResourceVersion: &version}
}
