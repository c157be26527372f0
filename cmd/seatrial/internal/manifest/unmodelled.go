package manifest

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientscheme "k8s.io/client-go/kubernetes/scheme"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/spelling"
	"github.com/seatrial/seatrial/finding"
)

// unmodelled takes an object of a kind that the model does not cover: it is
// left out with a warning, unless its group is one of Kubernetes' own and has
// no such kind, which is a misspelling.
func (l *loader) unmodelled(raw []byte, gvk schema.GroupVersionKind, source *Source) {
	if gvk.Group == "kustomize.config.k8s.io" {
		return // what kustomize reads, not an object of the cluster; it has no name
	}
	known := clientscheme.Scheme.IsGroupRegistered(gvk.Group)
	if k := modelKindNamed(gvk.Kind); known && k != nil {
		l.fail(source, "apiVersion", "%s %s is not served by Kubernetes %s: use %s", gvk.GroupVersion(), gvk.Kind,
			KubernetesVersion, schema.GroupVersion{Group: k.group, Version: k.versions[0]})
		return
	}
	if known && !clientscheme.Scheme.Recognizes(gvk) {
		l.misspelt(gvk, source)
		return
	}
	// The group of a custom resource has a dot; only Kubernetes' own may do without.
	if !known && !strings.Contains(gvk.Group, ".") {
		hint := ""
		if near := spelling.Nearest(gvk.Group, knownGroups()); near != "" {
			hint = fmt.Sprintf(", did you mean %s?", near)
		}
		l.fail(source, "apiVersion", "apiVersion: unknown group %q%s", gvk.Group, hint)
		return
	}
	reason := fmt.Sprintf("kind %s is not modelled", gvk.Kind)
	if !known && !slices.Contains(builtInGroups, gvk.Group) {
		reason = fmt.Sprintf("custom resource (%s) is not modelled", gvk.GroupVersion())
	}
	if known && source.Namespace == "" && !slices.Contains(clusterKinds, gvk.Kind) {
		source.Namespace = corev1.NamespaceDefault
	}
	if !l.once(gvk.Group, source) {
		return
	}
	place := source.Position("kind")
	l.in.Warnings = append(l.in.Warnings, finding.Warning{Location: place, Message: source.object() + " is left out: " + reason})
	l.in.LeftOut = append(l.in.LeftOut, LeftOut{
		Name: source.identity(), Location: place, Reason: reason,
		Raw: raw, Kind: gvk.Kind, Namespace: source.Namespace,
	})
}

// builtInGroups are Kubernetes' own, served by the API server, that client-go
// has no types for.
var builtInGroups = []string{"apiextensions.k8s.io", "apiregistration.k8s.io"}

// clusterKinds are the built-in kinds without a namespace, beside the modelled
// ones. client-go's scheme does not know the scope.
var clusterKinds = []string{
	"CSIDriver", "CSINode", "CertificateSigningRequest", "ClusterRole", "ClusterRoleBinding", "ClusterTrustBundle",
	"ComponentStatus", "DeviceClass", "DeviceTaintRule", "FlowSchema", "IPAddress", "IngressClass",
	"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration", "PersistentVolume",
	"PriorityLevelConfiguration", "ResourceSlice", "RuntimeClass", "SelfSubjectAccessReview", "SelfSubjectReview",
	"SelfSubjectRulesReview", "ServiceCIDR", "StorageClass", "StorageVersion", "StorageVersionMigration",
	"SubjectAccessReview", "TokenReview", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding",
	"ValidatingWebhookConfiguration", "VolumeAttachment", "VolumeAttributesClass",
}

// misspelt names the kind or version that was probably meant.
func (l *loader) misspelt(gvk schema.GroupVersionKind, source *Source) {
	var versions, kinds, elsewhere []string
	for other := range clientscheme.Scheme.AllKnownTypes() {
		switch {
		case !isObjectKind(other):
		case other.Group == gvk.Group && other.Kind == gvk.Kind:
			versions = append(versions, other.GroupVersion().String())
		case other.Group == gvk.Group:
			kinds = append(kinds, other.Kind)
		case other.Kind == gvk.Kind && modelVersionOf(other) == other.Version:
			elsewhere = append(elsewhere, other.GroupVersion().String())
		}
	}
	sort.Strings(versions)
	sort.Strings(kinds)
	sort.Strings(elsewhere)
	switch near := spelling.Nearest(gvk.Kind, slices.Compact(kinds)); {
	case len(versions) > 0:
		l.fail(source, "apiVersion", "no %s in %s, did you mean %s?", gvk.Kind, gvk.GroupVersion(), versions[0])
	case len(elsewhere) > 0:
		l.fail(source, "apiVersion", "no kind %s in %s, did you mean apiVersion %s?", gvk.Kind, gvk.GroupVersion(), elsewhere[0])
	case near != "":
		l.fail(source, "kind", "no kind %s in %s, did you mean %s?", gvk.Kind, gvk.GroupVersion(), near)
	default:
		l.fail(source, "kind", "no kind %s in %s", gvk.Kind, gvk.GroupVersion())
	}
}

// modelVersionOf is the version of the modelled kind of that name, or the
// kind's own version.
func modelVersionOf(gvk schema.GroupVersionKind) string {
	if k := modelKindOf(gvk.Group, gvk.Kind); k != nil {
		return k.versions[0]
	}
	return gvk.Version
}

// isObjectKind leaves out what the scheme registers beside objects.
func isObjectKind(gvk schema.GroupVersionKind) bool {
	return gvk.Version != "__internal" && !strings.HasSuffix(gvk.Kind, "List") &&
		!strings.HasSuffix(gvk.Kind, "Options") && gvk.Kind != "WatchEvent" && gvk.Kind != "Status"
}

func knownGroups() []string {
	var groups []string
	for _, gv := range clientscheme.Scheme.PrioritizedVersionsAllGroups() {
		if gv.Group != "" {
			groups = append(groups, gv.Group)
		}
	}
	sort.Strings(groups)
	return slices.Compact(groups)
}
