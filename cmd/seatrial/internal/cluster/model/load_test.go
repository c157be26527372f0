package model

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

func cpu(amount string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(amount)}
}

// small is a world of one workload with two revisions on one node of 4 cores:
// its pods have two containers, of 300m and 100m, limited to 500m each.
func small() *World {
	node := &corev1.Node{}
	node.Name = "a"
	node.Status.Allocatable = cpu("4")
	pod := &corev1.Pod{}
	for name, request := range map[string]string{"big": "300m", "little": "100m"} {
		c := corev1.Container{Name: name}
		c.Resources.Requests, c.Resources.Limits = cpu(request), cpu("500m")
		pod.Spec.Containers = append(pod.Spec.Containers, c)
	}
	if pod.Spec.Containers[0].Name != "big" {
		pod.Spec.Containers[0], pod.Spec.Containers[1] = pod.Spec.Containers[1], pod.Spec.Containers[0]
	}
	rev := Revision{Pod: pod, Set: &appsv1.ReplicaSet{}, Grace: true}
	spec := WorkloadSpec{Kind: "Deployment", Name: "web", Deployment: &appsv1.Deployment{}, HPA: -1, Revisions: []Revision{rev, rev}, Waits: []int32{0}, Loads: []Load{{}}}
	return &World{Nodes: []NodeSpec{{Node: node}}, Workloads: []WorkloadSpec{spec}, Scenario: &scenario.Spec{}}
}

func holding(pods Bag) *State {
	return &State{Env: &Env{}, Work: []*Workload{{Exists: true, Sets: []Set{{}, {}}}}, Nodes: []*Node{{Up: true, Ready: true, Pods: pods}}}
}

// What pods use, in millicores, worked out by hand.
func TestWhatPodsUse(t *testing.T) {
	ready := Pod{Phase: Running, Ready: true}
	unready := Pod{Phase: Running}
	three := Bag{}.Add(ready, 3)
	for _, row := range []struct {
		name string
		load scenario.Load
		pods Bag
		of   Pod
		want int64
	}{
		{"nothing", scenario.Load{}, three, ready, 0},
		{"a share of the total: 1000/3", scenario.Load{Total: cpu("1")}, three, ready, 333},
		{"the whole total, capped at both limits", scenario.Load{Total: cpu("3")}, Bag{}.Add(ready, 1), ready, 1000},
		{"a share and what it needs idle", scenario.Load{Total: cpu("300m"), Idle: cpu("50m")}, three, ready, 150},
		{"no share while not Ready, only idle", scenario.Load{Total: cpu("300m"), Idle: cpu("50m")}, three.Add(unready, 1), unready, 50},
		{"the others do not share with it", scenario.Load{Total: cpu("300m")}, three.Add(unready, 1), ready, 100},
		{"idle alone", scenario.Load{Idle: cpu("50m")}, three, ready, 50},
		{"per pod, whatever their number", scenario.Load{PerPod: cpu("200m")}, three, ready, 200},
		{"per pod, not Ready either", scenario.Load{PerPod: cpu("200m")}, three.Add(unready, 1), unready, 200},
		{"what is requested: 300 + 100", scenario.Load{Requests: true}, three, ready, 400},
		{"the second phase", scenario.Load{StartUp: []scenario.StartUpPhase{{Use: cpu("700m"), Seconds: 1}, {Use: cpu("20m")}}}, three, Pod{Phase: Running, Stage: 1}, 20},
		{"beyond the last phase", scenario.Load{StartUp: []scenario.StartUpPhase{{Use: cpu("700m")}}}, three, Pod{Phase: Running, Stage: 4}, 700},
		{"before it runs", scenario.Load{Requests: true}, three, Pod{}, 0},
		{"after it failed", scenario.Load{Requests: true}, three, Pod{Phase: Failed}, 0},
		{"while it crash-loops", scenario.Load{Requests: true}, three, Pod{Phase: Running, Crashing: true}, 0},
		{"while it terminates, of its request", scenario.Load{Requests: true}, three, Pod{Phase: Running, Terminating: true}, 400},
		{"while it terminates, of the total", scenario.Load{Total: cpu("300m")}, three, Pod{Phase: Running, Terminating: true}, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := small()
			w.Workloads[0].Loads[0].Load = row.load
			s := holding(row.pods)
			if got := w.PodUse(s, row.of, 0)[corev1.ResourceCPU]; got != row.want {
				t.Errorf("%dm, want %dm", got, row.want)
			}
			s.Nodes[0].Up = false
			if got := w.PodUse(s, row.of, 0)[corev1.ResourceCPU]; got != 0 {
				t.Errorf("%dm on a machine that is down", got)
			}
		})
	}
}

func TestNoLimitUnlessEveryContainerHasOne(t *testing.T) {
	w := small()
	w.Workloads[0].Loads[0].Load = scenario.Load{PerPod: cpu("3")}
	w.Workloads[0].Revisions[0].Pod.Spec.Containers[1].Resources.Limits = nil
	if got := w.PodUse(holding(nil), Pod{Phase: Running}, 0)[corev1.ResourceCPU]; got != 3000 {
		t.Errorf("%dm, want 3000m", got)
	}
}

func TestNodeFree(t *testing.T) {
	w := small()
	w.Workloads[0].Loads[0].Load = scenario.Load{Requests: true}
	s := holding(Bag{}.Add(Pod{Phase: Running, Ready: true}, 3).Add(Pod{}, 2).Add(Pod{Phase: Running, Terminating: true}, 1))
	if free, total := w.NodeFree(s, 0, corev1.ResourceCPU); free != 4000-4*400 || total != 4000 {
		t.Errorf("%d of %d", free, total)
	}
	if _, total := w.NodeFree(s, 0, corev1.ResourceMemory); total != 0 {
		t.Errorf("memory: %d", total)
	}
}

// A pod's use is split in proportion to the requests and nothing is lost.
func TestContainersAddUp(t *testing.T) {
	pod := small().Workloads[0].Revisions[0].Pod
	for _, row := range []struct{ use, big, little int64 }{{0, 0, 0}, {400, 300, 100}, {401, 301, 100}, {3, 3, 0}, {1000, 750, 250}} {
		got := Containers(pod, Use{corev1.ResourceCPU: row.use})
		big, little := got["big"][corev1.ResourceCPU], got["little"][corev1.ResourceCPU]
		if big.MilliValue() != row.big || little.MilliValue() != row.little {
			t.Errorf("%d is %d and %d, want %d and %d", row.use, big.MilliValue(), little.MilliValue(), row.big, row.little)
		}
	}
	for i := range pod.Spec.Containers {
		pod.Spec.Containers[i].Resources.Requests = nil
	}
	got := Containers(pod, Use{corev1.ResourceCPU: 7})["big"][corev1.ResourceCPU]
	if got.MilliValue() != 7 {
		t.Errorf("without requests the first container has it all, not %d", got.MilliValue())
	}
}

// The probe's delay and the phases are constants of one object: 60 s and 30 s
// of phases end at 60 and 90.
func TestReadinessAndPhasesKeepTheirOrder(t *testing.T) {
	w := small()
	w.Workloads[0].Loads[0].StartUp = []scenario.StartUpPhase{{Seconds: 60}, {Seconds: 30}, {}}
	for _, row := range []struct {
		delay int32
		want  [3]bool
	}{{0, [3]bool{true, true, true}}, {59, [3]bool{true, true, true}}, {60, [3]bool{false, true, true}}, {90, [3]bool{false, false, true}}, {900, [3]bool{false, false, true}}} {
		w.Workloads[0].Revisions[0].ProbeDelay = row.delay
		for stage, want := range row.want {
			if got := w.MayBeReady(holding(nil), Pod{Phase: Running, Stage: uint8(stage)}); got != want {
				t.Errorf("delay %d s, phase %d: %v", row.delay, stage, got)
			}
		}
	}
	if got := w.Stages(holding(nil), 0); got != 3 {
		t.Errorf("%d stages", got)
	}
}

func TestDelete(t *testing.T) {
	here, nominated := Place{Node: 0}, Place{Node: 0, Nominated: true}
	running := Pod{Phase: Running, Ready: true, ReadyFor: 1, Chosen: true}
	for _, row := range []struct {
		name  string
		at    Place
		pod   Pod
		grace bool
		want  Pod // the zero Pod: it is gone
	}{
		{"a running pod terminates", here, running, true, Pod{Phase: Running, Terminating: true}},
		{"a pod that has not started does too", here, Pod{}, true, Pod{Terminating: true}},
		{"without grace it is gone", here, running, false, Pod{}},
		{"a Failed pod is gone", here, Pod{Phase: Failed}, true, Pod{}},
		{"a pod without a node is gone", Unassigned, Pod{}, true, Pod{}},
		{"so is a nominated one", nominated, Pod{}, true, Pod{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := small()
			w.Workloads[0].Revisions[0].Grace = row.grace
			s := holding(nil)
			s.SetBag(row.at, Bag{}.Add(row.pod, 2))
			to := s.Clone()
			w.Delete(to, row.at, row.pod, false)
			if got := to.Bag(row.at).Count(func(p Pod) bool { return p == row.pod }); got != 1 {
				t.Errorf("%d of 2 are left as they were", got)
			}
			if row.want != (Pod{}) && to.Bag(row.at).Count(func(p Pod) bool { return p == row.want }) != 1 {
				t.Errorf("it is not %+v in %+v", row.want, to.Bag(row.at))
			}
			if row.want == (Pod{}) && to.Count(func(Place, Pod) bool { return true }) != 1 {
				t.Errorf("it is still there: %+v", to.Bag(row.at))
			}
			if s.Bag(row.at)[0].N != 2 {
				t.Error("the state before was changed")
			}
		})
	}
}
