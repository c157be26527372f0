package html

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

// film is a trace as the script plays it.
type film struct {
	// Label tells films of one finding apart; empty if there is one.
	Label   string   `json:"label,omitempty"`
	Initial []string `json:"initial"`
	Loop    *int     `json:"loop,omitempty"`
	Steps   []frame  `json:"steps"`
	// Start are the objects of the first state, by their keys; nil if the trace can
	// only be read.
	Start map[string]fields `json:"start,omitempty"`
	// Cluster is what does not change of a cluster; nil if there is none to show.
	Cluster *cluster `json:"cluster,omitempty"`
}

// frame is one step.
type frame struct {
	Actor   string      `json:"actor"`
	Action  string      `json:"action"`
	Note    string      `json:"note,omitempty"`
	Changes [][4]string `json:"changes,omitempty"` // object, field, from, to
	Writes  []write     `json:"writes,omitempty"`
	// Place is where the step stands in a file, State the whole state that it leads to.
	Place string   `json:"place,omitempty"`
	State []string `json:"state,omitempty"`
	// Lanes are the nodes and workloads that the step is about, with the objects of
	// the setup.
	Lanes []string `json:"lanes,omitempty"`
	// Delta are the fields that are different afterwards: null for one that is
	// no more, and for an object that is no more.
	Delta map[string]fields `json:"delta,omitempty"`
}

// write is one act for who wants to know exactly.
type write struct {
	Verb   string `json:"verb"`
	By     string `json:"by"`
	Role   string `json:"role"`
	Object string `json:"object"`
	// Lines are the fields that it writes: path, from, to.
	Lines [][3]string `json:"lines,omitempty"`
}

// fields are those of an object that acts can change.
type fields map[string]any

func filmOf(t *trace.Trace) (*film, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	out := &film{Initial: printables(t.Initial), Loop: t.Loop, Steps: []frame{}}
	for _, s := range t.Steps {
		f := frame{Actor: printable(s.Actor), Action: printable(s.Action), Note: printable(s.Note)}
		f.State = printables(s.State)
		if s.At != nil {
			f.Place = printable(finding.Location{File: s.At.File, Line: s.At.Line, Column: s.At.Column}.String())
		}
		for _, c := range s.Changes {
			f.Changes = append(f.Changes, [4]string{printable(c.Object), printable(c.Field), printable(c.From), printable(c.To)})
		}
		out.Steps = append(out.Steps, f)
	}
	if t.Setup == nil {
		return out, nil
	}
	state, err := t.Start()
	if err != nil {
		return nil, err
	}
	out.Start = objectsOf(state)
	if out.Cluster, err = clusterOf(t.Setup); err != nil {
		return nil, err
	}
	owners := ownersOf(t.Setup)
	for i := range t.Steps {
		if err := out.Steps[i].follow(state, t.Steps[i].Acts, owners); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return out, nil
}

// ownersOf are the workloads of ReplicaSets, by their names as objects.
func ownersOf(s *trace.Setup) map[string]string {
	out := map[string]string{}
	for _, w := range s.Workloads {
		_, name, _ := strings.Cut(w.Object, " ")
		namespace, _, _ := strings.Cut(name, "/")
		for _, r := range w.Revisions {
			if r.Set != "" {
				out["ReplicaSet "+namespace+"/"+r.Set] = w.Object
			}
		}
	}
	return out
}

// follow takes the state one step on, and notes what that makes different. A write to
// a ReplicaSet is about the workload that owns it.
func (f *frame) follow(state *trace.State, acts []trace.Act, owners map[string]string) error {
	before := map[string]fields{}
	lanes := map[string]bool{}
	for i := range acts {
		a := &acts[i]
		if name := key(a); name != "" {
			if _, seen := before[name]; !seen {
				before[name] = fieldsOf(state, a)
			}
		}
		f.Writes = append(f.Writes, writeOf(state, a))
		for _, lane := range lanesOf(a) {
			if owner := owners[lane]; owner != "" {
				lane = owner
			}
			lanes[lane] = true
		}
		if a.Pod != nil {
			if was, there := state.Pods[a.Pod.ID()]; there && was.Node != "" {
				lanes["Node "+was.Node] = true
			}
		}
		if err := state.Act(a); err != nil {
			return err
		}
	}
	for i := range acts {
		name := key(&acts[i])
		was, noted := before[name]
		if !noted {
			continue
		}
		delete(before, name)
		if d, different := delta(was, fieldsOf(state, &acts[i])); different {
			if f.Delta == nil {
				f.Delta = map[string]fields{}
			}
			f.Delta[printable(name)] = d
		}
	}
	f.Lanes = printables(slices.Sorted(maps.Keys(lanes)))
	return nil
}

// key is that of the object that an act is about; empty if it is about none.
func key(a *trace.Act) string {
	if a.Pod != nil {
		return podKey(a.Pod.ID())
	}
	return a.Object
}

// podKey is the key of a pod: no object is named like it.
func podKey(id trace.PodID) string {
	return id.Owner + "#" + strconv.Itoa(id.Revision) + "#" + strconv.Itoa(id.Ordinal)
}

// lanesOf are the nodes and workloads that an act is about.
func lanesOf(a *trace.Act) []string {
	var out []string
	if a.Pod != nil {
		out = append(out, a.Pod.Owner)
		for _, node := range []string{a.Pod.Node, a.Pod.Nominated} {
			if node != "" {
				out = append(out, "Node "+node)
			}
		}
	}
	if a.Node != "" {
		out = append(out, "Node "+a.Node)
	}
	if a.Object != "" {
		out = append(out, a.Object)
	}
	return out
}

// delta is what has to be written over was to have is.
func delta(was, is fields) (fields, bool) {
	if is == nil {
		return nil, was != nil
	}
	out := fields{}
	for name, v := range is {
		if old, there := was[name]; !there || !reflect.DeepEqual(old, v) {
			out[name] = v
		}
	}
	for name := range was {
		if _, there := is[name]; !there {
			out[name] = nil
		}
	}
	return out, len(out) > 0 || was == nil
}

// objectsOf are all objects of a state.
func objectsOf(s *trace.State) map[string]fields {
	out := map[string]fields{}
	for id, p := range s.Pods {
		out[printable(podKey(id))] = podFields(p)
	}
	note := func(object string) {
		if f := objectFields(s, object); f != nil {
			out[printable(object)] = f
		}
	}
	for _, names := range [][]string{
		keys(s.Replicas), keys(s.Specs), keys(s.Statuses), keys(s.Taints), keys(s.Cordoned), keys(s.Unready), keys(s.Down),
	} {
		for _, object := range names {
			note(object)
		}
	}
	return out
}

func keys[V any](m map[string]V) []string { return slices.Collect(maps.Keys(m)) }

func fieldsOf(s *trace.State, a *trace.Act) fields {
	if a.Pod == nil {
		return objectFields(s, a.Object)
	}
	if p, there := s.Pods[a.Pod.ID()]; there {
		return podFields(p)
	}
	return nil
}

func podFields(p trace.Pod) fields {
	out := fields{"owner": printable(p.Owner), "revision": p.Revision, "ordinal": p.Ordinal, "phase": printable(p.Phase)}
	for name, text := range map[string]string{"name": p.Name, "node": p.Node, "nominated": p.Nominated} {
		if text != "" {
			out[name] = printable(text)
		}
	}
	for name, is := range map[string]bool{"ready": p.Ready, "terminating": p.Terminating, "crashing": p.Crashing} {
		if is {
			out[name] = true
		}
	}
	return out
}

// objectFields is nil for an object of which nothing is known.
func objectFields(s *trace.State, object string) fields {
	out := fields{}
	if n, ok := s.Replicas[object]; ok {
		out["replicas"] = n
	}
	if n, ok := s.Revision[object]; ok {
		out["revision"] = n
	}
	for name, is := range map[string]map[string]bool{"cordoned": s.Cordoned, "unready": s.Unready, "down": s.Down} {
		if is[object] {
			out[name] = true
		}
	}
	if taints := s.Taints[object]; len(taints) > 0 {
		out["taints"] = printables(taints)
	}
	if doomed := s.Doomed[object]; len(doomed) > 0 {
		out["doomed"] = printables(doomed)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func writeOf(s *trace.State, a *trace.Act) write {
	w := write{Verb: printable(a.Verb), By: printable(a.By), Role: string(a.Role), Object: printable(a.Object)}
	line := func(path, from, to string) {
		w.Lines = append(w.Lines, [3]string{printable(path), printable(from), printable(to)})
	}
	if p := a.Pod; p != nil {
		w.Object = printable(p.Owner + " · " + podLabel(p))
		was, there := s.Pods[p.ID()]
		if !there {
			was = trace.Pod{}
		}
		for _, f := range [][3]string{
			{"node", was.Node, p.Node},
			{"nominatedNodeName", was.Nominated, p.Nominated},
			{"phase", was.Phase, p.Phase},
			{"Ready", fmt.Sprint(was.Ready), fmt.Sprint(p.Ready)},
			{"terminating", fmt.Sprint(was.Terminating), fmt.Sprint(p.Terminating)},
			{"crashing", fmt.Sprint(was.Crashing), fmt.Sprint(p.Crashing)},
		} {
			if f[1] != f[2] {
				line(f[0], f[1], f[2])
			}
		}
	}
	switch {
	case a.From != nil && a.To != nil:
		line("spec.replicas", fmt.Sprint(*a.From), fmt.Sprint(*a.To))
	case a.To != nil:
		line("spec.replicas", "", fmt.Sprint(*a.To))
	}
	switch {
	case a.Verb == "taint":
		line("spec.taints", "", a.Taint)
	case a.Verb == "untaint":
		line("spec.taints", a.Taint, "")
	}
	now := map[string]any{"spec": s.Specs[a.Object], "status": s.Statuses[a.Object]}
	for _, raw := range []json.RawMessage{a.Patch, a.Load} {
		for _, d := range patchLines(now, raw) {
			if a.To == nil || d[0] != "spec.replicas" {
				line(d[0], d[1], d[2])
			}
		}
	}
	if len(a.Patch) == 0 {
		for _, d := range patchLines(nil, a.Manifest) {
			line(d[0], d[1], d[2])
		}
	}
	if a.Gone && a.Pod == nil {
		line("", "there", "gone")
	}
	if a.Seconds > 0 {
		line("after", "", fmt.Sprintf("%d s", a.Seconds))
	}
	return w
}

func podLabel(p *trace.Pod) string {
	if p.Name != "" {
		return p.Name
	}
	return "pod " + strconv.Itoa(p.Ordinal)
}

// patchLines are the fields that a JSON merge patch writes, with what they were.
func patchLines(now any, raw json.RawMessage) [][3]string {
	var patch any
	if len(raw) == 0 || json.Unmarshal(raw, &patch) != nil {
		return nil
	}
	return differences(nil, "", now, patch)
}

func differences(found [][3]string, path string, was, is any) [][3]string {
	if reflect.DeepEqual(was, is) {
		return found
	}
	patch, isMap := is.(map[string]any)
	old, _ := was.(map[string]any)
	if isMap {
		for _, name := range slices.Sorted(maps.Keys(patch)) {
			found = differences(found, join(path, name), old[name], patch[name])
		}
		return found
	}
	to, isList := is.([]any)
	from, wasList := was.([]any)
	if isList && (wasList && len(from) == len(to) || was == nil && composed(to)) {
		for i := range to {
			var before any
			if wasList {
				before = from[i]
			}
			found = differences(found, path+"["+strconv.Itoa(i)+"]", before, to[i])
		}
		return found
	}
	return append(found, [3]string{path, compact(was), compact(is)})
}

func composed(list []any) bool {
	return slices.ContainsFunc(list, func(v any) bool { _, is := v.(map[string]any); return is })
}

func join(path, name string) string {
	if strings.ContainsAny(name, "./ ") {
		return path + "[" + strconv.Quote(name) + "]"
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

func compact(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
