package live

import (
	"context"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
)

// system is the namespace of the control plane's own pods.
const system = "kube-system"

var configMaps = kind{version: "v1", name: "ConfigMap", resource: "configmaps"}

// component is a part of the control plane that has a file for its configuration.
type component struct {
	// image is in the name of its image, document the kind of its configuration.
	image, document string
	// always: there is one in every cluster, seen or not.
	always bool
}

var configured = []component{
	{image: "kube-scheduler", document: "KubeSchedulerConfiguration", always: true},
	{image: "descheduler", document: "DeschedulerPolicy"},
}

// components looks for the configuration of the scheduler and the descheduler in the
// ConfigMaps of kube-system and of the namespaces where they run. If there is none, or
// several, the report has to say that it is not known.
func (r *reading) components(ctx context.Context) error {
	namespaces := map[string]bool{system: true}
	runs := map[string][]object{}
	for _, c := range configured {
		for _, o := range r.objects {
			if runsImage(o, c.image) {
				runs[c.document] = append(runs[c.document], o)
				namespaces[o.at("namespace")] = true
			}
		}
	}
	found := map[string][]string{}
	for _, namespace := range slices.Sorted(maps.Keys(namespaces)) {
		items, err := r.client.list(ctx, configMaps.path(namespace))
		switch {
		case apierrors.IsForbidden(err), apierrors.IsNotFound(err):
			continue // nothing is found there, and that is said
		case err != nil:
			return err
		}
		for _, raw := range items {
			var m struct {
				Data map[string]string `json:"data"`
			}
			if sigsyaml.Unmarshal(raw, &m) != nil {
				continue
			}
			for _, key := range slices.Sorted(maps.Keys(m.Data)) {
				if document := documentIn(m.Data[key]); document != "" && !slices.Contains(found[document], m.Data[key]) {
					found[document] = append(found[document], m.Data[key])
				}
			}
		}
	}
	for _, c := range configured {
		r.configuration(c, runs[c.document], found[c.document])
	}
	return nil
}

// configuration takes the configuration of a component, or says why there is none.
func (r *reading) configuration(c component, pods []object, found []string) {
	note := func(blocking bool, reason string) {
		r.unread = append(r.unread, manifest.Unread{Name: c.document, Reason: reason, Blocking: blocking})
	}
	switch {
	case len(found) == 1:
		r.documents = append(r.documents, []byte(found[0]))
	case len(found) > 1:
		note(true, "there are several in ConfigMaps, and which of them counts is not known; give it as a file, from another dump")
	case len(pods) == 0 && c.always:
		note(false, "no pod of "+c.image+" is seen, and no ConfigMap has one; the defaults are assumed")
	case c.always && slices.ContainsFunc(pods, hasConfig):
		note(true, c.image+" reads one from a file of its machine, and no ConfigMap has it; give it as a file")
	case !c.always && len(pods) > 0:
		note(true, pods[0].identity()+" runs one, and no ConfigMap that may be read has its policy; give it as a file")
	}
}

// documentIn is the kind of configuration that a text is, empty if it is none.
func documentIn(text string) string {
	var head struct {
		Kind string `json:"kind"`
	}
	for _, c := range configured {
		if strings.Contains(text, c.document) && sigsyaml.Unmarshal([]byte(text), &head) == nil && head.Kind == c.document {
			return c.document
		}
	}
	return ""
}

// runsImage tells whether a pod, or what makes pods, has a container of an image. The
// name of an image may be a scheduler's and the descheduler's: the last part of it has
// to begin so.
func runsImage(o object, image string) bool {
	for _, container := range containers(o) {
		name, _ := container["image"].(string)
		name = name[strings.LastIndexByte(name, '/')+1:]
		if strings.HasPrefix(name, image) {
			return true
		}
	}
	return false
}

// hasConfig tells whether a component was started with a file.
func hasConfig(o object) bool {
	for _, container := range containers(o) {
		for _, field := range []string{"command", "args"} {
			words, _ := container[field].([]any)
			for _, each := range words {
				if word, _ := each.(string); word == "--config" || strings.HasPrefix(word, "--config=") {
					return true
				}
			}
		}
	}
	return false
}

// podSpecs are where kinds have the spec of a pod.
var podSpecs = map[string][]string{
	"Pod":        {"spec"},
	"Deployment": {"spec", "template", "spec"},
	"DaemonSet":  {"spec", "template", "spec"},
	"Job":        {"spec", "template", "spec"},
	"CronJob":    {"spec", "jobTemplate", "spec", "template", "spec"},
}

func containers(o object) []map[string]any {
	path, ok := podSpecs[o.kind.name]
	if !ok {
		return nil
	}
	at := o.fields
	for _, field := range path {
		at, _ = at[field].(map[string]any)
	}
	items, _ := at["containers"].([]any)
	var out []map[string]any
	for _, each := range items {
		if container, ok := each.(map[string]any); ok {
			out = append(out, container)
		}
	}
	return out
}
