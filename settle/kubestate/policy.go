package kubestate

import (
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var policyKinds = []builtin{{
	kind: kindOf("policy", "PodDisruptionBudget"), plural: "poddisruptionbudgets", counted: specOf, conditional: true,
	named: path.ValidatePathSegmentName, validate: check(validateBudget), statusChanged: change(changedBudgetStatus),
}}

func validateBudget(b *policyv1.PodDisruptionBudget) field.ErrorList {
	at, s := field.NewPath("spec"), &b.Spec
	var all field.ErrorList
	if s.MinAvailable != nil && s.MaxUnavailable != nil {
		type internal struct { // the server's type, which has no tags
			MinAvailable               *intstr.IntOrString
			Selector                   *metav1.LabelSelector
			MaxUnavailable             *intstr.IntOrString
			UnhealthyPodEvictionPolicy *policyv1.UnhealthyPodEvictionPolicyType
		}
		all = append(all, field.Invalid(at, internal(*s), "minAvailable and maxUnavailable cannot be both set"))
	}
	all = append(all, amount(at.Child("minAvailable"), s.MinAvailable)...)
	all = append(all, amount(at.Child("maxUnavailable"), s.MaxUnavailable)...)
	all = append(all, validSelector(at.Child("selector"), s.Selector)...)
	if p := s.UnhealthyPodEvictionPolicy; p != nil {
		all = append(all, oneOf(at.Child("unhealthyPodEvictionPolicy"), *p, policyv1.AlwaysAllow, policyv1.IfHealthyBudget)...)
	}
	return all
}

func changedBudgetStatus(b, _ *policyv1.PodDisruptionBudget) field.ErrorList {
	at, s := field.NewPath("status"), &b.Status
	all := nonNegative(at.Child("disruptionsAllowed"), s.DisruptionsAllowed)
	all = append(all, nonNegative(at.Child("currentHealthy"), s.CurrentHealthy)...)
	all = append(all, nonNegative(at.Child("desiredHealthy"), s.DesiredHealthy)...)
	return append(all, nonNegative(at.Child("expectedPods"), s.ExpectedPods)...)
}
