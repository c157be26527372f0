package trial

import (
	"testing"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/seatrial/seatrial/controlplane"
)

func TestWebComesUp(t *testing.T) {
	plane := controlplane.Start(t) // fresh for each test, reset in between
	config, err := clientcmd.BuildConfigFromFlags("", plane.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	client := kubernetes.NewForConfigOrDie(config)

	runController(t, client) // yours

	for event, err := range plane.Follow(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		status, _ := event.Object["status"].(map[string]any)
		if event.Name == "web" && status["availableReplicas"] == int64(3) {
			return
		}
	}
}
