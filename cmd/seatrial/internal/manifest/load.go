// Package manifest reads Kubernetes manifests and the Scenario into one Input:
// real API types, decoded strictly, defaulted and validated by the API
// server's own code, every field with its file and line.
package manifest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/finding"
)

// KubernetesVersion is the release whose API is read.
const KubernetesVersion = "1.36"

// Options are what Load cannot know by itself.
type Options struct {
	// ValidateDescheduler checks a DeschedulerPolicy given as JSON; nil checks
	// only that it is one. A message that begins with a field path and a colon
	// is placed at that field.
	ValidateDescheduler func(raw []byte) error
	// Rules are the ids and names that a Scenario's properties may use; empty
	// allows any.
	Rules []string
	// StrictInput makes every document of a folder that is no manifest an error.
	StrictInput bool
	// ValidateExpression checks a CEL expression of the Scenario; nil allows any.
	ValidateExpression func(scenario.Expression) error
	// Texts are read after the paths.
	Texts []Text
}

// Load reads paths: files, folders with everything below them, and "-" for
// stdin. The error is Problems: everything that is wrong, by file and line.
func Load(ctx context.Context, paths []string, stdin io.Reader, o Options) (*Input, error) {
	files, problems, dangling := readAll(ctx, paths, stdin)
	if len(paths)+len(o.Texts) == 0 {
		problems = append(problems, Problem{Message: "nothing to read: name files or folders, or - for standard input"})
	}
	from := source{paths: paths, patches: patchesOf(files), problems: problems, dangling: dangling, options: o}
	from.files = append(files, filesOf(o.Texts)...)
	return loadFrom(ctx, from)
}

// source is what was read, for reading it again.
type source struct {
	paths []string
	files []file
	// patches are the files that kustomizations patch others with, and by which.
	patches            map[string]string
	problems, dangling Problems
	options            Options
}

// With loads what in was loaded from, with other texts of some of its files. It reads
// no file: the others are as they were. The error is that of Load.
func (in *Input) With(ctx context.Context, texts map[string][]byte) (*Input, error) {
	from := in.from
	from.files = slices.Clone(from.files)
	for i := range from.files {
		if text, ok := texts[from.files[i].name]; ok {
			from.files[i].data = text
		}
	}
	return loadFrom(ctx, from)
}

func loadFrom(ctx context.Context, from source) (*Input, error) {
	l := &loader{options: from.options, in: &Input{texts: map[string][]byte{}, from: from}, first: map[string]*Source{}}
	l.problems, l.patches = slices.Clone(from.problems), from.patches
	if from.options.StrictInput {
		l.problems = append(l.problems, from.dangling...)
	} else {
		l.setAside = slices.Clone(from.dangling)
	}
	for _, f := range from.files {
		if err := ctx.Err(); err != nil {
			l.problems = append(l.problems, Problem{Location: finding.Location{File: f.name}, Message: fmt.Sprintf("reading was cut short: %v", err)})
			break
		}
		l.in.texts[f.name] = f.data
		l.read(f)
		if f.text != nil {
			l.unread(f.text)
		}
	}
	l.in.Files, l.in.Digests = len(from.files), digests(from.files)
	l.wholly()
	if l.objects == 0 && len(l.problems) == 0 {
		l.problems = append(l.problems, Problem{Message: empty(from.paths, from.options.Texts)})
	}
	l.finish()
	if len(l.problems) > 0 {
		return nil, l.problems.sorted()
	}
	return l.in, nil
}

type loader struct {
	options  Options
	in       *Input
	problems Problems
	objects  int
	// first is the source of the first object of each group and identity.
	first map[string]*Source
	// added are the identities that the document at hand has brought.
	added []string
	// patches are the files that kustomizations patch others with, and by which.
	patches map[string]string
	// setAside is what is no manifest.
	setAside Problems
}

func (l *loader) fail(s *Source, path, format string, args ...any) {
	l.problems = append(l.problems, s.problem(path, format, args...))
}

// listDepthMax bounds lists in lists.
const listDepthMax = 8

// document takes one document or one item of a list.
func (l *loader) document(raw []byte, source *Source, depth int) {
	h := headerOf(raw)
	source.Kind, source.Namespace, source.Name = h.Kind, h.Metadata.Namespace, h.Metadata.Name
	switch {
	case strings.HasPrefix(h.Schema, "seatrial.dev/"):
		return // a report or trace of an earlier run
	case h.Kind == "" && h.APIVersion == "":
		l.fail(source, "kind", "not a Kubernetes object: apiVersion and kind are missing")
		return
	case h.Kind == "":
		l.fail(source, "kind", "kind is missing")
		return
	case h.APIVersion == "":
		l.fail(source, "apiVersion", "apiVersion is missing")
		return
	}
	gv, err := schema.ParseGroupVersion(h.APIVersion)
	if err != nil {
		l.fail(source, "apiVersion", "apiVersion: %q is not group/version", h.APIVersion)
		return
	}
	gvk := gv.WithKind(h.Kind)
	if strings.HasSuffix(h.Kind, "List") {
		if l.list(raw, gvk, source, depth) {
			return
		}
	}
	if source.fallback != "" && h.Metadata.Namespace == "" {
		raw = named(raw, gvk, source.fallback)
		source.Namespace = headerOf(raw).Metadata.Namespace
	}
	l.objects++
	l.object(raw, gvk, source)
}

// list takes the items of a List or of a list of one kind, and says whether it
// was one.
func (l *loader) list(raw []byte, gvk schema.GroupVersionKind, source *Source, depth int) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return false
	}
	items, ok := fields["items"]
	if !ok && gvk.Kind != "List" {
		return false
	}
	if depth >= listDepthMax {
		l.fail(source, "items", "lists nested more than %d deep", listDepthMax)
		return true
	}
	var raws []json.RawMessage
	if ok && json.Unmarshal(items, &raws) != nil {
		l.fail(source, "items", "items: expected a list, found %s", shown(bytes.TrimSpace(items)))
		return true
	}
	for _, name := range sortedKeys(fields) {
		switch name {
		case "apiVersion", "kind", "metadata", "items":
		default:
			l.fail(source, name, "%s: unknown field", name)
		}
	}
	for i, item := range raws {
		at := fmt.Sprintf("items[%d]", i)
		itemSource := source.within(at)
		if item = bytes.TrimSpace(item); len(item) == 0 || item[0] != '{' {
			l.fail(source, at, "%s: expected an object, found %s", at, shown(item))
			continue
		}
		l.document(withKind(item, gvk), itemSource, depth+1)
	}
	return true
}

// withKind gives an item of a list of one kind the list's kind and version,
// which such items may leave out.
func withKind(item []byte, list schema.GroupVersionKind) []byte {
	kind := strings.TrimSuffix(list.Kind, "List")
	h := headerOf(item)
	if kind == "" || h.Kind != "" || h.APIVersion != "" {
		return item
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(item, &fields) != nil {
		return item
	}
	fields["apiVersion"], _ = json.Marshal(list.GroupVersion().String())
	fields["kind"], _ = json.Marshal(kind)
	full, err := json.Marshal(fields)
	if err != nil {
		return item
	}
	return full
}

// object takes one object of any kind.
func (l *loader) object(raw []byte, gvk schema.GroupVersionKind, source *Source) {
	switch {
	case gvk.Group == "seatrial.dev":
		l.scenario(raw, gvk, source)
	case gvk.Group == "kubescheduler.config.k8s.io":
		l.schedulerConfig(raw, gvk, source)
	case gvk.Group == "descheduler":
		l.deschedulerPolicy(raw, gvk, source)
	case modelKindOf(gvk.Group, gvk.Kind) != nil:
		value, problems := decodeObject(raw, gvk, source)
		l.problems = append(l.problems, problems...)
		if value != nil && l.once(gvk.Group, source) {
			l.in.add(value, raw, source)
		}
	default:
		l.unmodelled(raw, gvk, source)
	}
}

// once refuses a second object of the same kind, namespace and name.
func (l *loader) once(group string, source *Source) bool {
	id := group + " " + source.identity()
	if before, again := l.first[id]; again {
		place := before.Position("")
		l.fail(source, "metadata.name", "%s stands twice: also in %s", source.object(), place.FileLine())
		return false
	}
	l.first[id] = source
	l.added = append(l.added, id)
	return true
}

// add puts a decoded object into its list.
func (in *Input) add(value runtime.Object, raw []byte, source *Source) {
	switch v := value.(type) {
	case *appsv1.Deployment:
		in.Deployments = append(in.Deployments, Object[*appsv1.Deployment]{v, raw, source})
	case *appsv1.ReplicaSet:
		in.ReplicaSets = append(in.ReplicaSets, Object[*appsv1.ReplicaSet]{v, raw, source})
	case *corev1.Pod:
		in.Pods = append(in.Pods, Object[*corev1.Pod]{v, raw, source})
	case *autoscalingv2.HorizontalPodAutoscaler:
		in.Autoscalers = append(in.Autoscalers, Object[*autoscalingv2.HorizontalPodAutoscaler]{v, raw, source})
	case *policyv1.PodDisruptionBudget:
		in.DisruptionBudgets = append(in.DisruptionBudgets, Object[*policyv1.PodDisruptionBudget]{v, raw, source})
	case *corev1.Node:
		in.Nodes = append(in.Nodes, Object[*corev1.Node]{v, raw, source})
	case *corev1.Namespace:
		in.Namespaces = append(in.Namespaces, Object[*corev1.Namespace]{v, raw, source})
	case *corev1.Service:
		in.Services = append(in.Services, Object[*corev1.Service]{v, raw, source})
	case *schedulingv1.PriorityClass:
		in.PriorityClasses = append(in.PriorityClasses, Object[*schedulingv1.PriorityClass]{v, raw, source})
	}
}

// one refuses a second object of a kind that a check can have only one of.
func (l *loader) one(source *Source, first *Source) bool {
	if first == nil {
		return true
	}
	place := first.Position("")
	l.fail(source, "kind", "more than one %s: the other is in %s", source.Kind, place.FileLine())
	return false
}

// sourceOf is nil for a nil object.
func sourceOf[T any](o *Object[T]) *Source {
	if o == nil {
		return nil
	}
	return o.Source
}
