package environment_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/seatrial/seatrial/settle/environment"
	"github.com/seatrial/seatrial/settle/kubestate"
)

// A user's requests are written VERB RESOURCE/NAME JSON; the JSON of a create has a spec, of
// a patch what is merged, of a delete its options. What comes between them is rest.
var groups = map[string]string{
	"deployments": "apps/v1 Deployment", "replicasets": "apps/v1 ReplicaSet", "statefulsets": "apps/v1 StatefulSet", "jobs": "batch/v1 Job", "pods": "v1 Pod",
	"persistentvolumeclaims": "v1 PersistentVolumeClaim", "controllerrevisions": "apps/v1 ControllerRevision", "configmaps": "v1 ConfigMap", "namespaces": "v1 Namespace",
}

// request is a line as a request in a namespace. LABELS and TEMPLATE(image) stand for what
// all workloads have.
func request(t *testing.T, namespace, line string) kubestate.Request {
	t.Helper()
	parts := strings.SplitN(line, " ", 3)
	plural, name, _ := strings.Cut(parts[1], "/")
	version, kind, found := strings.Cut(groups[plural], " ")
	gv, err := schema.ParseGroupVersion(version)
	if !found || err != nil {
		t.Fatalf("%s: no such resource", line)
	}
	q := kubestate.Request{Verb: parts[0], Resource: gv.WithResource(plural), Namespace: namespace, Name: name}
	if plural == "namespaces" {
		q.Namespace, q.Name = "", namespace
	}
	body := map[string]any{}
	if len(parts) > 2 {
		text := parts[2]
		for _, image := range []string{"a", "b"} {
			text = strings.ReplaceAll(text, "TEMPLATE("+image+")", fmt.Sprintf(`"template":{"metadata":{"labels":{"app":"x"}},"spec":{"containers":[{"name":"main","image":"%s:1"}]}}`, image))
		}
		text = strings.ReplaceAll(text, "SELECTOR", `"selector":{"matchLabels":{"app":"x"}}`)
		if err := json.Unmarshal([]byte(text), &body); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	switch q.Verb {
	case "create":
		body = map[string]any{"apiVersion": version, "kind": kind, "metadata": map[string]any{"name": q.Name}, "spec": body}
		q.Name = ""
	case "patch":
		q.Patch = string(types.MergePatchType)
	case "delete":
		body["kind"], body["apiVersion"] = "DeleteOptions", "v1"
	}
	q.Body, _ = json.Marshal(body)
	return q
}

// workloads are what users do with each kind.
var workloads = []struct{ name, script string }{
	{"replicaset", `
		create replicasets/a {"replicas":2,SELECTOR,TEMPLATE(a)}
		patch replicasets/a {"spec":{"replicas":3}}
		patch replicasets/a {"spec":{"replicas":1}}
		delete replicasets/a {"propagationPolicy":"Foreground"}`},
	{"deployment", `
		create deployments/a {"replicas":2,SELECTOR,TEMPLATE(a)}
		patch deployments/a {"spec":{TEMPLATE(b)}}
		patch deployments/a {"spec":{"replicas":0}}
		patch deployments/a {"spec":{"replicas":3}}
		patch deployments/a {"spec":{TEMPLATE(a)}}
		delete deployments/a {"propagationPolicy":"Background"}`},
	{"deployment-recreate", `
		create deployments/a {"replicas":2,SELECTOR,TEMPLATE(a),"strategy":{"type":"Recreate"},"revisionHistoryLimit":0}
		patch deployments/a {"metadata":{"annotations":{"note":"x"}},"spec":{TEMPLATE(b)}}
		delete deployments/a {"propagationPolicy":"Foreground"}`},
	{"deployment-paused", `
		create deployments/a {"replicas":1,SELECTOR,TEMPLATE(a)}
		patch deployments/a {"spec":{"paused":true,TEMPLATE(b)}}
		patch deployments/a {"spec":{"replicas":2}}
		patch deployments/a {"spec":{"paused":false}}
		delete deployments/a {"propagationPolicy":"Orphan"}
		create deployments/a {"replicas":2,SELECTOR,TEMPLATE(b)}`},
	{"statefulset", `
		create statefulsets/a {"replicas":2,"serviceName":"s",SELECTOR,TEMPLATE(a)}
		patch statefulsets/a {"spec":{TEMPLATE(b)}}
		patch statefulsets/a {"spec":{"replicas":3}}
		patch statefulsets/a {"spec":{"replicas":1}}
		patch statefulsets/a {"spec":{TEMPLATE(a)}}
		delete statefulsets/a {"propagationPolicy":"Foreground"}`},
	{"statefulset-parallel", `
		create statefulsets/a {"replicas":3,"podManagementPolicy":"Parallel","serviceName":"s",SELECTOR,TEMPLATE(a),"volumeClaimTemplates":[{"metadata":{"name":"d"},"spec":{"storageClassName":"standard","accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}]}
		patch statefulsets/a {"spec":{"replicas":1,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1}}}}
		patch statefulsets/a {"spec":{"replicas":2,TEMPLATE(b)}}
		delete statefulsets/a {"propagationPolicy":"Background"}`},
	{"statefulset-claims", `
		create statefulsets/a {"replicas":2,"serviceName":"s",SELECTOR,TEMPLATE(a),"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Delete","whenScaled":"Delete"},"volumeClaimTemplates":[{"metadata":{"name":"d"},"spec":{"storageClassName":"standard","accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}]}
		patch statefulsets/a {"spec":{"replicas":1}}
		delete statefulsets/a {"propagationPolicy":"Background"}`},
	{"job", `
		create jobs/a {"completions":3,"parallelism":2,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"a:1"}]}}}
		delete jobs/a {"propagationPolicy":"Background"}`},
	{"job-suspended", `
		create jobs/a {"suspend":true,"completions":1,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"a:1"}]}}}
		patch jobs/a {"spec":{"suspend":false}}
		delete jobs/a {}`},
	{"pods", `
		create pods/p {"containers":[{"name":"main","image":"a:1","env":[{"name":"X","valueFrom":{"configMapKeyRef":{"name":"c","key":"k"}}}]}]}
		create configmaps/c {}
		patch configmaps/c {"data":{"k":"1"}}
		delete pods/p {}`},
}

// lines are those of a script.
func lines(script string) (out []string) {
	for _, l := range strings.Split(script, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// shuffled chooses at random.
func shuffled(seed uint64) func(int) int {
	r := rand.New(rand.NewPCG(seed, seed)) //nolint:gosec // an order of steps
	return r.IntN
}

// TestRest: whatever the order of steps, each workload comes to the same rest.
func TestRest(t *testing.T) {
	for _, workload := range workloads {
		t.Run(workload.name, func(t *testing.T) {
			worlds := []*world{}
			for range 4 {
				worlds = append(worlds, newWorld(t))
			}
			for _, line := range lines(workload.script) {
				want := ""
				for seed, w := range worlds {
					w.do(request(t, "default", line))
					done := w.rest(shuffled(uint64(seed)), environment.Cluster()...)
					got := show(w.objects("default"))
					if seed == 0 {
						want = got
						t.Logf("%s: %d steps\n%s", line, len(done), got)
					} else if got != want {
						t.Fatalf("%s, in another order:\n%s\nand not\n%s\nafter\n%s", line, got, want, strings.Join(done, "\n"))
					}
				}
			}
		})
	}
}
