// Package lostacknowledgement is an operator for access tokens: a Secret for each.
package lostacknowledgement

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/seatrial/seatrial/examples/controllers/sample"
)

// Spec is what the user asks for.
type Spec struct {
	Audience string `json:"audience"`
}

// Status is what there is.
type Status struct {
	Issued bool `json:"issued"`
}

// AccessToken is the custom resource.
type AccessToken = sample.Object[Spec, Status]

// Sample is the controller.
var Sample = sample.Sample{Register: sample.Kind[Spec, Status]("AccessToken"), Buggy: buggy, Fixed: fixed}

const label = "example.com/access-token"

type reconciler struct {
	client.Client
	live client.Reader
	// name is what the Secret of a token is called, or the beginning of that.
	name func(*AccessToken) metav1.ObjectMeta
}

func (r *reconciler) watch(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&AccessToken{}).Owns(&corev1.Secret{}).Complete(r)
}

// Reconcile is part of reconcile.Reconciler.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	token := &AccessToken{}
	if err := r.live.Get(ctx, request.NamespacedName, token); err != nil || token.DeletionTimestamp != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secrets := &corev1.SecretList{}
	if err := r.live.List(ctx, secrets, client.InNamespace(token.Namespace), client.MatchingLabels{label: token.Name}); err != nil {
		return ctrl.Result{}, err
	}
	for i := range secrets.Items {
		if err := sample.CheckOwner(&secrets.Items[i], token); err != nil {
			return ctrl.Result{}, err
		}
	}
	if len(secrets.Items) == 0 {
		return ctrl.Result{}, r.issue(ctx, token)
	}
	if token.Status.Issued {
		return ctrl.Result{}, nil
	}
	token.Status.Issued = true
	return ctrl.Result{}, r.Status().Update(ctx, token)
}

// issue creates the Secret of a token, and tries again when the API server does not
// answer.
func (r *reconciler) issue(ctx context.Context, token *AccessToken) error {
	return retry.OnError(retry.DefaultRetry, unanswered, func() error {
		secret := &corev1.Secret{ObjectMeta: r.name(token), StringData: map[string]string{"audience": token.Spec.Audience}}
		secret.Namespace = token.Namespace
		secret.Labels = map[string]string{label: token.Name}
		if err := controllerutil.SetControllerReference(token, secret, r.Scheme()); err != nil {
			return err
		}
		return r.Create(ctx, secret)
	})
}

// unanswered tells whether an error is none that the API server gave.
func unanswered(err error) bool {
	var answer apierrors.APIStatus
	return !errors.As(err, &answer)
}
