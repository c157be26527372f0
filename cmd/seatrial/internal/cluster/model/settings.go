package model

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
)

// Settings are the fields of a Deployment that an apply may change beside
// spec.replicas and the pod template, in one version: as given, as created, or as
// an apply leaves them.
type Settings struct {
	*Written
	// Deployment has metadata.labels, spec.strategy, minReadySeconds, paused, and
	// progressDeadlineSeconds, which has to be more than minReadySeconds; and
	// nothing else.
	Deployment *appsv1.Deployment
}

// SettingsOf are those that d has, in an object of their own.
func SettingsOf(d *appsv1.Deployment) *appsv1.Deployment {
	out := &appsv1.Deployment{}
	Settings{Deployment: d}.Onto(out)
	return out
}

// Onto gives d the settings.
func (s Settings) Onto(d *appsv1.Deployment) {
	from := s.Deployment.DeepCopy()
	d.Labels, d.Spec.Strategy, d.Spec.MinReadySeconds = from.Labels, from.Spec.Strategy, from.Spec.MinReadySeconds
	d.Spec.Paused, d.Spec.ProgressDeadlineSeconds = from.Spec.Paused, from.Spec.ProgressDeadlineSeconds
}

// Paused tells whether the Deployment is not rolled out.
func (s Settings) Paused() bool { return s.Deployment.Spec.Paused }

// Now are the settings of a Deployment in the state that work is of.
func (w *WorkloadSpec) Now(work *Workload) Settings { return w.Settings[work.Settings] }

// Rewritten says what a write of a Deployment changes.
func (w *WorkloadSpec) Rewritten(before, after *Workload) string {
	var all []string
	if before.Replicas != after.Replicas {
		all = append(all, fmt.Sprintf("replicas %d to %d", before.Replicas, after.Replicas))
	}
	if before.Rev != after.Rev {
		all = append(all, "another pod template")
	}
	if before.Settings != after.Settings {
		changes := FieldChanges(w.Now(before).Object, w.Now(after).Object)
		if len(changes) == 0 {
			all = append(all, "other labels")
		}
		all = append(all, said(changes)...)
	}
	if len(all) == 0 {
		if before.Applied != after.Applied {
			return "only the last-applied annotation changes"
		}
		return "nothing changes"
	}
	return strings.Join(all, ", ")
}
