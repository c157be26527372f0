package replay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// identity is a pod as the trace knows it.
type identity struct {
	owner             string
	revision, ordinal int
}

func identityOf(p *trace.Pod) identity { return identity{p.Owner, p.Revision, p.Ordinal} }

func (i identity) String() string {
	_, name, _ := strings.Cut(i.owner, " ")
	if i.revision > 0 {
		return fmt.Sprintf("pod %s rev %d #%d", name, i.revision, i.ordinal)
	}
	return fmt.Sprintf("pod %s #%d", name, i.ordinal)
}

func podName(p *trace.Pod) string { return identityOf(p).String() }

// name is that of a real pod.
type name struct{ namespace, name string }

// renaming says which real pod is which of the trace's. It is fixed by the run: a
// pod gets its identity when it is created, and two that the model cannot tell
// apart exchange theirs when the other one was taken.
type renaming struct {
	names      map[identity]name
	identities map[name]identity
}

func newRenaming() *renaming {
	return &renaming{map[identity]name{}, map[name]identity{}}
}

func (r *renaming) set(i identity, n name) {
	if old, ok := r.names[i]; ok {
		delete(r.identities, old)
	}
	r.names[i], r.identities[n] = n, i
}

// take makes the pod of the act the real pod n, if that is it or is among those
// that it could equally be.
func (r *renaming) take(p *trace.Pod, among []int, n name) bool {
	want := identityOf(p)
	have, known := r.identities[n]
	switch {
	case !known || have.owner != want.owner || have.revision != want.revision:
		return false
	case have == want:
		return true
	case !slices.Contains(among, have.ordinal):
		return false
	}
	other, both := r.names[want]
	r.set(want, n)
	delete(r.names, have)
	if both {
		r.names[have], r.identities[other] = other, have
	}
	return true
}

// could tells whether take would.
func (r *renaming) could(p *trace.Pod, among []int, n name) bool {
	have, known := r.identities[n]
	return known && have.owner == p.Owner && have.revision == p.Revision &&
		(have.ordinal == p.Ordinal || slices.Contains(among, have.ordinal))
}

// shown is a real pod in the trace's words, or by its own name.
func (r *renaming) shown(n name) string {
	if i, ok := r.identities[n]; ok {
		return i.String()
	}
	return "pod " + n.namespace + "/" + n.name
}

// sets knows which ReplicaSet is which template of which workload.
type sets struct {
	workloads []trace.Workload
}

// of is the workload and the number of the template of a ReplicaSet.
func (s sets) of(set history.Object) (owner string, revision int, ok bool) {
	kind, deployment := controller(set)
	owner = kind + " " + text(set, "metadata", "namespace") + "/" + deployment
	if kind == "" {
		owner = "ReplicaSet " + text(set, "metadata", "namespace") + "/" + text(set, "metadata", "name")
	}
	index := slices.IndexFunc(s.workloads, func(w trace.Workload) bool { return w.Object == owner })
	if index < 0 {
		return owner, 0, false
	}
	revisions := s.workloads[index].Revisions
	for i, r := range revisions {
		if r.Set != "" && r.Set == text(set, "metadata", "name") {
			return owner, i, true
		}
	}
	template, _ := set.At("spec", "template").(map[string]any)
	for i, r := range revisions {
		if i > 0 && alike(r.Template, template) {
			return owner, i, true
		}
	}
	return owner, 0, len(revisions) > 0
}

// byOrdinal sorts the pods of the start as the trace numbers them.
func byOrdinal(pods []trace.Pod) []trace.Pod {
	out := slices.Clone(pods)
	slices.SortStableFunc(out, func(a, b trace.Pod) int {
		return cmp.Or(cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.Revision, b.Revision), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	return out
}
