package oracle_test

import (
	"fmt"
	"testing"

	"github.com/seatrial/seatrial/history"
)

// TestPullPolicies: a policy counts where the API server has not chosen it of both images, or the resource has one.
func TestPullPolicies(t *testing.T) {
	of := func(image, policy string) string {
		return thing + fmt.Sprintf("{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {containers: [{name: c, image: %q, imagePullPolicy: %s}]}}}}", image, policy)
	}
	for _, c := range []struct {
		name, before, after string
		want, found         string
		spec                map[string]any
		speaks              bool
	}{
		{name: "a tag was taken away", before: "h:1/a:1", after: "h:1/a", found: "IfNotPresent", want: "Always"},
		{name: "latest became a digest", before: "a:latest", after: "a@sha256:0", found: "Always", want: "IfNotPresent"},
		{name: "the new image is not pulled so", before: "a:1", after: "a:2", found: "IfNotPresent", want: "Always", speaks: true},
		{name: "the old was not pulled so", before: "a:1", after: "a:2", found: "Always", want: "IfNotPresent", speaks: true},
		{name: "the resource says it", before: "a:1", after: "a", found: "IfNotPresent", want: "Always", spec: map[string]any{"pullPolicy": "Always"}, speaks: true},
		{name: "the resource says where from", before: "a:1", after: "a", found: "IfNotPresent", want: "Always", spec: map[string]any{"imagePullSecrets": []any{}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := twins(t, property("spec.image"), of(c.before, c.found), of(c.after, c.found), of(c.after, c.want), "")
			k.Last().Resource = history.Object{"spec": c.spec}
			if got := len(said("twin", k)) > 0; got != c.speaks {
				t.Errorf("it speaks: %t, want %t", got, c.speaks)
			}
		})
	}
}
