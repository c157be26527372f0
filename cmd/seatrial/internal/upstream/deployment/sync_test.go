package deployment

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"
)

func template(version string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:" + version}}},
	}
}

func rolling(version string, replicas int32, surge, unavailable string) *appsv1.Deployment {
	maxSurge, maxUnavailable := intstr.Parse(surge), intstr.Parse(unavailable)
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			Template: template(version),
			Strategy: appsv1.DeploymentStrategy{
				Type: appsv1.RollingUpdateDeploymentStrategyType,
				RollingUpdate: &appsv1.RollingUpdateDeployment{
					MaxSurge: &maxSurge, MaxUnavailable: &maxUnavailable,
				},
			},
		},
	}
}

// set is a ReplicaSet web-<version>, age seconds older than age 0, all of whose
// replicas are available and whose annotations are those of d.
func set(d *appsv1.Deployment, version string, replicas int32, age int) *appsv1.ReplicaSet {
	rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{
		Name: "web-" + version, UID: types.UID(version),
		CreationTimestamp: metav1.NewTime(time.Unix(int64(1000-age), 0)),
	}}
	rs.Spec.Replicas = &replicas
	rs.Spec.Template = template(version)
	rs.Status.Replicas, rs.Status.ReadyReplicas, rs.Status.AvailableReplicas = replicas, replicas, replicas
	deploymentutil.SetReplicasAnnotations(rs, *d.Spec.Replicas, *d.Spec.Replicas+deploymentutil.MaxSurge(*d))
	return rs
}

// show renders writes as name:replicas, a creation as +replicas.
func show(writes []Write) []string {
	var list []string
	for _, w := range writes {
		if w.Create {
			list = append(list, fmt.Sprintf("+%d", w.Replicas))
		} else {
			list = append(list, fmt.Sprintf("%s:%d", w.ReplicaSet, w.Replicas))
		}
	}
	return list
}

func TestDefaultSurgeRoundsUpAndUnavailableDown(t *testing.T) {
	// ResolveFenceposts (pkg/controller/deployment/util/deployment_util.go):
	// surge = ceil(replicas/4), unavailable = floor(replicas/4).
	for _, row := range []struct {
		replicas, surge, unavailable int32
		first                        []string
	}{
		{1, 1, 0, []string{"+1"}},
		{2, 1, 0, []string{"+1"}},
		{3, 1, 0, []string{"+1"}},
		{4, 1, 1, []string{"+1", "web-1:3"}},
		{5, 2, 1, []string{"+2", "web-1:4"}},
		{8, 2, 2, []string{"+2", "web-1:6"}},
	} {
		d := rolling("2", row.replicas, "25%", "25%")
		writes, err := Sync(d, []*appsv1.ReplicaSet{set(d, "1", row.replicas, 10)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(row.first, show(writes)); diff != "" {
			t.Errorf("%d replicas (-want +got):\n%s", row.replicas, diff)
		}
		want := map[string]string{
			"deployment.kubernetes.io/desired-replicas": fmt.Sprint(row.replicas),
			"deployment.kubernetes.io/max-replicas":     fmt.Sprint(row.replicas + row.surge),
		}
		if diff := cmp.Diff(want, writes[0].Annotations); diff != "" {
			t.Errorf("%d replicas: annotations (-want +got):\n%s", row.replicas, diff)
		}
		if got := deploymentutil.MaxUnavailable(*d); got != row.unavailable {
			t.Errorf("%d replicas: maxUnavailable %d, want %d", row.replicas, got, row.unavailable)
		}
	}
}

func TestRolloutStepsToTheEnd(t *testing.T) {
	// Each line is one reconcile when all pods of the last one have become
	// available; the arithmetic of reconcileNewReplicaSet and
	// reconcileOldReplicaSets (rolling.go).
	for _, row := range []struct {
		replicas           int32
		surge, unavailable string
		steps              [][]string
	}{
		{1, "25%", "25%", [][]string{{"+1"}, {"web-1:0"}}},
		{3, "25%", "25%", [][]string{{"+1"}, {"web-1:2"}, {"web-2:2"}, {"web-1:1"}, {"web-2:3"}, {"web-1:0"}}},
		{2, "0", "1", [][]string{{"+0", "web-1:1"}, {"web-2:1"}, {"web-1:0"}, {"web-2:2"}}},
		{4, "100%", "0", [][]string{{"+4"}, {"web-1:0"}}},
		{4, "25%", "25%", [][]string{{"+1", "web-1:3"}, {"web-2:2"}, {"web-1:1"}, {"web-2:4"}, {"web-1:0"}}},
	} {
		d := rolling("2", row.replicas, row.surge, row.unavailable)
		sets := []*appsv1.ReplicaSet{set(d, "1", row.replicas, 10)}
		var steps [][]string
		for {
			writes, err := Sync(d, sets, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(writes) == 0 {
				break
			}
			steps = append(steps, show(writes))
			for _, w := range writes {
				if w.Create {
					sets = append(sets, set(d, "2", w.Replicas, 0))
					continue
				}
				for i := range sets {
					if sets[i].Name == w.ReplicaSet {
						sets[i] = set(d, sets[i].Name[len("web-"):], w.Replicas, 10-10*i)
					}
				}
			}
		}
		if diff := cmp.Diff(row.steps, steps); diff != "" {
			t.Errorf("%d replicas, %s/%s (-want +got):\n%s", row.replicas, row.surge, row.unavailable, diff)
		}
		if !Complete(d, sets) {
			t.Errorf("%d replicas, %s/%s: not complete at the end", row.replicas, row.surge, row.unavailable)
		}
	}
}

func TestScalingIsProportional(t *testing.T) {
	// Values of TestScale (pkg/controller/deployment/sync_test.go).
	for _, row := range []struct {
		name     string
		from, to int32
		surge    string
		sizes    []int32 // web-1 oldest; web-3 is of the Deployment's template
		want     []string
	}{
		{"5 to 10", 5, 10, "0", []int32{3, 0, 2}, []string{"web-1:6", "web-3:4"}},
		{"5 to 3", 5, 3, "0", []int32{3, 0, 2}, []string{"web-1:2", "web-3:1"}},
		{"9 to 4", 9, 4, "0", []int32{1, 0, 8}, []string{"web-3:4", "web-1:0"}},
		{"7 to 10", 7, 10, "0", []int32{2, 3, 2}, []string{"web-2:4", "web-3:3", "web-1:3"}},
		{"13 to 8", 13, 8, "0", []int32{3, 8, 2}, []string{"web-2:5", "web-1:2", "web-3:1"}},
		{"3 to 4, leftover to the newest", 3, 4, "0", []int32{1, 1, 1}, []string{"web-3:2", "web-2:1", "web-1:1"}},
		{"3 to 2, leftover from the oldest", 3, 2, "0", []int32{1, 1, 1}, []string{"web-1:0", "web-2:1", "web-3:1"}},
		{"6 to 0", 6, 0, "0", []int32{1, 2, 3}, []string{"web-3:0", "web-2:0", "web-1:0"}},
		{"10 to 20 with surge", 10, 20, "2", []int32{6, 0, 6}, []string{"web-3:11", "web-1:11"}},
		{"one active set takes all", 10, 12, "0", []int32{0, 0, 10}, []string{"web-3:12"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			before, after := rolling("3", row.from, row.surge, "1"), rolling("3", row.to, row.surge, "1")
			var sets []*appsv1.ReplicaSet
			for i, size := range row.sizes {
				sets = append(sets, set(before, fmt.Sprint(i+1), size, 30-10*i))
			}
			writes, err := Sync(after, sets, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.want, show(writes)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestOldReplicaSetsShrink(t *testing.T) {
	// First four: TestDeploymentController_reconcileOldReplicaSets (rolling_test.go),
	// where 10 replicas, surge 0 and unavailable 2 hold.
	for _, row := range []struct {
		name                         string
		old, fresh                   int32
		oldAvailable, freshAvailable int32
		want                         []string
	}{
		{"available ones down to the minimum", 10, 0, 10, 0, []string{"web-1:8"}},
		{"unavailable ones first", 10, 0, 8, 0, []string{"web-1:8"}},
		{"one of each", 10, 0, 9, 0, []string{"web-1:9", "web-1:8"}},
		{"unavailable new pods hold them back", 8, 2, 8, 0, nil},
		// cleanupUnhealthyReplicas fails on the first, status lags behind spec.
		{"more available than specified stops the step", 8, 2, 10, 2, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := rolling("2", 10, "0", "2")
			sets := []*appsv1.ReplicaSet{set(d, "1", row.old, 10), set(d, "2", row.fresh, 0)}
			sets[0].Status.AvailableReplicas = row.oldAvailable
			sets[1].Status.AvailableReplicas = row.freshAvailable
			s := split(d, sets)
			s.shrinkOld()
			if diff := cmp.Diff(row.want, show(s.writes)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRecreateWaitsForOldPods(t *testing.T) {
	d := rolling("2", 3, "0", "1")
	d.Spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
	old := set(d, "1", 3, 10)
	step := func(phases ...corev1.PodPhase) []string {
		t.Helper()
		var pods []*corev1.Pod
		for _, phase := range phases {
			pod := &corev1.Pod{}
			pod.Status.Phase = phase
			pod.DeletionTimestamp = &metav1.Time{}
			pods = append(pods, pod)
		}
		writes, err := Sync(d, []*appsv1.ReplicaSet{old}, map[string][]*corev1.Pod{"web-1": pods})
		if err != nil {
			t.Fatal(err)
		}
		return show(writes)
	}
	if got := step(corev1.PodRunning); !cmp.Equal(got, []string{"web-1:0"}) {
		t.Errorf("first step is %v", got)
	}
	old = set(d, "1", 0, 10)
	if got := step(corev1.PodFailed, corev1.PodRunning); got != nil {
		t.Errorf("with a terminating pod: %v", got)
	}
	if got := step(corev1.PodFailed, corev1.PodSucceeded); !cmp.Equal(got, []string{"+3"}) {
		t.Errorf("with finished pods alone: %v", got)
	}
	old.Status.Replicas = 1
	if got := step(); got != nil {
		t.Errorf("while the old status counts a pod: %v", got)
	}
}

func TestScaledByHandBlocksTheRollout(t *testing.T) {
	// isScalingEvent sees the annotation of 3, scale finds the one active
	// ReplicaSet at 5 already and writes nothing, so the new template never
	// gets a ReplicaSet (sync.go).
	before, d := rolling("2", 3, "1", "0"), rolling("2", 5, "1", "0")
	writes, err := Sync(d, []*appsv1.ReplicaSet{set(before, "1", 5, 10)}, nil)
	if err != nil || writes != nil {
		t.Errorf("writes %v, error %v", show(writes), err)
	}
}

func TestPausedScalesButDoesNotRoll(t *testing.T) {
	before, d := rolling("2", 3, "1", "0"), rolling("2", 4, "1", "0")
	d.Spec.Paused = true
	writes, err := Sync(d, []*appsv1.ReplicaSet{set(before, "1", 3, 10)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"web-1:4"}, show(writes)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheNewReplicaSetGetsTheMinReadySecondsOfTheDeployment(t *testing.T) {
	// getNewReplicaSet (sync.go) writes them. A paused Deployment is scaled in the
	// same reconcile; any other looks at the ReplicaSets a second time, as they
	// were, and its next write conflicts.
	before, d := rolling("2", 3, "1", "0"), rolling("2", 4, "1", "0")
	old, fresh := set(before, "1", 2, 10), set(before, "2", 2, 0)
	old.Spec.MinReadySeconds, d.Spec.MinReadySeconds = 5, 30
	for _, row := range []struct {
		paused bool
		want   []string
	}{{false, []string{"web-2:2"}}, {true, []string{"web-2:2", "web-2:3", "web-1:2"}}} {
		d.Spec.Paused = row.paused
		writes, err := Sync(d, []*appsv1.ReplicaSet{old, fresh}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(row.want, show(writes)); diff != "" {
			t.Errorf("paused %v (-want +got):\n%s", row.paused, diff)
		}
		if writes[0].MinReadySeconds != 30 || writes[0].Annotations[deploymentutil.DesiredReplicasAnnotation] != "3" {
			t.Errorf("paused %v: the first write is %+v", row.paused, writes[0])
		}
		if row.paused && writes[2].MinReadySeconds != 5 {
			t.Errorf("the old ReplicaSet gets minReadySeconds %d", writes[2].MinReadySeconds)
		}
	}
}

func TestUndefaultedInputIsAnError(t *testing.T) {
	for name, spoil := range map[string]func(*appsv1.Deployment){
		"replicas":      func(d *appsv1.Deployment) { d.Spec.Replicas = nil },
		"rollingUpdate": func(d *appsv1.Deployment) { d.Spec.Strategy.RollingUpdate = nil },
		"percentage":    func(d *appsv1.Deployment) { *d.Spec.Strategy.RollingUpdate.MaxSurge = intstr.FromString("x") },
		"strategy":      func(d *appsv1.Deployment) { d.Spec.Strategy.Type = "Other" },
		"rollback":      func(d *appsv1.Deployment) { d.Annotations = map[string]string{appsv1.DeprecatedRollbackTo: "1"} },
	} {
		d := rolling("2", 3, "1", "0")
		spoil(d)
		if writes, err := Sync(d, nil, nil); err == nil {
			t.Errorf("%s: no error, writes %v", name, show(writes))
		}
	}
	if _, err := Sync(rolling("2", 3, "1", "0"), []*appsv1.ReplicaSet{{}}, nil); err == nil {
		t.Error("replicaset without replicas: no error")
	}
}

func BenchmarkSync(b *testing.B) {
	d := rolling("2", 8, "25%", "25%")
	sets := []*appsv1.ReplicaSet{set(d, "1", 8, 10), set(d, "2", 2, 0)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Sync(d, sets, nil); err != nil {
			b.Fatal(err)
		}
	}
}
