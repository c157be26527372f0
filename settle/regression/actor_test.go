package regression

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle/environment"
)

// TestAct: an actor does what a trace says, under the name that was drawn here, if it would; in the end it does what is
// fair.
func TestAct(t *testing.T) {
	for _, test := range []struct{ does, phase string }{
		{"start pods default/drawn", "Running"},
		{"evict pods default/drawn", "Running"}, // which it would not, of one that does not run
		{"start pods default/other", "Running"},
	} {
		config := keepers(false, "a")
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}, Spec: corev1.PodSpec{NodeName: "one"}}
		config.Objects, config.Environment = []client.Object{p}, []environment.Actor{environment.FailingKubelet()}
		phase := func(r *Regression) string {
			var is corev1.Pod
			if err := r.live.Get(r.Context(), client.ObjectKeyFromObject(p), &is); err != nil {
				t.Error(err)
			}
			return string(is.Status.Phase)
		}
		if says := fails(t, config, func(r *Regression) {
			r.names["drawn"] = "web"
			r.Act("kubelet", test.does)
			if first := phase(r); (first == "Running") != (test.does == "start pods default/drawn") {
				t.Errorf("%s: it is %q", test.does, first)
			}
			r.rest()
			if last := phase(r); last != test.phase {
				t.Errorf("%s: in the end it is %q", test.does, last)
			}
			r.Act("kubelet", "evict pods default/drawn")
			if last := phase(r); last != "Failed" {
				t.Errorf("%s: after it was evicted it is %q", test.does, last)
			}
		}); says != "" {
			t.Error(says)
		}
	}
	if says := fails(t, keepers(false, "a"), func(r *Regression) { r.Act("kubelet", "start pods default/web") }); says != fmt.Sprintf("regression: there is no actor %q in the Config's Environment", "kubelet") {
		t.Error(says)
	}
}
