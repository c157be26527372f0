package cluster

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/trace"
)

// shape is a cluster as far as acts change it. It is made of a state of the model,
// or by following acts, which knows nothing of actors.
type shape struct {
	Pods     map[string]int // by what they are but for their ordinals
	Replicas map[string]int
	Revision map[string]int
	Specs    map[string]any // nil if it is not known
	Budgets  map[string]any
	Taints   map[string][]string
	Cordoned map[string]bool
	Unready  map[string]bool
	Down     map[string]bool
	Loads    map[string]string
	Doomed   map[string][]string
}

func newShape() *shape {
	return &shape{
		map[string]int{}, map[string]int{}, map[string]int{}, map[string]any{}, map[string]any{}, map[string][]string{},
		map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]string{}, map[string][]string{},
	}
}

func kindOfPod(p trace.Pod) string {
	p.Ordinal, p.Name = 0, ""
	return fmt.Sprintf("%+v", p)
}

// seen is what a state of the model looks like.
func seen(w *model.World, s *model.State) *shape {
	out := newShape()
	for _, p := range newRoster(w, s).start {
		out.Pods[kindOfPod(p)]++
	}
	for i, work := range s.Work {
		spec := &w.Workloads[i]
		object := spec.Object()
		out.Loads[object] = string(w.Load(s, i).Raw(spec))
		switch {
		case work.Never >= model.NeverRev:
			out.Doomed[object] = append(out.Doomed[object], fmt.Sprint(work.Never-model.NeverRev))
		case work.Never != model.NeverNone:
			out.Doomed[object] = append(out.Doomed[object], "all")
		}
		for r, set := range work.Sets {
			if set.Exists && spec.Kind == "Deployment" {
				out.Replicas[w.SetObject(i, uint8(r))] = int(set.Replicas)
			}
		}
		if spec.Kind == "Pod" || !work.Exists {
			continue
		}
		out.Replicas[object] = int(work.Replicas)
		if spec.Kind == "Deployment" {
			out.Revision[object] = int(work.Rev)
			out.Specs[object] = specIn(model.Object(w.Deployment(s, i)))
		}
	}
	for i := range s.HPA {
		if h := w.AutoscalerSpec(s, i); h != nil {
			out.Specs["HorizontalPodAutoscaler "+w.HPAs[i].Name()] = specIn(model.Object(h.HPA))
		}
	}
	for i, b := range s.PDB {
		if spec := w.BudgetSpec(s, i); spec != nil {
			object := "PodDisruptionBudget " + w.PDBs[i].Name()
			out.Specs[object] = specIn(model.Object(spec.PDB))
			out.Budgets[object] = status(b.Allowed, b.Current, b.Desired, b.Expected)
		}
	}
	for i, n := range s.Nodes {
		object := w.NodeObject(i)
		if n.Taints != 0 {
			out.Taints[object] = strings.Split(n.Taints.String(), ", ")
			slices.Sort(out.Taints[object])
		}
		for is, of := range map[*bool]map[string]bool{&n.Unschedulable: out.Cordoned, ptr(!n.Ready): out.Unready, ptr(!n.Up): out.Down} {
			if *is {
				of[object] = true
			}
		}
		if n.Sick > 0 {
			for _, k := range w.Events[n.Sick-1].Works {
				doomed := w.Workloads[k].Object()
				out.Doomed[doomed] = append(out.Doomed[doomed], w.Nodes[i].Name())
			}
		}
	}
	for _, d := range out.Doomed {
		slices.Sort(d)
	}
	return out
}

func ptr[T any](v T) *T { return &v }

func status(allowed, current, desired, expected int32) any {
	return map[string]any{"disruptionsAllowed": float64(allowed), "currentHealthy": float64(current), "desiredHealthy": float64(desired), "expectedPods": float64(expected)}
}

func specIn(o json.RawMessage) any {
	var fields map[string]any
	if err := json.Unmarshal(o, &fields); err != nil {
		panic(err)
	}
	return fields["spec"]
}

// follower is a shape that follows acts, with the pods by their identities.
type follower struct {
	*shape
	pods map[string]trace.Pod
}

func podName(p *trace.Pod) string { return fmt.Sprintf("%s %d %d", p.Owner, p.Revision, p.Ordinal) }

// follow begins where a shape is, with these pods.
func follow(from *shape, pods []trace.Pod) *follower {
	f := &follower{shape: from, pods: map[string]trace.Pod{}}
	for _, p := range pods {
		f.pods[podName(&p)] = p
	}
	return f
}

// now is the shape that acts have led to.
func (f *follower) now() *shape {
	f.Pods = map[string]int{}
	for _, p := range f.pods {
		f.Pods[kindOfPod(p)]++
	}
	return f.shape
}

// quiet are the verbs of acts that nobody sees.
var quiet = []string{"choose", "drained", "maintenance", "refused", "wait"}

func (f *follower) act(a *trace.Act) error {
	if f.verbIsQuiet(a) {
		return nil
	}
	if a.Pod != nil {
		return f.actOnPod(a)
	}
	switch a.Verb {
	case "create", "scale", "apply", "patch", "delete":
		return f.write(a)
	case "cordon", "uncordon":
		turn(f.Cordoned, a.Object, a.Verb == "cordon")
	case "node-ready", "node-unready":
		turn(f.Unready, a.Object, a.Verb == "node-unready")
	case "node-up", "node-down":
		turn(f.Down, a.Object, a.Verb == "node-down")
	case "taint":
		f.Taints[a.Object] = append(f.Taints[a.Object], a.Taint)
		slices.Sort(f.Taints[a.Object])
	case "untaint":
		f.Taints[a.Object] = slices.DeleteFunc(f.Taints[a.Object], func(t string) bool { return t == a.Taint })
		if len(f.Taints[a.Object]) == 0 {
			delete(f.Taints, a.Object)
		}
	case "status":
		if len(a.Patch) > 0 {
			f.Budgets[a.Object] = patchedWith(map[string]any{"status": f.Budgets[a.Object]}, parsed(a.Patch)).(map[string]any)["status"]
		}
	case "load":
		f.Loads[a.Object] = string(a.Load)
	case "doom":
		scope := "all"
		if a.Revision != nil {
			scope = fmt.Sprint(*a.Revision)
		}
		if a.Node != "" {
			scope = a.Node
		}
		f.Doomed[a.Object] = append(f.Doomed[a.Object], scope)
		slices.Sort(f.Doomed[a.Object])
	default:
		return fmt.Errorf("nobody knows the verb %s", a.Verb)
	}
	return nil
}

// verbIsQuiet tells whether an act is one that nobody sees; that of a pod is as it
// was.
func (f *follower) verbIsQuiet(a *trace.Act) bool {
	return slices.Contains(quiet, a.Verb) && a.Role == trace.RoleInner && (a.Pod == nil || kindOfPod(f.pods[podName(a.Pod)]) == kindOfPod(*a.Pod))
}

var podVerbs = []string{"create", "bind", "nominate", "start", "ready", "unready", "restart", "crash", "reject", "load", "delete", "evict", "gone"}

func (f *follower) actOnPod(a *trace.Act) error {
	name := podName(a.Pod)
	if _, there := f.pods[name]; there == (a.Verb == "create") {
		return fmt.Errorf("%s of %s: there is %v", a.Verb, name, there)
	}
	if !slices.Contains(podVerbs, a.Verb) {
		return fmt.Errorf("nobody knows what %s does to a pod", a.Verb)
	}
	if len(a.Among) > 0 && !slices.Contains(a.Among, a.Pod.Ordinal) {
		return fmt.Errorf("%s of %s: it is not among %v", a.Verb, name, a.Among)
	}
	if f.pods[name] = *a.Pod; a.Gone {
		delete(f.pods, name)
	}
	return nil
}

func (f *follower) write(a *trace.Act) error {
	before, there := f.Replicas[a.Object]
	_, known := f.Specs[a.Object]
	there = there || known
	if there == (a.Verb == "create") {
		return fmt.Errorf("%s of %s, there is %v", a.Verb, a.Object, there)
	}
	if a.Gone {
		delete(f.Replicas, a.Object)
		delete(f.Revision, a.Object)
		delete(f.Specs, a.Object)
		delete(f.Budgets, a.Object)
		return nil
	}
	if a.From != nil && int(*a.From) != before {
		return fmt.Errorf("%s of %s from %d, which is %d", a.Verb, a.Object, *a.From, before)
	}
	if a.To != nil {
		f.Replicas[a.Object] = int(*a.To)
		if spec, ok := f.Specs[a.Object].(map[string]any); ok {
			spec["replicas"] = float64(*a.To)
		}
	}
	if a.Revision != nil {
		f.Revision[a.Object] = *a.Revision
	}
	switch {
	case a.Verb == "create":
		if !strings.HasPrefix(a.Object, "ReplicaSet ") {
			f.Specs[a.Object] = nil // its defaults are not known
		}
		if strings.HasPrefix(a.Object, "PodDisruptionBudget ") {
			f.Budgets[a.Object] = status(0, 0, 0, 0)
		}
	case len(a.Patch) > 0 && f.Specs[a.Object] != nil:
		f.Specs[a.Object] = patchedWith(map[string]any{"spec": f.Specs[a.Object]}, parsed(a.Patch)).(map[string]any)["spec"]
	}
	return nil
}

func turn(of map[string]bool, object string, on bool) {
	if delete(of, object); on {
		of[object] = true
	}
}

func parsed(raw json.RawMessage) any {
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		panic(err)
	}
	return out
}

// patchedWith is a JSON merge patch, as RFC 7396 says it.
func patchedWith(target, patch any) any {
	fields, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	old, _ := target.(map[string]any)
	out := maps.Clone(old)
	if out == nil {
		out = map[string]any{}
	}
	for name, v := range fields {
		if v == nil {
			delete(out, name)
		} else {
			out[name] = patchedWith(out[name], v)
		}
	}
	return out
}

// like is f's shape, but for what it cannot know: the specs of objects that are
// created, and pods that the model counts no further.
func (f *follower) like(want *shape) *shape {
	got := f.now()
	for object, spec := range got.Specs {
		if _, there := want.Specs[object]; there && spec == nil {
			got.Specs[object] = want.Specs[object]
		}
	}
	for _, p := range f.pods {
		counted := p.Phase == "Failed" || p.Phase == "Pending" && p.Terminating
		if kind := kindOfPod(p); counted && got.Pods[kind] > want.Pods[kind] {
			if got.Pods[kind] = want.Pods[kind]; want.Pods[kind] == 0 {
				delete(got.Pods, kind)
			}
		}
	}
	return got
}

// built is the shape of a setup, without what controllers bring to it: the status of
// budgets, the taints of nodes.
func built(read *trace.Trace) *shape {
	out := newShape()
	for _, raw := range read.Setup.Objects {
		o := parsed(raw).(map[string]any)
		kind, meta := o["kind"].(string), o["metadata"].(map[string]any)
		object := fmt.Sprintf("%s %s", kind, meta["name"])
		if ns, ok := meta["namespace"]; ok {
			object = fmt.Sprintf("%s %s/%s", kind, ns, meta["name"])
		}
		spec, _ := o["spec"].(map[string]any)
		switch kind {
		case "Node":
			if spec["unschedulable"] == true {
				out.Cordoned[object] = true
			}
		case "Deployment":
			out.Revision[object], out.Specs[object], out.Replicas[object] = 0, spec, int(spec["replicas"].(float64))
		case "HorizontalPodAutoscaler", "PodDisruptionBudget":
			out.Specs[object] = spec
		}
	}
	for _, w := range read.Setup.Workloads {
		namespaced := strings.SplitN(w.Object, " ", 2)
		for _, r := range w.Revisions {
			if r.Replicas == nil {
				continue
			}
			set := "ReplicaSet " + strings.Split(namespaced[1], "/")[0] + "/" + r.Set
			out.Replicas[set] = int(*r.Replicas)
		}
		out.Loads[w.Object] = string(w.Load)
	}
	return out
}

// GoRound follows a trace that was written to its end and, if it has a loop, three
// times round it: each time the cluster is as it was, but for the pods' ordinals.
func GoRound(t *trace.Trace) error {
	const rounds = 3
	long, err := t.Rounds(rounds)
	if err != nil {
		return err
	}
	f := follow(built(long), long.Pods)
	var shapes []string
	loop := len(t.Steps)
	if t.Loop != nil {
		loop = *t.Loop
	}
	for i := 0; ; i++ {
		if i >= loop && (i == loop || (i-loop)%(len(t.Steps)-loop) == 0) {
			now := f.now()
			for kind, n := range now.Pods {
				if strings.Contains(kind, "Phase:Failed") {
					now.Pods[kind] = min(n, model.SaturatedPods) // more with each round
				}
			}
			now.Budgets, now.Taints = nil, nil // not as they were built
			text, err := json.Marshal(now)
			if err != nil {
				return err
			}
			shapes = append(shapes, string(text))
		}
		if i == len(long.Steps) {
			break
		}
		for k := range long.Steps[i].Acts {
			if err := f.act(&long.Steps[i].Acts[k]); err != nil {
				return fmt.Errorf("step %d: %w", i, err)
			}
		}
	}
	want := 1
	if loop < len(t.Steps) {
		want += rounds
	}
	for _, s := range shapes {
		if len(shapes) != want || s != shapes[0] {
			return fmt.Errorf("%d times round it is elsewhere:\n%s", len(shapes)-1, strings.Join(shapes, "\n"))
		}
	}
	return nil
}
