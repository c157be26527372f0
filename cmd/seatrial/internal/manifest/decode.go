package manifest

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"        // registers the group
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install" // registers the group
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install" // registers the group
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"     // registers the group
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install" // registers the group
	deploymentregistry "k8s.io/kubernetes/pkg/registry/apps/deployment"
	autoscalerregistry "k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	budgetregistry "k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	priorityclassregistry "k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
)

// modelKind is a kind that the model covers.
type modelKind struct {
	group, kind string
	// versions are those that the API server serves; the first is the one that
	// the model uses.
	versions      []string
	clusterScoped bool
	creation      creation
}

// modelKinds are the kinds of the Kubernetes API that the model covers.
var modelKinds = []modelKind{
	{group: "apps", kind: "Deployment", versions: []string{"v1"}, creation: deploymentregistry.Strategy},
	{group: "apps", kind: "ReplicaSet", versions: []string{"v1"}, creation: replicaSetCreation{}},
	{group: "", kind: "Pod", versions: []string{"v1"}, creation: podCreation{}},
	{group: "autoscaling", kind: "HorizontalPodAutoscaler", versions: []string{"v2", "v1"}, creation: autoscalerregistry.Strategy},
	{group: "policy", kind: "PodDisruptionBudget", versions: []string{"v1"}, creation: budgetregistry.Strategy},
	{group: "", kind: "Node", versions: []string{"v1"}, clusterScoped: true, creation: validateOnly(func(obj runtime.Object) field.ErrorList {
		return corevalidation.ValidateNode(obj.(*core.Node))
	})},
	{group: "", kind: "Namespace", versions: []string{"v1"}, clusterScoped: true, creation: namespaceCreation{}},
	{group: "", kind: "Service", versions: []string{"v1"}, creation: serviceCreation{}},
	{group: "scheduling.k8s.io", kind: "PriorityClass", versions: []string{"v1"}, clusterScoped: true, creation: priorityclassregistry.Strategy},
}

func modelKindOf(group, kind string) *modelKind {
	for i := range modelKinds {
		if modelKinds[i].group == group && modelKinds[i].kind == kind {
			return &modelKinds[i]
		}
	}
	return nil
}

// modelKindNamed is the modelled kind of that name, whatever its group.
func modelKindNamed(kind string) *modelKind {
	for i := range modelKinds {
		if modelKinds[i].kind == kind {
			return &modelKinds[i]
		}
	}
	return nil
}

var strictJSON = serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory,
	legacyscheme.Scheme, legacyscheme.Scheme, serializer.SerializerOptions{Strict: true})

// decodeObject turns the JSON of a modelled kind into an object of the model's
// version: decoded strictly, defaulted, and validated as on creation. The
// source's Kind, Namespace and Name are filled in.
func decodeObject(raw []byte, gvk schema.GroupVersionKind, source *Source) (runtime.Object, Problems) {
	k := modelKindOf(gvk.Group, gvk.Kind)
	if !slices.Contains(k.versions, gvk.Version) {
		return nil, Problems{source.problem("apiVersion", "%s %s is not served by Kubernetes %s: use %s",
			gvk.GroupVersion(), gvk.Kind, KubernetesVersion, schema.GroupVersion{Group: k.group, Version: k.versions[0]})}
	}
	var obj runtime.Object
	err := guard(func() (err error) {
		if obj, _, err = strictJSON.Decode(raw, nil, nil); err == nil {
			legacyscheme.Scheme.Default(obj)
		}
		return err
	})
	if err != nil {
		target, _ := legacyscheme.Scheme.New(gvk)
		return nil, explain(raw, target, source, err)
	}
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return nil, Problems{source.problem("", "%v", err)}
	}
	if !k.clusterScoped && accessor.GetNamespace() == "" {
		accessor.SetNamespace(corev1.NamespaceDefault)
	}
	source.Namespace, source.Name = accessor.GetNamespace(), accessor.GetName()
	var problems Problems
	if accessor.GetName() == "" && accessor.GetGenerateName() != "" {
		problems = append(problems, source.problem("metadata.generateName", "metadata.name: Required value: a check needs the name; generateName gives none before creation"))
	}
	internal, err := legacyscheme.Scheme.ConvertToVersion(obj.DeepCopyObject(), runtime.InternalGroupVersioner)
	if err != nil {
		return nil, append(problems, source.problem("", "%v", err))
	}
	value, err := modelVersion(k, gvk, obj, internal)
	if err != nil {
		return nil, append(problems, source.problem("", "%v", err))
	}
	if accessor, err := meta.Accessor(internal); err == nil && len(problems) > 0 {
		accessor.SetName(accessor.GetGenerateName() + "0") // as the API server names it before it validates
	}
	problems = append(problems, validate(k, gvk, internal, source)...)
	return value, problems
}

// modelVersion converts to the version that the model uses.
func modelVersion(k *modelKind, gvk schema.GroupVersionKind, obj, internal runtime.Object) (runtime.Object, error) {
	if gvk.Version == k.versions[0] {
		return obj, nil
	}
	target := schema.GroupVersion{Group: k.group, Version: k.versions[0]}
	value, err := legacyscheme.Scheme.ConvertToVersion(internal.DeepCopyObject(), target)
	if err != nil {
		return nil, err
	}
	legacyscheme.Scheme.Default(value)
	return value, nil
}

// validate runs the creation strategy on a copy, whose status it clears.
func validate(k *modelKind, gvk schema.GroupVersionKind, internal runtime.Object, source *Source) Problems {
	ctx := genericrequest.WithNamespace(context.Background(), source.Namespace)
	ctx = genericrequest.WithRequestInfo(ctx, &genericrequest.RequestInfo{
		IsResourceRequest: true, Verb: "create",
		APIGroup: gvk.Group, APIVersion: gvk.Version, Namespace: source.Namespace, Name: source.Name,
	})
	if pod, ok := internal.(*core.Pod); ok {
		// A pod of a running cluster may have got some; they come through their
		// own subresource and may not stand in a create.
		pod.Spec.EphemeralContainers = nil
	}
	var errs field.ErrorList
	err := guard(func() error {
		k.creation.PrepareForCreate(ctx, internal)
		errs = k.creation.Validate(ctx, internal)
		return nil
	})
	if err != nil {
		return Problems{source.problem("", "Kubernetes' own validation failed on it: %v", err)}
	}
	return fieldProblems(errs, gvk, source)
}

// fieldProblems places validation errors.
func fieldProblems(errs field.ErrorList, gvk schema.GroupVersionKind, source *Source) Problems {
	var problems Problems
	for _, e := range errs {
		path, place := e.Field, e.Field
		switch {
		case path == "<nil>":
			path, place = "", ""
		case gvk.Kind == "Node" && strings.HasPrefix(path, "metadata.taints"):
			// The API server's validation says metadata, but means spec.
			path = "spec" + strings.TrimPrefix(path, "metadata")
			place = path
		case gvk.Kind == "HorizontalPodAutoscaler" && gvk.Version == "v1" && strings.HasPrefix(path, "spec.metrics"):
			place = "spec.targetCPUUtilizationPercentage"
		}
		problem := source.problem(place, "%s: %s", path, errorBody(e))
		if path == "" {
			problem.Message = errorBody(e)
		}
		problems = append(problems, problem)
	}
	return problems
}

// errorBody is a field error without its path, and without the value where
// that is a whole object.
func errorBody(e *field.Error) string {
	switch t := reflect.Indirect(reflect.ValueOf(e.BadValue)); t.Kind() {
	case reflect.Struct:
		if _, ok := e.BadValue.(fmt.Stringer); ok || e.Detail == "" {
			break
		}
		return e.Type.String() + ": " + e.Detail
	}
	return e.ErrorBody()
}

// problem is a problem at a field of the source's document.
func (s *Source) problem(path, format string, args ...any) Problem {
	return Problem{Location: s.Position(path), Message: fmt.Sprintf(format, args...)}
}

// header is what every document has to have.
type header struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Schema marks what this program wrote.
	Schema   string `json:"schema"`
	Metadata struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
}

// headerOf reads a document's header. Metadata of another shape is left for
// the strict decoding to explain.
func headerOf(raw []byte) header {
	var fields struct {
		APIVersion json.RawMessage `json:"apiVersion"`
		Kind       json.RawMessage `json:"kind"`
		Metadata   json.RawMessage `json:"metadata"`
		Schema     json.RawMessage `json:"schema"`
	}
	var h header
	if json.Unmarshal(raw, &fields) != nil {
		return h
	}
	text := func(raw json.RawMessage) (s string) {
		if json.Unmarshal(raw, &s) != nil {
			return ""
		}
		return s
	}
	h.APIVersion, h.Kind, h.Schema = text(fields.APIVersion), text(fields.Kind), text(fields.Schema)
	var metadata map[string]json.RawMessage
	if json.Unmarshal(fields.Metadata, &metadata) == nil {
		h.Metadata.Name, h.Metadata.Namespace = text(metadata["name"]), text(metadata["namespace"])
	}
	return h
}
