package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestTheCommandIsLean lists what the command links: nothing of an API
// server's storage, of a kubelet or of the descheduler's own command, which
// single imports drag in by the hundred packages.
func TestTheCommandIsLean(t *testing.T) {
	listed, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(listed))
	const most = 1500 // with go/packages, by which configtest reads modules
	if len(packages) > most {
		t.Errorf("%d packages, at most %d", len(packages), most)
	}
	seen := map[string]bool{}
	for _, p := range packages {
		seen[p] = true
		if strings.HasPrefix(p, "k8s.io/apiserver/pkg/server/egressselector") {
			continue // how webhooks are reached: the API server's own validation of CRDs imports it
		}
		for _, heavy := range []string{
			"go.etcd.io", "k8s.io/apiserver/pkg/server", "k8s.io/apiserver/pkg/storage/etcd3", "k8s.io/cri-api", "k8s.io/cri-client", "k8s.io/kms",
			"k8s.io/kubernetes/pkg/kubelet/lifecycle", "k8s.io/kubernetes/pkg/generated/openapi", "k8s.io/kubernetes/cmd",
		} {
			if p == heavy || strings.HasPrefix(p, heavy+"/") {
				t.Errorf("links %s", p)
			}
		}
		if p == "sigs.k8s.io/descheduler/pkg/descheduler" {
			t.Errorf("links %s", p)
		}
	}
	if !seen["k8s.io/kubernetes/pkg/scheduler/framework"] {
		t.Error("the list is not the command's")
	}
}
