package descheduler

import (
	"context"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"
)

var createOptions = metav1.CreateOptions{}

// evictionClient is a clientset whose eviction requests all succeed and go to
// capture. Everything else is answered by the embedded (empty) clientset.
type evictionClient struct {
	kubernetes.Interface
	capture func(*policyv1.Eviction)
}

func (c *evictionClient) PolicyV1() policyclient.PolicyV1Interface {
	return evictionsGetter{PolicyV1Interface: c.Interface.PolicyV1(), client: c}
}

type evictionsGetter struct {
	policyclient.PolicyV1Interface
	client *evictionClient
}

func (g evictionsGetter) Evictions(string) policyclient.EvictionInterface { return g.client }

// Evict implements policyclient.EvictionInterface.
func (c *evictionClient) Evict(_ context.Context, eviction *policyv1.Eviction) error {
	c.capture(eviction)
	return nil
}

// silentRecorder drops the events the real evictor writes.
type silentRecorder struct{}

func (silentRecorder) Eventf(runtime.Object, runtime.Object, string, string, string, string, ...interface{}) {
}
