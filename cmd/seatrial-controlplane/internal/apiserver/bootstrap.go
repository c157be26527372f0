package apiserver

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	scheduling "k8s.io/kubernetes/pkg/apis/scheduling/v1"
	rbacrest "k8s.io/kubernetes/pkg/registry/rbac/rest"
	schedulingrest "k8s.io/kubernetes/pkg/registry/scheduling/rest"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"
)

// hooks of the server wait a second before they look whether they can begin, and
// hold up its readiness. They are switched off, and Bootstrap creates at once
// what they would.
var hooks = []string{schedulingrest.PostStartHookName, rbacrest.PostStartHookName}

// writers is how many requests create the bootstrap policy at a time.
const writers = 8

// Bootstrap creates what a fresh API server creates for itself: the system's
// PriorityClasses, and the default roles and bindings of RBAC, unless the server
// is lean.
func (a *Server) Bootstrap(ctx context.Context) error {
	client, err := kubernetes.NewForConfig(a.Config)
	if err != nil {
		return err
	}
	// Roles may come before the server has made the namespaces that they are in.
	for namespace := range bootstrappolicy.NamespaceRoles() {
		object := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
		if _, err := client.CoreV1().Namespaces().Create(ctx, object, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("create namespace %s: %w", namespace, err)
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(writers)
	for _, class := range scheduling.SystemPriorityClasses() {
		create(ctx, group, client.SchedulingV1().PriorityClasses().Create, class)
	}
	if !a.lean {
		for _, role := range append(bootstrappolicy.ClusterRoles(), bootstrappolicy.ControllerRoles()...) {
			create(ctx, group, client.RbacV1().ClusterRoles().Create, &role)
		}
		for _, binding := range append(bootstrappolicy.ClusterRoleBindings(), bootstrappolicy.ControllerRoleBindings()...) {
			create(ctx, group, client.RbacV1().ClusterRoleBindings().Create, &binding)
		}
		for namespace, roles := range bootstrappolicy.NamespaceRoles() {
			for _, role := range roles {
				create(ctx, group, client.RbacV1().Roles(namespace).Create, &role)
			}
		}
		for namespace, bindings := range bootstrappolicy.NamespaceRoleBindings() {
			for _, binding := range bindings {
				create(ctx, group, client.RbacV1().RoleBindings(namespace).Create, &binding)
			}
		}
	}
	return group.Wait()
}

// create makes one object; another server on the same keys may have made it.
func create[T metav1.Object](ctx context.Context, group *errgroup.Group, with func(context.Context, T, metav1.CreateOptions) (T, error), object T) {
	group.Go(func() error {
		_, err := with(ctx, object, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("create %T %s: %w", object, object.GetName(), err)
		}
		return nil
	})
}
