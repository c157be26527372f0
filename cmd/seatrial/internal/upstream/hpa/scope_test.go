package hpa

import (
	"context"
	"testing"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// ranged is an autoscaler with bounds and behavior; windows below 0 mean none.
func ranged(minimum, maximum, up, down, period int32) *autoscalingv2.HorizontalPodAutoscaler {
	h := &autoscalingv2.HorizontalPodAutoscaler{}
	h.Spec.MinReplicas, h.Spec.MaxReplicas = &minimum, maximum
	if up >= 0 {
		policies := []autoscalingv2.HPAScalingPolicy{{Type: autoscalingv2.PodsScalingPolicy, Value: 4, PeriodSeconds: period}}
		h.Spec.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{
			ScaleUp:   &autoscalingv2.HPAScalingRules{StabilizationWindowSeconds: &up, Policies: policies},
			ScaleDown: &autoscalingv2.HPAScalingRules{StabilizationWindowSeconds: &down, Policies: policies},
		}
	}
	return defaulted(h)
}

// What is remembered under one spec is what the controller would still know under
// another: numbers, not numbers cut at the bounds of the day.
func TestMemoryOutlivesAnEdit(t *testing.T) {
	small, large := ranged(1, 3, -1, 0, 0), ranged(1, 10, -1, 0, 0)
	both := []*autoscalingv2.HorizontalPodAutoscaler{small, large}
	s := State{}.seeded(scope{small, both}, 8)
	if s.High != "8" {
		t.Errorf("remembered %q of 8 replicas, with a maximum of 3 that may become 10", s.High)
	}
	if alone := (State{}).seeded(scope{hpa: small}, 8); alone.High != "4" {
		t.Errorf("remembered %q of 8 replicas, with a maximum of 3", alone.High)
	}
	// Edited, it holds the count where the larger maximum lets it.
	if held, _ := s.stabilise(scope{large, both}, 2); held != 8 {
		t.Errorf("stabilised at %d, recommended were 8 and 2", held)
	}
}

func TestAWindowOfAnotherSpecDoesNotCount(t *testing.T) {
	none, long := ranged(1, 10, 0, 0, 60), ranged(1, 10, 60, 300, 60)
	both := []*autoscalingv2.HorizontalPodAutoscaler{none, long}
	s := State{}.seeded(scope{none, both}, 6)
	if s.High != "6" || s.Low != "6" {
		t.Fatalf("remembered %+v", s)
	}
	if got, _ := s.stabiliseWithBehavior(scope{none, both}, 6, 2); got != 2 {
		t.Errorf("without windows 6 goes to %d, recommended 2", got)
	}
	if got, _ := s.stabiliseWithBehavior(scope{long, both}, 6, 2); got != 6 {
		t.Errorf("with windows 6 goes to %d, recommended 2 after 6", got)
	}
	if got, _ := s.stabiliseWithBehavior(scope{long, both}, 6, 9); got != 6 {
		t.Errorf("with windows 6 goes to %d, recommended 9 after 6", got)
	}
}

func TestChangesAreAgedByThePeriodsOfAllSpecs(t *testing.T) {
	short, long := ranged(1, 20, 0, 0, 15), ranged(1, 20, 0, 0, 600)
	both := []*autoscalingv2.HorizontalPodAutoscaler{short, long}
	s := State{Known: true}.scaled(scope{short, both}, 2, 6)
	if s.Changes != "+4:0" {
		t.Fatalf("changes %q", s.Changes)
	}
	next := Elapse(short, s, both...)
	if len(next) != 1 || next[0].Changes != "+4:1" {
		t.Fatalf("after the shorter period %+v", next)
	}
	// It has left the short period and not the long one.
	if got, _ := next[0].limitByBehavior(scope{short, both}, boundsOf(short), 6, 20); got != 10 {
		t.Errorf("with the short period 6 goes to %d", got)
	}
	if got, reason := next[0].limitByBehavior(scope{long, both}, boundsOf(long), 6, 20); got != 6 || reason != "ScaleUpLimit" {
		t.Errorf("with the long period 6 goes to %d, %s", got, reason)
	}
	// An edit that takes the behavior away stops neither time nor memory.
	plain := ranged(1, 20, -1, 0, 0)
	all := append(both, plain)
	if after := Elapse(plain, next[0], all...); len(after) != 1 || after[0].Changes != "" {
		t.Errorf("without behavior %+v", after)
	}
}

// With the spec itself as the only variant nothing changes.
func TestOneVariantIsNoVariant(t *testing.T) {
	h := ranged(1, 5, 0, 300, 60)
	h.Spec.Metrics = nil
	for replicas := int32(0); replicas < 8; replicas++ {
		in := Input{HPA: h, SpecReplicas: replicas, StatusReplicas: replicas}
		alone, err := Reconcile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		in.Variants = []*autoscalingv2.HorizontalPodAutoscaler{h}
		listed, err := Reconcile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		if alone.State != listed.State || alone.Desired != listed.Desired {
			t.Errorf("%d replicas: %+v, with the variant %+v", replicas, alone, listed)
		}
	}
}
