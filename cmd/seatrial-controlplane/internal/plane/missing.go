package plane

import (
	"context"
	"slices"

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
	_, err := p.client.CoreV1().Services(metav1.NamespaceDefault).Get(ctx, "kubernetes", metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return "service kubernetes", nil
	}
	return "", err
}
