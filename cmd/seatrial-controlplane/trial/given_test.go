package trial

import (
	"testing"

	"k8s.io/client-go/kubernetes"
)

// runController stands for the controller of whoever reads the example: it makes
// a Deployment.
func runController(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	create(t, client, deployment("web", 3))
}
