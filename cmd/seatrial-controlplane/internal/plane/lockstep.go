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

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/kubelet"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/scheduler"
	"github.com/seatrial/seatrial/history"
)

// watched is an informer of one of the parts, with the resource that it is of.
type watched struct {
	resource string
	informer cache.SharedIndexInformer
	// leftOut tells which events the informer does not want.
	leftOut func(history.Event) bool
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
	p.gate.LockStep(func(ctx context.Context) error { return p.seenBy(ctx, running, watched) })
}

// Seen waits until all parts have seen what was written before.
func (p *Plane) Seen(ctx context.Context) error {
	p.mu.Lock()
	running, watched := p.running, p.watched
	p.mu.Unlock()
	return p.seenBy(ctx, running, watched)
}

// seenBy is seen, as long as the parts run: those that are stopped see nothing more.
func (p *Plane) seenBy(ctx, running context.Context, watched []watched) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(running, cancel)()
	return p.seen(ctx, watched)
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
		for written && !w.holds(last) {
			select {
			case <-ticker.C:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}
	return nil
}

// holds tells whether an informer has an event, or something newer of its object.
func (w watched) holds(e history.Event) bool {
	key := e.Name
	if e.Namespace != "" {
		key = e.Namespace + "/" + e.Name
	}
	object, exists, err := w.informer.GetStore().GetByKey(key)
	if err != nil || !exists {
		return e.Type == history.Delete || w.leftOut(e)
	}
	accessor, err := apimeta.Accessor(object)
	if err != nil {
		return true
	}
	revision, err := strconv.ParseInt(accessor.GetResourceVersion(), 10, 64)
	return err != nil || revision >= e.Revision && e.Type != history.Delete || revision > e.Revision
}

// finished tells whether an event is of a pod that has finished: the scheduler
// does not look at these.
func finished(e history.Event) bool {
	phase := e.Object.At("status", "phase")
	return e.Resource == "pods" && (phase == "Succeeded" || phase == "Failed")
}

// unbound tells whether an event is of a pod without a node: kubelets do not look
// at these.
func unbound(e history.Event) bool {
	node, _ := e.Object.At("spec", "nodeName").(string)
	return e.Resource == "pods" && node == ""
}

// informersOf finds the informers of a part by the types that they are of.
func informersOf(part informed, stop <-chan struct{}) []watched {
	var all []watched
	leftOut := func(history.Event) bool { return false }
	switch part.(type) {
	case *scheduler.Scheduler:
		leftOut = finished
	case *kubelet.Kubelets:
		leftOut = unbound
	}
	factory := part.Informers()
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
		all = append(all, watched{resource, factory.InformerFor(object, nil), leftOut})
	}
	return all
}
