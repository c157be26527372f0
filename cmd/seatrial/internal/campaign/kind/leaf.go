package kind

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

const core = "io.k8s.api.core.v1."

// addressRange is the kind of a range of addresses, as 192.0.2.0/24.
const addressRange = "AddressRange"

// NamespaceName is the kind of the name of a namespace.
const NamespaceName = "NamespaceName"

// convention is what people call something that Kubernetes has in no type, or under other
// names.
type convention struct {
	kind   string
	shapes []shape
	// names are whole names; ends are last words of names with more words.
	names, ends []string
	// sample is a value that a pattern has to take.
	sample string
}

var (
	texts   = []shape{shapeString}
	numbers = []shape{shapeInteger}
	amounts = []shape{shapeQuantity, shapeString}
	tables  = []shape{"{}" + shapeString}
)

// conventions are in the order in which they are tried.
var conventions = []convention{
	{"Replicas", numbers, []string{"replicas", "replicaCount", "numReplicas", "size", "nodes", "nodeCount", "numNodes", "instances", "instanceCount", "members", "memberCount", "count"}, []string{"replicas", "instances", "nodes", "replica count", "instance count", "node count", "member count"}, ""},
	{core + "ServicePort.nodePort", numbers, []string{"nodePort"}, []string{"node port"}, ""},
	{core + "ContainerPort.hostPort", numbers, []string{"hostPort"}, nil, ""},
	{"Port", []shape{shapeInteger, shapeIntOrString}, []string{"port"}, []string{"port"}, ""},
	{core + "Container.imagePullPolicy", texts, []string{"pullPolicy"}, []string{"pull policy"}, "Always"},
	{core + "Container.image", texts, []string{"image", "containerImage"}, []string{"image"}, "registry.example/a:1"},
	{core + "PersistentVolumeClaimSpec.storageClassName", texts, []string{"storageClass"}, []string{"storage class", "storage class name"}, "a"},
	{core + "PodSpec.serviceAccountName", texts, []string{"serviceAccount"}, []string{"service account", "service account name"}, "a"},
	{core + "PodSpec.priorityClassName", texts, []string{"priorityClass"}, []string{"priority class", "priority class name"}, "a"},
	{"SecretName", texts, []string{"secret", "secretName", "secretRef"}, []string{"secret", "secret name", "secret ref"}, "a"},
	{"ConfigMapName", texts, []string{"configMap", "configmap", "configMapName", "configMapRef"}, []string{"configmap", "configmap name", "configmap ref"}, "a"},
	{NamespaceName, texts, []string{"namespace"}, []string{"namespace", "namespace name"}, "a"},
	{"io.k8s.api.networking.v1.IngressSpec.ingressClassName", texts, []string{"ingressClass"}, []string{"ingress class", "ingress class name"}, "a"},
	{"StorageSize", amounts, []string{"size", "storage", "storageSize", "volumeSize", "diskSize", "capacity"}, []string{"storage size", "volume size", "disk size"}, "1Gi"},
	{quantity, amounts, []string{"cpu", "memory", "cpuRequest", "cpuLimit", "memoryRequest", "memoryLimit"}, []string{"cpu", "memory", "cpu request", "cpu limit", "memory request", "memory limit"}, "1Gi"},
	{core + "ServiceSpec.type", texts, []string{"serviceType"}, []string{"service type"}, "ClusterIP"},
	{"io.k8s.api.batch.v1.CronJobSpec.schedule", texts, []string{"schedule", "cron", "cronSchedule", "cronExpression"}, []string{"schedule", "cron"}, "17 3 * * *"},
	{"io.k8s.api.batch.v1.CronJobSpec.timeZone", texts, []string{"timezone", "tz"}, []string{"time zone", "timezone"}, "Etc/UTC"},
	{addressRange, texts, []string{"cidr", "sourcerange"}, []string{"cidr", "source range"}, "192.0.2.0/24"},
	{duration, texts, []string{"timeout", "interval", "period", "duration", "ttl"}, []string{"timeout", "interval", "period", "duration", "ttl", "delay"}, "37s"},
	{"Host", texts, []string{"host", "hostname", "hostName"}, []string{"hostname", "host"}, "a.example.com"},
	{core + "PodSpec.nodeSelector", tables, []string{"nodeSelector"}, []string{"node selector"}, ""},
	{"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta.labels", tables, []string{"labels"}, []string{"labels"}, ""},
	{"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta.annotations", tables, []string{"annotations"}, []string{"annotations"}, ""},
}

// bounds are words of names that limit something, and are not the thing itself.
var bounds = []string{"max", "min", "maximum", "minimum", "ready", "available", "unavailable", "match"}

// enums are kinds by values that only they have: one of own has to be among the values, and
// none that is not one of all.
var enums = []struct {
	kind        string
	own, values []string
}{
	{core + "ServiceSpec.type", []string{"ClusterIP", "NodePort", "LoadBalancer"}, []string{"ClusterIP", "NodePort", "LoadBalancer", "ExternalName"}},
	{core + "Container.imagePullPolicy", []string{"IfNotPresent"}, []string{"Always", "Never", "IfNotPresent"}},
	{core + "PodSpec.restartPolicy", []string{"OnFailure"}, []string{"Always", "OnFailure", "Never"}},
	{"io.k8s.api.apps.v1.StatefulSetSpec.podManagementPolicy", []string{"OrderedReady"}, []string{"OrderedReady", "Parallel"}},
	{core + "PersistentVolumeClaimSpec.volumeMode", []string{"Block"}, []string{"Block", "Filesystem"}},
}

// speaking are the types whose fields are known by their name alone, if it has more than
// one word. Earlier ones come first.
var speaking = []string{
	core + "PodSpec", core + "Container", core + "PersistentVolumeClaimSpec", core + "ServiceSpec", "io.k8s.api.apps.v1.StatefulSetSpec", "io.k8s.api.apps.v1.DeploymentSpec",
	"io.k8s.api.batch.v1.CronJobSpec", "io.k8s.api.batch.v1.JobSpec", "io.k8s.api.policy.v1.PodDisruptionBudgetSpec", "io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerSpec",
	"io.k8s.api.networking.v1.IngressSpec", core + "Probe", core + "SecurityContext", core + "PodSecurityContext",
}

// leaf is the kind of a property that is no type, by what stands in it, what it is
// called, and what it can be; empty for none.
func (m *model) leaf(p *schema.Property) string {
	s := shapeOf(p)
	if s == shapeObject || s == shapeAny {
		return ""
	}
	if p.Name == "[]" || p.Name == "{}" {
		return cmp.Or(itemKind(p, s), scalars[s])
	}
	if kind := m.list(p); kind != "" {
		return kind
	}
	own := words(p.Name)
	if len(own) > 1 {
		for _, name := range speaking {
			if f := m.types[name].field(p.Name); f != nil && f.typ == nil && compatible(s, f.shape) {
				return name + "." + f.name
			}
		}
	}
	if kind := enumerated(p); kind != "" {
		return kind
	}
	for i := range conventions {
		if c := &conventions[i]; c.fits(p, s, own) && (c.kind != NamespaceName || !besideName(p)) {
			return c.kind
		}
	}
	if kind := referred(p, s); kind != "" {
		return kind
	}
	if v := p.Schema.ValueValidation; v != nil && v.Format == "duration" {
		return duration
	}
	return scalars[s]
}

// list is the kind of a list or map of objects of a type: the field that has such a list.
func (m *model) list(p *schema.Property) string {
	s := shapeOf(p)
	if len(p.Children) != 1 || s.item() != shapeObject {
		return ""
	}
	t := m.types[p.Children[0].Kind]
	if t == nil {
		return ""
	}
	var found *use
	for i := range t.uses {
		u := &t.uses[i]
		if u.field.shape != s {
			continue
		}
		if found == nil || u.field.name == p.Name && found.field.name != p.Name {
			found = u
		}
	}
	if found == nil {
		return ""
	}
	return found.by.name + "." + found.field.name
}

// itemKinds are the kinds of texts in lists.
var itemKinds = []string{addressRange, NamespaceName, "SecretName", "ConfigMapName"}

// itemKind is the kind of a text in a list that is called as several of it are: only of what no other text is valid
// for, or has to be there.
func itemKind(p *schema.Property, s shape) string {
	own := words(useName(p))
	if s != shapeString || p.Name != "[]" || len(own) == 0 {
		return ""
	}
	last := len(own) - 1
	own[last] = strings.TrimSuffix(own[last], "s")
	for i := range conventions {
		if c := &conventions[i]; slices.Contains(itemKinds, c.kind) && (slices.ContainsFunc(c.names, func(n string) bool { return strings.EqualFold(n, strings.Join(own, "")) }) || c.called("", own)) && c.takes(p) {
			return c.kind
		}
	}
	return ""
}

// enumerated is the kind of a text by its values.
func enumerated(p *schema.Property) string {
	v := p.Schema.ValueValidation
	if p.Schema.Type != "string" || v == nil || len(v.Enum) < 2 {
		return ""
	}
	for _, e := range enums {
		if !slices.ContainsFunc(v.Enum, func(value structural.JSON) bool {
			return asText(value) != "" && !slices.Contains(e.values, asText(value))
		}) &&
			slices.ContainsFunc(v.Enum, func(value structural.JSON) bool { return slices.Contains(e.own, asText(value)) }) {
			return e.kind
		}
	}
	return ""
}

func (c *convention) fits(p *schema.Property, s shape, words []string) bool {
	return slices.Contains(c.shapes, s) && c.called(p.Name, words) && c.takes(p)
}

// called tells that a name, which has such words, is one of the convention's.
func (c *convention) called(name string, own []string) bool {
	if slices.Contains(c.names, name) {
		return true
	}
	if slices.ContainsFunc(own, func(word string) bool { return slices.Contains(bounds, word) }) {
		return false
	}
	return slices.ContainsFunc(c.ends, func(end string) bool {
		theirs := strings.Fields(end)
		return len(own) > len(theirs) && slices.Equal(own[len(own)-len(theirs):], theirs)
	})
}

// takes tells that the values of the kind are values of p.
func (c *convention) takes(p *schema.Property) bool {
	v := p.Schema.ValueValidation
	if v == nil {
		return true
	}
	if len(v.Enum) > 0 && c.sample != "" {
		return slices.ContainsFunc(v.Enum, func(value structural.JSON) bool { return value.Object == c.sample })
	}
	if has := pattern(p); has != "" && c.sample != "" {
		expression, err := regexp.Compile(has)
		return err == nil && expression.MatchString(c.sample)
	}
	return c.sample == "" || v.Format == "" || v.Format == "duration" && c.kind == duration
}

// volumes are words of names of what a volume is asked for by.
var volumes = []string{"storage", "volume", "persistence", "disk"}

// referred is the kind of a name in an object that refers to another: tlsSecret.name, storage.className.
func referred(p *schema.Property, s shape) string {
	if s != shapeString || p.Parent == nil {
		return ""
	}
	own := words(useName(p.Parent))
	switch class := p.Name == "class" || p.Name == "className"; {
	case class && len(own) > 0 && slices.Contains(volumes, own[len(own)-1]):
		return core + "PersistentVolumeClaimSpec.storageClassName"
	case class && len(own) > 0 && own[len(own)-1] == "ingress":
		return "io.k8s.api.networking.v1.IngressSpec.ingressClassName"
	case p.Name != "name":
		return ""
	case slices.Contains(own, "secret"), slices.Contains(own, "secrets"):
		return "SecretName"
	case slices.Contains(own, "configmap"), slices.Contains(own, "configmaps"):
		return "ConfigMapName"
	case len(own) > 0 && slices.Contains([]string{"namespace", "namespaces"}, own[len(own)-1]):
		return NamespaceName
	}
	return ""
}

// besideName tells whether a namespace belongs to a name beside it: another one alone would refer to what is not there.
func besideName(p *schema.Property) bool { return p.Parent != nil && p.Parent.Field("name") != nil }

func asText(value structural.JSON) string {
	text, _ := value.Object.(string)
	return text
}
