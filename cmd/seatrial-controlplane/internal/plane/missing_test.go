package plane

import (
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestGathered: a plane is not ready before its roles have the rules of those that they gather, step by step.
func TestGathered(t *testing.T) {
	rule := func(resource string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{resource}}
	}
	role := func(name, into, of string, rules ...rbacv1.PolicyRule) rbacv1.ClusterRole {
		r := rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"into-" + into: "true"}}, Rules: rules}
		if of != "" {
			r.AggregationRule = &rbacv1.AggregationRule{ClusterRoleSelectors: []metav1.LabelSelector{{MatchLabels: map[string]string{"into-" + of: "true"}}}}
		}
		return r
	}
	pods, nodes := rule("pods"), rule("nodes")
	base := []rbacv1.ClusterRole{role("pods", "view", "", pods), role("nodes", "edit", "", nodes)}
	for _, test := range []struct {
		name       string
		view, edit []rbacv1.PolicyRule
		want       bool
	}{
		{name: "nothing was gathered yet"},
		{name: "one does not have what another has gathered", view: []rbacv1.PolicyRule{pods}, edit: []rbacv1.PolicyRule{nodes}},
		{name: "all have all", view: []rbacv1.PolicyRule{pods}, edit: []rbacv1.PolicyRule{nodes, pods}, want: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := gathered(append(base, role("view", "edit", "view", test.view...), role("edit", "", "edit", test.edit...)))
			if err != nil || got != test.want {
				t.Errorf("%t, %v", got, err)
			}
		})
	}
}
