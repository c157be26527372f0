package campaign

import (
	"time"

	"github.com/seatrial/seatrial/history"
)

// binding is how long nothing may move as long as a claim waits for its volume. kube-controller-manager's binder writes
// to a claim that others write to at the same time; where it is not the first it comes back to it when it goes through
// all claims again, every 15 s (--pvclaimbinder-sync-period), and until then no pod of it is scheduled.
const binding = 17 * time.Second

const (
	noProvisioner  = "kubernetes.io/no-provisioner"
	firstConsumer  = "WaitForFirstConsumer"
	selectedNode   = "volume.kubernetes.io/selected-node"
	claims         = "persistentvolumeclaims"
	storageClasses = "storageclasses.storage.k8s.io"
)

// unbound tells whether there is a claim that will get a volume: one of a class that there is, which makes volumes, and
// that asks for no certain one.
func unbound(s history.State) bool {
	for _, k := range s.Keys() {
		o := s[k]
		if k.Resource != claims || o == nil || o.Text("status", "phase") == "Bound" || o.At("metadata", "deletionTimestamp") != nil ||
			o.Text("spec", "volumeName") != "" || o.At("spec", "selector") != nil {
			continue
		}
		class := s[history.Key{Resource: storageClasses, Name: o.Text("spec", "storageClassName")}]
		if class == nil || class.Text("provisioner") == noProvisioner {
			continue
		}
		if class.Text("volumeBindingMode") != firstConsumer || o.Text("metadata", "annotations", selectedNode) != "" {
			return true
		}
	}
	return false
}
