package kubestate

import (
	"cmp"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Epoch is the time at which everything happens.
var Epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// stopClock replaces the times that the registry has taken from the clock, and that of a
// deletion even if a client has given it. That of a manager is left out, but for Epoch, which
// turnClocks sets.
func stopClock(m metav1.Object) {
	m.SetCreationTimestamp(metav1.NewTime(Epoch))
	if m.GetDeletionTimestamp() != nil {
		m.SetDeletionTimestamp(&metav1.Time{Time: Epoch})
	}
	fields := m.GetManagedFields()
	for i, f := range fields {
		if f.Time != nil && !f.Time.Time.Equal(Epoch) {
			fields[i].Time = nil
		}
	}
	slices.SortStableFunc(fields, func(a, b metav1.ManagedFieldsEntry) int { // those of a time, as ever
		return cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Manager, b.Manager),
			cmp.Compare(a.APIVersion, b.APIVersion), cmp.Compare(a.Subresource, b.Subresource))
	})
	m.SetManagedFields(fields)
}

// turnClocks gives a time to the managers that have none, and takes it from those that have
// one. All have a time in kube-apiserver, but for those that the scale subresource makes; here
// it is the other way round, so that few times are stored. It counts which have one: that
// subresource may make a second entry of the same manager, those without a time come first, and
// the last of them is the one that is read.
func turnClocks(m metav1.Object) {
	fields := m.GetManagedFields()
	for i, f := range fields {
		fields[i].Time = nil
		if f.Time == nil {
			fields[i].Time = &metav1.Time{Time: Epoch}
		}
	}
	m.SetManagedFields(fields)
}
