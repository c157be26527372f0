package kubestate

import (
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var rbacKinds = []builtin{
	{
		kind: kindOf(rbacv1.GroupName, "Role"), plural: "roles", upsert: true, named: path.ValidatePathSegmentName,
		validate: check(func(r *rbacv1.Role) field.ErrorList { return validateRules(r.Rules, false) }),
	},
	{
		kind: kindOf(rbacv1.GroupName, "ClusterRole"), plural: "clusterroles", cluster: true, upsert: true, named: path.ValidatePathSegmentName,
		validate: check(validateClusterRole),
	},
	{
		kind: kindOf(rbacv1.GroupName, "RoleBinding"), plural: "rolebindings", upsert: true, named: path.ValidatePathSegmentName,
		defaults: each(func(b *rbacv1.RoleBinding) { defaultBinding(&b.RoleRef, b.Subjects) }),
		validate: check(func(b *rbacv1.RoleBinding) field.ErrorList {
			return validateBinding(b.RoleRef, b.Subjects, true, "Role", "ClusterRole")
		}),
		changed: change(func(b, old *rbacv1.RoleBinding) field.ErrorList { return sameRole(b.RoleRef, old.RoleRef) }),
	},
	{
		kind: kindOf(rbacv1.GroupName, "ClusterRoleBinding"), plural: "clusterrolebindings", cluster: true, upsert: true, named: path.ValidatePathSegmentName,
		defaults: each(func(b *rbacv1.ClusterRoleBinding) { defaultBinding(&b.RoleRef, b.Subjects) }),
		validate: check(func(b *rbacv1.ClusterRoleBinding) field.ErrorList {
			return validateBinding(b.RoleRef, b.Subjects, false, "ClusterRole")
		}),
		changed: change(func(b, old *rbacv1.ClusterRoleBinding) field.ErrorList { return sameRole(b.RoleRef, old.RoleRef) }),
	},
}

func validateRules(rules []rbacv1.PolicyRule, cluster bool) field.ErrorList {
	var all field.ErrorList
	for i, r := range rules {
		at := field.NewPath("rules").Index(i)
		if len(r.Verbs) == 0 {
			all = append(all, field.Required(at.Child("verbs"), "verbs must contain at least one value"))
		}
		if len(r.NonResourceURLs) > 0 {
			if !cluster {
				all = append(all, field.Invalid(at.Child("nonResourceURLs"), r.NonResourceURLs, "namespaced rules cannot apply to non-resource URLs"))
			}
			if len(r.APIGroups)+len(r.Resources)+len(r.ResourceNames) > 0 {
				all = append(all, field.Invalid(at.Child("nonResourceURLs"), r.NonResourceURLs, "rules cannot apply to both regular resources and non-resource URLs"))
			}
			continue
		}
		if len(r.APIGroups) == 0 {
			all = append(all, field.Required(at.Child("apiGroups"), "resource rules must supply at least one api group"))
		}
		if len(r.Resources) == 0 {
			all = append(all, field.Required(at.Child("resources"), "resource rules must supply at least one resource"))
		}
	}
	return all
}

func validateClusterRole(r *rbacv1.ClusterRole) field.ErrorList {
	all := validateRules(r.Rules, true)
	if r.AggregationRule == nil {
		return all
	}
	at := field.NewPath("aggregationRule", "clusterRoleSelectors")
	if len(r.AggregationRule.ClusterRoleSelectors) == 0 {
		all = append(all, field.Required(at, "at least one clusterRoleSelector required if aggregationRule is non-nil"))
	}
	for i := range r.AggregationRule.ClusterRoleSelectors {
		all = append(all, validSelector(at.Index(i), &r.AggregationRule.ClusterRoleSelectors[i])...)
	}
	return all
}

func defaultBinding(to *rbacv1.RoleRef, subjects []rbacv1.Subject) {
	fill(&to.APIGroup, rbacv1.GroupName)
	for i := range subjects {
		if s := &subjects[i]; s.Kind == rbacv1.UserKind || s.Kind == rbacv1.GroupKind {
			fill(&s.APIGroup, rbacv1.GroupName)
		}
	}
}

func validateBinding(to rbacv1.RoleRef, subjects []rbacv1.Subject, namespaced bool, kinds ...string) field.ErrorList {
	at := field.NewPath("roleRef")
	var all field.ErrorList
	group := func(at *field.Path, is, should string) {
		if is != should {
			all = append(all, field.NotSupported(at.Child("apiGroup"), is, []string{should}))
		}
	}
	group(at, to.APIGroup, rbacv1.GroupName)
	if to.Kind == "" {
		all = append(all, field.NotSupported(at.Child("kind"), to.Kind, kinds))
	} else {
		all = append(all, oneOf(at.Child("kind"), to.Kind, kinds...)...)
	}
	if to.Name == "" {
		all = append(all, field.Required(at.Child("name"), ""))
	} else {
		all = append(all, invalid(at.Child("name"), to.Name, path.IsValidPathSegmentName(to.Name))...)
	}
	for i, s := range subjects {
		at := field.NewPath("subjects").Index(i)
		if s.Name == "" {
			all = append(all, field.Required(at.Child("name"), ""))
		}
		switch s.Kind {
		case rbacv1.ServiceAccountKind:
			group(at, s.APIGroup, "")
			if !namespaced && s.Namespace == "" {
				all = append(all, field.Required(at.Child("namespace"), ""))
			}
		case rbacv1.UserKind, rbacv1.GroupKind:
			group(at, s.APIGroup, rbacv1.GroupName)
		default:
			all = append(all, field.NotSupported(at.Child("kind"), s.Kind, []string{rbacv1.ServiceAccountKind, rbacv1.UserKind, rbacv1.GroupKind}))
		}
	}
	return all
}

func sameRole(now, old rbacv1.RoleRef) field.ErrorList {
	if now == old {
		return nil
	}
	type internal struct{ APIGroup, Kind, Name string } // the server's type, which has no tags
	return field.ErrorList{field.Invalid(field.NewPath("roleRef"), internal(now), "cannot change roleRef")}
}
