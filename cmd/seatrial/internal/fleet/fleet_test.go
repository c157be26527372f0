package fleet

import (
	"testing"

	"github.com/seatrial/seatrial/controlplane/admin"
)

// TestPrompt: claims and autoscalers are gone through soon, unless the user says how often.
func TestPrompt(t *testing.T) {
	for _, test := range []struct {
		flags map[string]string
		want  string
	}{{nil, soon}, {map[string]string{"concurrent-deployment-syncs": "1"}, soon}, {map[string]string{binder: "9s"}, "9s"}} {
		given := admin.Spec{ControllerManager: test.flags}
		got := prompt(given)
		if got.ControllerManager[binder] != test.want || got.ControllerManager["concurrent-deployment-syncs"] != test.flags["concurrent-deployment-syncs"] {
			t.Errorf("%v: %v", test.flags, got.ControllerManager)
		}
		if got.ControllerManager[scaler] != soon {
			t.Errorf("%v: autoscalers wait", test.flags)
		}
		if given.ControllerManager[binder] != test.flags[binder] {
			t.Error("what was given is changed")
		}
	}
}
