package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Oracle{Name: "health", Rule: "SEA3004", Order: 25, Twin: true, Judge: health})
}

// notReady is the class of pods that are not ready, and of workloads that do not have as many as they want.
const notReady = "not ready"

// complaint is the class of conditions that say that something is wrong, in front of the name of one.
const complaint = "condition "

// reconcileErrors is the class of controllers whose reconciles go on failing, in front of the name of one.
const reconcileErrors = "reconcile errors "

// Fails tells whether a deviation is that reconciles of a controller go on failing; its place tells which one.
func Fails(d Deviation) bool { return strings.HasPrefix(d.Place, reconcileErrors) }

// problem is something that does not run, or that says so.
type problem struct {
	key         history.Key
	class, text string
	// reason is what a pod that is not ready waits for, if that is known.
	reason string
}

// among tells whether it is one of several.
func (p problem) among(all []problem) bool {
	return slices.ContainsFunc(all, func(o problem) bool { return o.key == p.key && o.class == p.class })
}

// health finds what does not run behind a valid operation, unless it does not either where the
// resource was never another: then that is what was asked for, or what the operator declines, and it is right that the
// resource says that not all runs. But what the schema has by default nobody has asked for.
func health(c *Case) []Deviation {
	last := c.Last()
	if c.misoperation() || c.repairs() || last.Refused != "" || c.declined() {
		return nil
	}
	if c.impossible() {
		return c.defaulted()
	}
	excused := append(c.problems(c.Steps[0].End), c.failing(c.Steps[0])...)
	var twin []problem
	if c.Twin != nil {
		twin = c.problems(c.Twin.End)
		excused = append(append(excused, twin...), c.failing(c.Twin)...)
	}
	var out []Deviation
	all := c.problems(last.End)
	unready := slices.ContainsFunc(all, func(p problem) bool { return p.class == notReady && p.among(twin) })
	for _, p := range append(c.unforced(), c.failures(last)...) {
		if !p.among(excused) && !(unready && strings.HasPrefix(p.class, complaint)) {
			out = append(out, Deviation{Object: p.key, Place: p.class, Text: p.text})
		}
	}
	if len(all) == 0 && !last.Rest.Quiet && last.Rest.Cycle == nil && c.Twin != nil && c.Twin.Rest.Quiet && !c.unreached(last.Output) && !c.outOfPorts() && !c.scaling() {
		out = append(out, Deviation{Object: c.Key, Place: "rest", Text: "it does not come to rest, and does where the resource was never another: " + last.Rest.Why})
	}
	return append(out, c.unending()...)
}

// Unwell lists what does not run behind the last step, or says that something is wrong, one by one.
func Unwell(c *Case) []string {
	var out []string
	for _, p := range append(c.problems(c.Last().End), c.failures(c.Last())...) {
		out = append(out, p.text)
	}
	return out
}

// Unready says of a workload or a pod that is not ready behind the last step what it waits for; empty if all are, or
// nothing says so.
func Unready(c *Case) string {
	for _, p := range c.problems(c.Last().End) {
		if p.class == notReady && p.reason != "" {
			return p.text
		}
	}
	return c.uncreated()
}

// uncreated says of the first workload that has not the pods that it wants why they cannot be created, as the last
// event about it says: the controllers of StatefulSets, DaemonSets and Jobs have no condition for that. Empty if there
// is none.
func (c *Case) uncreated() string {
	last := c.Last()
	for _, key := range last.End.Keys() {
		o := last.End[key]
		want, is := wanted(key.Resource, o)
		if !is || !c.own(key) || ready(key.Resource, o) >= want {
			continue
		}
		for _, e := range slices.Backward(last.Events) {
			if e.Resource == events && e.Object.Text("type") == "Warning" && e.Object.Text("reason") == "FailedCreate" &&
				e.Object.Text("involvedObject", "kind") == o.Text("kind") && e.Object.Text("involvedObject", "name") == key.Name {
				return fmt.Sprintf("%d of %d pods of %s are ready%s", ready(key.Resource, o), want, key, because(e.Object.Text("message")))
			}
		}
	}
	return ""
}

// failures are the operator's controllers whose reconciles go on failing, unless what the operator prints is about what
// cannot be reached here.
func (c *Case) failures(s *Step) []problem {
	if c.unreached(s.Output) {
		return nil
	}
	return c.failing(s)
}

// failing are all of the operator's controllers whose reconciles go on failing. Where they failed before for what
// cannot be reached, they need not say so again.
func (c *Case) failing(s *Step) []problem {
	var out []problem
	for _, name := range s.Rest.Failing {
		out = append(out, problem{key: c.Key, class: reconcileErrors + name, text: fmt.Sprintf("reconciles of the operator's controller %s go on failing when nothing moves any more, as its metrics say", name)})
	}
	return out
}

// problems lists what does not run in a state, of what came with the custom resource.
func (c *Case) problems(s history.State) []problem {
	var out []problem
	for _, key := range s.Keys() {
		o := s[key]
		if !c.own(key) {
			continue
		}
		general := key.Generic(o)
		switch {
		case key == c.Key:
			out = append(out, c.complaints(o)...)
		case slices.Contains(runners, key.Resource):
			if _, inner := controlled(key, o); inner {
				continue
			}
			want, _ := wanted(key.Resource, o)
			if n := ready(key.Resource, o); n < want {
				why := whyNot(s, key)
				out = append(out, problem{general, notReady, fmt.Sprintf("%d of %d pods of %s are ready%s", n, want, key, because(why)), why})
			}
		case key.Resource == pods:
			if _, inner := controlled(key, o); inner || isReady(o) || o.Text("status", "phase") == "Succeeded" {
				continue
			}
			why := waiting(o)
			out = append(out, problem{general, notReady, fmt.Sprintf("%s is not ready%s", key, because(why)), why})
		case key.Resource == jobs:
			if failed := conditionOf(o, "Failed"); failed.status == "True" {
				out = append(out, problem{key: general, class: "failed", text: fmt.Sprintf("%s has failed%s", key, because(failed.message))})
			}
		}
	}
	return out
}

// negative are what conditions are called that are True when something is wrong.
var negative = []string{"degraded", "failed", "failure", "error", "stalled", "unhealthy"}

// complaints are the conditions of the custom resource that say that something is wrong, beside what cannot be
// reached here.
func (c *Case) complaints(o history.Object) []problem {
	var out []problem
	for _, said := range conditions(o) {
		name := strings.ToLower(said.kind)
		bad := said.status == "True" && slices.ContainsFunc(negative, func(n string) bool { return strings.HasSuffix(name, n) })
		words := strings.TrimSpace(said.reason + " " + said.message)
		if (bad || said.status == "False" && positive(said.kind)) && !c.unreached(words) {
			out = append(out, problem{key: c.Key, class: complaint + said.kind, text: fmt.Sprintf("condition %s of %s is %s%s", said.kind, c.Key, said.status, because(words))})
		}
	}
	return out
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}

// whyNot is what the first pod of a workload that is not ready waits for.
func whyNot(s history.State, workload history.Key) string {
	for _, key := range podsOf(s, workload) {
		if why := waiting(s[key]); why != "" && !isReady(s[key]) {
			return why
		}
	}
	for _, key := range s.Keys() { // what cannot create pods says so itself
		if key == workload || key.Resource == replicaSets && runner(s, key) == workload {
			if failed := conditionOf(s[key], "ReplicaFailure"); failed.status == "True" {
				return failed.message
			}
		}
	}
	return ""
}

// waiting is what keeps a pod from being ready: the scheduler or a container; empty if that
// is not said.
func waiting(o history.Object) string {
	if c := conditionOf(o, "PodScheduled"); c.status == "False" {
		return strings.TrimSpace("it cannot be scheduled: " + c.message)
	}
	for _, field := range []string{"initContainerStatuses", "containerStatuses"} {
		for _, status := range list(o, "status", field) {
			if reason := lacking(status); reason != "" {
				return fmt.Sprintf("container %s: %s", status.Text("name"), reason)
			}
			if status.At("state", "terminated") != nil && number(status, "state", "terminated", "exitCode") != 0 {
				return fmt.Sprintf("container %s has ended with code %d", status.Text("name"), number(status, "state", "terminated", "exitCode"))
			}
		}
	}
	return ""
}
