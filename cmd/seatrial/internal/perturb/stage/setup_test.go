package stage

import (
	"context"
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic/fake"
	clienttesting "k8s.io/client-go/testing"
)

// TestAwaitEstablished: a watch that ends before a CRD is served is begun again, and one that ends with the time says
// so.
func TestAwaitEstablished(t *testing.T) {
	served := &unstructured.Unstructured{Object: map[string]any{"status": map[string]any{"conditions": []any{map[string]any{"type": "Established", "status": "True"}}}}}
	watches := []*watch.FakeWatcher{watch.NewFakeWithChanSize(1, false), watch.NewFakeWithChanSize(1, false), watch.NewFakeWithChanSize(1, false)}
	watches[0].Stop()
	watches[1].Modify(served)
	watches[2].Stop()
	client := fake.NewSimpleDynamicClient(runtime.NewScheme())
	next := 0
	client.PrependWatchReactor("*", func(clienttesting.Action) (bool, watch.Interface, error) {
		next++
		return true, watches[next-1], nil
	})
	d := &Driver{client: client}
	if is, err := d.awaitEstablished(t.Context(), "a"); is != nil || err != nil {
		t.Errorf("a watch that ended: %v, %v", is, err)
	}
	if is, err := d.awaitEstablished(t.Context(), "a"); is == nil || err != nil {
		t.Errorf("the next one: %v, %v", is, err)
	}
	late := errors.New("too late")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(late)
	if _, err := d.awaitEstablished(ctx, "a"); !errors.Is(err, late) {
		t.Errorf("when the time is over: %v", err)
	}
}
