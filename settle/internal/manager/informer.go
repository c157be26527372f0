package manager

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// Index is what a field of a source is looked up by.
type Index struct {
	Source
	Field string
}

// informers is a cache whose informers keep the handlers that are added to them.
type informers struct {
	client.Reader
	scheme  *runtime.Scheme
	indexes map[Index]client.IndexerFunc
	// current is the controller whose handlers are being registered, by several goroutines.
	current *Controller
	mu      sync.Mutex
}

func (c *informers) GetInformer(_ context.Context, o client.Object, _ ...cache.InformerGetOption) (cache.Informer, error) {
	kind, err := apiutil.GVKForObject(o, c.scheme)
	if err != nil {
		return nil, err
	}
	return &informer{cache: c, source: Source{kind, FormOf(o)}, like: o}, nil
}

func (c *informers) GetInformerForKind(_ context.Context, kind schema.GroupVersionKind, _ ...cache.InformerGetOption) (cache.Informer, error) {
	o, err := c.scheme.New(kind)
	if err != nil {
		return nil, err
	}
	like, ok := o.(client.Object)
	if !ok {
		return nil, fmt.Errorf("%s is no object", kind)
	}
	return &informer{cache: c, source: Source{kind, FormOf(like)}, like: like}, nil
}

func (c *informers) RemoveInformer(context.Context, client.Object) error { return nil }
func (c *informers) Start(context.Context) error                         { return nil }
func (c *informers) WaitForCacheSync(context.Context) bool               { return true }

// IndexField is part of client.FieldIndexer.
func (c *informers) IndexField(_ context.Context, o client.Object, field string, extract client.IndexerFunc) error {
	kind, err := apiutil.GVKForObject(o, c.scheme)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	of := Index{Source{kind, FormOf(o)}, field}
	if c.indexes[of] != nil {
		return fmt.Errorf("indexer conflict: %s of %s is indexed already", field, kind.Kind)
	}
	c.indexes[of] = extract
	return nil
}

// informer is one kind of a cache.
type informer struct {
	cache.Informer
	cache  *informers
	source Source
	// like is of the type that the handlers are given.
	like client.Object
}

type registration struct {
	toolscache.ResourceEventHandlerRegistration
}

func (registration) HasSynced() bool { return true }

// errNobody is what an informer says whose handlers nobody would call.
var errNobody = errors.New("handlers can be added to informers by controllers only, with Watches")

func (i *informer) AddEventHandlerWithOptions(h toolscache.ResourceEventHandler, _ toolscache.HandlerOptions) (toolscache.ResourceEventHandlerRegistration, error) {
	i.cache.mu.Lock()
	defer i.cache.mu.Unlock()
	c := i.cache.current
	if c == nil {
		return nil, errNobody
	}
	c.watches = append(c.watches, watch{i.source, i.like, h})
	return registration{}, nil
}

func (i *informer) AddEventHandler(h toolscache.ResourceEventHandler) (toolscache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandlerWithOptions(h, toolscache.HandlerOptions{})
}

func (i *informer) AddEventHandlerWithResyncPeriod(h toolscache.ResourceEventHandler, _ time.Duration) (toolscache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandlerWithOptions(h, toolscache.HandlerOptions{})
}

func (i *informer) RemoveEventHandler(toolscache.ResourceEventHandlerRegistration) error { return nil }

func (i *informer) AddIndexers(toolscache.Indexers) error { return nil }

func (i *informer) HasSynced() bool { return true }

func (i *informer) IsStopped() bool { return false }
