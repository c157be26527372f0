package oracle

import (
	"strings"

	"github.com/seatrial/seatrial/history"
)

// tokenFolder is where a pod has the token of its service account.
const tokenFolder = "/var/run/secrets/kubernetes.io/serviceaccount"

func init() {
	mask(Mask{
		Name:   "account-token",
		Reason: "a pod whose workload does not say whether it has a token of its service account has one if that said so when the pod was made, and Kubernetes gives new pods what it says then",
		change: func(v *view, d *history.Difference, ch history.Change) bool {
			if d.Resource != pods || !strings.Contains(ch.Path, ".volumeMounts["+tokenFolder+"]") && !strings.HasPrefix(ch.Path, "spec.volumes[kube-api-access-") {
				return false
			}
			above := v.above(d.Key)
			says := func(s history.State) bool {
				return s[above].At("spec", "template", "spec", "automountServiceAccountToken") != nil
			}
			return above != d.Key && !says(v.want.state) && !says(v.got.state)
		},
	})
}
