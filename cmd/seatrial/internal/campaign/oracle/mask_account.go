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
			above := v.above(d.Key)
			names := func(s history.State) bool {
				return s[above].At("spec", "template", "spec", "imagePullSecrets") != nil
			}
			return above != d.Key && !names(v.want.state) && !names(v.got.state)
		},
	})
}
