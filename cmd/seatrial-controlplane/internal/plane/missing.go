package plane

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
	if p.nodes != nil {
		all = append(all, first{"nodes that are ready and can be used", p.nodesUsable})
	}
	return all
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
