package immutable

import appsv1 "k8s.io/api/apps/v1"

// Fixed changes what can be changed, and leaves the volumes as they were made.
func Fixed(is, want *appsv1.StatefulSet) { is.Spec.Template = want.Spec.Template }
