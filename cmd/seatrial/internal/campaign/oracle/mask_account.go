package oracle

import (
	"strings"

	"github.com/seatrial/seatrial/history"
)

func init() {
	mask(Mask{
		Name:   "account-secrets",
		Reason: "a pod whose workload names none has the image pull secrets that its service account had when it was made: with those it has its images, and Kubernetes gives new ones to new pods",
		change: func(v *view, d *history.Difference, ch history.Change) bool {
			if d.Resource != pods || !strings.HasPrefix(ch.Path, "spec.imagePullSecrets") {
				return false
			}
			return v.leftToAccount(d.Key, "imagePullSecrets")
		},
	})
}

// leftToAccount tells whether the workload of a pod says nothing of a field of it, which its service account gives it
// then.
func (v *view) leftToAccount(pod history.Key, field string) bool {
	above := v.above(pod)
	says := func(s history.State) bool {
		return s[above].At("spec", "template", "spec", field) != nil
	}
	return above != pod && !says(v.want.state) && !says(v.got.state)
}
