package regression

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestProtection: a claim that is deleted is there as long as a pod with a node uses it, as if the controller ran
// that takes its finalizer away.
func TestProtection(t *testing.T) {
	uses := func(node string) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}, Spec: corev1.PodSpec{NodeName: node}}
		p.Spec.Volumes = []corev1.Volume{{Name: "data"}}
		p.Spec.Volumes[0].PersistentVolumeClaim = &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}
		return p
	}
	for node, kept := range map[string]bool{"": false, "one": true} {
		config := keepers(false, "a")
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "data", Finalizers: []string{"kubernetes.io/pvc-protection"}}}
		config.Objects = []client.Object{claim, uses(node)}
		if says := fails(t, config, func(r *Regression) {
			there := func() bool {
				return r.get(corev1.SchemeGroupVersion.WithKind("PersistentVolumeClaim"), client.ObjectKeyFromObject(claim)) != nil
			}
			r.Delete("persistentvolumeclaims", "default/data")
			if there() != kept {
				t.Errorf("node %q: it is there: %v", node, !kept)
			}
			r.Delete("pods", "default/web")
			if there() {
				t.Errorf("node %q: it is there when nobody uses it", node)
			}
		}); says != "" {
			t.Error(says)
		}
	}
}
