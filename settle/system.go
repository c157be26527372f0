package settle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// System is a model of something outside of Kubernetes that reconcilers talk to: a database,
// the interface of a cloud. Each request is one step; it can time out before and after it takes
// effect, and be late, as requests to the API server are.
type System struct {
	Name   string
	first  any
	handle func(cluster client.Reader, state, request []byte) (after, response []byte, err error)
	// alone: it does not read the cluster.
	alone bool
}

// NewSystem is a System with a first state and what it does: from a state and a request to
// the next state and a response, or an error, which leaves the state as it was. All three are
// values that JSON can hold. The function is called again and again, and depends on nothing else.
func NewSystem[S, Q, R any](name string, first S, handle func(S, Q) (S, R, error)) System {
	out := NewSystemInCluster(name, first, func(_ client.Reader, s S, q Q) (S, R, error) { return handle(s, q) })
	out.alone = true
	return out
}

// NewSystemInCluster is NewSystem for something that runs in the cluster, and goes with what
// it runs in: it reads what there is when it is asked.
func NewSystemInCluster[S, Q, R any](name string, first S, handle func(cluster client.Reader, s S, q Q) (S, R, error)) System {
	return System{Name: name, first: first, handle: func(cluster client.Reader, state, request []byte) ([]byte, []byte, error) {
		var s S
		var q Q
		if err := errors.Join(json.Unmarshal(state, &s), json.Unmarshal(request, &q)); err != nil {
			return nil, nil, err
		}
		s, r, err := handle(cluster, s, q)
		if err != nil {
			return nil, nil, err
		}
		after, wrong := json.Marshal(s)
		response, err := json.Marshal(r)
		return after, response, errors.Join(wrong, err)
	}}
}

// reaching is a client by which Systems are reached: of an exploration, or of SystemStates.
type reaching interface {
	hasSystem(name string) bool
	askSystem(name string, request []byte) (response []byte, err error)
	systemState(name string) (state []byte, err error)
}

// Remote is how reconcilers reach a System.
type Remote struct {
	client reaching
	name   string
}

// Connect gives Setup a way to a System of the Config, for the client that the reconcilers
// have of it.
func Connect(mgr ctrl.Manager, name string) (*Remote, error) {
	c, ok := mgr.GetClient().(reaching)
	if !ok {
		return nil, fmt.Errorf("settle: Connect: this manager is not that of a settle.Config")
	}
	if !c.hasSystem(name) {
		return nil, fmt.Errorf("settle: Connect: there is no System %q in the Config", name)
	}
	return &Remote{c, name}, nil
}

// Ask makes a request, and copies the response to what response points to, if it is not nil.
// An error is that of the System, or a timeout (apierrors.IsTimeout).
func (r *Remote) Ask(_ context.Context, request, response any) error {
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	body, err := r.client.askSystem(r.name, text)
	if err != nil || response == nil {
		return err
	}
	return json.Unmarshal(body, response)
}

// Look reads the state of a System in a Match, an Always, and so on.
func Look(c client.Reader, name string, state any) error {
	s, ok := c.(reaching)
	if !ok {
		return errors.New("settle: Look: this is not the client that a property is given")
	}
	held, err := s.systemState(name)
	if err != nil {
		return err
	}
	return json.Unmarshal(held, state)
}

func (c *scripted) hasSystem(name string) bool { return known(c.systems, name) }

func known(all []System, name string) bool {
	return slices.ContainsFunc(all, func(s System) bool { return s.Name == name })
}

func (c *scripted) askSystem(name string, request []byte) ([]byte, error) {
	title := name + ": " + string(request)
	a := c.asker.ask(&call{system: name, body: request, key: systemKey(name), title: title, text: title})
	if a.status == nil {
		return a.body, nil
	}
	err := failure(a.status)
	if apierrors.IsInternalError(err) {
		err = errors.New(strings.TrimPrefix(err.Error(), "Internal error occurred: "))
	}
	return nil, err
}

func (c *scripted) systemState(name string) ([]byte, error) {
	a := c.asker.ask(&call{key: systemKey(name), text: name, resource: kubestate.Resource{Resource: systemResource}})
	if a.object == nil {
		return nil, errNoSystem(name)
	}
	return stateOf(a.object)
}

func errNoSystem(name string) error {
	return fmt.Errorf("settle: Look: there is no System %q in the Config", name)
}

// The states of systems are held as objects of a kind that nobody else has: so they are part
// of what there is, are told in traces, and are read by expressions.
var systemResource = schema.GroupVersionResource{Group: "settle.seatrial.io", Version: "v1", Resource: "systems"}

func systemKey(name string) string { return "/" + systemResource.Group + "/systems/" + name }

// isSystem tells whether an object is the state of a system, which is nobody's to delete.
func isSystem(o *kubestate.Object) bool { return strings.HasPrefix(o.Key(), systemKey("")) }

func systemDefinition() *apiextensionsv1.CustomResourceDefinition {
	open := true
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "systems." + systemResource.Group},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: systemResource.Group, Scope: apiextensionsv1.ClusterScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Kind: "System", ListKind: "SystemList", Plural: "systems", Singular: "system"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true, Schema: &apiextensionsv1.CustomResourceValidation{
				OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &open},
			}}},
		},
	}
}

func stateOf(o *kubestate.Object) ([]byte, error) {
	var held struct {
		State json.RawMessage `json:"state"`
	}
	err := json.Unmarshal(o.JSON(), &held)
	return held.State, err
}

// startSystems creates the states.
func (x *explorer) startSystems(n *node) error {
	for _, s := range x.config.Systems {
		body, err := json.Marshal(map[string]any{
			"apiVersion": systemResource.GroupVersion().String(), "kind": "System", "metadata": map[string]any{"name": s.Name}, "state": s.first,
		})
		if err != nil {
			return fmt.Errorf("settle: Systems: %s: %w", s.Name, err)
		}
		if err := x.uncounted("Systems", systemKey(s.Name), body); err != nil {
			return err
		}
		world, response := x.server.Do(n.world, &kubestate.Request{Verb: "create", Resource: systemResource, Body: body, Agent: "setup"})
		if response.Status != nil {
			return fmt.Errorf("settle: Systems: %s", response.Status.Message)
		}
		n.world = world
	}
	return nil
}

// inquire makes a request of a system in n, which is changed, and gives its answer.
func (x *explorer) inquire(n *node, c *call) answer {
	i := slices.IndexFunc(x.config.Systems, func(s System) bool { return s.Name == c.system })
	r := x.reply(n, &x.config.Systems[i], c)
	if r.write == nil {
		return r.answer
	}
	world, response := x.server.Do(n.world, r.write)
	if response.Status != nil {
		x.fail(fmt.Errorf("settle: System %s: %s", c.system, response.Status.Message))
	}
	n.world = world
	return r.answer
}

// reply is what a system says to a request, and how its state is changed; nil if it is not.
type reply struct {
	answer answer
	write  *kubestate.Request
}

// inquiry is what a reply follows from.
type inquiry struct {
	state *kubestate.Object
	text  string
	// world is what else there is, if that matters.
	world [16]byte
}

// reply asks a system, once for each inquiry.
func (x *explorer) reply(n *node, s *System, c *call) reply {
	of := inquiry{state: n.world.Get(c.key), text: c.text}
	if !s.alone {
		of.world = worldKey(n.world)
	}
	if known, ok := x.replies.Load(of); ok {
		return known.(reply)
	}
	out := reply{answer: answer{call: c.text}}
	state, err := stateOf(of.state)
	var after []byte
	if err == nil {
		err = x.calling("System "+c.system, func() (err error) {
			after, out.answer.body, err = s.handle(x.lookup(n.world), state, c.body)
			return err
		})
	}
	var patch []byte
	if err == nil {
		patch, err = json.Marshal([]map[string]any{{"op": "replace", "path": "/state", "value": json.RawMessage(after)}})
	}
	if err != nil {
		out.answer.body, out.answer.status = nil, status(apierrors.NewInternalError(err))
	} else {
		out.write = &kubestate.Request{Verb: "patch", Resource: systemResource, Name: c.system, Patch: string(types.JSONPatchType), Body: patch, Agent: "system"}
	}
	x.replies.Store(of, out)
	return out
}
