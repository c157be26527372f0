package scenario

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Actor is a controller or cron job of the user's own. It acts sooner or
// later, and again and again, while its rule has something to write.
type Actor struct {
	// Name is used in traces; no other actor has it.
	Name string `json:"name"`
	// Speed is "slow" (the default: in the default mode it waits for the fast
	// controllers, as autoscalers do) or "fast".
	Speed string `json:"speed,omitempty"`
	// When and Then are its rule.
	When string  `json:"when,omitempty"`
	Then *Effect `json:"then,omitempty"`
}

// Rule is what an actor or an event of type custom may write, and when.
type Rule struct {
	// When is a CEL expression over the cluster; empty is true.
	When string
	Then *Effect
}

// Rule of the actor.
func (a *Actor) Rule() Rule { return Rule{a.When, a.Then} }

// Rule of an event of type custom.
func (e *Event) Rule() Rule { return Rule{e.When, e.Then} }

// Effect is what a rule writes: exactly one of its fields. Where an effect is
// about several objects, each write is about one of them, and any may be first.
type Effect struct {
	// Scale sets spec.replicas of a Deployment or ReplicaSet.
	Scale *Scale `json:"scale,omitempty"`
	// Evict asks the eviction API to delete a pod.
	Evict *Target `json:"evict,omitempty"`
	// Delete deletes a Pod (the default), a Deployment, an autoscaler or a budget.
	Delete *Target `json:"delete,omitempty"`
	// Create is the manifest of a Deployment, Pod, autoscaler or budget that is
	// not there.
	Create json.RawMessage `json:"create,omitempty"`
	// Patch changes a Deployment (the default), a Node, an autoscaler or a budget.
	Patch *Patch `json:"patch,omitempty"`
}

// Target says what an effect is about: all objects of the kind unless
// something narrows it.
type Target struct {
	Kind string `json:"kind,omitempty"`
	// Workload names the Deployment or ReplicaSet, or whose pods are meant.
	Workload *Workload `json:"workload,omitempty"`
	// Nodes are names of nodes or pools, for the kind Node.
	Nodes []string `json:"nodes,omitempty"`
	// Name and Namespace (default "default") name an autoscaler or a budget.
	Name      string `json:"name,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	// Where is a CEL expression over the cluster and the object, which is called
	// by Variable of the kind; empty is true.
	Where string `json:"where,omitempty"`
}

// Scale is the effect of that name.
type Scale struct {
	Target `json:",inline"`
	// Replicas is a number, or a CEL expression that gives one and sees what
	// Where sees.
	Replicas *intstr.IntOrString `json:"replicas"`
}

// Patch is the effect of that name.
type Patch struct {
	Target `json:",inline"`
	// Type is "strategic" (the default, as kubectl patch) or "merge" (RFC 7396).
	Type string `json:"type,omitempty"`
	// Patch is the patch itself.
	Patch json.RawMessage `json:"patch"`
}

// Kinds that effects are about.
const (
	KindPod        = "Pod"
	KindDeployment = "Deployment"
	KindReplicaSet = "ReplicaSet"
	KindNode       = "Node"
	KindAutoscaler = "HorizontalPodAutoscaler"
	KindBudget     = "PodDisruptionBudget"
)

// effect is one effect that is set, for what all have in common.
type effect struct {
	name   string
	target *Target
	// kinds it may be about; the first is the default.
	kinds []string
}

// effects are those that are set; create has no target.
func (e *Effect) effects() []effect {
	var out []effect
	if e.Scale != nil {
		out = append(out, effect{"scale", &e.Scale.Target, []string{KindDeployment, KindReplicaSet}})
	}
	if e.Evict != nil {
		out = append(out, effect{"evict", e.Evict, []string{KindPod}})
	}
	if e.Delete != nil {
		out = append(out, effect{"delete", e.Delete, []string{KindPod, KindDeployment, KindAutoscaler, KindBudget}})
	}
	if len(e.Create) > 0 {
		out = append(out, effect{"create", nil, nil})
	}
	if e.Patch != nil {
		out = append(out, effect{"patch", &e.Patch.Target, []string{KindDeployment, KindNode, KindAutoscaler, KindBudget}})
	}
	return out
}

// Target is what the effect is about, its kind filled in, and the field it
// stands in; nil for create. An effect that is not valid has no name.
func (e *Effect) Target() (string, *Target) {
	if e == nil || len(e.validate(field.NewPath("then"))) > 0 {
		return "", nil
	}
	set := e.effects()[0]
	if set.target == nil {
		return set.name, nil
	}
	t := *set.target
	t.Kind = set.kind()
	return set.name, &t
}

// kind is what the effect says it is about, or its default.
func (e *effect) kind() string {
	switch w := e.target.Workload; {
	case e.target.Kind != "":
		return e.target.Kind
	case w != nil && e.name == "scale" && w.Kind != "":
		return w.Kind
	}
	return e.kinds[0]
}

// Variable is how a kind's object is called in the expressions of an effect.
func Variable(kind string) string {
	if kind == "" {
		return ""
	}
	return strings.ToLower(kind[:1]) + kind[1:]
}

// Expression is a CEL expression of a Scenario with what is expected of it.
type Expression struct {
	// Path is the field it stands in.
	Path, Text string
	// Object is the variable that it sees besides the lists, if any.
	Object string
	// Number: it gives an int and not a bool.
	Number bool
}

// Expressions are the rule's, which stands at path. An effect that is not valid
// has none.
func (r Rule) Expressions(path string) []Expression {
	var out []Expression
	if r.When != "" {
		out = append(out, Expression{Path: path + ".when", Text: r.When})
	}
	name, target := r.Then.Target()
	if name == "" {
		return out
	}
	at := path + ".then." + name
	if target != nil && target.Where != "" {
		out = append(out, Expression{Path: at + ".where", Text: target.Where, Object: Variable(target.Kind)})
	}
	if s := r.Then.Scale; s != nil && s.Replicas.Type == intstr.String {
		out = append(out, Expression{Path: at + ".replicas", Text: s.Replicas.StrVal, Object: Variable(target.Kind), Number: true})
	}
	return out
}

func (s *Spec) validateActors(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	first := map[string]int{}
	for i := range s.Actors {
		a := &s.Actors[i]
		at := path.Index(i)
		if a.Name == "" {
			errs = append(errs, field.Required(at.Child("name"), "its name in traces"))
		}
		errs = append(errs, unique(first, a.Name, i, at.Child("name"))...)
		errs = append(errs, oneOf(a.Speed, at.Child("speed"), "slow", "fast")...)
		if a.Then == nil {
			errs = append(errs, field.Required(at.Child("then"), "what it writes"))
			continue
		}
		errs = append(errs, a.Then.validate(at.Child("then"))...)
	}
	return errs
}

func (e *Effect) validate(path *field.Path) field.ErrorList {
	set := e.effects()
	switch {
	case len(set) == 0:
		return field.ErrorList{field.Required(path, "exactly one of scale, evict, delete, create and patch")}
	case len(set) > 1:
		return field.ErrorList{field.Forbidden(path.Child(set[1].name), fmt.Sprintf("exactly one effect; %s is set too", set[0].name))}
	}
	at := path.Child(set[0].name)
	if set[0].target == nil {
		return isObject(e.Create, at)
	}
	errs := set[0].validate(at)
	if s := e.Scale; s != nil {
		switch {
		case s.Replicas == nil || s.Replicas.Type == intstr.String && s.Replicas.StrVal == "":
			errs = append(errs, field.Required(at.Child("replicas"), "a number, or a CEL expression that gives one"))
		case s.Replicas.Type == intstr.Int:
			errs = append(errs, notNegative(int(s.Replicas.IntVal), at.Child("replicas"))...)
		}
	}
	if p := e.Patch; p != nil {
		errs = append(errs, oneOf(p.Type, at.Child("type"), "strategic", "merge")...)
		if len(p.Patch) == 0 {
			errs = append(errs, field.Required(at.Child("patch"), "what it changes"))
		} else if len(isObject(p.Patch, at)) > 0 {
			errs = append(errs, field.TypeInvalid(at.Child("patch"), "", "must be an object"))
		}
	}
	return errs
}

// validate checks what an effect is about.
func (e *effect) validate(path *field.Path) field.ErrorList {
	t := e.target
	errs := oneOf(t.Kind, path.Child("kind"), e.kinds...)
	if len(errs) > 0 {
		return errs
	}
	kind := e.kind()
	if t.Workload != nil {
		errs = append(errs, t.Workload.validate(path.Child("workload"))...)
		if !slices.Contains(e.kinds, kind) {
			return append(errs, field.NotSupported(path.Child("workload", "kind"), kind, e.kinds))
		}
		switch named := t.Workload.WithDefaults().Kind; {
		case kind == KindNode:
			errs = append(errs, field.Forbidden(path.Child("workload"), "a Node is named by nodes"))
		case t.named():
			errs = append(errs, field.Forbidden(path.Child("workload"), "it is named by name and namespace"))
		case kind != KindPod && named != kind:
			errs = append(errs, field.Invalid(path.Child("workload", "kind"), named, fmt.Sprintf("this %s is about a %s", e.name, kind)))
		}
	}
	if len(t.Nodes) > 0 && kind != KindNode {
		errs = append(errs, field.Forbidden(path.Child("nodes"), "only of kind Node"))
	}
	for _, f := range []eventField{{"name", t.Name != ""}, {"namespace", t.Namespace != ""}} {
		if f.set && !t.named() {
			errs = append(errs, field.Forbidden(path.Child(f.name), fmt.Sprintf("only of the kinds %s and %s", KindAutoscaler, KindBudget)))
		}
	}
	if t.Namespace != "" && t.Name == "" && t.named() {
		errs = append(errs, field.Required(path.Child("name"), "a namespace goes with a name"))
	}
	return errs
}

// named tells whether the object is one that name and namespace name.
func (t *Target) named() bool { return t.Kind == KindAutoscaler || t.Kind == KindBudget }

// Names tells whether the target is about the autoscaler or budget of that name.
func (t *Target) Names(namespace, name string) bool {
	return t.Name == "" || t.Name == name && cmp.Or(t.Namespace, corev1.NamespaceDefault) == namespace
}
