package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// TestSelector: a Service that selects nothing while there are pods is wrong.
func TestSelector(t *testing.T) {
	const (
		service = "{kind: Service, metadata: {name: a}, spec: {selector: {app: a}}}\n"
		other   = "{kind: Service, metadata: {name: a}, spec: {selector: {app: b}}}\n"
		budget  = "{kind: PodDisruptionBudget, metadata: {name: a}, spec: {selector: {matchLabels: {app: b}}}}\n"
		pod     = "{kind: Pod, metadata: {name: a-0, labels: {app: a}}}\n"
		leader  = "{kind: Service, metadata: {name: a}, spec: {selector: {app: a, example.com/role: leader}}}\n"
		stopped = "{kind: StatefulSet, metadata: {name: b}, spec: {replicas: 0, template: {metadata: {labels: {app: b}}}}}\n"
	)
	cases := []struct {
		name, seed, end string
		want            []string
	}{
		{name: "it selects a pod", seed: service + pod, end: service + pod},
		{name: "it selects none any more", seed: service + pod, end: other + pod, want: []string{"services default/a selects no pod, and there are pods: app=b"}},
		{name: "a budget", seed: pod, end: budget + pod, want: []string{"poddisruptionbudgets.policy default/a selects no pod, and there are pods: app=b"}},
		{name: "a role that the program says itself", seed: pod, end: leader + pod},
		{name: "a role, and nothing else fits", seed: pod, end: strings.Replace(leader, "app: a", "app: b", 1) + pod, want: []string{"services default/a selects no pod, and there are pods: app=b,example.com/role=leader"}},
		{name: "a role that pods have, another", seed: pod, end: leader + strings.Replace(pod, "app: a", "app: a, example.com/role: follower", 1), want: []string{"services default/a selects no pod, and there are pods: app=a,example.com/role=leader"}},
		{name: "there are no pods", seed: service + pod, end: other},
		{name: "it selects those of a workload that has none now", seed: service + pod, end: other + pod + stopped},
		{name: "it never selected any, also not of the seed", seed: other + pod, end: other + pod},
		{name: "no selector: somebody else makes its endpoints", seed: service + pod, end: "{kind: Service, metadata: {name: a}, spec: {}}\n" + pod},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { hold(t, "selector", caseOf(t, property("spec.size"), c.seed, c.end), c.want) })
	}
	// What cannot be done as a whole, also where the resource was never another, may be done in part.
	c := caseOf(t, property("spec.size"), pod, budget+pod)
	c.Twin = quiet(t, nil, "", budget)
	c.Last().Rest.Failing, c.Twin.Rest.Failing = []string{"thing"}, []string{"thing"}
	hold(t, "selector", c, nil)
}

// TestRollout: pods get to know what their configuration is.
func TestRollout(t *testing.T) {
	const (
		volume   = "{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {volumes: [{name: c, configMap: {name: a}}]}}}}\n"
		noticed  = "{kind: Deployment, metadata: {name: a}, spec: {template: {metadata: {annotations: {hash: x}}, spec: {volumes: [{name: c, configMap: {name: a}}]}}}}\n"
		env      = "{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {containers: [{name: c, envFrom: [{configMapRef: {name: a}}]}]}}}}\n"
		reloader = "{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {containers: [{name: config-reloader}], volumes: [{name: c, configMap: {name: a}}]}}}}\n"
		subPath  = "{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {containers: [{name: c, volumeMounts: [{name: c, subPath: level}]}], volumes: [{name: c, configMap: {name: a}}]}}}}\n"
		otherKey = "{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {containers: [{name: c, env: [{name: P, valueFrom: {configMapKeyRef: {name: a, key: password}}}]}]}}}}\n"
		items    = "{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {volumes: [{name: c, configMap: {name: a, items: [{key: password, path: p}]}}]}}}}\n"
		otherSub = "{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {containers: [{name: c, volumeMounts: [{name: c, subPath: password}]}], volumes: [{name: c, configMap: {name: a}}]}}}}\n"
		both     = "{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {containers: [{name: c, env: [{name: P, valueFrom: {configMapKeyRef: {name: a, key: password}}}]}], volumes: [{name: c, configMap: {name: a}}]}}}}\n"
		watches  = "{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {containers: [{name: c, args: [--watch-config]}], volumes: [{name: c, configMap: {name: a}}]}}}}\n"
		noted    = "{kind: Deployment, metadata: {name: a, annotations: {reloader.example.com/auto: 'true'}}, spec: {template: {spec: {volumes: [{name: c, configMap: {name: a}}]}}}}\n"
		pod      = "{kind: Pod, metadata: {name: a-0, uid: u1, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}}\n"
		replaced = "{kind: Pod, metadata: {name: a-0, uid: u2, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}}\n"
		one      = "{kind: ConfigMap, metadata: {name: a}, data: {level: info}}\n"
		two      = "{kind: ConfigMap, metadata: {name: a}, data: {level: debug}}\n"
	)
	const (
		thing    = "{kind: Thing, metadata: {name: a}}\n"
		declines = "{kind: Thing, metadata: {name: a}, status: {message: a smaller size is not supported}}\n"
		tried    = "{kind: Thing, metadata: {name: a}, status: {message: 'Deployment.apps \"a\" is invalid: no such volume'}}\n"
	)
	cases := []struct {
		name, seed, end string
		given           bool
		// annotated: the operator annotates the pod.
		annotated bool
		want      []string
	}{
		{name: "files", seed: volume + pod + one, end: volume + pod + two, want: []string{"data.level of configmaps default/a changes, and the pods of deployments.apps default/a, which have it as files, stay as they are: unless their program reads them again, it goes on with what it has read"}},
		{name: "environment", seed: env + pod + one, end: env + pod + two, want: []string{"data.level of configmaps default/a changes, and the pods of deployments.apps default/a, which have it in their environment, which never changes, stay as they are"}},
		{name: "files of a subPath", seed: subPath + pod + one, end: subPath + pod + two, want: []string{"data.level of configmaps default/a changes, and the pods of deployments.apps default/a, which have it as files of a subPath, which never change, stay as they are"}},
		{name: "another key is in the environment", seed: otherKey + pod + one, end: otherKey + pod + two},
		{name: "another key is a file", seed: items + pod + one, end: items + pod + two},
		{name: "another file of a subPath", seed: otherSub + pod + one, end: otherSub + pod + two},
		{name: "another key is in the environment, and all are files", seed: both + pod + one, end: both + pod + two, want: []string{"data.level of configmaps default/a changes, and the pods of deployments.apps default/a, which have it as files, stay as they are: unless their program reads them again, it goes on with what it has read"}},
		{name: "the template says so", seed: volume + pod + one, end: noticed + pod + two},
		{name: "the pods are replaced", seed: volume + pod + one, end: volume + replaced + two},
		{name: "something reads the files again", seed: reloader + pod + one, end: reloader + pod + two},
		{name: "the program does", seed: watches + pod + one, end: watches + pod + two},
		{name: "something in the cluster does", seed: noted + pod + one, end: noted + pod + two},
		{name: "the operator has the kubelet look at the files", seed: volume + pod + one, end: volume + pod + two, annotated: true},
		{name: "which changes no environment", seed: env + pod + one, end: env + pod + two, annotated: true, want: []string{"data.level of configmaps default/a changes, and the pods of deployments.apps default/a, which have it in their environment, which never changes, stay as they are"}},
		{name: "the configuration is as it was", seed: volume + pod + one, end: volume + pod + one},
		{name: "the user's own ConfigMap", seed: volume + pod + one, end: volume + pod + two, given: true},
		{name: "no pods", seed: volume + one, end: volume + two},
		{name: "the API server has refused a write, as the operator says", seed: thing + env + pod + one, end: tried + env + pod + two},
		{name: "the user wants no pods to be replaced for it", seed: thing + env + pod + one, end: "{kind: Thing, metadata: {name: a}, spec: {proxy: {reloadOnRenewal: false}}}\n" + env + pod + two},
		{name: "the user wants it", seed: thing + env + pod + one, end: "{kind: Thing, metadata: {name: a}, spec: {proxy: {reloadOnRenewal: true}}}\n" + env + pod + two, want: []string{"data.level of configmaps default/a changes, and the pods of deployments.apps default/a, which have it in their environment, which never changes, stay as they are"}},
		{name: "the operator goes no further, and says so", seed: thing + env + pod + one, end: declines + env + pod + two},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o := property("spec.level")
			if c.given {
				o = &operation.Operation{Property: "spec.level", Objects: []history.Object{{"kind": "ConfigMap", "metadata": map[string]any{"name": "a"}}}}
			}
			k := caseOf(t, o, c.seed, c.end)
			if c.annotated {
				k.Last().Events = []history.Event{write(t, pod, strings.Replace(pod, "uid: u1", "annotations: {config: two}", 1))}
			}
			hold(t, "rollout", k, c.want)
			k.Unreachable = []string{"exec"}
			want := slices.Clone(c.want)
			hold(t, "rollout", k, slices.DeleteFunc(want, func(text string) bool { return strings.Contains(text, "which have it as files,") }))
			for _, s := range k.Steps {
				if o := s.End[history.Key{Resource: "deployments.apps", Namespace: "default", Name: "a"}]; o != nil {
					o["spec"].(map[string]any)["updateStrategy"] = map[string]any{"type": "OnDelete"}
				}
			}
			hold(t, "rollout", k, nil)
		})
	}
}

// TestRolloutBack: pods that were made when a ConfigMap said what it says again have read that.
func TestRolloutBack(t *testing.T) {
	const env = "{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {containers: [{name: c, envFrom: [{configMapRef: {name: a}}]}]}}}}\n"
	of := func(uid, level string) string {
		return env + "{kind: Pod, metadata: {name: a-0, uid: " + uid + ", ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}}\n" +
			"{kind: ConfigMap, metadata: {name: a}, data: {level: " + level + "}}\n"
	}
	for _, c := range []struct {
		name, first, then, last string
		says                    bool
	}{
		{name: "it is as it was", first: of("u1", "info"), then: of("u1", "debug"), last: of("u1", "info")},
		{name: "the pods are others", first: of("u1", "info"), then: of("u2", "debug"), last: of("u2", "info"), says: true},
		{name: "it is something else", first: of("u1", "info"), then: of("u1", "debug"), last: of("u1", "warn"), says: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := caseOf(t, property("spec.level"), c.then, c.last)
			k.Steps = append([]*oracle.Step{quiet(t, nil, "", c.first)}, k.Steps...)
			if got := said("rollout", k); len(got) > 0 != c.says {
				t.Errorf("it says %q, want something: %t", got, c.says)
			}
		})
	}
}
