package oracle_test

import (
	"strings"
	"testing"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

const thing = "{kind: Thing, metadata: {name: a}, spec: {size: 1}}\n"

// TestTwin: what an operation leaves is held to a run that had nothing else to do.
func TestTwin(t *testing.T) {
	cases := []struct {
		name, end, twin string
		// twice is a second twin; it is the first again if it is empty.
		twice string
		// seed is what was before; the same as the twin if it is empty.
		seed string
		want []string
	}{
		{
			name: "the same", end: thing + "{kind: Service, metadata: {name: a}, spec: {type: ClusterIP}}",
			twin: thing + "{kind: Service, metadata: {name: a}, spec: {type: ClusterIP}}",
		},
		{
			name: "an annotation that was removed stays",
			end:  thing + "{kind: Service, metadata: {name: a, annotations: {team: st-1}}}",
			twin: thing + "{kind: Service, metadata: {name: a}}",
			want: []string{`metadata.annotations.team of services default/a is "st-1", and not there where the resource was never another`},
		},
		{
			name: "an object stays that only another version asks for",
			end:  thing + "{kind: Service, metadata: {name: a-metrics}}", twin: thing,
			want: []string{"services default/a-metrics is there, and is not where the resource was never another"},
		},
		{
			name: "an object is missing",
			end:  thing, twin: thing + "{kind: ConfigMap, metadata: {name: a}}",
			want: []string{"configmaps default/a is missing, and is there where the resource was never another"},
		},
		{
			name: "the status is not of the spec",
			end:  "{kind: Thing, metadata: {name: a}, status: {size: 3, conditions: [{type: Ready, status: 'False', reason: Waiting}]}}",
			twin: "{kind: Thing, metadata: {name: a}, status: {size: 1, conditions: [{type: Ready, status: 'True', reason: Done}]}}",
			want: []string{
				`status.conditions[Ready].reason of things.example.com default/a is "Waiting", and "Done" where the resource was never another`,
				`status.conditions[Ready].status of things.example.com default/a is "False", and "True" where the resource was never another`,
				`status.size of things.example.com default/a is 3, and 1 where the resource was never another`,
			},
		},
		{
			name:  "what differs between two twins says nothing, and the rest does",
			end:   thing + "{kind: Secret, metadata: {name: a}, data: {password: Yw==, user: Yg==}}",
			twin:  thing + "{kind: Secret, metadata: {name: a}, data: {password: YQ==, user: YQ==}}",
			twice: thing + "{kind: Secret, metadata: {name: a}, data: {password: Yg==, user: YQ==}}",
			want:  []string{`stringData.user of secrets default/a is "b", and "a" where the resource was never another`},
		},
		{
			name: "a sum does not lead what it is of, nor what differs beside it",
			end: thing + `{kind: ConfigMap, metadata: {name: a, annotations: {checksum: 6b86b273ff34fce1}}}
				{kind: Service, metadata: {name: a, annotations: {hash: 6b86b273ff34fce1}}, spec: {type: old}}`,
			twin: thing + `{kind: ConfigMap, metadata: {name: a, annotations: {checksum: d4735e3a265e16ee}}}
				{kind: Service, metadata: {name: a, annotations: {hash: d4735e3a265e16ee}}, spec: {type: new}}`,
			want: []string{
				`spec.type of services default/a is "old", and "new" where the resource was never another`,
				`metadata.annotations.hash of services default/a is "6b86b273ff34fce1", and "d4735e3a265e16ee" where the resource was never another`,
				`metadata.annotations.checksum of configmaps default/a is "6b86b273ff34fce1", and "d4735e3a265e16ee" where the resource was never another`,
			},
		},
		{
			name: "what runs is of another template: the pods of it are no second finding",
			end: thing + `{kind: StatefulSet, metadata: {name: a}, spec: {template: {spec: {schedulerName: old}}}}
				{kind: Pod, metadata: {name: a-0, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, spec: {schedulerName: old}}`,
			twin: thing + `{kind: StatefulSet, metadata: {name: a}, spec: {template: {spec: {schedulerName: new}}}}
				{kind: Pod, metadata: {name: a-0, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, spec: {schedulerName: new}}`,
			want: []string{`spec.template.spec.schedulerName of statefulsets.apps default/a is "old", and "new" where the resource was never another`},
		},
		{
			name: "a pod that was never replaced",
			end: thing + `{kind: StatefulSet, metadata: {name: a}, spec: {template: {spec: {schedulerName: new}}}}
				{kind: Pod, metadata: {name: a-0, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, spec: {schedulerName: old}}`,
			twin: thing + `{kind: StatefulSet, metadata: {name: a}, spec: {template: {spec: {schedulerName: new}}}}
				{kind: Pod, metadata: {name: a-0, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, spec: {schedulerName: new}}`,
			want: []string{`spec.schedulerName of pods default/a-0 is "old", and "new" where the resource was never another`},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			hold(t, "twin", twins(t, property("spec.size"), c.seed, c.end, c.twin, c.twice), c.want)
		})
	}
}

// TestOverwritten: what the operator writes into the spec of the resource itself says so, before what comes of it.
func TestOverwritten(t *testing.T) {
	const audited, bare = "{kind: Thing, metadata: {name: a}, spec: {size: 1, audit: {log: st-1}}}\n", thing
	service := func(v string) string { return "{kind: Service, metadata: {name: a}, spec: {type: " + v + "}}" }
	for _, c := range []struct {
		name, end, twin string
		applied         string
		want            []string
	}{
		{"where it is new", audited + service("A"), bare + service("B"), audited, []string{
			`spec.audit.log of things.example.com default/a was applied as "st-1", and the operator takes it out of the spec, of a resource that is made with it`,
			`spec.type of services default/a is "A", and "B" where the resource was never another`,
		}},
		{"where it is changed", bare + service("A"), audited + service("B"), audited, []string{
			`spec.audit.log of things.example.com default/a was applied as "st-1", and the operator takes it out of the spec, of one that is changed to it`,
			`spec.type of services default/a is "A", and "B" where the resource was never another`,
		}},
		{"a version, which is no quantity", "{kind: Thing, metadata: {name: a}, spec: {size: 1, audit: {log: \"1.1\"}}}\n", "{kind: Thing, metadata: {name: a}, spec: {size: 1, audit: {log: \"1.10\"}}}\n", "{kind: Thing, metadata: {name: a}, spec: {size: 1, audit: {log: \"1.10\"}}}\n", []string{
			`spec.audit.log of things.example.com default/a was applied as "1.10", and the operator sets it to "1.1", of one that is changed to it`,
		}},
		{"what it adds", audited + service("A"), bare + service("B"), bare, []string{
			`spec.type of services default/a is "A", and "B" where the resource was never another`,
			`spec.audit.log of things.example.com default/a is "st-1", and not there where the resource was never another`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			one := twins(t, property("spec.audit"), bare, c.end, c.twin, "")
			applied := state(t, c.applied)[key]
			one.Last().Resource, one.Twin.Resource, one.Twice.Resource = applied, applied, applied
			hold(t, "twin", one, c.want)
			if groups := oracle.Root(oracle.Judge(one, only("twin")), "spec.audit"); (len(groups) == 1) != strings.Contains(c.want[0], "was applied") {
				t.Errorf("%d groups", len(groups))
			}
			for _, d := range oracle.Judge(one, only("twin")) {
				if d.Place != "overwritten" && d.Own != (d.Object == key) {
					t.Errorf("%s is the resource's own: %v", d.Text, d.Own)
				}
			}
		})
	}
}

// TestAwaits: what an operator has not come to in the twin, since something is stuck there, is not held against what
// there was, nor against what comes behind the step; what is left over by another step is.
func TestAwaits(t *testing.T) {
	const (
		service = "{kind: Service, metadata: {name: a}}\n"
		ready   = "{kind: Deployment, metadata: {name: a}, spec: {replicas: 1}, status: {readyReplicas: 1}}\n"
		waits   = "{kind: Deployment, metadata: {name: a}, spec: {replicas: 1}, status: {readyReplicas: 0}}\n"
	)
	left := []string{"services default/a is there, and is not where the resource was never another"}
	for _, c := range []struct {
		name, start, twin string
		want              []string
		stands            bool
	}{
		{"the twin waits", ready, waits, nil, true},
		{"the twin waits for nothing", ready, ready, left, false},
		{"so it was before the step", waits, waits, left, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := twins(t, set("spec.team", "st-1"), thing+service+c.start, thing+service+c.twin, thing+c.twin, "")
			hold(t, "twin", k, c.want)
			if s := k.Stand(); (s != nil) != c.stands || s != nil && (len(s.Deviations) != 1 || s.Deviations[0].Object.Resource != "services") {
				t.Errorf("%+v", s)
			}
		})
	}
}

// twins is a case with its twins.
func twins(t *testing.T, o *operation.Operation, seed, end, twin, twice string) *oracle.Case {
	t.Helper()
	if seed == "" {
		seed = twin
	}
	if twice == "" {
		twice = twin
	}
	c := caseOf(t, o, seed, end)
	c.Twin, c.Twice = quiet(t, nil, "", twin), quiet(t, nil, "", twice)
	return c
}

// configured is a ConfigMap with a sum in its name, and a workload that has it.
func configured(sum string) string {
	return "{kind: ConfigMap, metadata: {name: a-" + sum + "}}\n" +
		"{kind: StatefulSet, metadata: {name: a}, spec: {template: {spec: {volumes: [{configMap: {name: a-" + sum + "}}]}}}}"
}

// scaled are properties of which one has a default.
var scaled = map[string]*schema.Property{"spec.scale.policy": {
	Name: "policy", Path: "spec.scale.policy", Schema: &structural.Structural{Generic: structural.Generic{Type: "string", Default: structural.JSON{Object: "slow"}}},
}}

// maskCases have for each mask a difference that it leaves out.
var maskCases = []struct{ mask, name, seed, end, twin string }{
	{
		mask: "schema-defaults", name: "the operator has written the part of the spec that it is in",
		end: "{kind: Thing, metadata: {name: a}, spec: {scale: {}}}", twin: "{kind: Thing, metadata: {name: a}, spec: {scale: {policy: slow}}}",
	},
	{
		mask: "unsynced-budgets", name: "what was counted before",
		end:  thing + "{kind: PodDisruptionBudget, metadata: {name: a}, status: {desiredHealthy: 0, conditions: [{type: DisruptionAllowed, status: 'False', reason: SyncFailed}]}}",
		twin: thing + "{kind: PodDisruptionBudget, metadata: {name: a}, status: {desiredHealthy: 1, conditions: [{type: DisruptionAllowed, status: 'False', reason: SyncFailed}]}}",
	},
	{
		mask: "volumes-kept", name: "of a template that is gone, whatever is done with those of fewer pods",
		seed: thing + "{kind: StatefulSet, metadata: {name: a}, spec: {persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}, volumeClaimTemplates: [{metadata: {name: data}}]}}\n{kind: PersistentVolumeClaim, metadata: {name: data-a-0}}",
		end:  thing + "{kind: StatefulSet, metadata: {name: a}, spec: {}}\n{kind: PersistentVolumeClaim, metadata: {name: data-a-0}}",
		twin: thing + "{kind: StatefulSet, metadata: {name: a}, spec: {}}",
	},
	{
		mask: "versions", name: "the ConfigMap that was",
		seed: thing + configured("7fdd6f9c94"), end: thing + "{kind: ConfigMap, metadata: {name: a-7fdd6f9c94}}\n" + configured("5c8b7d66f4"), twin: thing + configured("5c8b7d66f4"),
	},
	{
		mask: "tool", name: "the event that a run was given",
		end: "{kind: Thing, metadata: {name: a, annotations: {seatrial.dev/nudge: '1'}}}", twin: "{kind: Thing, metadata: {name: a, annotations: {}}}",
	},
	{
		mask: "derived", name: "an old ReplicaSet",
		end:  thing + "{kind: ReplicaSet, metadata: {name: a-6d4, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}, spec: {replicas: 0}}",
		twin: thing,
	},
	{
		mask: "derived", name: "what of a quota is used",
		end:  thing + "{kind: ResourceQuota, metadata: {name: a}, spec: {hard: {pods: \"9\"}}, status: {used: {pods: \"3\"}}}",
		twin: thing + "{kind: ResourceQuota, metadata: {name: a}, spec: {hard: {pods: \"9\"}}, status: {used: {pods: \"2\"}}}",
	},
	{
		mask: "derived", name: "an old ControllerRevision",
		end:  thing + "{kind: ControllerRevision, metadata: {name: a-6d4, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}}",
		twin: thing,
	},
	{
		mask: "derived", name: "a ControllerRevision of a StatefulSet that was replaced",
		end:  thing + `{kind: ControllerRevision, metadata: {name: a-6d4, labels: {"controller.kubernetes.io/hash": 6d4}}}`,
		twin: thing,
	},
	{
		mask: "rollouts", name: "the number of rollouts",
		end:  thing + `{kind: Deployment, metadata: {name: a, annotations: {deployment.kubernetes.io/revision: "x3"}}, spec: {}}`,
		twin: thing + `{kind: Deployment, metadata: {name: a, annotations: {deployment.kubernetes.io/revision: "x1"}}, spec: {}}`,
	},
	{
		mask: "chance", name: "another node",
		end: thing + `{kind: Pod, metadata: {name: a}, spec: {nodeName: node-1}}`, twin: thing + `{kind: Pod, metadata: {name: a}, spec: {nodeName: node-2}}`,
	},
	{
		mask: "client", name: "what kubectl applied last",
		end:  `{kind: Thing, metadata: {name: a, annotations: {kubectl.kubernetes.io/last-applied-configuration: x}}}`,
		twin: `{kind: Thing, metadata: {name: a, annotations: {kubectl.kubernetes.io/last-applied-configuration: y}}}`,
	},
	{
		mask: "past", name: "what was done last",
		end:  "{kind: Thing, metadata: {name: a}, spec: {size: 1}, status: {message: Deployment updated}}",
		twin: "{kind: Thing, metadata: {name: a}, spec: {size: 1}, status: {message: Deployment created}}",
	},
	{
		mask: "past", name: "what was before",
		end:  "{kind: Thing, metadata: {name: a}, spec: {size: 1}, status: {previousVersion: old}}",
		twin: "{kind: Thing, metadata: {name: a}, spec: {size: 1}, status: {}}",
	},
	{
		mask: "past", name: "how often something was done",
		end:  "{kind: Thing, metadata: {name: a}, spec: {size: 1}, status: {rollouts: 2, restartCount: 1}}",
		twin: "{kind: Thing, metadata: {name: a}, spec: {size: 1}, status: {rollouts: 1}}",
	},
	{
		mask: "past", name: "what an annotation counts",
		end:  thing + `{kind: Secret, metadata: {name: a, annotations: {example.com/rotation: "1000"}}}`,
		twin: thing + `{kind: Secret, metadata: {name: a, annotations: {example.com/rotation: "0"}}}`,
	},
	{
		mask: "past", name: "a history",
		end:  "{kind: Thing, metadata: {name: a}, spec: {size: 1}, status: {history: [{image: old}, {image: new}]}}",
		twin: "{kind: Thing, metadata: {name: a}, spec: {size: 1}, status: {history: [{image: new}]}}",
	},
	{
		mask: "finished", name: "a Job that ran once more",
		end: thing + `{kind: Job, metadata: {name: a-upgrade}, status: {conditions: [{type: Complete, status: "True"}]}}
			{kind: Pod, metadata: {name: a-upgrade-x, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: a-upgrade, controller: true}]}}`,
		twin: thing,
	},
	{
		mask: "finished", name: "a Job that has run, and could not now",
		end: thing + `{kind: Job, metadata: {name: a-upgrade}, status: {conditions: [{type: Complete, status: "True"}]}}`,
		twin: thing + `{kind: Job, metadata: {name: a-upgrade}, status: {active: 1}}
			{kind: Pod, metadata: {name: a-upgrade-x, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: a-upgrade, controller: true}]}, status: {phase: Pending}}`,
	},
	{
		mask: "crowded", name: "new pods want the ports of old ones",
		end: thing + `{kind: Deployment, metadata: {name: a}, spec: {replicas: 2, template: {spec: {image: new}}}, status: {readyReplicas: 2, replicas: 3, updatedReplicas: 1}}
			{kind: Pod, metadata: {name: a-77f9-xk2pd, generateName: a-77f9-, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}, spec: {nodeName: one, image: old}, status: {phase: Running}}
			{kind: Pod, metadata: {name: a-66aa-bbbbb, generateName: a-66aa-, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}, spec: {image: new}, status: {phase: Pending, conditions: [{type: PodScheduled, status: "False", message: "0/3 nodes are available: 3 node(s) didn't have free ports for the requested pod ports."}]}}`,
		twin: thing + `{kind: Deployment, metadata: {name: a}, spec: {replicas: 2, template: {spec: {image: new}}}, status: {readyReplicas: 2, replicas: 2, updatedReplicas: 2}}
			{kind: Pod, metadata: {name: a-66aa-ccccc, generateName: a-66aa-, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}, spec: {nodeName: one, image: new}, status: {phase: Running}}`,
	},
	{
		mask: "stuck", name: "old pods run on, and new ones do not",
		end: `{kind: Thing, metadata: {name: a}, status: {ready: 2}}
			{kind: Deployment, metadata: {name: a}, spec: {replicas: 2}, status: {readyReplicas: 2}}
			{kind: Pod, metadata: {name: a-77f9-xk2pd, generateName: a-77f9-, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}, status: {phase: Running}}`,
		twin: `{kind: Thing, metadata: {name: a}, status: {ready: 0}}
			{kind: Deployment, metadata: {name: a}, spec: {replicas: 2}, status: {}}
			{kind: Pod, metadata: {name: a-77f9-bbbbb, generateName: a-77f9-, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}, status: {phase: Pending}}`,
	},
	{
		mask: "stuck", name: "old pods run on, as new ones do not count yet",
		end: thing + `{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 2, minReadySeconds: 2821}, status: {readyReplicas: 2, availableReplicas: 1}}
			{kind: Pod, metadata: {name: a-0, annotations: {hash: old}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, status: {phase: Running}}`,
		twin: thing + `{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 2, minReadySeconds: 2821}, status: {readyReplicas: 2}}
			{kind: Pod, metadata: {name: a-0, annotations: {hash: new}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, status: {phase: Running}}`,
	},
	{
		mask: "stuck", name: "what the operator makes behind a Job that cannot run",
		seed: thing + `{kind: Service, metadata: {name: a}}
			{kind: Deployment, metadata: {name: a}, spec: {replicas: 1}, status: {readyReplicas: 1}}`,
		end: thing + `{kind: Service, metadata: {name: a}}
			{kind: Deployment, metadata: {name: a}, spec: {replicas: 1}, status: {readyReplicas: 1}}
			{kind: Pod, metadata: {name: a-77f9-xk2pd, generateName: a-77f9-, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}, status: {phase: Running}}
			{kind: Job, metadata: {name: a-2}}`,
		twin: thing + `{kind: Job, metadata: {name: a-2}}
			{kind: Pod, metadata: {name: a-2-x, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: a-2, controller: true}]}, status: {conditions: [{type: PodScheduled, status: "False", message: no node}]}}`,
	},
	{
		mask: "stuck", name: "pods of the operator's own, one after another",
		end: thing + `{kind: Pod, metadata: {name: a-0, annotations: {hash: old}}, status: {conditions: [{type: Ready, status: "True"}]}}`,
		twin: thing + `{kind: Pod, metadata: {name: a-0, annotations: {hash: new}}, spec: {volumes: [{persistentVolumeClaim: {claimName: data-a-0}}]}, status: {conditions: [{type: PodScheduled, status: "False", message: no volume}]}}
			{kind: PersistentVolumeClaim, metadata: {name: data-a-0}}`,
	},
	{
		mask: "stuck", name: "a claim that the next of them will not have",
		end: thing + `{kind: Pod, metadata: {name: a-0}, spec: {volumes: [{persistentVolumeClaim: {claimName: data-a-0}}]}, status: {conditions: [{type: Ready, status: "True"}]}}
			{kind: PersistentVolumeClaim, metadata: {name: data-a-0}}`,
		twin: thing + `{kind: Pod, metadata: {name: a-0}, status: {conditions: [{type: PodScheduled, status: "False", message: no node}]}}`,
	},
	{
		mask: "stuck", name: "what is said of them elsewhere",
		end: thing + `{kind: Deployment, metadata: {name: a, ownerReferences: [{apiVersion: example.com/v1, kind: Part, name: a-part, controller: true}]}, spec: {replicas: 2, template: {metadata: {labels: {app: a}}}}, status: {readyReplicas: 2}}
			{kind: Part, metadata: {name: a-part}, status: {phase: Running}}
			{kind: PodDisruptionBudget, metadata: {name: a}, spec: {selector: {matchLabels: {app: a}}}, status: {currentHealthy: 2}}
			{kind: HorizontalPodAutoscaler, metadata: {name: a}, spec: {scaleTargetRef: {kind: Deployment, name: a}}, status: {currentReplicas: 2}}`,
		twin: thing + `{kind: Deployment, metadata: {name: a, ownerReferences: [{apiVersion: example.com/v1, kind: Part, name: a-part, controller: true}]}, spec: {replicas: 2, template: {metadata: {labels: {app: a}}}}, status: {}}
			{kind: Part, metadata: {name: a-part}, status: {phase: Pending}}
			{kind: PodDisruptionBudget, metadata: {name: a}, spec: {selector: {matchLabels: {app: a}}}, status: {currentHealthy: 0}}
			{kind: HorizontalPodAutoscaler, metadata: {name: a}, spec: {scaleTargetRef: {kind: Deployment, name: a}}, status: {currentReplicas: 0}}`,
	},
	{
		mask: "quantities", name: "memory in other words",
		end:  thing + `{kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, resources: {requests: {memory: "133169152", cpu: "1"}}}]}}`,
		twin: thing + `{kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, resources: {requests: {memory: 127Mi, cpu: 1000m}}}]}}`,
	},
	{
		mask: "quantities", name: "an operator that writes the resource",
		end:  `{kind: Thing, metadata: {name: a}, spec: {size: 1, quota: {cpu: "4", memory: 1Gi}}}`,
		twin: `{kind: Thing, metadata: {name: a}, spec: {size: 1, quota: {cpu: 4000m, memory: 1024Mi}}}`,
	},
	{
		mask: "account-secrets", name: "a pod from before",
		end: thing + `{kind: StatefulSet, metadata: {name: a}, spec: {template: {spec: {}}}}
			{kind: Pod, metadata: {name: a-0, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, spec: {}}`,
		twin: thing + `{kind: StatefulSet, metadata: {name: a}, spec: {template: {spec: {}}}}
			{kind: Pod, metadata: {name: a-0, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, spec: {imagePullSecrets: [{name: s}]}}`,
	},
	{
		mask: "account-token", name: "a pod from before",
		end: thing + `{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {}}}}
			{kind: Pod, metadata: {name: a-1x2y3, generateName: a-, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}, spec: {containers: [{name: c}]}}`,
		twin: thing + `{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {}}}}
			{kind: Pod, metadata: {name: a-1x2y3, generateName: a-, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}, spec: {containers: [{name: c, volumeMounts: [{mountPath: /var/run/secrets/kubernetes.io/serviceaccount, name: kube-api-access-x, readOnly: true}]}], volumes: [{name: kube-api-access-x}]}}`,
	},
	{
		mask: "pull-policies", name: "an apply of an image without a tag",
		seed: thing + `{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {containers: [{name: c, image: "a:1", imagePullPolicy: IfNotPresent}]}}}}
			{kind: Pod, metadata: {name: a-1x2y3, generateName: a-, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}, spec: {containers: [{name: c, image: "a:1", imagePullPolicy: IfNotPresent}]}}`,
		end: thing + `{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {containers: [{name: c, image: b, imagePullPolicy: IfNotPresent}]}}}}
			{kind: Pod, metadata: {name: a-4x5y6, generateName: a-, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}, spec: {containers: [{name: c, image: b, imagePullPolicy: IfNotPresent}]}}`,
		twin: thing + `{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {containers: [{name: c, image: b, imagePullPolicy: Always}]}}}}
			{kind: Pod, metadata: {name: a-7x8y9, generateName: a-, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}, spec: {containers: [{name: c, image: b, imagePullPolicy: Always}]}}`,
	},
	{
		mask: "autoscaled", name: "replicas of before are within the bounds",
		end: `{kind: Thing, metadata: {name: a}, spec: {size: 1}, status: {ready: 2}}
			{kind: Deployment, metadata: {name: a}, spec: {replicas: 2}, status: {readyReplicas: 2}}
			{kind: Pod, metadata: {name: a-1x2y3, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}}
			{kind: HorizontalPodAutoscaler, metadata: {name: a}, spec: {scaleTargetRef: {kind: Deployment, name: a}, maxReplicas: 2}, status: {currentReplicas: 2}}`,
		twin: `{kind: Thing, metadata: {name: a}, spec: {size: 1}, status: {ready: 1}}
			{kind: Deployment, metadata: {name: a}, spec: {replicas: 1}, status: {readyReplicas: 1}}
			{kind: HorizontalPodAutoscaler, metadata: {name: a}, spec: {scaleTargetRef: {kind: Deployment, name: a}, maxReplicas: 2}, status: {currentReplicas: 1}}`,
	},
	{
		mask: "on-delete", name: "a pod that the operator would have deleted",
		end: thing + `{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 1, updateStrategy: {type: OnDelete}}, status: {readyReplicas: 1}}
			{kind: Pod, metadata: {name: a-0, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, spec: {dnsPolicy: Default}}`,
		twin: thing + `{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 1, updateStrategy: {type: OnDelete}}, status: {readyReplicas: 1}}
			{kind: Pod, metadata: {name: a-0, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, spec: {dnsPolicy: ClusterFirst}}`,
	},
	{
		mask: "on-delete", name: "pods that their users want to delete, and what is said of them",
		end: `{kind: Thing, metadata: {name: a}, spec: {update: OnDelete}, status: {updated: 0}}
			{kind: DaemonSet, metadata: {name: a}, spec: {updateStrategy: {type: OnDelete}}, status: {desiredNumberScheduled: 1, numberReady: 1}}
			{kind: Pod, metadata: {name: a-xk2pd, generateName: a-, ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: a, controller: true}]}, spec: {dnsPolicy: Default}}`,
		twin: `{kind: Thing, metadata: {name: a}, spec: {update: OnDelete}, status: {updated: 1}}
			{kind: DaemonSet, metadata: {name: a}, spec: {updateStrategy: {type: OnDelete}}, status: {desiredNumberScheduled: 1, numberReady: 1, updatedNumberScheduled: 1}}
			{kind: Pod, metadata: {name: a-bbbbb, generateName: a-, ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: a, controller: true}]}, spec: {dnsPolicy: ClusterFirst}}`,
	},
	{
		mask: "on-delete", name: "a pod below a partition",
		end: `{kind: Thing, metadata: {name: a}, spec: {update: {partition: 1}}}
			{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 2, updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 1}}}, status: {readyReplicas: 2, updatedReplicas: 1}}
			{kind: Pod, metadata: {name: a-0, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, spec: {dnsPolicy: Default}}`,
		twin: `{kind: Thing, metadata: {name: a}, spec: {update: {partition: 1}}}
			{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 2, updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 1}}}, status: {readyReplicas: 2, updatedReplicas: 2}}
			{kind: Pod, metadata: {name: a-0, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, spec: {dnsPolicy: ClusterFirst}}`,
	},
	{
		mask: "emptied", name: "items that were taken away",
		end: `{kind: Thing, metadata: {name: a}, spec: {more: {}}}`, twin: `{kind: Thing, metadata: {name: a}, spec: {items: [], more: {}}}`,
	},
	{
		mask: "emptied", name: "what an operator writes that never was set",
		end: `{kind: Thing, metadata: {name: a}, spec: {skip: false, vault: {tls: {}}}}`, twin: `{kind: Thing, metadata: {name: a}, spec: {vault: {text: ""}}}`,
	},
	{
		mask: "emptied", name: "a count that was more before",
		end: `{kind: Thing, metadata: {name: a}, status: {phase: Ready, ready: 0}}`, twin: `{kind: Thing, metadata: {name: a}, status: {phase: Ready}}`,
	},
	{
		mask: "forced-rollback", name: "Kubernetes waits for a pod of before",
		end: `{kind: Thing, metadata: {name: a}, status: {ready: 0}}
			{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 1}, status: {updateRevision: a-2}}
			{kind: Pod, metadata: {name: a-0, labels: {controller-revision-hash: a-1}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, spec: {schedulerName: old}}`,
		twin: `{kind: Thing, metadata: {name: a}, status: {ready: 1}}
			{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 1}, status: {updateRevision: a-2, readyReplicas: 1}}
			{kind: Pod, metadata: {name: a-0, labels: {controller-revision-hash: a-2}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, spec: {schedulerName: new}}`,
	},
	{
		mask: "times", name: "pods were told to restart, at some time",
		end:  thing + `{kind: Deployment, metadata: {name: a}, spec: {template: {metadata: {annotations: {restartedAt: "2026-01-02T03:04:05Z"}}}}}`,
		twin: thing + `{kind: Deployment, metadata: {name: a}, spec: {template: {metadata: {}}}}`,
	},
	{
		mask: "counters", name: "the generation that was seen",
		end: `{kind: Thing, metadata: {name: a, generation: 7}, status: {seenGeneration: 7}}`, twin: `{kind: Thing, metadata: {name: a, generation: 1}, status: {seenGeneration: 1}}`,
	},
	{
		mask: "counters", name: "the version of a Secret in a template",
		end: thing + `{kind: Secret, metadata: {name: a, resourceVersion: "812"}}
			{kind: Deployment, metadata: {name: a}, spec: {template: {metadata: {annotations: {secret: "812"}}}}}`,
		twin: thing + `{kind: Secret, metadata: {name: a, resourceVersion: "300"}}
			{kind: Deployment, metadata: {name: a}, spec: {template: {metadata: {annotations: {secret: "300"}}}}}`,
	},
	{
		mask: "absent-conditions", name: "a condition of what is over",
		end:  `{kind: Thing, metadata: {name: a}, status: {conditions: [{type: Updating, status: "False"}]}}`,
		twin: `{kind: Thing, metadata: {name: a}, status: {conditions: []}}`,
	},
	{
		mask: "unreachable", name: "an operator that asks its pods",
		end:  `{kind: Thing, metadata: {name: a}, status: {conditions: [{type: Ready, status: "False", reason: Failed, message: "dial tcp 10.0.0.1:80: i/o timeout"}]}}`,
		twin: `{kind: Thing, metadata: {name: a}, status: {conditions: [{type: Ready, status: "True"}]}}`,
	},
	{
		mask: "refused", name: "an operator that says that it does not do it",
		end: `{kind: Thing, metadata: {name: a}, status: {conditions: [{type: Ready, status: "False", message: storage cannot be changed}]}}
			{kind: StatefulSet, metadata: {name: a}, spec: {serviceName: old}}`,
		twin: `{kind: Thing, metadata: {name: a}, status: {conditions: [{type: Ready, status: "True"}]}}
			{kind: StatefulSet, metadata: {name: a}, spec: {serviceName: new}}`,
	},
	{
		mask: "volumes-bound", name: "another volume",
		end: thing + `{kind: PersistentVolumeClaim, metadata: {name: x}, spec: {volumeName: pv-2}}
			{kind: PersistentVolume, metadata: {name: pv-2}, spec: {claimRef: {name: x}}}`,
		twin: thing + `{kind: PersistentVolumeClaim, metadata: {name: x}, spec: {volumeName: pv-1}}`,
	},
	{
		mask: "volumes-kept", name: "a claim of a pod that is not there any more",
		seed: thing + `{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 3, volumeClaimTemplates: [{metadata: {name: data}}]}}`,
		end: thing + `{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 1, volumeClaimTemplates: [{metadata: {name: data}}]}}
			{kind: PersistentVolumeClaim, metadata: {name: data-a-0}}
			{kind: PersistentVolumeClaim, metadata: {name: data-a-2}}`,
		twin: thing + `{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 1, volumeClaimTemplates: [{metadata: {name: data}}]}}
			{kind: PersistentVolumeClaim, metadata: {name: data-a-0}}`,
	},
	{
		mask: "volumes-kept", name: "a claim of another template",
		end: thing + `{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 1, volumeClaimTemplates: [{metadata: {name: data}}]}}
			{kind: PersistentVolumeClaim, metadata: {name: data-a-0}, spec: {storageClassName: old}}`,
		twin: thing + `{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 1, volumeClaimTemplates: [{metadata: {name: data}}]}}
			{kind: PersistentVolumeClaim, metadata: {name: data-a-0}, spec: {storageClassName: new}}`,
	},
}

// TestMasks: each mask keeps the oracle silent where it is meant to, and no further: without it, it
// would say something.
func TestMasks(t *testing.T) {
	tried := map[string]bool{}
	for _, c := range maskCases {
		tried[c.mask] = true
		t.Run(c.mask+", "+c.name, func(t *testing.T) {
			k := twins(t, property("spec.size"), c.seed, c.end, c.twin, "")
			k.Unreachable, k.Properties = []string{"exec", "tcp"}, scaled
			hold(t, "twin", k, nil)
			k.Keep = []string{c.mask}
			if len(said("twin", k)) == 0 {
				t.Errorf("without the mask it says nothing either")
			}
		})
	}
	for _, m := range oracle.Masks() {
		if !tried[m.Name] {
			t.Errorf("%s has no case", m.Name)
		}
		if m.Reason == "" || strings.HasSuffix(m.Reason, ".") {
			t.Errorf("%s has no reason: %q", m.Name, m.Reason)
		}
		if _, err := history.DefaultMask().With(m.Patterns...); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}

// TestReclaimed: who deletes a claim that is not used any more forgets another; one that is made anew is no such claim.
func TestReclaimed(t *testing.T) {
	const (
		set   = "{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 1, volumeClaimTemplates: [{metadata: {name: data}}]}}\n"
		first = "{kind: PersistentVolumeClaim, metadata: {name: data-a-0}}\n"
		left  = "{kind: PersistentVolumeClaim, metadata: {name: data-a-1}}\n"
		gone  = "{kind: PersistentVolumeClaim, metadata: {name: data-a-2}}"
		going = "{kind: PersistentVolumeClaim, metadata: {name: data-a-2, deletionTimestamp: '2026-01-02T03:04:05Z'}}"
	)
	for _, c := range []struct {
		name string
		e    history.Event
		want bool
	}{
		{"another was deleted", write(t, gone, ""), true},
		{"another was deleted, and went later", write(t, gone, going), true},
		{"one was deleted and is there again", write(t, first, ""), false},
		{"others were deleted", write(t, "{kind: PersistentVolumeClaim, metadata: {name: data-b-2}}", ""), false},
		{"something else was written", write(t, left, left), false},
	} {
		k := twins(t, property("spec.size"), thing+set+first+left+gone, thing+set+first+left, thing+set+first, "")
		k.Last().Events = []history.Event{c.e}
		if found := said("twin", k); (len(found) > 0) != c.want {
			t.Errorf("%s: %v", c.name, found)
		}
	}
	k := twins(t, property("spec.size"), thing+set+first+left+gone, thing+set+first+left, thing+set+first, "")
	e := write(t, gone, "")
	e.Actor = "kube-controller-manager"
	k.Last().Events = []history.Event{e}
	hold(t, "twin", k, nil)
}

// TestImpossible: where the API server refuses what the operator makes of the resource, there is nothing
// to compare with; if it does so only because of what was before, there is.
func TestImpossible(t *testing.T) {
	const refusal = `ERROR Reconciler error {"error": "StatefulSet.apps \"a\" is invalid: spec.template: Required value"}`
	const old = "{kind: StatefulSet, metadata: {name: a}}"
	cases := []struct {
		name             string
		seed, last, twin string
		speaks           bool
		answer           oracle.Answer
	}{
		{name: "in neither", speaks: true, answer: oracle.Accepted},
		{name: "in both", last: refusal, twin: refusal, answer: oracle.Impossible},
		{name: "only where it was another before", last: refusal, speaks: true, answer: oracle.Accepted},
		{name: "of the seed, too", seed: refusal, last: refusal, twin: refusal, speaks: true, answer: oracle.Accepted},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			k := twins(t, property("spec.affinity"), "", thing+old, thing, "")
			k.Steps[0].Output, k.Last().Output, k.Twin.Output = c.seed, c.last, c.twin
			if got := len(said("twin", k)) > 0; got != c.speaks {
				t.Errorf("it speaks: %t, want %t", got, c.speaks)
			}
			if got := k.Answer(); got != c.answer {
				t.Errorf("it is %s, want %s", got, c.answer)
			}
		})
	}
}

// TestWanting: where the operator waits for what an operation has named, and says so where the resource was never
// another, too, what there is stays as it was; where it says so of the seed, or in one of both only, it says nothing of
// that.
func TestWanting(t *testing.T) {
	const old = "\n{kind: Deployment, metadata: {name: a}}"
	says := func(status, message string) string {
		return "{kind: Thing, metadata: {name: a}, spec: {size: 1}, status: {conditions: [{type: Ready, status: '" + status + "', message: '" + message + "'}]}}"
	}
	for _, c := range []struct {
		name             string
		seed, last, twin string
		speaks           bool
	}{
		{"in both", says("True", ""), says("False", "the Secret has no key st-p1-o1"), says("False", "the Secret has no key st-p1-o1"), false},
		{"nothing is made", says("True", ""), says("False", "the Secret has no such key"), says("False", "the Secret has no such key"), false},
		{"in one only", says("True", ""), says("True", ""), says("False", "the Secret has no key st-p1-o1"), true},
		{"in other words", says("True", ""), says("False", "1 of 2 are ready"), says("False", "the Secret has no key st-p1-o1"), true},
		{"of the seed, too", says("False", "no pod"), says("False", "no pod"), says("False", "no pod"), true},
		{"it is made, and nothing is named", says("True", ""), says("False", "no pod"), says("False", "no pod") + "\n{kind: Service, metadata: {name: a}}", true},
	} {
		o := property("spec.key")
		o.Sentinels = []string{"st-p1-o1"}
		k := twins(t, o, c.seed+old, c.last+old, c.twin, "")
		if got := len(said("twin", k)) > 0; got != c.speaks {
			t.Errorf("%s: it speaks: %t, want %t", c.name, got, c.speaks)
		}
	}
}
