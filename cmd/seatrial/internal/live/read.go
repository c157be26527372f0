package live

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	kjson "sigs.k8s.io/json"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/kubeconfig"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
)

// Cluster is what was read, and from where.
type Cluster struct {
	Text manifest.Text
	// Context and Namespace are those that were meant; Namespace is empty for all.
	Context, Namespace string
}

// Read reads a cluster. What may not be read is in the text's Unread, unless nothing
// can be checked without it.
func Read(ctx context.Context, o Options) (*Cluster, error) {
	c, err := connect(o)
	if err != nil {
		return nil, err
	}
	r := &reading{client: c}
	if !o.All {
		r.namespace = c.namespace
	}
	for _, k := range kinds {
		if err := r.read(ctx, k); err != nil {
			return nil, r.failure(k, err)
		}
	}
	if err := r.components(ctx); err != nil {
		return nil, r.failure(configMaps, err)
	}
	text, err := r.text()
	if err != nil {
		return nil, err
	}
	return &Cluster{
		Text:    manifest.Text{Name: "<live, context " + c.context + ">", Data: text, Unread: r.unread},
		Context: c.context, Namespace: r.namespace,
	}, nil
}

// reading is what was read so far.
type reading struct {
	client    *client
	namespace string
	objects   []object
	documents [][]byte
	unread    []manifest.Unread
}

// object is one object of the cluster.
type object struct {
	kind   kind
	fields map[string]any
}

func (o object) metadata() map[string]any {
	metadata, _ := o.fields["metadata"].(map[string]any)
	return metadata
}

func (o object) at(field string) string {
	text, _ := o.metadata()[field].(string)
	return text
}

func (o object) identity() string {
	if namespace := o.at("namespace"); namespace != "" {
		return o.kind.name + "/" + namespace + "/" + o.at("name")
	}
	return o.kind.name + "/" + o.at("name")
}

// read lists a kind. What the server does not serve is not there; what may not be
// read is noted, unless it is needed.
func (r *reading) read(ctx context.Context, k kind) error {
	namespace := r.namespace
	if k.everywhere {
		namespace = ""
	}
	items, err := r.client.list(ctx, k.path(namespace))
	if k.everywhere && r.namespace != "" && apierrors.IsForbidden(err) {
		r.unread = append(r.unread, manifest.Unread{
			Name: k.name, Blocking: true,
			Reason: "those of other namespaces may not be read, and take room on the nodes (" + why(err) + ")",
		})
		items, err = r.client.list(ctx, k.path(r.namespace))
	}
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case apierrors.IsForbidden(err) && !k.need:
		r.unread = append(r.unread, manifest.Unread{Name: k.name, Reason: "may not be read (" + why(err) + ")", Blocking: k.matters})
		return nil
	case err != nil:
		return err
	}
	for _, raw := range items {
		if err := r.take(k, raw); err != nil {
			return err
		}
	}
	return nil
}

// take keeps one object, without what only the server is interested in.
func (r *reading) take(k kind, raw []byte) error {
	o := object{kind: k}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(raw, &o.fields); err != nil {
		return fmt.Errorf("%s: %w", k.name, err)
	}
	if err := r.known(&o, raw); err != nil {
		return err
	}
	o.fields["apiVersion"], o.fields["kind"] = k.version, k.name
	metadata := o.metadata()
	for _, field := range []string{"managedFields", "resourceVersion", "selfLink"} {
		delete(metadata, field)
	}
	if k.name == "Node" {
		status, _ := o.fields["status"].(map[string]any)
		conditions, _ := status["conditions"].([]any)
		for _, each := range conditions {
			if condition, ok := each.(map[string]any); ok {
				delete(condition, "lastHeartbeatTime")
			}
		}
	}
	if k.name == "Pod" && r.namespace != "" && o.at("namespace") != r.namespace {
		hold(metadata)
	}
	r.objects = append(r.objects, o)
	return nil
}

// hold marks a pod whose controller is not read.
func hold(metadata map[string]any) {
	annotations, _ := metadata["annotations"].(map[string]any)
	if annotations == nil {
		annotations = map[string]any{}
	}
	annotations[manifest.HeldAnnotation] = "its namespace is not checked"
	metadata["annotations"] = annotations
}

// known drops the fields of a built-in kind that a later Kubernetes has and this one
// does not, and notes them: they may mean anything.
func (r *reading) known(o *object, raw []byte) error {
	gv, err := schema.ParseGroupVersion(o.kind.version)
	if err != nil {
		return err
	}
	typed, err := clientscheme.Scheme.New(gv.WithKind(o.kind.name))
	if err != nil {
		return nil // a custom resource
	}
	strict, err := kjson.UnmarshalStrict(raw, typed, kjson.DisallowUnknownFields)
	if err != nil {
		return fmt.Errorf("%s: %w", o.identity(), err)
	}
	if len(strict) == 0 {
		return nil
	}
	fields, err := json.Marshal(typed)
	if err != nil {
		return err
	}
	r.unread = append(r.unread, manifest.Unread{
		Name: o.identity(), Blocking: true,
		Reason: fmt.Sprintf("it has what Kubernetes %s does not know: %s", manifest.KubernetesVersion, strings.TrimPrefix(errors.Join(strict[:1]...).Error(), "strict decoding error: ")),
	})
	o.fields = nil
	return kjson.UnmarshalCaseSensitivePreserveInts(fields, &o.fields)
}

// text is everything as YAML, in an order that does not depend on the server's.
func (r *reading) text() ([]byte, error) {
	rank := map[string]int{}
	for i, k := range kinds {
		rank[k.name] = i
	}
	slices.SortStableFunc(r.objects, func(a, b object) int {
		return cmp.Or(cmp.Compare(rank[a.kind.name], rank[b.kind.name]), cmp.Compare(a.at("namespace"), b.at("namespace")), cmp.Compare(a.at("name"), b.at("name")))
	})
	var b bytes.Buffer
	for _, o := range r.objects {
		document, err := sigsyaml.Marshal(o.fields)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.identity(), err)
		}
		b.WriteString("---\n")
		b.Write(document)
	}
	for _, document := range r.documents {
		b.WriteString("---\n")
		b.Write(document)
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

// failure says what went wrong with the cluster.
func (r *reading) failure(k kind, err error) error {
	var its *kubeconfig.Error
	var status apierrors.APIStatus
	switch {
	case errors.As(err, &its):
		return err
	case apierrors.IsForbidden(err):
		return kubeconfig.Errorf("context %s: %s may not be read, and nothing can be checked without (%s); docs/input.md has the rights that are needed", r.client.context, k.resource, why(err))
	case apierrors.IsUnauthorized(err):
		return kubeconfig.Errorf("context %s: the cluster does not accept the credentials: %v", r.client.context, err)
	case errors.As(err, &status) && status.Status().Code == http.StatusNotFound:
		return kubeconfig.Errorf("context %s: %s are not there: is this a Kubernetes API server?", r.client.context, k.resource)
	}
	return fmt.Errorf("context %s: read %s: %w", r.client.context, k.resource, err)
}

// why is what the server says, in one line.
func why(err error) string {
	text := err.Error()
	if _, reason, ok := strings.Cut(text, " is forbidden: "); ok {
		text = reason
	}
	const most = 200
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
