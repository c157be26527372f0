package plane

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
)

// missing names one thing that a fresh plane does not have yet, or nothing.
func (p *Plane) missing(ctx context.Context) (string, error) {
	for _, namespace := range []string{metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic, "kube-node-lease"} {
		_, err := p.client.CoreV1().Namespaces().Get(ctx, namespace, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return "namespace " + namespace, nil
		} else if err != nil {
			return "namespace " + namespace, err
		}
		if !slices.Contains(p.selected.controllers, names.ServiceAccountController) {
			continue
		}
		_, err = p.client.CoreV1().ServiceAccounts(namespace).Get(ctx, "default", metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return "service account default in " + namespace, nil
		} else if err != nil {
			return "service account default in " + namespace, err
		}
	}
	if missing, err := p.missingNode(ctx); missing != "" || err != nil {
		return missing, err
	}
	_, err := p.client.CoreV1().Services(metav1.NamespaceDefault).Get(ctx, "kubernetes", metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return "service kubernetes", nil
	}
	return "", err
}

// missingNode names a node that cannot be used yet.
func (p *Plane) missingNode(ctx context.Context) (string, error) {
	if p.nodes == nil {
		return "", nil
	}
	list, err := p.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return "nodes", err
	}
	for _, node := range list.Items {
		if !ready(&node) {
			return "node " + node.Name + " to be ready", nil
		}
		for _, taint := range node.Spec.Taints {
			if taint.Key == corev1.TaintNodeNotReady {
				return "node " + node.Name + " without the taint not-ready", nil
			}
		}
	}
	return "", nil
}

func ready(node *corev1.Node) bool {
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}
