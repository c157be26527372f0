package campaign

import (
	"testing"

	"github.com/seatrial/seatrial/history"
)

// TestUnbound: a claim is waited for that the binder will come back to, and none that nobody makes a volume for.
func TestUnbound(t *testing.T) {
	classes := history.State{
		{Resource: storageClasses, Name: "fast"}:   {"provisioner": "disk.example.com"},
		{Resource: storageClasses, Name: "later"}:  {"provisioner": "disk.example.com", "volumeBindingMode": firstConsumer},
		{Resource: storageClasses, Name: "manual"}: {"provisioner": noProvisioner},
	}
	claim := func(phase, class string, spec, metadata map[string]any) history.Object {
		spec["storageClassName"] = class
		return history.Object{"metadata": metadata, "spec": spec, "status": map[string]any{"phase": phase}}
	}
	none := func() map[string]any { return map[string]any{} }
	for _, test := range []struct {
		name  string
		claim history.Object
		want  bool
	}{
		{"it waits", claim("Pending", "fast", none(), none()), true},
		{"it has one", claim("Bound", "fast", none(), none()), false},
		{"the class is not there", claim("Pending", "absent", none(), none()), false},
		{"the class makes none", claim("Pending", "manual", none(), none()), false},
		{"no pod of it has a node yet", claim("Pending", "later", none(), none()), false},
		{"a pod of it has a node", claim("Pending", "later", none(), map[string]any{"annotations": map[string]any{selectedNode: "node-1"}}), true},
		{"a certain volume", claim("Pending", "fast", map[string]any{"volumeName": "mine"}, none()), false},
		{"it goes", claim("Pending", "fast", none(), map[string]any{"deletionTimestamp": "2026-01-01T00:00:00Z"}), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := history.State{{Resource: claims, Namespace: "default", Name: "data-a-0"}: test.claim}
			for k, o := range classes {
				s[k] = o
			}
			if got := unbound(s); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}
