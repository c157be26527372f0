package model

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

// furnished is a World with one of everything that real code is shown.
func furnished() *World {
	replicas := int32(3)
	d := &appsv1.Deployment{}
	d.Spec.Replicas = &replicas
	return &World{
		Nodes: []NodeSpec{{Node: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "a"}}}},
		Workloads: []WorkloadSpec{{
			Kind: "Deployment", Namespace: "default", Name: "web", Deployment: d, Selector: labels.Everything(),
			Revisions: []Revision{{Set: &appsv1.ReplicaSet{}, Pod: &corev1.Pod{}}},
			Loads:     []Load{{Load: scenario.Load{PerPod: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}}}},
		}},
		HPAs:            []HPASpec{{Revisions: []HPARevision{{HPA: &autoscalingv2.HorizontalPodAutoscaler{}}}}},
		PDBs:            []PDBSpec{{Revisions: []PDBRevision{{PDB: &policyv1.PodDisruptionBudget{}}}}},
		Namespaces:      []*corev1.Namespace{{}},
		Services:        []*corev1.Service{{}},
		PriorityClasses: []*schedulingv1.PriorityClass{{}},
		Descheduler:     &manifest.Object[[]byte]{Value: []byte("policy")},
	}
}

// TestContentTellsWorldsApart: Worlds that differ in anything that real code is
// shown never share answers; those of other replicas do.
func TestContentTellsWorldsApart(t *testing.T) {
	contents := func(w *World, config int) [2]content {
		rest := w.contentOfRest(config)
		return [2]content{rest, w.contentOfAll(rest)}
	}
	plain := contents(furnished(), 0)
	for name, change := range map[string]func(*World){
		"distinct":  func(w *World) { w.Distinct = true },
		"kind":      func(w *World) { w.Workloads[0].Kind = "ReplicaSet" },
		"held":      func(w *World) { w.Workloads[0].Held = "Job" },
		"namespace": func(w *World) { w.Workloads[0].Namespace = "other" },
		"name":      func(w *World) { w.Workloads[0].Name = "other" },
		"selector":  func(w *World) { w.Workloads[0].Selector = labels.Nothing() },
		"strategy":  func(w *World) { w.Workloads[0].Deployment.Spec.Paused = true },
		"settings": func(w *World) {
			w.Workloads[0].Settings = []Settings{{Deployment: &appsv1.Deployment{}}}
		},
		"minReadySeconds": func(w *World) { w.Workloads[0].Waits = []int32{0, 5} },
		"template":        func(w *World) { w.Workloads[0].Revisions[0].Pod.Spec.SchedulerName = "other" },
		"ReplicaSet":      func(w *World) { w.Workloads[0].Revisions[0].Set.Name = "other" },
		"no ReplicaSet":   func(w *World) { w.Workloads[0].Revisions[0].Set = nil },
		"revision of":     func(w *World) { w.Workloads[0].Revisions[0].Of = 1 },
		"another revision": func(w *World) {
			w.Workloads[0].Revisions = append(w.Workloads[0].Revisions, Revision{Pod: &corev1.Pod{}})
		},
		"load":                 func(w *World) { w.Workloads[0].Loads[0].PerPod[corev1.ResourceCPU] = resource.MustParse("2") },
		"autoscaler":           func(w *World) { w.HPAs[0].Revisions[0].HPA.Spec.MaxReplicas = 9 },
		"autoscaler's target":  func(w *World) { w.HPAs[0].Revisions[0].Work = -1 },
		"budget":               func(w *World) { w.PDBs[0].Revisions[0].PDB.Name = "other" },
		"no budget":            func(w *World) { w.PDBs = nil },
		"namespace's labels":   func(w *World) { w.Namespaces[0].Labels = map[string]string{"a": "b"} },
		"service":              func(w *World) { w.Services[0].Spec.Selector = map[string]string{"a": "b"} },
		"priority class":       func(w *World) { w.PriorityClasses[0].Value = 7 },
		"descheduler's policy": func(w *World) { w.Descheduler.Value = []byte("another") },
		"no descheduler":       func(w *World) { w.Descheduler = nil },
	} {
		w := furnished()
		if change(w); contents(w, 0)[0] == plain[0] || contents(w, 0)[1] == plain[1] {
			t.Errorf("%s: the content is the same", name)
		}
	}
	if contents(furnished(), 1)[0] == plain[0] {
		t.Error("scheduler configuration: the content is the same")
	}
	for name, change := range map[string]func(*World){
		"node":         func(w *World) { w.Nodes[0].Node.Labels = map[string]string{"a": "b"} },
		"class":        func(w *World) { w.Nodes[0].Class = 1 },
		"slot":         func(w *World) { w.Nodes[0].Slot = true },
		"another node": func(w *World) { w.Nodes = append(w.Nodes, w.Nodes[0]) },
	} {
		w := furnished()
		if change(w); contents(w, 0)[0] != plain[0] || contents(w, 0)[1] == plain[1] {
			t.Errorf("%s: the content of all is the same, or that of the rest is not", name)
		}
	}
	w := furnished()
	if *w.Workloads[0].Deployment.Spec.Replicas = 4; contents(w, 0) != plain {
		t.Error("replicas: the content is another")
	}
}
