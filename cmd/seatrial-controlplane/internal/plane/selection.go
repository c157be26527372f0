package plane

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/controller"
	"github.com/seatrial/seatrial/controlplane/admin"
)

// selection is which parts of a plane run.
type selection struct {
	controllers        []string
	scheduler, kubelet bool
}

// choose reads a Spec's list of controllers, in which the scheduler and the
// kubelets have a name too.
func choose(spec admin.Spec) (selection, error) {
	list := slices.Clone(spec.Controllers)
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
	if spec.Mode == "lean" {
		s.controllers = slices.DeleteFunc(s.controllers, func(name string) bool { return slices.Contains(controller.Full, name) })
	}
	return s, err
}
