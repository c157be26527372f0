// Package operator is what the sample operators have in common: it reads a custom
// resource, writes the children that follow from it, deletes those that no longer do,
// and says in the status what came of it.
package operator

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// Sample is one operator in two forms, which differ in one mistake.
type Sample struct {
	Buggy, Fixed Operator
}

// Operator is what becomes of a custom resource.
type Operator struct {
	// Kind is the kind of resource, and Resource an empty one.
	Kind     string
	Resource Resource
	// Validate says what is wrong with a resource that the API server took; nil takes
	// all of them. What was made of an earlier one stays as long as it is refused.
	Validate func(Resource) error
	// Children are what a resource is to have, complete, without owner and namespace.
	Children func(Resource) []client.Object
	// Write makes a child what it is to be; nil is Writer.Replace.
	Write func(ctx context.Context, w *Writer, child client.Object) error
	// Hold tells, before anything is written, that it is too early for that; nil never
	// does.
	Hold func(*Status) bool
	// Settle does what is left when all children are written; nil is nothing.
	Settle func(ctx context.Context, w *Writer, resource Resource) error
	// Finish cleans up for a resource that is deleted, before it goes; nil is nothing.
	Finish func(ctx context.Context, w *Writer, resource Resource) error
	// Count changes what was counted of the pods, before conditions follow from it; nil leaves it.
	Count func(*Status)
	// Keep leaves the children that a resource no longer has.
	Keep bool
}

// For makes a function of a kind of resource one of any.
func For[P Resource, R any](f func(P) R) func(Resource) R {
	return func(resource Resource) R { return f(resource.(P)) }
}

// owned are the kinds of children.
func owned() []client.Object {
	return []client.Object{
		&appsv1.Deployment{}, &appsv1.StatefulSet{}, &batchv1.Job{},
		&corev1.ConfigMap{}, &corev1.Service{}, &policyv1.PodDisruptionBudget{},
	}
}

// Options are how an operator is run.
type Options struct {
	// Metrics is the address of its metrics; "0" is none.
	Metrics string
	// Namespace is the only one that it looks after; empty for all.
	Namespace string
}

// Run runs the operator, with the cluster of KUBECONFIG, until ctx is done. An error says that
// it could not start.
func (o Operator) Run(ctx context.Context, options Options) error {
	ctrl.SetLogger(klog.Background())
	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("find the cluster: %w", err)
	}
	config.QPS = -1 // the API server says itself when it is too much
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	looked := cache.Options{}
	if options.Namespace != "" {
		looked.DefaultNamespaces = map[string]cache.Config{options.Namespace: {}}
	}
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme: scheme, Metrics: metricsserver.Options{BindAddress: options.Metrics}, Cache: looked,
	})
	if err != nil {
		return fmt.Errorf("make the manager: %w", err)
	}
	builder := ctrl.NewControllerManagedBy(mgr).For(empty(o.Kind))
	for _, kind := range owned() {
		builder = builder.Owns(kind)
	}
	r := &reconciler{Operator: o, Client: mgr.GetClient(), read: mgr.GetAPIReader()}
	if err := builder.Complete(r); err != nil {
		return fmt.Errorf("add the controller: %w", err)
	}
	return mgr.Start(ctx)
}
