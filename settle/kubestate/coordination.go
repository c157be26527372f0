package kubestate

import (
	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var coordinationKinds = []builtin{{
	kind: kindOf("coordination.k8s.io", "Lease"), plural: "leases", upsert: true, conditional: true, validate: check(validateLease),
}}

func validateLease(l *coordinationv1.Lease) field.ErrorList {
	at, s := field.NewPath("spec"), &l.Spec
	var all field.ErrorList
	if d := s.LeaseDurationSeconds; d != nil && *d <= 0 {
		all = append(all, field.Invalid(at.Child("leaseDurationSeconds"), *d, "must be greater than 0"))
	}
	if n := s.LeaseTransitions; n != nil && *n < 0 {
		all = append(all, field.Invalid(at.Child("leaseTransitions"), *n, "must be greater than or equal to 0"))
	}
	return all
}
