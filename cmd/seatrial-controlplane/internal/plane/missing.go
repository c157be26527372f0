package plane

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
)

// first is one thing that a fresh plane has, and how to see whether it is there: an
// error that says that it was not found is that it is not, and no failure.
type first struct {
	name string
	get  func(context.Context) (there bool, err error)
}

// firsts are all of them. Each is looked for until it is there, and not again.
func (p *Plane) firsts() []first {
	var all []first
	core := p.client.CoreV1()
	for _, namespace := range []string{metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic, corev1.NamespaceNodeLease} {
		all = append(all, first{"namespace " + namespace, func(ctx context.Context) (bool, error) {
			_, err := core.Namespaces().Get(ctx, namespace, metav1.GetOptions{})
			return true, err
		}})
		if slices.Contains(p.selected.controllers, names.ServiceAccountController) {
			all = append(all, first{"service account default in " + namespace, func(ctx context.Context) (bool, error) {
				_, err := core.ServiceAccounts(namespace).Get(ctx, "default", metav1.GetOptions{})
				return true, err
			}})
		}
	}
	all = append(all, first{"service kubernetes", func(ctx context.Context) (bool, error) {
		_, err := core.Services(metav1.NamespaceDefault).Get(ctx, "kubernetes", metav1.GetOptions{})
		return true, err
	}})
	if p.options.Spec.Mode != modeLean && slices.Contains(p.selected.controllers, names.ClusterRoleAggregationController) {
		all = append(all, first{"cluster roles with the rules that they gather", p.rolesGathered})
	}
	if p.nodes != nil {
		all = append(all, first{"nodes that are ready and can be used", p.nodesUsable})
	}
	return all
}

// rolesGathered tells whether all roles that are made of others have the rules of these. Until then what the plane is
// reset to would have them without, and their controller would write them in each run anew.
func (p *Plane) rolesGathered(ctx context.Context) (bool, error) {
	list, err := p.client.RbacV1().ClusterRoles().List(ctx, metav1.ListOptions{})
	if err != nil {
		return false, err
	}
	return gathered(list.Items)
}

func gathered(roles []rbacv1.ClusterRole) (bool, error) {
	for _, whole := range roles {
		if whole.AggregationRule == nil {
			continue
		}
		for _, each := range whole.AggregationRule.ClusterRoleSelectors {
			selector, err := metav1.LabelSelectorAsSelector(&each)
			if err != nil {
				return false, err
			}
			for _, part := range roles {
				if part.Name != whole.Name && selector.Matches(labels.Set(part.Labels)) && !hasRules(&whole, &part) {
					return false, nil
				}
			}
		}
	}
	return true, nil
}

// hasRules tells whether a role has all rules of another.
func hasRules(whole, part *rbacv1.ClusterRole) bool {
	for _, rule := range part.Rules {
		if !slices.ContainsFunc(whole.Rules, func(r rbacv1.PolicyRule) bool { return equality.Semantic.DeepEqual(r, rule) }) {
			return false
		}
	}
	return true
}

// nodesUsable tells whether all nodes can be used.
func (p *Plane) nodesUsable(ctx context.Context) (bool, error) {
	list, err := p.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(list.Items, func(node corev1.Node) bool {
		return !ready(&node) || slices.ContainsFunc(node.Spec.Taints, func(taint corev1.Taint) bool {
			return taint.Key == corev1.TaintNodeNotReady
		})
	}), nil
}

func ready(node *corev1.Node) bool {
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}
