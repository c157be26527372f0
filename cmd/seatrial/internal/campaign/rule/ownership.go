package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("unowned-dashboard", finding.Rule{
		ID: "SEA3011", Name: "ownership",
		Title:   "what was made for the custom resource stays when that is gone, or what was not goes with it",
		Means:   "When the custom resource is deleted and gone, so is all that the operator made for it, and no Secret, ConfigMap or claim that somebody else made.",
		Excuses: "PersistentVolumeClaims: they hold data, and that they stay may be wanted. What has an owner that is there. What was there before the resource. Anything, if the resource says that something is to stay: deletionPolicy: Retain.",
		Why:     "Kubernetes' garbage collector deletes what has an ownerReference to what is gone, and nothing else. It is left out for objects in other namespaces and for cluster-scoped ones, where an owner cannot be, and forgotten for those that are made in some corner, by a helper, or by an update that replaced the metadata. Set on what users have made, so that a change of it is noticed, it has the garbage collector delete that.",
		Mend: []string{
			"Set an owner reference on each child: controllerutil.SetControllerReference.",
			"Use a finalizer to delete what is in another namespace or in none.",
			"Watch what users have made by its name in the resource, and own nothing of it.",
			"Keep ownerReferences when an object is updated.",
		},
		Links: []finding.Link{owners, finalizers},
	})
}
