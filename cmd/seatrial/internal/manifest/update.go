package manifest

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/apps"
	deploymentregistry "k8s.io/kubernetes/pkg/registry/apps/deployment"
)

// Update says what the API server would have against the change of a Deployment
// to another version, which the manifest at path of the Scenario leaves: what
// validation refuses of any Deployment, and that a field cannot be changed. Both
// are defaulted; neither is changed. Its error is a Problems.
func (in *Input) Update(before, after *appsv1.Deployment, path string) error {
	source := &Source{}
	if in.Scenario != nil {
		source = in.Scenario.Source.within(path)
	}
	source.Kind, source.Namespace, source.Name = "Deployment", after.Namespace, after.Name
	var errs field.ErrorList
	err := guard(func() error {
		old, now := &apps.Deployment{}, &apps.Deployment{}
		if err := legacyscheme.Scheme.Convert(before.DeepCopy(), old, nil); err != nil {
			return err
		}
		if err := legacyscheme.Scheme.Convert(after.DeepCopy(), now, nil); err != nil {
			return err
		}
		// A client-side apply sends a patch, which takes the version that is there.
		old.ResourceVersion, now.ResourceVersion = "1", "1"
		ctx := genericrequest.WithNamespace(context.Background(), after.Namespace)
		errs = deploymentregistry.Strategy.ValidateUpdate(ctx, now, old)
		return nil
	})
	if err != nil {
		return Problems{source.problem("", "Kubernetes' own validation failed on it: %v", err)}
	}
	if len(errs) > 0 {
		return fieldProblems(errs, appsv1.SchemeGroupVersion.WithKind("Deployment"), source)
	}
	return nil
}
