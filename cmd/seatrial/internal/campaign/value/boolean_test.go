package value

import (
	"testing"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// TestPauses: what tells an operator to do nothing, by its name.
func TestPauses(t *testing.T) {
	for name, want := range map[string]bool{
		"paused": true, "pause": true, "isPaused": true, "reconciliationPaused": true, "pauseReconciliation": true, "suspend": true,
		"suspendReconciliation": true, "hibernate": true, "hibernation": true, "unmanaged": true, "freeze": true, "maintenanceMode": true,
		"skipReconcile": true, "disableReconciliation": true,
		"enabled": false, "skipUpgrade": false, "useCauses": false, "maintenanceWindow": false, "freezeDriedLogs": false,
	} {
		p := &schema.Property{Name: name, Schema: &structural.Structural{Generic: structural.Generic{Type: "boolean"}}}
		if got := Pauses(p); got != want {
			t.Errorf("%s: %t, want %t", name, got, want)
		}
	}
}
