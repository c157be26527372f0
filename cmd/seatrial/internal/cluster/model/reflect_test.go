package model

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// perturb calls visit once for each field that v, a pointer, leads to, with
// that field changed and everything else as it was. Slices also lose their last
// element and gain one. A kind of field that it does not know fails the test,
// so that nothing is passed over.
func perturb(t *testing.T, v any, visit func(path string)) {
	t.Helper()
	perturbValue(t, "", reflect.ValueOf(v).Elem(), visit)
}

func perturbValue(t *testing.T, path string, v reflect.Value, visit func(path string)) {
	t.Helper()
	old := reflect.New(v.Type()).Elem()
	old.Set(v)
	changed := func(what string) {
		visit(path + what)
		v.Set(old)
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
		changed("")
	case reflect.Uint8, reflect.Uint16:
		v.SetUint(v.Uint() ^ 1)
		changed(" in its lowest bit")
		if high := uint64(1) << (v.Type().Bits() - 1); v.Type() == reflect.TypeFor[uint8]() || v.Type() == reflect.TypeFor[uint16]() {
			v.SetUint(v.Uint() ^ high)
			changed(" in its highest bit")
		}
	case reflect.Int, reflect.Int32:
		v.SetInt(v.Int() + 1)
		changed(" and one")
		v.SetInt(-v.Int() - 1000)
		changed(" negative")
	case reflect.String:
		v.SetString(v.String() + ",7")
		changed(" longer")
	case reflect.Struct:
		for i := range v.NumField() {
			perturbValue(t, path+"."+v.Type().Field(i).Name, v.Field(i), visit)
		}
	case reflect.Pointer:
		perturbValue(t, path, v.Elem(), visit)
	case reflect.Slice:
		for i := range v.Len() {
			perturbValue(t, fmt.Sprintf("%s[%d]", path, i), v.Index(i), visit)
		}
	default:
		t.Fatalf("%s: a field of kind %s is not encoded by anything known", path, v.Kind())
	}
}

// sample is a state in which every slice has elements, with its world.
func sample() (*World, *State) {
	w := &World{
		Workloads: make([]WorkloadSpec, 2), HPAs: make([]HPASpec, 2), PDBs: make([]PDBSpec, 2), Nodes: make([]NodeSpec, 3),
	}
	for i := range w.Nodes {
		w.Nodes[i].Class = i // none is interchangeable
	}
	s := &State{Env: &Env{Used: []uint8{1, 2}}, Free: Bag{{Pod{Work: 1, Rev: 1}, 3}}}
	for i := range 2 {
		s.Work = append(s.Work, &Workload{Replicas: int32(4 + i), Sets: []Set{{Replicas: 7}, {Desired: 8, Max: 9}}})
		s.HPA = append(s.HPA, &Autoscaler{Reason: uint8(i)})
		s.HPA[i].Memory.High, s.HPA[i].Memory.Low, s.HPA[i].Memory.Changes = "5,4", "2,3", "+1:0"
		s.PDB = append(s.PDB, &Budget{Allowed: int32(i), Current: 2, Desired: 3, Expected: 4})
	}
	for i := range w.Nodes {
		s.Nodes = append(s.Nodes, &Node{
			Event: uint8(i), Pods: Bag{{Pod{Work: uint16(i)}, 1}, {Pod{Rev: 2}, 2}}, Nominated: Bag{{Pod{Stage: 3}, 1}},
		})
	}
	return w, s
}

// copied is a deep copy: the vector keeps what it interns, and perturb changes in place.
func copied(s *State) *State {
	t := s.Clone()
	t.EditEnv()
	t.Free = slices.Clone(t.Free)
	for i := range t.Work {
		t.EditWork(i)
	}
	for i := range t.HPA {
		t.EditHPA(i)
	}
	for i := range t.PDB {
		t.EditPDB(i)
	}
	for i := range t.Nodes {
		n := t.EditNode(i)
		n.Pods, n.Nominated = slices.Clone(n.Pods), slices.Clone(n.Nominated)
	}
	return t
}

func TestEveryFieldOfAStateIsInItsVector(t *testing.T) {
	w, s := sample()
	v := NewVector(w, nil)
	seen := map[string]string{fmt.Sprint(v.Encode(copied(s), nil, nil)): "the state as it is"}
	changes := 0
	perturb(t, s, func(path string) {
		changes++
		c := copied(s)
		ids := v.Encode(c, nil, nil)
		if before, twice := seen[fmt.Sprint(ids)]; twice {
			t.Errorf("with %s changed the vector is that of %s", path, before)
		}
		seen[fmt.Sprint(ids)] = path
		if diff := cmp.Diff(c, v.Decode(ids)); diff != "" {
			t.Errorf("%s is lost (-state +decoded):\n%s", path, diff)
		}
	})
	if changes < 200 {
		t.Errorf("only %d changes were made", changes)
	}
}

func TestListsOfDifferentLengthsDiffer(t *testing.T) {
	for name, grow := range map[string]func(*State){
		"used":      func(s *State) { s.Env.Used = append(s.Env.Used, 0) },
		"sets":      func(s *State) { s.Work[0].Sets = append(s.Work[0].Sets, Set{}) },
		"free":      func(s *State) { s.Free = append(s.Free, PodCount{}) },
		"pods":      func(s *State) { s.Nodes[0].Pods = append(s.Nodes[0].Pods, PodCount{}) },
		"nominated": func(s *State) { s.Nodes[0].Nominated = append(s.Nodes[0].Nominated, PodCount{}) },
		"one pod moves to the nominated": func(s *State) {
			s.Nodes[0].Nominated = append(slices.Clone(s.Nodes[0].Nominated), s.Nodes[0].Pods[1])
			s.Nodes[0].Pods = s.Nodes[0].Pods[:1]
		},
	} {
		w, s := sample()
		v := NewVector(w, nil)
		before := v.Encode(copied(s), nil, nil)
		grow(s)
		if slices.Equal(before, v.Encode(s, nil, nil)) {
			t.Errorf("%s: the vectors are equal", name)
		}
	}
}

// An encoding of one component is never that of another: the first byte says
// which kind it is.
func TestComponentsOfDifferentKindsDiffer(t *testing.T) {
	kinds := map[byte]string{}
	for name, b := range map[string][]byte{
		"Env": (&Env{}).encode(nil), "Workload": (&Workload{}).encode(nil), "Autoscaler": (&Autoscaler{}).encode(nil),
		"Budget": (&Budget{}).encode(nil), "Node": (&Node{}).encode(nil), "Free": {'F'},
	} {
		if other, taken := kinds[b[0]]; taken {
			t.Errorf("%s and %s both begin with %q", name, other, b[0])
		}
		kinds[b[0]] = name
	}
}

func TestPodBitsAreInjective(t *testing.T) {
	// All pairs of changes, so that fields cannot overlap in the word either.
	seen := map[uint64]Pod{}
	var p Pod
	note := func() {
		if q, taken := seen[p.Bits()]; taken && q != p {
			t.Fatalf("%+v and %+v have the same bits", p, q)
		}
		seen[p.Bits()] = p
	}
	note()
	perturb(t, &p, func(string) {
		note()
		q := p
		perturb(t, &p, func(string) { note() })
		p = q
	})
	for phase := Pending; phase <= Failed; phase++ {
		p = Pod{Phase: phase}
		note()
	}
	if len(seen) < 100 {
		t.Errorf("only %d pods were compared", len(seen))
	}
}

// An object that is kept for a node or pod is the one that would be made anew,
// whatever is different about it.
func TestKeptObjectsAreThoseMadeAnew(t *testing.T) {
	w := small()
	n := &Node{Up: true, Ready: true}
	w.Node(0, n)
	perturb(t, n, func(path string) {
		if diff := cmp.Diff(w.makeNode(0, n), w.Node(0, n)); diff != "" {
			t.Errorf("node, %s (-made +kept):\n%s", path, diff)
		}
	})
	for _, at := range []Place{Unassigned, {Node: 0}, {Node: 0, Nominated: true}} {
		p := Pod{Phase: Running}
		w.Pod(p, at, 0)
		check := func(path string) {
			if int(p.Work) >= len(w.Workloads) || int(p.Rev) >= len(w.Workloads[p.Work].Revisions) || p.Phase > Failed {
				return
			}
			if diff := cmp.Diff(w.makePod(p, at, 0), w.Pod(p, at, 0)); diff != "" {
				t.Errorf("pod, %s (-made +kept):\n%s", path, diff)
			}
		}
		perturb(t, &p, check)
	}
}
