package predicate

import "sigs.k8s.io/controller-runtime/pkg/predicate"

// Buggy are the changes of the spec.
func Buggy() predicate.Predicate { return predicate.GenerationChangedPredicate{} }
