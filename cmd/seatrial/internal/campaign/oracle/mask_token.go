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
			return v.leftToAccount(d.Key, "automountServiceAccountToken")
		},
	})
}
