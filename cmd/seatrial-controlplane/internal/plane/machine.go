package plane

import (
	"fmt"
	"net/http"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/endpoints/request"
)

// machines are the subresources by which the API server asks a kubelet, or a pod
// itself, at an address where nobody is.
var machines = map[string][]string{
	"pods":  {"log", "exec", "attach", "portforward", "proxy"},
	"nodes": {"proxy"},
}

// reasonNotImplemented is what answers say of what a plane does not have.
const reasonNotImplemented metav1.StatusReason = "NotImplemented"

// withoutMachines answers at once what needs a machine: the API server would wait
// for half a minute until it gives up to reach one.
func withoutMachines(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		info, ok := request.RequestInfoFrom(r.Context())
		if !ok || !info.IsResourceRequest || info.APIGroup != "" || !slices.Contains(machines[info.Resource], info.Subresource) {
			next.ServeHTTP(w, r)
			return
		}
		responsewriters.WriteRawJSON(http.StatusNotImplemented, metav1.Status{
			TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure,
			Code: http.StatusNotImplemented, Reason: reasonNotImplemented,
			Message: fmt.Sprintf("%s %s: this control plane has no machines: no container runs, so that there is nothing for %q to reach",
				info.Resource, info.Name, info.Subresource),
		}, w)
	})
}
