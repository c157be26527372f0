package manifest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// customGroups are groups of custom resources whose effect is known from their
// kind: those that write nodes or apply manifests again and again matter
// whatever stands in them; those with an empty text never do.
var customGroups = map[string]string{
	"karpenter.sh":                   "it adds and removes nodes",
	"cluster.x-k8s.io":               "it adds and removes nodes",
	"machine.openshift.io":           "it adds and removes nodes",
	"kustomize.toolkit.fluxcd.io":    "it applies manifests again and again: state it as an applier in the Scenario",
	"helm.toolkit.fluxcd.io":         "it applies manifests again and again: state it as an applier in the Scenario",
	"monitoring.coreos.com":          "",
	"cert-manager.io":                "",
	"gateway.networking.k8s.io":      "",
	"networking.istio.io":            "",
	"security.istio.io":              "",
	"cilium.io":                      "",
	"crd.projectcalico.org":          "",
	"projectcalico.org":              "",
	"external-secrets.io":            "",
	"bitnami.com":                    "",
	"traefik.io":                     "",
	"snapshot.storage.k8s.io":        "",
	"kustomize.config.k8s.io":        "",
	"source.toolkit.fluxcd.io":       "",
	"notification.toolkit.fluxcd.io": "",
}

// podRunningKinds run pods of their own although most kinds of their group do
// not matter.
var podRunningKinds = []string{"Prometheus", "Alertmanager", "ThanosRuler", "PrometheusAgent"}

// customMatters judges a custom resource by what stands in it: a pod template,
// the name of a checked workload, or a selector of checked pods.
func (j *judge) customMatters(left LeftOut, object map[string]any, group string) string {
	effect, known := customGroups[group]
	switch {
	case effect != "":
		return effect
	case slices.Contains(podRunningKinds, left.Kind) && len(j.nodes) > 0:
		return "its pods take capacity on checked nodes"
	case known:
		return ""
	case group == "argoproj.io" && left.Kind == "Application":
		if dig(object, "spec", "syncPolicy", "automated") != nil {
			return "it applies manifests again and again: state it as an applier in the Scenario"
		}
		return ""
	}
	namespace := text(metadataOf(object), "namespace")
	if namespace == "" && left.Namespace == "" {
		namespace = corev1.NamespaceDefault
	}
	s := &search{judge: j, namespace: namespace}
	for _, field := range slices.Sorted(maps.Keys(object)) {
		switch field {
		case "metadata", "status", "apiVersion", "kind":
		default:
			s.look(field, object[field], 0)
		}
	}
	switch {
	case s.names != "":
		return "it names " + s.names + " and may write it"
	case s.podSpec && len(j.nodes) > 0:
		return "its pods take capacity on checked nodes"
	case s.selects != "":
		return "it selects the pods of " + s.selects
	}
	return ""
}

func metadataOf(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	return metadata
}

// search looks through a custom resource.
type search struct {
	judge          *judge
	namespace      string
	names, selects string
	podSpec        bool
}

// lookDepthMax bounds the nesting that is looked through.
const lookDepthMax = 100

// look goes through a value; field is the name of the field it stands in.
func (s *search) look(field string, value any, depth int) {
	if depth > lookDepthMax {
		return
	}
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			s.look(field, item, depth+1)
		}
	case string:
		if s.names == "" && namesWorkload(field) {
			s.names = s.reference("Deployment", v, "")
		}
	case map[string]any:
		s.object(field, v)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			s.look(name, v[name], depth+1)
		}
	}
}

// namesWorkload says whether a field of that name holds the name of a workload
// or a reference to one that may leave out the kind, as KEDA's scaleTargetRef.
func namesWorkload(field string) bool {
	field = strings.ToLower(field)
	return strings.Contains(field, "targetref") || strings.Contains(field, "deployment") || strings.Contains(field, "workload")
}

// object reads one object in a custom resource.
func (s *search) object(field string, v map[string]any) {
	resources, _ := v["resources"].(map[string]any)
	_, containers := v["containers"].([]any)
	if containers || resources["requests"] != nil || resources["limits"] != nil || positive(v["replicas"]) || positive(v["instances"]) {
		s.podSpec = true
	}
	kind, name := text(v, "kind"), text(v, "name")
	if kind == "" && namesWorkload(field) {
		kind = "Deployment"
	}
	if s.names == "" && kind != "" && name != "" {
		s.names = s.reference(kind, name, text(v, "namespace"))
	}
	if s.selects == "" {
		s.selects = s.selection(v)
	}
}

func positive(v any) bool {
	n, ok := v.(float64)
	return ok && n > 0
}

// reference is the checked object of that kind and name, if there is one.
func (s *search) reference(kind, name, namespace string) string {
	if namespace == "" {
		namespace = s.namespace
	}
	if id := kind + " " + namespace + "/" + name; s.judge.names[id] {
		return id
	}
	return ""
}

// selection is a checked workload whose pods a label selector in v matches.
func (s *search) selection(v map[string]any) string {
	if v["matchLabels"] == nil && v["matchExpressions"] == nil {
		return ""
	}
	raw, err := json.Marshal(map[string]any{"matchLabels": v["matchLabels"], "matchExpressions": v["matchExpressions"]})
	if err != nil {
		return ""
	}
	var parsed metav1.LabelSelector
	if json.Unmarshal(raw, &parsed) != nil {
		return ""
	}
	selector, err := metav1.LabelSelectorAsSelector(&parsed)
	if err != nil || selector.Empty() {
		return ""
	}
	for _, w := range s.judge.workloads {
		if selector.Matches(labels.Set(w.labels)) {
			return strings.TrimSpace(w.String())
		}
	}
	return ""
}
