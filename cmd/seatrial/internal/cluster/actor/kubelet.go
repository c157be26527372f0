package actor

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
	"github.com/seatrial/seatrial/statespace"
)

// kubelet admits, starts, readies and ends the pods of nodes that run. A pod
// without a readiness probe is Ready as soon as it runs.
type kubelet struct{}

var _ = model.Register(kubelet{})

var byKubelet = model.Component("kubelet")

func (kubelet) Name() string       { return "kubelet" }
func (kubelet) Speed() model.Speed { return model.Free }
func (kubelet) Verbs() []model.Verb {
	var out []model.Verb
	for _, name := range []string{"admit", "ready", "available", "warm", "crash", "terminate"} {
		out = append(out, model.Verb{Name: name, Grain: model.ByWorkPool, Fairness: statespace.Weak})
	}
	return append(out, model.Verb{Name: "heartbeat", Grain: model.ByPool, Fairness: statespace.Weak})
}

func (kubelet) Steps(x *model.Turn) {
	for i, n := range x.State.Nodes {
		if !n.Up || !x.First(i) {
			continue
		}
		if !n.Ready {
			heartbeat(x, i)
		}
		for _, c := range n.Pods {
			runPod(x, i, c.Pod)
		}
	}
}

// runPod emits what the kubelet may do next with one such pod.
func runPod(x *model.Turn, node int, p model.Pod) {
	k := pod{x: x, node: node, pod: p}
	rev := &x.Workloads[p.Work].Revisions[p.Rev]
	never := x.NeverReady(x.State, p, node)
	switch {
	case p.Terminating:
		k.terminate()
		return
	case p.Phase == model.Pending:
		k.admit(rev.Probed && !mutation.On("pod-ready-without-probe") || never)
		return
	case p.Phase == model.Failed:
		return
	case never && !p.Crashing:
		k.become("crash", model.KindUnready, func(q *model.Pod) {
			q.Unready()
			q.Crashing, q.Restarts = true, model.SaturatedRestarts
		}, "a pod of %s on %s crashes, and goes on doing so")
		return
	case !p.Ready && (!p.Crashing || mutation.On("never-ready-recovers")) && x.MayBeReady(x.State, p):
		k.become("ready", model.KindReady, func(q *model.Pod) { x.BecomeReady(q) }, "a pod of %s on %s becomes Ready")
	case p.Ready && int(p.ReadyFor) < len(x.Workloads[p.Work].Waits):
		k.wait()
	}
	if int(p.Stage)+1 < x.Stages(x.State, int(p.Work)) && !p.Crashing && !mutation.On("pod-start-up-never-ends") {
		k.become("warm", model.KindOther, func(q *model.Pod) { q.Stage++ }, "a pod of %s on %s goes on to the next phase of its start-up load")
	}
}

// pod is a pod on a node during one expansion.
type pod struct {
	x    *model.Turn
	node int
	pod  model.Pod
	// after is what a step makes of it.
	after model.Pod
}

// changed returns the state in which one such pod is as it is afterwards.
func (k pod) changed() *model.State {
	to := k.x.State.Clone()
	n := to.EditNode(k.node)
	n.Pods = n.Pods.Replace(k.pod, k.after)
	return to
}

// become emits the step that changes one such pod.
func (k pod) become(verb string, kind model.Kind, change func(*model.Pod), format string) {
	k.after = k.pod
	change(&k.after)
	k.emit(verb, kind, k.changed(), format)
}

// shown are the verbs of acts that are not those of the steps.
var shown = map[string]string{"admit": "start", "available": "wait", "warm": "load"}

// act is what a verb makes of one such pod.
func (k pod) act(verb string) model.Act {
	if verb == "terminate" {
		return byKubelet.Ends("gone", model.Place{Node: k.node}, k.pod, 1)
	}
	by := byKubelet
	if verb == "warm" {
		by = model.Outside("start-up") // its processes use something else
	}
	if v := shown[verb]; v != "" {
		verb = v
	}
	a := by.Makes(verb, model.Place{Node: k.node}, k.pod, k.after, 1)
	switch verb {
	case "wait":
		a, a.Seconds = a.Inner(), k.seconds("available")
	case "load":
		a.Seconds = k.seconds("warm")
		a.Load = k.x.StartUp(k.x.State, k.after)
	}
	return a
}

func (k pod) emit(verb string, kind model.Kind, to *model.State, format string) {
	k.x.Emit(model.Step{
		Verb: verb, A: int(k.pod.Work), B: k.x.Nodes[k.node].Pool, Work: int(k.pod.Work), Kind: kind, To: to,
		Seconds: k.seconds(verb),
		Explain: func() model.Explanation {
			return model.Explanation{
				Action: fmt.Sprintf(format, k.x.Workloads[k.pod.Work].Object(), k.x.Nodes[k.node].Name()),
				Acts:   []model.Act{k.act(verb)},
			}
		},
	})
}

// wait lets a pod be Ready for longer. It is said how long if minReadySeconds may
// have several values.
func (k pod) wait() {
	long := "minReadySeconds"
	if waits := k.x.Workloads[k.pod.Work].Waits; len(waits) > 1 {
		long = fmt.Sprintf("%d seconds", waits[k.pod.ReadyFor])
	}
	k.become("available", model.KindOther, func(q *model.Pod) { q.ReadyFor++ }, "a pod of %s on %s has been Ready for "+long)
}

// seconds is how long the pod has been in the phase that a step ends.
func (k pod) seconds(verb string) int64 {
	switch verb {
	case "warm":
		return int64(k.x.Load(k.x.State, int(k.pod.Work)).StartUp[k.pod.Stage].Seconds)
	case "available":
		waits, before := k.x.Workloads[k.pod.Work].Waits, int32(0)
		if k.pod.ReadyFor > 0 {
			before = waits[k.pod.ReadyFor-1]
		}
		return int64(waits[k.pod.ReadyFor] - before)
	}
	return 0
}

func (k pod) terminate() {
	to := k.x.State.Clone()
	n := to.EditNode(k.node)
	n.Pods = n.Pods.Remove(k.pod)
	k.emit("terminate", model.KindGone, to, "a terminating pod of %s on %s is gone")
}

// admit is the kubelet's own check.
func (k pod) admit(unready bool) {
	x := k.x
	said := x.Kube.Admit(x.World, x.State, k.node, k.pod)
	ok, reason, message := said.OK, said.Reason, said.Message
	ok = ok || reason == "TaintToleration" && mutation.On("kubelet-ignores-taints")
	ok = ok || reason == "OutOfcpu" && mutation.On("kubelet-ignores-resources")
	if ok {
		k.become("admit", model.KindStart, func(q *model.Pod) {
			q.Phase = model.Running
			if !unready {
				x.BecomeReady(q)
			}
		}, map[bool]string{true: "starts a pod of %s on %s", false: "starts a pod of %s on %s, Ready at once"}[unready])
		return
	}
	k.after = model.Pod{Work: k.pod.Work, Rev: k.pod.Rev, Phase: model.Failed}
	to := k.changed()
	x.Emit(model.Step{
		Verb: "admit", A: int(k.pod.Work), B: x.Nodes[k.node].Pool, Work: int(k.pod.Work), Kind: model.KindReject, To: to,
		Explain: func() model.Explanation {
			return model.Explanation{
				Action: fmt.Sprintf("rejects a pod of %s on %s: it is Failed", x.Workloads[k.pod.Work].Object(), x.Nodes[k.node].Name()),
				Note:   reason + ": " + message,
				Refs:   x.RejectionRefs(k.pod, k.node, reason),
				Acts:   []model.Act{k.act("reject")},
			}
		},
	})
}

func heartbeat(x *model.Turn, node int) {
	to := x.State.Clone()
	n := to.EditNode(node)
	n.Ready, n.Reports = true, false
	x.Emit(model.Step{
		Verb: "heartbeat", A: x.Nodes[node].Pool, Work: model.NoWork, To: to,
		Explain: func() model.Explanation {
			return model.Explanation{
				Action: fmt.Sprintf("node %s reports Ready again", x.Nodes[node].Name()),
				Acts:   []model.Act{byKubelet.To("node-ready", x.NodeObject(node))},
			}
		},
	})
}
