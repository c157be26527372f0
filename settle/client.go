package settle

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/seatrial/seatrial/settle/internal/manager"
	"github.com/seatrial/seatrial/settle/kubestate"
)

// asker answers calls: a reconcile that is run again, or a state that is looked at.
type asker interface{ ask(*call) *answer }

// scripted is the client that reconcilers are given. Whom it asks is set before each run.
type scripted struct {
	// What is not below goes by wire; nil where there are no reconcilers.
	client.Client
	server *kubestate.Server
	scheme *runtime.Scheme
	mapper meta.RESTMapper
	types  *typed
	agent  string
	asker  asker
	// cache says what is read from caches; nil is nothing.
	cache *caching
	// misused is told what no reconciler and no property can make up for; strict: a kind that is
	// not served is such a thing, too.
	misused func(error)
	strict  bool
	// served are the resources of what was asked for.
	served few[said, kubestate.Resource]
	// written are the writes that were made before.
	written written
	// systems are what reconcilers can Connect to.
	systems []System
}

func (c *scripted) Scheme() *runtime.Scheme     { return c.scheme }
func (c *scripted) RESTMapper() meta.RESTMapper { return c.mapper }
func (c *scripted) GroupVersionKindFor(o runtime.Object) (schema.GroupVersionKind, error) {
	return apiutil.GVKForObject(o, c.scheme)
}

func (c *scripted) IsObjectNamespaced(o runtime.Object) (bool, error) {
	return apiutil.IsObjectNamespaced(o, c.scheme, c.mapper)
}

// resource is that of an object or a list.
func (c *scripted) resource(o runtime.Object) (kubestate.Resource, error) {
	if r, ok := c.asker.(*rerun); ok && r.many {
		room()
	}
	of := said{like: reflect.TypeOf(o)}
	of.version, of.kind = spoken(o)
	if known, ok := c.served.get(of); ok {
		return known, nil
	}
	kind, err := apiutil.GVKForObject(o, c.scheme)
	if err != nil {
		c.misuse(err)
		return kubestate.Resource{}, err
	}
	kind.Kind = strings.TrimSuffix(kind.Kind, "List")
	r, ok := c.server.Resource(kind)
	if !ok {
		err := &meta.NoKindMatchError{GroupKind: kind.GroupKind(), SearchedVersions: []string{kind.Version}}
		if c.strict {
			c.misuse(err)
		}
		return r, err
	}
	c.served.add(of, r)
	return r, nil
}

// said is what an object says of its kind.
type said struct {
	like          reflect.Type
	version, kind string
}

// spoken are the apiVersion and kind that an object or a list has.
func spoken(o runtime.Object) (version, kind string) {
	switch o := o.(type) {
	case *unstructured.Unstructured:
		version, _ = o.Object["apiVersion"].(string)
		kind, _ = o.Object["kind"].(string)
	case *unstructured.UnstructuredList:
		version, _ = o.Object["apiVersion"].(string)
		kind, _ = o.Object["kind"].(string)
	default:
		version, kind = o.GetObjectKind().GroupVersionKind().ToAPIVersionAndKind()
	}
	return version, kind
}

func (c *scripted) misuse(err error) {
	if c.misused != nil {
		c.misused(fmt.Errorf("settle: %w", missingOr(err)))
	}
}

// missing says what to add to a configuration for an error, nil if nothing is missing.
func missing(err error) error {
	switch {
	case err == nil:
		return nil
	case runtime.IsNotRegisteredError(err):
		return fmt.Errorf("%w: add it to Config.Scheme with AddToScheme of its package", err)
	case meta.IsNoMatchError(err):
		return fmt.Errorf("%w: add its CustomResourceDefinition to Config.CRDs or Config.Definitions", err)
	}
	switch err := err.(type) { //nolint:errorlint // it goes through what is wrapped
	case interface{ Unwrap() error }:
		return missing(err.Unwrap())
	case interface{ Unwrap() []error }:
		for _, one := range err.Unwrap() {
			if found := missing(one); found != nil {
				return found
			}
		}
	}
	return nil
}

// Get is part of client.Reader.
func (c *scripted) Get(ctx context.Context, key client.ObjectKey, o client.Object, _ ...client.GetOption) error {
	r, err := c.resource(o)
	if err != nil {
		return err
	}
	return c.get(ctx, r, key, o, c.cache.reads(r.Kind, manager.FormOf(o)))
}

func (c *scripted) get(ctx context.Context, r kubestate.Resource, key client.ObjectKey, o client.Object, cached bool) error {
	path := r.Prefix(key.Namespace) + key.Name
	return c.give(ctx, &call{resource: r, key: path, cached: cached, form: manager.FormOf(o), title: "get " + short(path), text: "get " + path}, o)
}

// give makes a call, which no write is whose context is done, and copies what it got to o.
func (c *scripted) give(ctx context.Context, to *call, o client.Object) error {
	a, err := c.tell(ctx, to)
	switch {
	case err != nil:
		return err
	case a.status != nil:
		return c.types.failure(a)
	}
	if o == nil {
		return nil
	}
	before := o.GetObjectKind().GroupVersionKind()
	switch {
	case a.drawn != nil:
		err = json.Unmarshal(a.drawn, o)
	case a.object != nil:
		err = c.types.copy(a.object, o)
	}
	c.called(to, o, before)
	return err
}

// called has an object of a type of its own call itself what it does behind a client of controller-runtime: its kind
// if it is from a cache; what it did before if it was updated or patched; and else nothing, since that is
// what is decoded by (WithoutVersionDecoder of k8s.io/apimachinery).
func (c *scripted) called(to *call, o client.Object, before schema.GroupVersionKind) {
	if c.cache == nil || to.form != manager.Typed {
		return // a property's is whole
	}
	switch {
	case to.cached:
		before = to.resource.Kind
	case to.write == nil || to.write.Verb == "create":
		before = schema.GroupVersionKind{}
	}
	o.GetObjectKind().SetGroupVersionKind(before)
}

// failure is the error that a client makes of a Status.
func failure(text []byte) error {
	var s metav1.Status
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	return &apierrors.StatusError{ErrStatus: s}
}

// short is a key as a trace shows it, without the group: foos default/foo-1.
func short(key string) string {
	_, key, _ = strings.Cut(strings.TrimPrefix(key, "/"), "/")
	resource, name, _ := strings.Cut(key, "/")
	return strings.TrimSuffix(resource+" "+strings.TrimSuffix(name, "/"), " ")
}

// titleMax bounds the patch that a trace shows.
const titleMax = 80

// writing makes a write.
func (c *scripted) writing(verb string, o client.Object, subresource string, change func(*kubestate.Request)) (*call, error) {
	r, err := c.resource(o)
	if err != nil {
		return nil, err
	}
	q := &kubestate.Request{Verb: verb, Resource: r.Resource, Namespace: o.GetNamespace(), Name: o.GetName(), Subresource: subresource, Agent: c.agent}
	change(q)
	return titled(&call{write: q, resource: r, form: manager.FormOf(o)}, q, o.GetGenerateName()), nil
}

// titled says of a call what it asks for: a write, or a read of a subresource.
func titled(to *call, q *kubestate.Request, generate string) *call {
	to.key = to.resource.Prefix(q.Namespace) + q.Name
	name := to.key
	if q.Verb == "create" && q.Subresource == "" {
		if q.Name == "" {
			name += generate + "*"
		}
		q.Name = ""
	}
	if q.Subresource != "" {
		name += "/" + q.Subresource
	}
	to.title = q.Verb + " " + short(name)
	to.text = q.Verb + " " + name + manner(q) + " " + string(q.Body)
	if q.Verb == "patch" && len(q.Body) <= titleMax {
		to.title += " " + string(q.Body)
	}
	return to
}

// manner is how a write is made: of what type its patch is, and its options. One that is a dry run, or
// of other objects that a selector chooses, is another write.
func manner(q *kubestate.Request) (out string) {
	if q.Patch != "" {
		out += " " + q.Patch
	}
	if len(q.Options) > 0 {
		out += " ?" + optionsText(q.Options)
	}
	return out
}

// optionsText are options in order, as they are: what is counted is found in it.
func optionsText(options url.Values) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(options)) {
		for _, value := range options[name] {
			all = append(all, name+"="+value)
		}
	}
	return strings.Join(all, "&")
}

// body is an object as a client sends it.
func (c *scripted) body(o client.Object) ([]byte, error) {
	kind, err := apiutil.GVKForObject(o, c.scheme)
	if err != nil {
		return nil, err
	}
	if o.GetObjectKind().GroupVersionKind() != kind { // a field of its own, so that the rest need not be copied
		shallow := reflect.New(reflect.TypeOf(o).Elem())
		shallow.Elem().Set(reflect.ValueOf(o).Elem())
		o, _ = shallow.Interface().(client.Object)
		o.GetObjectKind().SetGroupVersionKind(kind)
	}
	if u, ok := o.(*unstructured.Unstructured); ok { // json.Marshal would go through it twice
		text, err := u.MarshalJSON()
		return bytes.TrimSuffix(text, []byte("\n")), err
	}
	return json.Marshal(o)
}

func (c *scripted) put(ctx context.Context, verb, subresource string, o client.Object, options url.Values) error {
	to, err := c.written.again(verb, subresource, options, func() (*call, error) {
		body, err := c.body(o)
		if err != nil {
			return nil, err
		}
		return c.writing(verb, o, subresource, func(q *kubestate.Request) { q.Body, q.Options = body, options })
	}, o)
	if err != nil {
		return err
	}
	return c.give(ctx, to, o)
}

// Create is part of client.Writer.
func (c *scripted) Create(ctx context.Context, o client.Object, opts ...client.CreateOption) error {
	options := client.CreateOptions{}
	options.ApplyOptions(opts)
	return c.put(ctx, "create", "", o, queryOf(options.DryRun, options.FieldManager, options.FieldValidation))
}

// Update is part of client.Writer.
func (c *scripted) Update(ctx context.Context, o client.Object, opts ...client.UpdateOption) error {
	options := client.UpdateOptions{}
	options.ApplyOptions(opts)
	return c.put(ctx, "update", "", o, queryOf(options.DryRun, options.FieldManager, options.FieldValidation))
}

func queryOf(dryRun []string, manager, validation string) url.Values {
	if len(dryRun) == 0 && manager == "" && validation == "" {
		return nil
	}
	q := url.Values{}
	for _, d := range dryRun {
		q.Add("dryRun", d)
	}
	if manager != "" {
		q.Set("fieldManager", manager)
	}
	if validation != "" {
		q.Set("fieldValidation", validation)
	}
	return q
}

// Patch is part of client.Writer.
func (c *scripted) Patch(ctx context.Context, o client.Object, patch client.Patch, opts ...client.PatchOption) error {
	options := client.PatchOptions{}
	options.ApplyOptions(opts)
	return c.patch(ctx, "", o, patch, &options)
}

func (c *scripted) patch(ctx context.Context, subresource string, o client.Object, patch client.Patch, options *client.PatchOptions) error {
	query := queryOf(options.DryRun, options.FieldManager, options.FieldValidation)
	if options.Force != nil {
		if query == nil {
			query = url.Values{}
		}
		query.Set("force", strconv.FormatBool(*options.Force))
	}
	to, err := c.written.again("patch", subresource, query, func() (*call, error) {
		body, err := patch.Data(o) // what is applied has to say its kind: no client adds it
		if err != nil {
			return nil, err
		}
		return c.writing("patch", o, subresource, func(q *kubestate.Request) {
			q.Body, q.Patch, q.Options = body, string(patch.Type()), query
		})
	}, o, patch)
	if err != nil {
		return err
	}
	return c.give(ctx, to, o)
}

// Delete is part of client.Writer.
func (c *scripted) Delete(ctx context.Context, o client.Object, opts ...client.DeleteOption) error {
	options := client.DeleteOptions{}
	options.ApplyOptions(opts)
	body, err := json.Marshal(deletion(options.AsDeleteOptions()))
	if err != nil {
		return err
	}
	to, err := c.writing("delete", o, "", func(q *kubestate.Request) { q.Body = body })
	if err != nil {
		return err
	}
	return c.give(ctx, to, nil)
}

func deletion(o *metav1.DeleteOptions) *metav1.DeleteOptions {
	o.TypeMeta = metav1.TypeMeta{Kind: "DeleteOptions", APIVersion: "v1"}
	return o
}

// DeleteAllOf is part of client.Writer.
func (c *scripted) DeleteAllOf(ctx context.Context, o client.Object, opts ...client.DeleteAllOfOption) error {
	options := client.DeleteAllOfOptions{}
	options.ApplyOptions(opts)
	body, err := json.Marshal(deletion(options.AsDeleteOptions()))
	if err != nil {
		return err
	}
	query := url.Values{}
	if options.LabelSelector != nil {
		query.Set("labelSelector", options.LabelSelector.String())
	}
	if options.FieldSelector != nil {
		query.Set("fieldSelector", options.FieldSelector.String())
	}
	to, err := c.writing("deletecollection", o, "", func(q *kubestate.Request) {
		q.Namespace, q.Name, q.Body, q.Options = options.Namespace, "", body, query
	})
	if err != nil {
		return err
	}
	return c.give(ctx, to, nil)
}

// Status is part of client.StatusClient.
func (c *scripted) Status() client.SubResourceWriter { return c.SubResource("status") }

// SubResource is part of client.SubResourceClientConstructor.
func (c *scripted) SubResource(name string) client.SubResourceClient {
	s := &subresource{client: c, name: name}
	if c.Client != nil {
		s.SubResourceClient = c.Client.SubResource(name)
	}
	return s
}

type subresource struct {
	// What is not below goes by wire.
	client.SubResourceClient
	client *scripted
	name   string
}

// Update is part of client.SubResourceWriter.
func (s *subresource) Update(ctx context.Context, o client.Object, opts ...client.SubResourceUpdateOption) error {
	options := client.SubResourceUpdateOptions{}
	options.ApplyOptions(opts)
	if options.SubResourceBody != nil {
		return s.SubResourceClient.Update(ctx, o, opts...)
	}
	return s.client.put(ctx, "update", s.name, o, queryOf(options.DryRun, options.FieldManager, options.FieldValidation))
}

// Patch is part of client.SubResourceWriter.
func (s *subresource) Patch(ctx context.Context, o client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
	options := client.SubResourcePatchOptions{}
	options.ApplyOptions(opts)
	if options.SubResourceBody != nil {
		return s.SubResourceClient.Patch(ctx, o, patch, opts...)
	}
	return s.client.patch(ctx, s.name, o, patch, &options.PatchOptions)
}
