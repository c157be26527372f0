package predicate

import "sigs.k8s.io/controller-runtime/pkg/predicate"

// Fixed are the changes of all that the operator reads: the spec and the annotations.
func Fixed() predicate.Predicate {
	return predicate.Or(predicate.GenerationChangedPredicate{}, predicate.AnnotationChangedPredicate{})
}
