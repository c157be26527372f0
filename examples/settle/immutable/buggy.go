package immutable

import appsv1 "k8s.io/api/apps/v1"

// Buggy changes all of it.
func Buggy(is, want *appsv1.StatefulSet) { is.Spec = want.Spec }
