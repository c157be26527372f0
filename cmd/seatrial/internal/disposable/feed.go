package disposable

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/seatrial/seatrial/history"
)

// crds are the resource of CustomResourceDefinitions, and namespaces that of Namespaces.
const (
	crds       = "customresourcedefinitions.apiextensions.k8s.io"
	namespaces = "namespaces"
)

// feed watches everything in a cluster that can be listed, watched and deleted, and what CRDs add to that.
type feed struct {
	client dynamic.Interface
	// seed is the kind that is watched in the version of the seed; others are in the preferred one.
	seed schema.GroupVersionKind
	// tell is told of each write, those to one resource in their order.
	tell func(ctx context.Context, e history.Event)

	ctx  context.Context
	end  context.CancelFunc
	work sync.WaitGroup

	mu      sync.Mutex
	watched map[string]*watched
	// unseen are resources that may not be listed.
	unseen []string
}

// watched is a resource that is watched.
type watched struct {
	gvr      schema.GroupVersionResource
	informer cache.SharedIndexInformer
	handled  cache.ResourceEventHandlerRegistration
	end      context.CancelFunc
}

// start watches what there is now. It returns when all of it was told.
func (f *feed) start(ctx context.Context, config *rest.Config) error {
	f.ctx, f.end = context.WithCancel(context.Background())
	f.watched = map[string]*watched{}
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	lists, err := client.ServerPreferredResources()
	if err != nil && len(lists) == 0 {
		return err
	}
	var all []schema.GroupVersionResource
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return err
		}
		for _, r := range list.APIResources {
			if slices.Contains(r.Verbs, "list") && slices.Contains(r.Verbs, "watch") && slices.Contains(r.Verbs, "delete") && gv.Group != "events.k8s.io" { // which are events again
				all = append(all, f.version(gv.WithResource(r.Name), r.Kind))
			}
		}
	}
	errs := make([]error, len(all))
	var each sync.WaitGroup
	for i, gvr := range all {
		each.Go(func() { errs[i] = f.probe(ctx, gvr) })
	}
	each.Wait()
	return errors.Join(append(errs, f.synced(ctx))...)
}

// version is a resource in the version in which it is watched.
func (f *feed) version(gvr schema.GroupVersionResource, kind string) schema.GroupVersionResource {
	if gvr.Group == f.seed.Group && kind == f.seed.Kind {
		gvr.Version = f.seed.Version
	}
	return gvr
}

// probe watches a resource if it may be listed.
func (f *feed) probe(ctx context.Context, gvr schema.GroupVersionResource) error {
	_, err := f.client.Resource(gvr).List(ctx, metav1.ListOptions{Limit: 1})
	switch {
	case apierrors.IsForbidden(err), apierrors.IsServiceUnavailable(err):
		f.mu.Lock()
		defer f.mu.Unlock()
		f.unseen = append(f.unseen, gvr.GroupResource().String())
		return nil
	case apierrors.IsNotFound(err), apierrors.IsMethodNotSupported(err):
		return nil
	case err != nil:
		return fmt.Errorf("list %s: %w", gvr.GroupResource(), err)
	}
	return f.watch(gvr)
}

// synced waits until all that there was when watches began was told.
func (f *feed) synced(ctx context.Context) error {
	f.mu.Lock()
	var all []cache.InformerSynced
	for _, w := range f.watched {
		all = append(all, w.handled.HasSynced)
	}
	f.mu.Unlock()
	if !cache.WaitForCacheSync(ctx.Done(), all...) {
		return context.Cause(ctx)
	}
	return nil
}

// watch begins to watch a resource, if that is not watched.
func (f *feed) watch(gvr schema.GroupVersionResource) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	name := gvr.GroupResource().String()
	if f.watched[name] != nil || f.ctx.Err() != nil {
		return nil
	}
	informer := dynamicinformer.NewFilteredDynamicInformer(f.client, gvr, "", 0, cache.Indexers{}, nil).Informer()
	// A watch that ends is begun again, whatever has ended it.
	if err := informer.SetWatchErrorHandlerWithContext(func(context.Context, *cache.Reflector, error) {}); err != nil {
		return err
	}
	ctx, end := context.WithCancel(f.ctx)
	handled, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { f.take(ctx, name, nil, o) },
		UpdateFunc: func(before, o any) { f.take(ctx, name, before, o) },
		DeleteFunc: func(o any) { f.take(ctx, name, o, nil) },
	})
	if err != nil {
		end()
		return err
	}
	f.watched[name] = &watched{gvr, informer, handled, end}
	f.work.Go(func() { informer.RunWithContext(ctx) })
	return nil
}

// take turns what an informer says into a write.
func (f *feed) take(ctx context.Context, resource string, before, after any) {
	if missed, ok := before.(cache.DeletedFinalStateUnknown); ok {
		before = missed.Obj
	}
	e := history.Event{Key: history.Key{Resource: resource}, Type: history.Update}
	of, _ := before.(*unstructured.Unstructured)
	if of != nil {
		e.Previous = of.Object
	}
	if is, ok := after.(*unstructured.Unstructured); ok {
		of, e.Object = is, is.Object
	}
	if of == nil {
		return
	}
	e.Namespace, e.Name, e.UID = of.GetNamespace(), of.GetName(), string(of.GetUID())
	e.Revision, _ = strconv.ParseInt(of.GetResourceVersion(), 10, 64) // 0 if it is no number: then it has no order
	switch {
	case before == nil:
		e.Type = history.Create
	case after == nil:
		e.Type = history.Delete
	case before.(*unstructured.Unstructured).GetResourceVersion() == of.GetResourceVersion():
		return // it was listed again
	}
	f.tell(ctx, e)
	if resource == crds {
		f.follow(e)
	}
}

// follow begins to watch what a CRD defines, and ends that with it.
func (f *feed) follow(e history.Event) {
	o := e.Object
	if o == nil {
		o = e.Previous
	}
	gvr := schema.GroupVersionResource{Group: o.Text("spec", "group"), Resource: o.Text("spec", "names", "plural")}
	if e.Type == history.Delete {
		f.mu.Lock()
		defer f.mu.Unlock()
		if w := f.watched[gvr.GroupResource().String()]; w != nil {
			w.end()
			delete(f.watched, gvr.GroupResource().String())
		}
		return
	}
	if gvr.Version = served(o); gvr.Version != "" {
		_ = f.watch(f.version(gvr, o.Text("spec", "names", "kind"))) // it fails for an informer that was started before, and this one is new
	}
}

// served is the version of a CRD that is stored, if it is served yet; empty if not.
func served(crd history.Object) string {
	conditions, _ := crd.At("status", "conditions").([]any)
	established := slices.ContainsFunc(conditions, func(c any) bool {
		m, _ := c.(map[string]any)
		return m["type"] == "Established" && m["status"] == "True"
	})
	versions, _ := crd.At("spec", "versions").([]any)
	for _, v := range versions {
		if m, _ := v.(map[string]any); established && m["storage"] == true && m["served"] == true {
			version, _ := m["name"].(string)
			return version
		}
	}
	return ""
}

// resource is how a resource is asked for; false if it is not watched.
func (f *feed) resource(key history.Key) (dynamic.ResourceInterface, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.watched[key.Resource]
	if w == nil {
		return nil, false
	}
	if key.Namespace == "" {
		return f.client.Resource(w.gvr), true
	}
	return f.client.Resource(w.gvr).Namespace(key.Namespace), true
}

// notSeen says what of the cluster may not be seen; empty if all may.
func (f *feed) notSeen() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	slices.Sort(f.unseen)
	return strings.Join(f.unseen, ", ")
}

// stop ends all watches.
func (f *feed) stop() {
	f.end()
	f.work.Wait()
}
