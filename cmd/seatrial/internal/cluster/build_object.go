package cluster

import (
	"fmt"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/effect"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/apply"
)

// What the rules of the scenario's own do to autoscalers and budgets, which are
// in the state as revisions: package documentation of model.Rewrite.

// kindOf is the kind of an autoscaler or budget, or empty.
func kindOf(o runtime.Object) string {
	switch o.(type) {
	case *autoscalingv2.HorizontalPodAutoscaler:
		return scenario.KindAutoscaler
	case *policyv1.PodDisruptionBudget:
		return scenario.KindBudget
	}
	return ""
}

// isAbout tells whether a target is about an autoscaler or budget.
func isAbout(t *scenario.Target, o runtime.Object) bool {
	m, err := meta.Accessor(o)
	return err == nil && t != nil && t.Kind != "" && t.Kind == kindOf(o) && t.Names(m.GetNamespace(), m.GetName())
}

// deletesObject tells whether a rule deletes an autoscaler or budget.
func (b *builder) deletesObject(o runtime.Object) bool {
	for _, r := range b.rules() {
		if _, target := r.Then.Target(); r.Then.Delete != nil && isAbout(target, o) {
			return true
		}
	}
	return false
}

// writesByRules are what rules write of autoscalers and budgets, those of the
// input and those that others bring: manifests that they create, and a patch for
// each object that it is about.
func (b *builder) writesByRules(others []write) []write {
	var out []write
	there := map[string]runtime.Object{}
	for i := range b.in.Autoscalers {
		there[objectID(b.in.Autoscalers[i].Value)] = b.in.Autoscalers[i].Value
	}
	for i := range b.in.DisruptionBudgets {
		there[objectID(b.in.DisruptionBudgets[i].Value)] = b.in.DisruptionBudgets[i].Value
	}
	for _, w := range others {
		there[objectID(w.object)] = w.object
	}
	rules := b.rules()
	for _, path := range sortedKeys(rules) {
		raw := rules[path].Then.Create
		if len(raw) == 0 {
			continue
		}
		at := path + ".then.create"
		if o, source, err := b.in.Decode(raw, at); err == nil && kindOf(o) != "" {
			out = append(out, write{raw: raw, object: o, source: source, path: at, create: true})
			there[objectID(o)] = o
		}
	}
	for _, path := range sortedKeys(rules) {
		p := rules[path].Then.Patch
		if p == nil {
			continue
		}
		at := path + ".then.patch.patch"
		for _, id := range sortedKeys(there) {
			if isAbout(&p.Target, there[id]) {
				out = append(out, write{
					raw: p.Patch, object: there[id], source: b.w.ScenarioSource.Within(at), path: at, patch: true, merge: p.Type == "merge",
				})
			}
		}
	}
	return out
}

// rewritten notes what a write does, for the event, applier or rule it is of.
func (b *builder) rewritten(w *write, r *model.Rewrite) {
	if strings.Contains(w.path, ".then.") {
		b.ruled[w.path] = append(b.ruled[w.path], r)
		return
	}
	b.rewrites[w.path] = r
}

// patchObject is what a patch leaves of an autoscaler or budget.
func (b *builder) patchObject(w *write, base *model.Written) (runtime.Object, error) {
	raw, err := apply.Patched(typed(base.Object), w.raw, w.merge, schemaOf(w.object))
	if err != nil {
		return nil, fmt.Errorf("%s: the API server would reject it: %w", w.path, err)
	}
	o, _, err := b.in.Decode(raw, w.path)
	if err != nil {
		return nil, err
	}
	if objectID(o) != objectID(base.Object) {
		return nil, fmt.Errorf("%s: a patch cannot change the kind or the name", w.path)
	}
	return o, nil
}

// rewriting is the effect of patching, creating or deleting autoscalers and
// budgets.
func (b *builder) rewriting(name string, target *scenario.Target, where *effect.Condition, at string) effect.Effect {
	out := &effect.Objects{Name: name, Where: where, Rewrites: b.ruled[at]}
	switch name {
	case "patch":
		out.Rewrites = b.ruled[at+".patch"]
	case "delete":
		for i := range b.w.HPAs {
			if isAbout(target, b.w.HPAs[i].Revisions[0].HPA) {
				out.Rewrites = append(out.Rewrites, &model.Rewrite{HPA: i, PDB: -1})
			}
		}
		for i := range b.w.PDBs {
			if isAbout(target, b.w.PDBs[i].Revisions[0].PDB) {
				out.Rewrites = append(out.Rewrites, &model.Rewrite{HPA: -1, PDB: i})
			}
		}
	}
	if len(out.Rewrites) == 0 && target != nil && target.Name != "" && len(b.problems) == 0 {
		b.fail(b.w.ScenarioSource, at+".name", "%s.name: no %s %s in the input", at, target.Kind, target.Name)
	}
	return out
}
