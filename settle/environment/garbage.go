package environment

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// GarbageCollector deletes what has no owner any more, has an owner that is deleted in the
// foreground wait for its dependents, and takes an owner that orphans them from its
// dependents.
func GarbageCollector() Actor { return garbageCollector{} }

type garbageCollector struct{}

func (garbageCollector) Name() string                     { return "garbage collector" }
func (garbageCollector) Reads() []schema.GroupVersionKind { return nil }

// Steps mirrors attemptToDeleteItem and attemptToOrphanWorker of
// kube-controller-manager's garbage collector.
func (garbageCollector) Steps(w World) []Step {
	g := &garbage{World: w, byUID: map[types.UID]*kubestate.Object{}, dependents: map[types.UID][]*kubestate.Object{}}
	for o := range w.Objects() {
		g.byUID[o.Meta().GetUID()] = o
		for _, owner := range o.Meta().GetOwnerReferences() {
			g.dependents[owner.UID] = append(g.dependents[owner.UID], o)
		}
	}
	for o := range w.Objects() {
		switch m := o.Meta(); {
		case m.GetDeletionTimestamp() == nil:
			g.collect(o)
		case slices.Contains(m.GetFinalizers(), metav1.FinalizerOrphanDependents):
			g.orphan(o)
		case slices.Contains(m.GetFinalizers(), metav1.FinalizerDeleteDependents):
			if !slices.ContainsFunc(g.dependents[m.GetUID()], func(d *kubestate.Object) bool { return blocks(d, m.GetUID()) }) {
				g.release(o, metav1.FinalizerDeleteDependents)
			}
		}
	}
	return g.steps
}

// garbage is one look at a World.
type garbage struct {
	World
	byUID      map[types.UID]*kubestate.Object
	dependents map[types.UID][]*kubestate.Object
	steps      []Step
}

func (g *garbage) add(o *kubestate.Object, text string, r kubestate.Request) {
	g.steps = append(g.steps, Step{Class: o.Key(), Text: text + Path(g.Resource(o), o.Meta()), Request: r})
}

// blocks tells whether an owner that is deleted in the foreground has to wait for o.
func blocks(o *kubestate.Object, owner types.UID) bool {
	return slices.ContainsFunc(o.Meta().GetOwnerReferences(), func(r metav1.OwnerReference) bool {
		return r.UID == owner && r.BlockOwnerDeletion != nil && *r.BlockOwnerDeletion
	})
}

// collect deletes o if none of its owners is there to stay.
func (g *garbage) collect(o *kubestate.Object) {
	var solid, gone []metav1.OwnerReference
	waiting := false
	for _, r := range o.Meta().GetOwnerReferences() {
		owner, known := g.owner(o, r)
		switch {
		case !known:
			return // it is tried again for ever
		case owner == nil:
			gone = append(gone, r)
		case owner.Meta().GetDeletionTimestamp() != nil && slices.Contains(owner.Meta().GetFinalizers(), metav1.FinalizerDeleteDependents):
			waiting = true
			gone = append(gone, r)
		default:
			solid = append(solid, r)
		}
	}
	resource, m := g.Resource(o), o.Meta()
	finalizers := m.GetFinalizers()
	policy := metav1.DeletePropagationBackground
	switch {
	case len(gone) == 0:
		return
	case len(solid) > 0:
		g.add(o, "take what is gone from the owners of ", Patch(resource, m, map[string]any{"ownerReferences": solid}))
		return
	case waiting && len(g.dependents[m.GetUID()]) > 0:
		if slices.ContainsFunc(g.dependents[m.GetUID()], waits) && slices.ContainsFunc(gone, func(r metav1.OwnerReference) bool { return blocks(o, r.UID) }) {
			g.add(o, "take blockOwnerDeletion from the owners of ", Patch(resource, m, map[string]any{"ownerReferences": unblocked(gone)}))
			return
		}
		policy = metav1.DeletePropagationForeground
	case slices.Contains(finalizers, metav1.FinalizerOrphanDependents):
		policy = metav1.DeletePropagationOrphan
	case slices.Contains(finalizers, metav1.FinalizerDeleteDependents):
		policy = metav1.DeletePropagationForeground
	}
	g.add(o, "delete ", Delete(resource, m, policy, nil))
}

// waits tells whether o is deleted in the foreground.
func waits(o *kubestate.Object) bool {
	return o.Meta().GetDeletionTimestamp() != nil && slices.Contains(o.Meta().GetFinalizers(), metav1.FinalizerDeleteDependents)
}

// unblocked are references to owners that need not wait.
func unblocked(owners []metav1.OwnerReference) []metav1.OwnerReference {
	out := slices.Clone(owners)
	for i := range out {
		out[i].BlockOwnerDeletion = nil
	}
	return out
}

// owner is what a reference refers to, nil if that is not there. It is not known if no such
// kind is served, or if it would have to be in a namespace in which o is not.
func (g *garbage) owner(o *kubestate.Object, r metav1.OwnerReference) (owner *kubestate.Object, known bool) {
	gv, err := schema.ParseGroupVersion(r.APIVersion)
	if err != nil {
		return nil, false
	}
	of, served := g.server.Resource(gv.WithKind(r.Kind))
	namespace := ""
	if of.Namespaced {
		namespace = o.Meta().GetNamespace()
	}
	if !served || of.Namespaced && namespace == "" {
		return nil, false
	}
	is := g.Get(of.Prefix(namespace) + r.Name)
	if is == nil || is.Meta().GetUID() != r.UID {
		return nil, true
	}
	return is, true
}

// orphan takes an owner from its dependents, and lets it go then.
func (g *garbage) orphan(o *kubestate.Object) {
	uid := o.Meta().GetUID()
	for _, d := range g.dependents[uid] {
		left := slices.DeleteFunc(slices.Clone(d.Meta().GetOwnerReferences()), func(r metav1.OwnerReference) bool { return r.UID == uid })
		g.steps = append(g.steps, Step{
			Class: d.Key(), Text: "take its owner from " + Path(g.Resource(d), d.Meta()),
			Request: Patch(g.Resource(d), d.Meta(), map[string]any{"ownerReferences": left}),
		})
	}
	if len(g.dependents[uid]) == 0 {
		g.release(o, metav1.FinalizerOrphanDependents)
	}
}

// release removes a finalizer.
func (g *garbage) release(o *kubestate.Object, finalizer string) {
	left := slices.DeleteFunc(slices.Clone(o.Meta().GetFinalizers()), func(f string) bool { return f == finalizer })
	g.add(o, "take the finalizer "+finalizer+" from ", Patch(g.Resource(o), o.Meta(), map[string]any{"finalizers": left}))
}
