// Package sample makes reports for the tests of renderers: large ones, and ones whose
// every name is an attack.
package sample

import (
	"encoding/json"
	"fmt"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

const (
	workloads   = 20
	podsPerNode = 5
)

// Large is a violation in a cluster of so many nodes, with 5 pods each of 20
// workloads, whose trace has so many steps: pods are evicted and created again, node
// by node, and the last ten steps repeat.
func Large(nodes, steps int) *finding.Report {
	t := &trace.Trace{Setup: &trace.Setup{Kubernetes: "v1.36.3"}, Initial: []string{fmt.Sprintf("%d nodes, %d pods", nodes, nodes*podsPerNode)}}
	name := func(n int) string { return fmt.Sprintf("pool-%d-node-%03d", n*4/nodes+1, n+1) }
	for n := range nodes {
		t.Setup.Objects = append(t.Setup.Objects, raw(map[string]any{
			"apiVersion": "v1", "kind": "Node",
			"metadata": map[string]any{"name": name(n), "labels": map[string]any{"topology.kubernetes.io/zone": string(rune('a' + n%3)), "kubernetes.io/hostname": name(n)}},
			"status":   map[string]any{"allocatable": map[string]any{"cpu": "4", "memory": "16Gi", "pods": "110"}},
		}))
	}
	owner := func(k int) string { return fmt.Sprintf("Deployment shop/service-%02d", k+1) }
	last := make([]int, workloads)
	var pods []trace.Pod
	for i := range nodes * podsPerNode {
		k := i % workloads
		last[k]++
		pods = append(pods, trace.Pod{Owner: owner(k), Ordinal: last[k], Node: name(i / podsPerNode), Phase: "Running", Ready: true})
	}
	for k := range workloads {
		t.Setup.Objects = append(t.Setup.Objects, deployment(fmt.Sprintf("service-%02d", k+1), last[k]))
		replicas := int32(last[k])
		t.Setup.Workloads = append(t.Setup.Workloads, trace.Workload{Object: owner(k), Revisions: []trace.Revision{{Set: fmt.Sprintf("service-%02d-5d9c", k+1), Replicas: &replicas}}})
	}
	t.Pods = append(t.Pods, pods...)
	for i := 0; len(t.Steps) < steps; i++ {
		p := &pods[i%len(pods)]
		k := i % len(pods) % workloads
		t.Steps = append(t.Steps, replace(p, &last[k])...)
	}
	t.Steps = t.Steps[:steps]
	loop := max(0, steps-10)
	t.Loop = &loop
	return &finding.Report{
		Tool: "seatrial check", Version: "v0", Kubernetes: "v1.36.3", Command: "seatrial check shop/", Verdict: finding.Violated,
		Bound:   finding.Bound{Text: fmt.Sprintf("%d nodes, %d pods", nodes, len(pods)), Nodes: nodes, Pods: len(pods), States: 1234567, Transitions: 7654321, Depth: steps, Complete: true},
		Results: []finding.Result{{Rule: "SEA1001", Name: "no-endless-eviction", Subject: owner(0), Verdict: finding.Violated, Message: "pods of " + owner(0) + " are evicted and created again, for ever", Trace: t}},
	}
}

func deployment(name string, replicas int) json.RawMessage {
	return raw(map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"namespace": "shop", "name": name},
		"spec": map[string]any{"replicas": replicas, "template": map[string]any{"spec": map[string]any{"containers": []any{
			map[string]any{"name": "c", "image": "registry.example/shop/" + name + ":1.2.3", "resources": map[string]any{"requests": map[string]any{"cpu": "500m", "memory": "2Gi"}}},
		}}}},
	})
}

// replace is one pod evicted and another one created in its place.
func replace(p *trace.Pod, last *int) []trace.Step {
	was := *p
	evicted := was
	evicted.Ready, evicted.Terminating = false, true
	*last++
	made := trace.Pod{Owner: was.Owner, Ordinal: *last, Phase: "Pending"}
	bound := made
	bound.Node = was.Node
	runs := bound
	runs.Phase, runs.Ready = "Running", true
	*p = runs
	on := func(from, to string) []trace.Change {
		return []trace.Change{{Object: "Pods of " + was.Owner, Field: "on " + was.Node, From: from, To: to}}
	}
	act := func(verb, by string, p trace.Pod) []trace.Act {
		return []trace.Act{{Verb: verb, By: by, Role: trace.RoleController, Pod: &p, Gone: verb == "gone"}}
	}
	return []trace.Step{
		{Actor: "descheduler", Action: "evicts a pod of " + was.Owner + " from " + was.Node, Note: "RemoveDuplicates", Changes: on("1 Ready", "1 Terminating"), Acts: act("evict", "descheduler", evicted)},
		{Actor: "kubelet", Action: "a terminating pod of " + was.Owner + " on " + was.Node + " is gone", Changes: on("1 Terminating", "none"), Acts: act("gone", "kubelet", evicted)},
		{Actor: "replicaset", Action: "creates a pod of " + was.Owner, Acts: act(trace.VerbCreate, "replicaset-controller", made)},
		{Actor: "scheduler", Action: "binds a pod of " + was.Owner + " to node " + was.Node, Changes: on("none", "1 Pending"), Acts: act("bind", "kube-scheduler", bound)},
		{Actor: "kubelet", Action: "starts a pod of " + was.Owner + " on " + was.Node + ", Ready at once", Changes: on("1 Pending", "1 Ready"), Acts: act("start", "kubelet", runs)},
	}
}

func raw(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // literals of this package
	}
	return text
}
