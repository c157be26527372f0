package model

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// hpaOf is an autoscaler with a maximum and, for each target, a metric.
func hpaOf(maximum int32, targets ...int32) *autoscalingv2.HorizontalPodAutoscaler {
	h := &autoscalingv2.HorizontalPodAutoscaler{}
	h.Spec.MaxReplicas = maximum
	for _, t := range targets {
		h.Spec.Metrics = append(h.Spec.Metrics, autoscalingv2.MetricSpec{Type: autoscalingv2.ResourceMetricSourceType, Resource: &autoscalingv2.ResourceMetricSource{
			Name: corev1.ResourceCPU, Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &t},
		}})
	}
	return h
}

func TestFieldChanges(t *testing.T) {
	window := int32(60)
	waits := hpaOf(4, 50)
	waits.Spec.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleDown: &autoscalingv2.HPAScalingRules{StabilizationWindowSeconds: &window}}
	big := int32(2_000_000)
	minimum := hpaOf(4, 50)
	minimum.Spec.MinReplicas = &big
	for _, row := range []struct {
		name          string
		before, after *autoscalingv2.HorizontalPodAutoscaler
		want          []FieldChange
	}{
		{"nothing", hpaOf(4, 50), hpaOf(4, 50), nil},
		{"a number", hpaOf(4, 50), hpaOf(10, 50), []FieldChange{{"spec.maxReplicas", "4", "10"}}},
		{"a large number", hpaOf(4, 50), minimum, []FieldChange{{"spec.minReplicas", "none", "2000000"}}},
		{"in a list", hpaOf(4, 50, 60), hpaOf(4, 50, 70), []FieldChange{{"spec.metrics[1].resource.target.averageUtilization", "60", "70"}}},
		{"a shorter list", hpaOf(4, 50, 60), hpaOf(4, 50), []FieldChange{{"spec.metrics[1]", "{…}", "none"}}},
		{"no list", hpaOf(4, 50), hpaOf(4), []FieldChange{{"spec.metrics", "[…]", "none"}}},
		{"a part comes", hpaOf(4, 50), waits, []FieldChange{{"spec.behavior", "none", "{…}"}}},
		{"a part goes", waits, hpaOf(5, 50), []FieldChange{{"spec.behavior", "{…}", "none"}, {"spec.maxReplicas", "4", "5"}}},
	} {
		if diff := cmp.Diff(row.want, FieldChanges(row.before, row.after)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.name, diff)
		}
	}
}

// twoBudgets is a world with one budget in three versions: 0 and 1 differ in the
// spec, 1 and 2 in a label.
func twoBudgets() *World {
	one, two := intstr.FromInt32(1), intstr.FromInt32(2)
	version := func(n *intstr.IntOrString, label string) PDBRevision {
		o := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web", Labels: map[string]string{"v": label}}}
		o.Spec.MinAvailable = n
		return PDBRevision{Written: &Written{Object: o}, PDB: o}
	}
	return &World{PDBs: []PDBSpec{{Revisions: []PDBRevision{version(&one, "a"), version(&two, "a"), version(&two, "b")}}}}
}

func TestAChangedBudgetHasAStaleStatus(t *testing.T) {
	// PrepareForUpdate (pkg/registry/policy/poddisruptionbudget/strategy.go) counts
	// the generation up if the spec differs, and PrepareForCreate begins at 1.
	for _, row := range []struct {
		name     string
		from, to uint8
		stale    bool
		want     bool
	}{
		{"another spec", 0, 1, false, true},
		{"the same", 1, 1, false, false},
		{"another label", 1, 2, false, false},
		{"another label before the recount", 1, 2, true, true},
		{"there and back before the recount", 1, 0, true, true},
		{"created", Absent, 2, false, true},
	} {
		w := twoBudgets()
		s := &State{PDB: []*Budget{{Allowed: 3, Rev: row.from, Stale: row.stale}}}
		to := s.Clone()
		w.Write(to, &Rewrite{HPA: -1}, row.to)
		if b := to.PDB[0]; b.Rev != row.to || b.Stale != row.want || b.Allowed != 3 || s.PDB[0].Rev != row.from {
			t.Errorf("%s: %+v", row.name, *b)
		}
		o := w.Budget(to, 0)
		if older := o.Status.ObservedGeneration < o.Generation; older != row.want {
			t.Errorf("%s: observedGeneration %d of %d", row.name, o.Status.ObservedGeneration, o.Generation)
		}
	}
}

func TestAnAutoscalerWithAnotherTargetHasNotLookedAtItYet(t *testing.T) {
	version := func(maximum int32, work int) HPARevision {
		h := hpaOf(maximum, 50)
		return HPARevision{Written: &Written{Object: h}, HPA: h, Work: work}
	}
	w := &World{
		Workloads: []WorkloadSpec{{HPA: 0}, {HPA: 0}},
		HPAs:      []HPASpec{{Revisions: []HPARevision{version(4, 0), version(8, 0), version(8, 1)}}},
	}
	s := &State{HPA: []*Autoscaler{{Reason: 3}}}
	s.HPA[0].Memory.Selecting, s.HPA[0].Memory.High = true, "4"
	for rev, want := range map[uint8]bool{1: true, 2: false} {
		to := s.Clone()
		w.Write(to, &Rewrite{PDB: -1}, rev)
		a := to.HPA[0]
		if a.Memory.Selecting != want || (a.Reason == 3) != want || a.Memory.High != "4" {
			t.Errorf("revision %d: %+v", rev, *a)
		}
		_, most, scaled := w.ScaleBounds(to, 0)
		if _, _, other := w.ScaleBounds(to, 1); scaled != want || other == want || scaled && most != 8 {
			t.Errorf("revision %d: scaled to %d: %v, the other %v", rev, most, scaled, other)
		}
	}
	s.EditHPA(0).Rev = Absent
	if _, _, scaled := w.ScaleBounds(s, 0); scaled || w.AutoscalerSpec(s, 0) != nil {
		t.Error("an autoscaler that is not there scales")
	}
}

func TestTurns(t *testing.T) {
	apply, create := &Rewrite{PDB: -1, Next: []uint8{1, 1}, First: 1}, &Rewrite{PDB: -1, First: 0}
	for _, row := range []struct {
		name          string
		r             *Rewrite
		present, next uint8
		possible      bool
	}{
		{"apply over the first", apply, 0, 1, true},
		{"apply again", apply, 1, 1, true},
		{"apply where there is none", apply, Absent, 1, true},
		{"create where there is none", create, Absent, 0, true},
		{"create over what is there", create, 1, 1, false},
	} {
		before, after, possible := row.r.Turns(&State{HPA: []*Autoscaler{{Rev: row.present}}})
		if before != row.present || after != row.next || possible != row.possible {
			t.Errorf("%s: %d to %d, %v", row.name, before, after, possible)
		}
	}
}
