package disruption

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func pod(name string, ready bool) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, Labels: map[string]string{"app": "web"}}}
	p.Status.Phase = corev1.PodRunning
	status := corev1.ConditionFalse
	if ready {
		status = corev1.ConditionTrue
	}
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: status}}
	return p
}

func pods(ready, unready int) []*corev1.Pod {
	var list []*corev1.Pod
	for i := range ready + unready {
		list = append(list, pod(string(rune('a'+i)), i < ready))
	}
	return list
}

func budget(field, value string) *policyv1.PodDisruptionBudget {
	pdb := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web"}}
	pdb.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	parsed := intstr.Parse(value)
	if field == "min" {
		pdb.Spec.MinAvailable = &parsed
	} else {
		pdb.Spec.MaxUnavailable = &parsed
	}
	return pdb
}

func scale(replicas int32) func(*corev1.Pod) (string, int32, bool) {
	return func(*corev1.Pod) (string, int32, bool) { return "web", replicas, true }
}

func TestPercentagesRoundUp(t *testing.T) {
	// getExpectedPodCount (pkg/controller/disruption/disruption.go): both fields
	// round up, of the owner's replicas; an integer minAvailable counts pods.
	for _, row := range []struct {
		field, value               string
		replicas                   int32
		matched                    int
		expected, desired, allowed int32
	}{
		{"min", "50%", 1, 1, 1, 1, 0},
		{"min", "50%", 2, 2, 2, 1, 1},
		{"min", "50%", 3, 3, 3, 2, 1},
		{"min", "50%", 4, 4, 4, 2, 2},
		{"min", "50%", 5, 5, 5, 3, 2},
		{"min", "50%", 8, 8, 8, 4, 4},
		{"max", "25%", 1, 1, 1, 0, 1},
		{"max", "25%", 2, 2, 2, 1, 1},
		{"max", "25%", 3, 3, 3, 2, 1},
		{"max", "25%", 4, 4, 4, 3, 1},
		{"max", "25%", 5, 5, 5, 3, 2},
		{"max", "25%", 8, 8, 8, 6, 2},
		{"max", "5", 3, 3, 3, 0, 3},
		{"min", "2", 3, 5, 5, 2, 3},
		{"max", "1", 3, 5, 3, 2, 3},
		{"min", "0%", 3, 3, 3, 0, 3},
		{"min", "0", 3, 0, 0, 0, 0},
	} {
		pdb := budget(row.field, row.value)
		expected, desired, err := Expected(pdb, pods(row.matched, 0), scale(row.replicas))
		if err != nil {
			t.Fatal(err)
		}
		status := Status(pdb, pods(row.matched, 0), scale(row.replicas))
		if expected != row.expected || desired != row.desired || status.DisruptionsAllowed != row.allowed {
			t.Errorf("%sAvailable %s of %d: expected %d, desired %d, allowed %d; want %d, %d, %d", row.field, row.value, row.replicas,
				expected, desired, status.DisruptionsAllowed, row.expected, row.desired, row.allowed)
		}
	}
}

func TestOnlySelectedPodsOfTheNamespaceCount(t *testing.T) {
	other, elsewhere := pod("x", true), pod("y", true)
	other.Labels, elsewhere.Namespace = map[string]string{"app": "db"}, "other"
	expected, _, err := Expected(budget("min", "1"), []*corev1.Pod{pod("a", true), other, elsewhere}, scale(9))
	if err != nil || expected != 1 {
		t.Errorf("expected %d, error %v", expected, err)
	}
}

func TestApprovedPodsAreUnhealthyUntilTerminating(t *testing.T) {
	list := pods(4, 0)
	list[3].DeletionTimestamp = &metav1.Time{}
	pdb := budget("min", "1")
	pdb.Status.DisruptedPods = map[string]metav1.Time{"a": {}, "d": {}, "gone": {}}
	status := Status(pdb, list, scale(4))
	if status.CurrentHealthy != 2 || status.ExpectedPods != 4 || status.DisruptionsAllowed != 1 {
		t.Errorf("status %+v", status)
	}
	if diff := cmp.Diff(map[string]metav1.Time{"a": {}}, status.DisruptedPods); diff != "" {
		t.Errorf("disrupted pods (-want +got):\n%s", diff)
	}
}

func TestUnknownControllerFailsSafe(t *testing.T) {
	list := pods(3, 0)
	yes := true
	list[0].OwnerReferences = []metav1.OwnerReference{{Kind: "Widget", Name: "w", Controller: &yes}}
	nobody := func(*corev1.Pod) (string, int32, bool) { return "", 0, false }
	pdb := budget("max", "1")
	pdb.Status.DisruptionsAllowed = 2
	status := Status(pdb, list, nobody)
	if status.DisruptionsAllowed != 0 || len(status.Conditions) != 1 || status.Conditions[0].Reason != policyv1.SyncFailedReason {
		t.Errorf("status %+v", status)
	}
	if expected, desired, err := Expected(pdb, list[1:], nobody); err != nil || expected != 0 || desired != 0 {
		t.Errorf("pods without an owner: %d, %d, %v", expected, desired, err)
	}
}

func TestEvictionRules(t *testing.T) {
	// EvictionREST.Create, checkAndDecrement (pkg/registry/core/pod/storage/eviction.go).
	always := policyv1.AlwaysAllow
	status := func(allowed, healthy, desired int32) func(*policyv1.PodDisruptionBudget) {
		return func(pdb *policyv1.PodDisruptionBudget) {
			pdb.Status.DisruptionsAllowed, pdb.Status.CurrentHealthy, pdb.Status.DesiredHealthy = allowed, healthy, desired
		}
	}
	for _, row := range []struct {
		name   string
		pod    func(*corev1.Pod)
		pdb    []func(*policyv1.PodDisruptionBudget) // one entry per budget
		code   int
		writes bool
	}{
		{"no budget", nil, nil, 200, false},
		{"allowance left", nil, []func(*policyv1.PodDisruptionBudget){status(1, 3, 2)}, 200, true},
		{"no allowance", nil, []func(*policyv1.PodDisruptionBudget){status(0, 2, 2)}, 429, false},
		{"two budgets", nil, []func(*policyv1.PodDisruptionBudget){status(1, 3, 2), status(1, 3, 2)}, 500, false},
		{"pending pod", func(p *corev1.Pod) { p.Status.Phase = corev1.PodPending }, []func(*policyv1.PodDisruptionBudget){status(0, 0, 2)}, 200, false},
		{"failed pod, two budgets", func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }, []func(*policyv1.PodDisruptionBudget){status(0, 0, 2), status(0, 0, 2)}, 200, false},
		{"terminating pod", func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: metav1.Now().Time} }, []func(*policyv1.PodDisruptionBudget){status(0, 0, 2)}, 200, false},
		{"unready pod, enough healthy", unready, []func(*policyv1.PodDisruptionBudget){status(0, 2, 2)}, 200, false},
		{"unready pod, too few healthy", unready, []func(*policyv1.PodDisruptionBudget){status(0, 1, 2)}, 429, false},
		{"unready pod, nothing desired", unready, []func(*policyv1.PodDisruptionBudget){status(0, 1, 0)}, 429, false},
		{"unready pod, nothing desired, allowance left", unready, []func(*policyv1.PodDisruptionBudget){status(1, 1, 0)}, 200, true},
		{"unready pod, always allowed", unready, []func(*policyv1.PodDisruptionBudget){func(pdb *policyv1.PodDisruptionBudget) {
			status(0, 0, 2)(pdb)
			pdb.Spec.UnhealthyPodEvictionPolicy = &always
		}}, 200, false},
		{"status older than spec", nil, []func(*policyv1.PodDisruptionBudget){func(pdb *policyv1.PodDisruptionBudget) {
			status(1, 3, 2)(pdb)
			pdb.Generation, pdb.Status.ObservedGeneration = 2, 1
		}}, 429, false},
		{"corrupt status", nil, []func(*policyv1.PodDisruptionBudget){status(-1, 3, 2)}, 403, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := pod("a", true)
			if row.pod != nil {
				row.pod(p)
			}
			var pdbs []*policyv1.PodDisruptionBudget
			for _, fill := range row.pdb {
				pdb := budget("min", "2")
				fill(pdb)
				pdbs = append(pdbs, pdb)
			}
			got := Evict(p, pdbs)
			if got.Code != row.code || got.Allowed != (row.code == 200) || (got.Update != nil) != row.writes {
				t.Fatalf("got %+v", got)
			}
			if !row.writes {
				return
			}
			if _, ok := got.Update.Status.DisruptedPods["a"]; !ok || got.Update.Status.DisruptionsAllowed != pdbs[0].Status.DisruptionsAllowed-1 {
				t.Errorf("update %+v", got.Update.Status)
			}
			if pdbs[0].Status.DisruptedPods != nil {
				t.Error("the budget given was changed")
			}
		})
	}
}

func unready(p *corev1.Pod) { p.Status.Conditions[0].Status = corev1.ConditionFalse }

func BenchmarkStatus(b *testing.B) {
	pdb, list := budget("max", "25%"), pods(8, 2)
	b.ReportAllocs()
	for b.Loop() {
		Status(pdb, list, scale(10))
	}
}

func BenchmarkEvict(b *testing.B) {
	pdb, p := budget("max", "25%"), pod("a", true)
	pdb.Status.DisruptionsAllowed = 2
	b.ReportAllocs()
	for b.Loop() {
		Evict(p, []*policyv1.PodDisruptionBudget{pdb})
	}
}
