package kubestate

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	apiextensionsinternal "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apiserver"
	informers "k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions/apiextensions/v1"
	listers "k8s.io/apiextensions-apiserver/pkg/client/listers/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/client-go/tools/cache"
)

// Server answers requests. It knows which kinds there are and holds nothing else, so
// that many may ask it at once.
type Server struct {
	// custom serves what has a definition, builtin the rest.
	custom, builtin http.Handler
	groups          map[string]bool
	objects         *pool
	// names are those that were generated; renamed: they are tokens that are renamed.
	names                *prefixes
	generations, renamed bool
	memo                 memo
	resources            map[schema.GroupVersionKind]Resource
	// stored are the resources, in the version in which they are stored, by what the keys of
	// their objects begin with.
	stored map[string]Resource
}

// Resource is where the objects of a kind are.
type Resource struct {
	Kind       schema.GroupVersionKind
	Resource   schema.GroupVersionResource
	Namespaced bool
}

// Prefix is what the keys of its objects begin with, in one namespace or, if that is
// empty, in all.
func (r Resource) Prefix(namespace string) string {
	q := Request{Resource: r.Resource, Namespace: namespace}
	return q.key("")
}

// Resource is that of a kind; false if the kind is not served.
func (s *Server) Resource(kind schema.GroupVersionKind) (Resource, bool) {
	r, ok := s.resources[kind]
	return r, ok
}

// ResourceOf is the resource that an object is of, in the version in which it is stored.
func (s *Server) ResourceOf(o *Object) Resource {
	group := strings.IndexByte(o.key[1:], '/') + 1
	plural := strings.IndexByte(o.key[group+1:], '/') + group + 1
	return s.stored[o.key[:plural+1]]
}

// Resources are all that are served, in no order.
func (s *Server) Resources() iter.Seq[Resource] { return maps.Values(s.resources) }

// Config says what a Server serves.
type Config struct {
	// Definitions are those of the custom resources.
	Definitions []*apiextensionsv1.CustomResourceDefinition
	// Generations makes those of objects tokens, which can be renamed: where objects are
	// changed for ever, States repeat nevertheless. Without it they are 1, 2, and so on.
	Generations bool
	// Names makes the ends of generated names tokens, too. What is generated next is behind all
	// that is known then; without it, it is the first that is free.
	Names bool
}

// ownResources serves the built-in kinds of all Servers: what there is comes with each request.
var ownResources = sync.OnceValues(func() (http.Handler, error) { return builtinResources(builtins) })

// NewServer makes a Server, or says what is wrong with a definition.
func NewServer(c Config) (*Server, error) {
	custom, err := customResources(c.Definitions)
	if err != nil {
		return nil, err
	}
	own, err := ownResources()
	if err != nil {
		return nil, err
	}
	drawn := &prefixes{}
	s := &Server{custom: custom, builtin: own, groups: map[string]bool{}, names: drawn, objects: newPool(drawn), generations: c.Generations, renamed: c.Names, resources: map[schema.GroupVersionKind]Resource{}, stored: map[string]Resource{}}
	for _, d := range c.Definitions {
		s.groups[d.Spec.Group] = true
		for _, v := range d.Spec.Versions {
			gv := schema.GroupVersion{Group: d.Spec.Group, Version: v.Name}
			kind := gv.WithKind(d.Spec.Names.Kind)
			r := Resource{kind, gv.WithResource(d.Spec.Names.Plural), d.Spec.Scope == apiextensionsv1.NamespaceScoped}
			s.resources[kind] = r
			if v.Storage {
				s.stored[r.Prefix("")] = r
			}
		}
	}
	for _, k := range builtins {
		r := Resource{k.kind, k.kind.GroupVersion().WithResource(k.plural), !k.cluster}
		s.resources[k.kind], s.stored[r.Prefix("")] = r, r
	}
	return s, nil
}

// Do answers r in a State, and gives the State that there is then. An answer is not to
// be changed: it is remembered.
func (s *Server) Do(state State, r *Request) (State, *Response) {
	r = s.named(state, r)
	fingerprint := r.fingerprint()
	known := s.memo.find(fingerprint, state)
	if known == nil {
		known = s.ask(state, r)
		if known.read != nil {
			s.memo.keep(fingerprint, known)
		}
	}
	state.created += known.made
	for _, e := range known.response.Events {
		state = state.after(e)
	}
	return state, &known.response
}

// ask has the registry answer r. What it gives has no read if it depends on
// everything.
func (s *Server) ask(state State, r *Request) *remembered {
	tx := &transaction{state: state, objects: s.objects, generations: s.generations, read: map[string]*Object{}, scale: r.Subresource == "scale"}
	a := &answer{header: http.Header{}}
	s.serve(a, r, tx)
	out := &remembered{read: tx.read, created: state.created, counted: tx.counted, response: *a.response(), made: tx.state.created - state.created}
	out.response.Events = tx.events
	if tx.all {
		out.read = nil
	}
	return out
}

// serve has the registry answer r in a transaction.
func (s *Server) serve(a *answer, r *Request, tx *transaction) {
	defer func() {
		if recover() != nil { // some JSON patches do it, and kube-apiserver says so
			*a = answer{header: http.Header{}, custom: a.custom, warnings: a.warnings}
			http.Error(a, "This request caused apiserver to panic. Look in the logs for details.", http.StatusInternalServerError)
			tx.events = nil
		}
	}()
	h := s.builtin
	if a.custom = s.groups[r.Resource.Group]; a.custom {
		h = s.custom
	}
	ctx := warning.WithWarningRecorder(context.Background(), a)
	h.ServeHTTP(a, r.http(context.WithValue(ctx, transactionKey{}, tx)))
	if !a.custom && a.code == http.StatusNotFound && !json.Valid(a.body.Bytes()) {
		// go-restful knows no such path, and says so in its own words.
		a.status(apierrors.NewGenericServerResponse(a.code, "", schema.GroupResource{}, "", "", 0, false).Status())
	}
}

// requestTimeout is longer than anything takes.
const requestTimeout = time.Hour

// maxBody is how many bytes a body may have, as in kube-apiserver.
const maxBody = 3 << 20

func customResources(definitions []*apiextensionsv1.CustomResourceDefinition) (http.Handler, error) {
	known := cache.NewSharedIndexInformer(&cache.ListWatch{}, &apiextensionsv1.CustomResourceDefinition{}, 0, cache.Indexers{})
	for _, d := range definitions {
		d = established(d)
		if err := validDefinition(d); err != nil {
			return nil, err
		}
		if err := known.GetIndexer().Add(d); err != nil {
			return nil, err
		}
	}
	schemas, err := staticSchemas()
	if err != nil {
		return nil, err
	}
	nobody := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "404 page not found", http.StatusNotFound) })
	return apiextensions.NewCustomResourceDefinitionHandler(nil, nil, informer{known}, nobody, options{unstructured.UnstructuredJSONScheme}, lifecycle{}, nil,
		nil, nil, 1, authorizerfactory.NewAlwaysAllowAuthorizer(), requestTimeout, requestTimeout, schemas, maxBody)
}

// established is a definition as it is when its resources are served.
func established(d *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinition {
	d = d.DeepCopy()
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&d.Spec)
	d.UID = types.UID(d.Name) // by which the handler tells them apart
	d.Status.AcceptedNames = d.Spec.Names
	for _, v := range d.Spec.Versions {
		if v.Storage {
			d.Status.StoredVersions = []string{v.Name}
		}
	}
	for _, t := range []apiextensionsv1.CustomResourceDefinitionConditionType{apiextensionsv1.NamesAccepted, apiextensionsv1.Established} {
		d.Status.Conditions = append(d.Status.Conditions, apiextensionsv1.CustomResourceDefinitionCondition{Type: t, Status: apiextensionsv1.ConditionTrue})
	}
	return d
}

// validDefinition is what kube-apiserver would say if the definition were created.
func validDefinition(d *apiextensionsv1.CustomResourceDefinition) error {
	var internal apiextensionsinternal.CustomResourceDefinition
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(d, &internal, nil); err != nil {
		return fmt.Errorf("the CustomResourceDefinition %s: %w", d.Name, err)
	}
	if err := validation.ValidateCustomResourceDefinition(context.Background(), &internal).ToAggregate(); err != nil {
		return fmt.Errorf("the CustomResourceDefinition %s is not valid: %w", d.Name, err)
	}
	return nil
}

// informer gives definitions that do not change.
type informer struct{ cache.SharedIndexInformer }

var _ informers.CustomResourceDefinitionInformer = informer{}

func (i informer) Informer() cache.SharedIndexInformer { return i.SharedIndexInformer }
func (i informer) Lister() listers.CustomResourceDefinitionLister {
	return listers.NewCustomResourceDefinitionLister(i.GetIndexer())
}

// options are those of every registry: no cache, and the store. The codec copies what a
// dry run would have stored.
type options struct{ codec runtime.Codec }

func (o options) GetRESTOptions(r schema.GroupResource, _ runtime.Object) (generic.RESTOptions, error) {
	group := r.Group
	if group == "" {
		group = "core"
	}
	return generic.RESTOptions{
		StorageConfig: &storagebackend.ConfigForResource{Config: storagebackend.Config{Codec: dryCodec{o.codec}}, GroupResource: r}, Decorator: decorate,
		EnableGarbageCollection: true, DeleteCollectionWorkers: 1, ResourcePrefix: "/" + group + "/" + r.Resource,
	}, nil
}

func decorate(c *storagebackend.ConfigForResource, _ string, _ func(runtime.Object) (string, error), newFunc, _ func() runtime.Object, _ storage.AttrFunc, _ storage.IndexerFuncs, _ *cache.Indexers) (storage.Interface, factory.DestroyFunc, error) {
	return &store{newObject: newFunc, codec: c.Codec}, func() {}, nil
}
