package plane

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/controller"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/spec"
	"github.com/seatrial/seatrial/controlplane/admin"
)

// modeLean is the mode of a plane without access control, quota and webhooks.
const modeLean = "lean"

// selection is which parts of a plane run.
type selection struct {
	controllers        []string
	scheduler, kubelet bool
}

// choose reads a Spec's list of controllers, in which the scheduler and the
// kubelets have a name too.
func choose(want admin.Spec) (selection, error) {
	if !slices.Contains([]string{"", "full", modeLean}, want.Mode) {
		return selection{}, spec.Wrong(fmt.Errorf("mode %q: it is full or lean", want.Mode))
	}
	list := slices.Clone(want.Controllers)
	none := slices.Contains(list, "-*")
	s := selection{scheduler: !none, kubelet: !none}
	for name, on := range map[string]*bool{"kube-scheduler": &s.scheduler, "kubelet": &s.kubelet} {
		list = slices.DeleteFunc(list, func(entry string) bool {
			switch entry {
			case name:
				*on = true
			case "-" + name:
				*on = false
			default:
				return false
			}
			return true
		})
	}
	if none && len(list) == 1 {
		return s, nil
	}
	var err error
	s.controllers, err = controller.Selected(list)
	if want.Mode == modeLean {
		s.controllers = slices.DeleteFunc(s.controllers, func(name string) bool { return slices.Contains(controller.Full, name) })
	}
	return s, spec.Wrong(err)
}
