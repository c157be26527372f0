package schema

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/seatrial/seatrial/history"
)

// Definition is one version of a custom resource, as its CustomResourceDefinition
// has it. Many may use it at once.
type Definition struct {
	// Name is that of the CustomResourceDefinition.
	Name string
	// Kind has the version, too.
	Kind schema.GroupVersionKind
	// Plural and Singular are the resource's names.
	Plural, Singular string
	Namespaced       bool
	// Served are the versions that the API server serves, as the definition lists them; Stored
	// is the one that it stores.
	Served []string
	Stored string
	// Converts tells that a webhook converts between versions: what is stored cannot be
	// known then if Stored is another version.
	Converts bool
	// Status tells that the status is a resource of its own: who writes the rest does
	// not write it.
	Status bool
	// Scale is where replicas are; nil if there is no such subresource.
	Scale *Scale
	// Root is the whole object: Path is empty, Children have spec among them.
	Root *Property

	properties  []*Property
	byPath      map[string]*Property
	crd         *apiextensionsv1.CustomResourceDefinition
	scale       *apiextensionsv1.CustomResourceSubresourceScale
	structurals map[string]*structural.Structural
	strategy    func() (*strategy, error)
}

// Scale is the paths of a scale subresource, without a dot before them.
type Scale struct {
	Replicas, StatusReplicas string
	// Selector is empty if there is none.
	Selector string
}

// Decode reads a CustomResourceDefinition. It has to be of apiextensions.k8s.io/v1.
func Decode(o history.Object) (*apiextensionsv1.CustomResourceDefinition, error) {
	switch version, kind := o.Text("apiVersion"), o.Text("kind"); {
	case kind != "CustomResourceDefinition":
		return nil, fmt.Errorf("it is a %q, not a CustomResourceDefinition", kind)
	case version == "apiextensions.k8s.io/v1beta1":
		return nil, errors.New("it is of apiextensions.k8s.io/v1beta1, which no Kubernetes since 1.22 serves: write it as apiextensions.k8s.io/v1, with a schema for each version")
	case version != apiextensionsv1.SchemeGroupVersion.String():
		return nil, fmt.Errorf("its apiVersion is %q, not apiextensions.k8s.io/v1", version)
	}
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := json.Unmarshal(text, crd); err != nil {
		return nil, fmt.Errorf("it is no CustomResourceDefinition: %w", err)
	}
	return crd, nil
}

// Open reads the version of a custom resource that a resource's apiVersion names,
// group/version; an empty one stands for the version that is stored, or the first that
// is served if that is not. It says what is wrong with a definition that an API
// server would not take, in one line without a place.
func Open(crd *apiextensionsv1.CustomResourceDefinition, apiVersion string) (*Definition, error) {
	crd = established(crd)
	if err := Validate(crd); err != nil {
		return nil, err
	}
	d := &Definition{
		Name: crd.Name, Plural: crd.Spec.Names.Plural, Singular: crd.Spec.Names.Singular, Namespaced: crd.Spec.Scope == apiextensionsv1.NamespaceScoped,
		crd: crd, structurals: map[string]*structural.Structural{},
		Converts: crd.Spec.Conversion != nil && crd.Spec.Conversion.Strategy == apiextensionsv1.WebhookConverter,
	}
	for _, v := range crd.Spec.Versions {
		if v.Served {
			d.Served = append(d.Served, v.Name)
		}
		if v.Storage {
			d.Stored = v.Name
		}
	}
	version, err := d.version(apiVersion)
	if err != nil {
		return nil, err
	}
	d.Kind = schema.GroupVersionKind{Group: crd.Spec.Group, Version: version, Kind: crd.Spec.Names.Kind}
	for _, v := range []string{version, d.Stored} {
		if d.structurals[v], err = structuralOf(crd, v); err != nil {
			return nil, err
		}
	}
	if s, err := apihelpers.GetSubresourcesForVersion(crd, version); err == nil && s != nil {
		d.Status = s.Status != nil
		if d.scale = s.Scale; s.Scale != nil {
			d.Scale = &Scale{Replicas: trimDot(&s.Scale.SpecReplicasPath), StatusReplicas: trimDot(&s.Scale.StatusReplicasPath), Selector: trimDot(s.Scale.LabelSelectorPath)}
		}
	}
	d.strategy = sync.OnceValues(d.newStrategy)
	d.grow()
	return d, nil
}

func trimDot(path *string) string {
	if path == nil {
		return ""
	}
	return strings.TrimPrefix(*path, ".")
}

// version is the version of an apiVersion.
func (d *Definition) version(apiVersion string) (string, error) {
	if apiVersion == "" {
		if len(d.Served) == 0 || slices.Contains(d.Served, d.Stored) {
			return d.Stored, nil
		}
		return d.Served[0], nil
	}
	group := d.crd.Spec.Group
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || gv.Group != group {
		return "", fmt.Errorf("the CustomResourceDefinition %s is of the group %s, the resource's apiVersion is %s", d.Name, group, apiVersion)
	}
	switch {
	case len(d.Served) == 0:
		return "", fmt.Errorf("the CustomResourceDefinition %s serves no version: set served: true for that of the resource", d.Name)
	case !slices.Contains(d.Served, gv.Version):
		return "", fmt.Errorf("the CustomResourceDefinition %s does not serve the version %s: the resource can be of %s", d.Name, gv.Version, group+"/"+strings.Join(d.Served, ", "+group+"/"))
	}
	return gv.Version, nil
}

// Validate says why an API server would refuse a definition; nil if it would not.
func Validate(crd *apiextensionsv1.CustomResourceDefinition) error {
	crd = established(crd)
	var internal apiextensions.CustomResourceDefinition
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(crd, &internal, nil); err != nil {
		return fmt.Errorf("the CustomResourceDefinition %s is not valid: %w", crd.Name, err)
	}
	found := crdvalidation.ValidateCustomResourceDefinition(context.Background(), &internal)
	if len(found) == 0 {
		return nil
	}
	// The first says what to change; a mistake in a schema often makes dozens of them.
	text := found[0].Error()
	if more := len(found) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return &InvalidError{crd.Name, found[0].Field, text}
}

// InvalidError is why an API server would refuse a definition.
type InvalidError struct {
	Name string
	// Field is the first place that is wrong, as the API server says it: spec.versions[0].schema.
	Field  string
	Reason string
}

func (e *InvalidError) Error() string {
	return fmt.Sprintf("the CustomResourceDefinition %s is not valid: %s", e.Name, e.Reason)
}

// established is a definition as it is when its resources are served. What is so already
// is given back as it is.
func established(crd *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinition {
	crd = crd.DeepCopy()
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(crd)
	crd.ResourceVersion, crd.ManagedFields = "", nil
	crd.Status = apiextensionsv1.CustomResourceDefinitionStatus{AcceptedNames: crd.Spec.Names, StoredVersions: []string{}}
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			crd.Status.StoredVersions = append(crd.Status.StoredVersions, v.Name)
		}
	}
	return crd
}

// structuralOf is the schema of a version, as the API server uses it.
func structuralOf(crd *apiextensionsv1.CustomResourceDefinition, version string) (*structural.Structural, error) {
	internal, err := internalSchema(crd, version)
	if err != nil {
		return nil, err
	}
	s, err := structural.NewStructural(internal)
	if err == nil {
		s = s.DeepCopy() // defaults are shared with the definition otherwise
		err = defaulting.PruneDefaults(s)
	}
	if err != nil {
		return nil, fmt.Errorf("the schema of the version %s of the CustomResourceDefinition %s: %w", version, crd.Name, err)
	}
	return s, nil
}

func internalSchema(crd *apiextensionsv1.CustomResourceDefinition, version string) (*apiextensions.JSONSchemaProps, error) {
	v, err := apihelpers.GetSchemaForVersion(crd, version)
	if err != nil {
		return nil, err
	}
	if v == nil || v.OpenAPIV3Schema == nil {
		return nil, fmt.Errorf("the version %s of the CustomResourceDefinition %s has no schema", version, crd.Name)
	}
	internal := &apiextensions.CustomResourceValidation{}
	if err := apiextensionsv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(v, internal, nil); err != nil {
		return nil, err
	}
	return internal.OpenAPIV3Schema, nil
}
