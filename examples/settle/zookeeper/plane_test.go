package zookeeper

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/internal/plane"
	"github.com/seatrial/seatrial/settle"
)

// running is the model of ZooKeeper as a program talks to it.
type running struct {
	cluster client.Reader
	mu      sync.Mutex
	all     []ensemble
}

// Ask is part of step.Asker.
func (r *running) Ask(_ context.Context, request, response any) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var n Node
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &n); err != nil {
		return err
	}
	after, answer, err := handle(r.cluster, r.all, n)
	if err != nil {
		return err
	}
	r.all = after
	text, err = json.Marshal(answer)
	return errors.Join(err, json.Unmarshal(text, response))
}

// TestPlane: as a program, the operator comes to what it comes to in a search.
func TestPlane(t *testing.T) {
	c := checked(Operator{}, settle.Faults{})
	var nodes running
	setup := func(mgr ctrl.Manager) error {
		nodes.cluster = mgr.GetAPIReader()
		return Operator{}.Setup(mgr, &nodes)
	}
	plane.Run(t, c.Scheme, c.CRDs[0], setup, c.Match, cluster(3), cluster(2), cluster(4))
	for _, e := range nodes.all {
		if n := e.Nodes["/"+parent+"/zk"]; n.Data != "4" {
			t.Errorf("the servers were told %q", n.Data)
		}
	}
}
