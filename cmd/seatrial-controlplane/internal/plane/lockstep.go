package plane

import (
	"context"
	"reflect"
	"strconv"
	"time"

	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"

	"github.com/seatrial/seatrial/history"
)

// watched is an informer of one of the parts, with the resource that it is of.
type watched struct {
	resource string
	informer cache.SharedIndexInformer
}

// informed is a part that looks at the plane through informers.
type informed interface {
	Informers() informers.SharedInformerFactory
}

// LockStep has every write of the plane's own components wait until all of them
// have seen the one before.
func (p *Plane) LockStep(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !on {
		p.gate.LockStep(nil)
		return
	}
	running, watched := p.running, p.watched
	p.gate.LockStep(func(ctx context.Context) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(running, cancel)() // parts that are stopped see nothing more
		return p.seen(ctx, watched)
	})
}

// lookEvery is how often informers are looked at: they are behind by about a
// millisecond, and have nothing to wait on.
const lookEvery = 200 * time.Microsecond

// seen waits until every informer of the parts holds the newest write of its
// resource.
func (p *Plane) seen(ctx context.Context, watched []watched) error {
	newest, err := p.space.Mark(ctx)
	if err != nil {
		return err
	}
	if err := p.tap.wait(ctx, newest); err != nil {
		return err
	}
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for _, w := range watched {
		p.tap.mu.Lock()
		last, written := p.tap.last[w.resource]
		p.tap.mu.Unlock()
		for written && !holds(w.informer.GetStore(), last) {
			select {
			case <-ticker.C:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}
	return nil
}

// holds tells whether a store has an event, or something newer of its object.
func holds(store cache.Store, e history.Event) bool {
	key := e.Name
	if e.Namespace != "" {
		key = e.Namespace + "/" + e.Name
	}
	object, exists, err := store.GetByKey(key)
	if err != nil || !exists {
		return e.Type == history.Delete || finished(e)
	}
	accessor, err := apimeta.Accessor(object)
	if err != nil {
		return true
	}
	revision, err := strconv.ParseInt(accessor.GetResourceVersion(), 10, 64)
	// A pod that has finished leaves the informers that do not want it.
	return err != nil || revision >= e.Revision && e.Type != history.Delete || revision > e.Revision
}

// finished tells whether an event is of a pod that the scheduler's informer
// leaves out.
func finished(e history.Event) bool {
	status, _ := e.Object["status"].(map[string]any)
	return e.Resource == "pods" && (status["phase"] == "Succeeded" || status["phase"] == "Failed")
}

// informersOf finds the informers of a part by the types that they are of.
func informersOf(factory informers.SharedInformerFactory, stop <-chan struct{}) []watched {
	var all []watched
	for t := range factory.WaitForCacheSync(stop) {
		object, ok := reflect.New(t.Elem()).Interface().(runtime.Object)
		if !ok {
			continue
		}
		kinds, _, err := scheme.Scheme.ObjectKinds(object)
		if err != nil || len(kinds) == 0 {
			continue
		}
		plural, _ := apimeta.UnsafeGuessKindToResource(kinds[0])
		resource := plural.Resource
		if plural.Group != metav1.GroupName && plural.Group != "" {
			resource += "." + plural.Group
		}
		all = append(all, watched{resource, factory.InformerFor(object, nil)})
	}
	return all
}
