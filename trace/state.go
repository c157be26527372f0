package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// State is a cluster at one moment of a trace, as far as acts tell. It knows what
// verbs do, and nothing of actors; that acts lead where the steps of a check lead is
// held by a test of the model. Objects are named "Kind namespace/name".
type State struct {
	Pods map[PodID]Pod
	// Replicas are the wanted ones of workloads and of their ReplicaSets.
	Replicas map[string]int
	// Revision is the pod template of a workload.
	Revision map[string]int
	// Specs are nil where an object was created whose defaults are not known.
	Specs map[string]any
	// Statuses are those of budgets.
	Statuses map[string]any
	// Taints are those that controllers manage, sorted.
	Taints   map[string][]string
	Cordoned map[string]bool
	Unready  map[string]bool
	// Down are the nodes whose machine has stopped.
	Down map[string]bool
	// Loads are what the pods of a workload use, as JSON.
	Loads map[string]string
	// Doomed are the workloads whose pods crash: all of them, those of a template by
	// its index, or those on a node.
	Doomed map[string][]string
}

// NewState is an empty cluster.
func NewState() *State {
	return &State{
		map[PodID]Pod{},
		map[string]int{},
		map[string]int{},
		map[string]any{},
		map[string]any{},
		map[string][]string{},
		map[string]bool{},
		map[string]bool{},
		map[string]bool{},
		map[string]string{},
		map[string][]string{},
	}
}

// Start is the cluster in which t begins. Of its setup it has what a user gave: what
// controllers bring to it before the first step, like the taints of a node that is
// not ready, is in the trace's Initial alone. It is an error if t has no setup.
func (t *Trace) Start() (*State, error) {
	if t.Setup == nil {
		return nil, errors.New("the trace has no setup: it can only be read")
	}
	s := NewState()
	for i := range t.Pods {
		s.Pods[t.Pods[i].ID()] = t.Pods[i]
	}
	for i, raw := range t.Setup.Objects {
		if err := s.add(raw); err != nil {
			return nil, fmt.Errorf("objects[%d] of the setup: %w", i, err)
		}
	}
	for _, w := range t.Setup.Workloads {
		_, name, _ := strings.Cut(w.Object, " ")
		namespace, _, _ := strings.Cut(name, "/")
		for _, r := range w.Revisions {
			if r.Replicas != nil {
				s.Replicas["ReplicaSet "+namespace+"/"+r.Set] = int(*r.Replicas)
			}
		}
		s.Loads[w.Object] = string(w.Load)
	}
	return s, nil
}

// header is what every object has.
type header struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	} `json:"metadata"`
}

// ObjectName is the name of an object as acts have it: "Kind namespace/name", or
// "Kind name".
func ObjectName(raw json.RawMessage) (string, error) {
	var h header
	if err := json.Unmarshal(raw, &h); err != nil {
		return "", err
	}
	if h.Metadata.Namespace != "" {
		return h.Kind + " " + h.Metadata.Namespace + "/" + h.Metadata.Name, nil
	}
	return h.Kind + " " + h.Metadata.Name, nil
}

func (s *State) add(raw json.RawMessage) error {
	object, err := ObjectName(raw)
	if err != nil {
		return err
	}
	var body struct {
		Spec map[string]any `json:"spec"`
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		return err
	}
	kind, _, _ := strings.Cut(object, " ")
	switch kind {
	case "Node":
		turn(s.Cordoned, object, body.Spec["unschedulable"] == true)
	case "Deployment":
		replicas, ok := body.Spec["replicas"].(float64)
		if !ok {
			return fmt.Errorf("%s has no replicas: a setup has its defaults", object)
		}
		s.Revision[object], s.Specs[object], s.Replicas[object] = 0, body.Spec, int(replicas)
	case "HorizontalPodAutoscaler", "PodDisruptionBudget":
		s.Specs[object] = body.Spec
	}
	return nil
}

// quiet are the verbs of acts that nobody sees.
var quiet = []string{"choose", "drained", "maintenance", "refused", "wait"}

// Act is what a does to the cluster. An error says that a does not fit what is
// there, or that its verb is not known (docs/traces.md lists them); the state is
// then as it was.
func (s *State) Act(a *Act) error {
	if s.unseen(a) {
		return nil
	}
	if a.Pod != nil {
		return s.actOnPod(a)
	}
	switch a.Verb {
	case VerbCreate, "scale", "apply", "patch", "delete":
		return s.write(a)
	case "cordon", "uncordon":
		turn(s.Cordoned, a.Object, a.Verb == "cordon")
	case "node-ready", "node-unready":
		turn(s.Unready, a.Object, a.Verb == "node-unready")
	case "node-up", "node-down":
		turn(s.Down, a.Object, a.Verb == "node-down")
	case "taint":
		s.Taints[a.Object] = slices.Sorted(slices.Values(append(slices.Clone(s.Taints[a.Object]), a.Taint)))
	case "untaint":
		left := slices.DeleteFunc(slices.Clone(s.Taints[a.Object]), func(t string) bool { return t == a.Taint })
		if s.Taints[a.Object] = left; len(left) == 0 {
			delete(s.Taints, a.Object)
		}
	case "status":
		if len(a.Patch) == 0 {
			return nil
		}
		status, err := patched("status", s.Statuses[a.Object], a.Patch)
		if err != nil {
			return err
		}
		s.Statuses[a.Object] = status
	case "load":
		s.Loads[a.Object] = string(a.Load)
	case "doom":
		s.Doomed[a.Object] = slices.Sorted(slices.Values(append(slices.Clone(s.Doomed[a.Object]), doomed(a))))
	default:
		return fmt.Errorf("nobody knows the verb %s", a.Verb)
	}
	return nil
}

func doomed(a *Act) string {
	switch {
	case a.Node != "":
		return a.Node
	case a.Revision != nil:
		return fmt.Sprint(*a.Revision)
	}
	return "all"
}

// unseen tells whether an act is one that nobody sees; that of a pod is as it was.
func (s *State) unseen(a *Act) bool {
	if !slices.Contains(quiet, a.Verb) || a.Role != RoleInner {
		return false
	}
	if a.Pod == nil {
		return true
	}
	was, is := s.Pods[a.Pod.ID()], *a.Pod
	was.Name, is.Name = "", ""
	return was == is
}

var podVerbs = []string{VerbCreate, "bind", "nominate", "start", "ready", "unready", "restart", "crash", "reject", "load", "delete", "evict", "gone"}

func (s *State) actOnPod(a *Act) error {
	id := a.Pod.ID()
	switch was, there := s.Pods[id]; {
	case there && a.Verb == VerbCreate:
		return fmt.Errorf("create of %s, which is there already", id)
	case !there && a.Verb != VerbCreate:
		return fmt.Errorf("%s of %s, which is not there", a.Verb, id)
	case !slices.Contains(podVerbs, a.Verb):
		return fmt.Errorf("nobody knows what %s does to a pod", a.Verb)
	case len(a.Among) > 0 && !slices.Contains(a.Among, a.Pod.Ordinal):
		return fmt.Errorf("%s of %s, which is not among %v", a.Verb, id, a.Among)
	case a.Gone:
		delete(s.Pods, id)
	default:
		is := *a.Pod
		if is.Name == "" {
			is.Name = was.Name
		}
		s.Pods[id] = is
	}
	return nil
}

// write does what acts do that write an object with a spec.
func (s *State) write(a *Act) error {
	before, there := s.Replicas[a.Object]
	_, known := s.Specs[a.Object]
	there = there || known
	switch {
	case there && a.Verb == VerbCreate:
		return fmt.Errorf("create of %s, which is there already", a.Object)
	case !there && a.Verb != VerbCreate:
		return fmt.Errorf("%s of %s, which is not there", a.Verb, a.Object)
	case a.Gone:
		delete(s.Replicas, a.Object)
		delete(s.Revision, a.Object)
		delete(s.Specs, a.Object)
		delete(s.Statuses, a.Object)
		return nil
	case a.From != nil && int(*a.From) != before:
		return fmt.Errorf("%s of %s from %d, which is %d", a.Verb, a.Object, *a.From, before)
	}
	spec := s.Specs[a.Object]
	if a.Verb != VerbCreate && len(a.Patch) > 0 && spec != nil {
		var err error
		if spec, err = patched("spec", spec, a.Patch); err != nil {
			return err
		}
	}
	if fields, ok := spec.(map[string]any); ok && a.To != nil {
		fields = maps.Clone(fields)
		fields["replicas"] = float64(*a.To)
		spec = fields
	}
	if known || a.Verb == VerbCreate && !strings.HasPrefix(a.Object, "ReplicaSet ") {
		s.Specs[a.Object] = spec
	}
	if a.To != nil {
		s.Replicas[a.Object] = int(*a.To)
	}
	if a.Revision != nil {
		s.Revision[a.Object] = *a.Revision
	}
	if a.Verb == VerbCreate && strings.HasPrefix(a.Object, "PodDisruptionBudget ") {
		s.Statuses[a.Object] = map[string]any{"disruptionsAllowed": 0.0, "currentHealthy": 0.0, "desiredHealthy": 0.0, "expectedPods": 0.0}
	}
	return nil
}

func turn(of map[string]bool, object string, on bool) {
	if delete(of, object); on {
		of[object] = true
	}
}

// patched is one field of an object after a JSON merge patch of the object.
func patched(field string, value any, raw json.RawMessage) (any, error) {
	var patch any
	if err := json.Unmarshal(raw, &patch); err != nil {
		return nil, fmt.Errorf("the patch: %w", err)
	}
	out, _ := merged(map[string]any{field: value}, patch).(map[string]any)
	return out[field], nil
}

// merged is a JSON merge patch, as RFC 7396 says it. It changes nothing.
func merged(target, patch any) any {
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
			out[name] = merged(out[name], v)
		}
	}
	return out
}
