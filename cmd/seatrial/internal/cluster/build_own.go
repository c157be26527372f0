package cluster

import (
	"encoding/json"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/actor"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/effect"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/expression"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

// CheckExpression says in one line what is wrong with a CEL expression of the
// scenario; it is what manifest.Load is given to validate one with.
func CheckExpression(e scenario.Expression) error {
	_, err := expression.CompileFor(e.Text, e.Object, e.Number)
	return err
}

// own makes the actors that the scenario declares.
func (b *builder) own() {
	for k := range b.w.Scenario.Actors {
		a := &b.w.Scenario.Actors[k]
		rule := b.rule(a.Name, a.Rule(), fmt.Sprintf("spec.actors[%d]", k))
		if rule == nil {
			continue
		}
		speed := model.Slow
		if a.Speed == "fast" {
			speed = model.Fast
		}
		b.w.Own = append(b.w.Own, actor.Own(a.Name, speed, rule))
	}
}

// rule makes a rule of the scenario ready; nil if something is wrong with it.
func (b *builder) rule(name string, r scenario.Rule, path string) *effect.Rule {
	before := len(b.problems)
	conditions := map[string]*effect.Condition{}
	for _, x := range r.Expressions(path) {
		e, err := expression.CompileFor(x.Text, x.Object, x.Number)
		if err != nil {
			b.fail(b.w.ScenarioSource, x.Path, "%s: %v", x.Path, err)
			continue
		}
		conditions[x.Path] = &effect.Condition{Expression: e, Path: x.Path}
	}
	verb, target := r.Then.Target()
	at := path + ".then." + verb
	out := &effect.Rule{Observer: b.observer, When: conditions[path+".when"], Name: name, Path: path}
	where := conditions[at+".where"]
	if target == nil {
		out.Effect = b.creation(r.Then.Create, at)
	} else if target.Kind == scenario.KindAutoscaler || target.Kind == scenario.KindBudget {
		out.Effect = b.rewriting(verb, target, where, at)
	} else if works := b.subjects(target, at); target.Kind == scenario.KindPod {
		out.Effect = &effect.Pods{Works: works, Where: where, Evict: r.Then.Evict != nil}
	} else if s := r.Then.Scale; s != nil {
		out.Effect = &effect.Scale{Works: works, Where: where, To: s.Replicas.IntVal, Replicas: conditions[at+".replicas"]}
	} else if r.Then.Delete != nil {
		out.Effect = &effect.Delete{Works: works, Where: where}
	} else if target.Kind == scenario.KindNode {
		out.Effect = b.cordon(r.Then.Patch, where, at)
	} else {
		out.Effect = b.patch(r.Then.Patch, works, where, at)
	}
	if len(b.problems) > before {
		return nil
	}
	return out
}

// subjects are the workloads that an effect is about, or whose pods.
func (b *builder) subjects(t *scenario.Target, at string) []int {
	if t.Workload != nil {
		if i := b.named(*t.Workload, at+".workload"); i >= 0 {
			return []int{i}
		}
		return nil
	}
	var out []int
	for i := range b.w.Workloads {
		if t.Kind == scenario.KindPod || b.w.Workloads[i].Kind == t.Kind {
			out = append(out, i)
		}
	}
	return out
}

// rules are those of the scenario's actors and events, by their places.
func (b *builder) rules() map[string]scenario.Rule {
	out := map[string]scenario.Rule{}
	for k := range b.w.Scenario.Actors {
		if a := &b.w.Scenario.Actors[k]; a.Then != nil {
			out[fmt.Sprintf("spec.actors[%d]", k)] = a.Rule()
		}
	}
	for k := range b.w.Scenario.Events {
		if e := &b.w.Scenario.Events[k]; e.Type == scenario.EventCustom && e.Then != nil {
			out[fmt.Sprintf("spec.events[%d]", k)] = e.Rule()
		}
	}
	return out
}

// deletes tells whether a rule deletes Deployment i.
func (b *builder) deletes(i int) bool {
	spec := &b.w.Workloads[i]
	for _, r := range b.rules() {
		if _, target := r.Then.Target(); r.Then.Delete != nil && target.Kind == scenario.KindDeployment {
			if w := target.Workload; w == nil || w.String() == spec.Object() {
				return true
			}
		}
	}
	return false
}

// ruleExpressions are the expressions of the rules; what is wrong with others
// is said where the rules are made.
func (b *builder) ruleExpressions() []*expression.Expression {
	var out []*expression.Expression
	for path, r := range b.rules() {
		for _, x := range r.Expressions(path) {
			if e, err := expression.CompileFor(x.Text, x.Object, x.Number); err == nil {
				out = append(out, e)
			}
		}
	}
	return out
}

// mentionedByRules adds the nodes that rules name, and those that what they
// create or patch names.
func (b *builder) mentionedByRules(out map[string]bool, note func(*corev1.PodSpec)) {
	for _, r := range b.rules() {
		if _, target := r.Then.Target(); target != nil {
			for _, n := range target.Nodes {
				out[n] = true
			}
		}
		raws := [][]byte{r.Then.Create}
		if r.Then.Patch != nil {
			raws = append(raws, r.Then.Patch.Patch)
		}
		for _, raw := range raws { // what is wrong with them is said where they are decoded
			var d appsv1.Deployment
			if json.Unmarshal(raw, &d) == nil {
				note(&d.Spec.Template.Spec)
			}
			var p corev1.Pod
			if json.Unmarshal(raw, &p) == nil {
				note(&p.Spec)
			}
		}
	}
}

// broughtByRules adds what rules create, as brought does.
func (b *builder) broughtByRules() {
	rules := b.rules()
	for _, path := range sortedKeys(rules) {
		if len(rules[path].Then.Create) == 0 {
			continue
		}
		o, source, err := b.in.Decode(rules[path].Then.Create, path+".then.create")
		if err != nil {
			continue
		}
		switch o := o.(type) {
		case *appsv1.Deployment:
			if b.find("Deployment", o.Namespace, o.Name) < 0 {
				b.deployment(o, source, true)
			}
		case *corev1.Pod:
			if b.find("Pod", o.Namespace, o.Name) < 0 {
				i := b.barePod(&manifest.Object[*corev1.Pod]{Value: o, Source: source})
				b.w.Workloads[i].Absent = true
			}
		}
	}
}

// creation is the effect of creating a manifest. The selector of a
// Deployment has to be that of the one in the input.
func (b *builder) creation(raw []byte, path string) effect.Effect {
	o, source, err := b.in.Decode(raw, path)
	if err != nil {
		b.blame(err, path)
		return nil
	}
	switch o := o.(type) {
	case *corev1.Pod:
		return &effect.Create{Work: b.find("Pod", o.Namespace, o.Name), Replicas: 1}
	case *appsv1.Deployment:
		i := b.find("Deployment", o.Namespace, o.Name)
		b.unchanged(b.w.Workloads[i].Deployment, o, path, "a manifest that is created")
		e := &effect.Create{Work: i, Form: b.form(i, o, source), Replicas: *o.Spec.Replicas}
		b.creates = append(b.creates, e)
		return e
	}
	if kindOf(o) != "" {
		return b.rewriting("create", nil, nil, path)
	}
	b.fail(b.w.ScenarioSource, path, "%s: a %s cannot be created", path, source.Kind)
	return nil
}

// unchanged refuses changes of the fields that a Deployment has for the whole
// check.
func (b *builder) unchanged(before, after *appsv1.Deployment, path, what string) {
	for _, f := range []struct {
		field string
		same  bool
	}{
		{"metadata.name", before.Name == after.Name && before.Namespace == after.Namespace},
		{"spec.selector", equality.Semantic.DeepEqual(before.Spec.Selector, after.Spec.Selector)},
	} {
		if !f.same {
			b.fail(b.w.ScenarioSource, path+"."+f.field, "%s.%s: %s cannot change %s of a Deployment", path, f.field, what, f.field)
		}
	}
}

// blame adds what is wrong with something at a path of the scenario.
func (b *builder) blame(err error, path string) {
	if p, ok := manifest.AsProblems(err); ok {
		b.problems = append(b.problems, p...)
		return
	}
	b.fail(b.w.ScenarioSource, path, "%s: %v", path, err)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
