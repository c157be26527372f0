package generatedname

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
	"github.com/seatrial/seatrial/settle"
)

// config is what is checked: one Database, and all that may go wrong.
func config(ensure func(context.Context, client.Client, *sample.Database) error) settle.Config {
	return settle.Config{
		Scheme:  sample.Scheme(),
		CRDs:    []string{"../sample/crd.yaml"},
		Setup:   func(mgr ctrl.Manager) error { return (&Reconciler{mgr.GetClient(), ensure}).SetupWithManager(mgr) },
		Desired: []client.Object{&sample.Database{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "shop"}}},
		Match: func(ctx context.Context, c client.Reader, desired client.Object) error {
			var secrets corev1.SecretList
			if err := c.List(ctx, &secrets); err != nil {
				return err
			}
			if noted := desired.(*sample.Database).Status.Secret; len(secrets.Items) != 1 || secrets.Items[0].Name != noted {
				return fmt.Errorf("there are %d secrets, and %q is noted", len(secrets.Items), noted)
			}
			return nil
		},
		Faults: settle.Faults{Crash: true, Timeout: true},
	}
}

// TestFixed: whatever happens, each Database comes to have one Secret.
func TestFixed(t *testing.T) { settle.Check(t, config(Fixed)) }

// TestBuggy: that mistake is found. A test of an operator of your own calls Check.
func TestBuggy(t *testing.T) { settle.Finds(t, config(Buggy), settle.Settles) }
