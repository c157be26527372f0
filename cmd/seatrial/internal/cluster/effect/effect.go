// Package effect says what the rules of a scenario's own actors and events may
// write in a state: whether the guard is true, which objects the effect is
// about, and what each write leaves. What it writes are the changes that the
// built-in actors make too.
package effect

import (
	"fmt"
	"math"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/expression"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/observer"
	"github.com/seatrial/seatrial/statespace"
)

// Rule is a rule of the scenario, ready to be asked. It is safe for concurrent
// use.
type Rule struct {
	Observer *observer.Observer
	// When is the guard; nil is always true.
	When *Condition
	// Effect is what it writes.
	Effect Effect
	// Name is the actor's or the event's, Path where the rule stands.
	Name, Path string
}

var _ model.Writer = (*Rule)(nil)

// Effect is one sort of write.
type Effect interface {
	verbs() []model.Verb
	writes(v *view) []model.Step
}

// Condition is an expression of the scenario and where it stands. A nil
// Condition is true.
type Condition struct {
	Expression *expression.Expression
	Path       string
}

// view is a state during one expansion, with what expressions see of it.
type view struct {
	*model.Turn
	rule    *Rule
	cluster *expression.Cluster
}

// Verbs implements model.Writer.
func (r *Rule) Verbs() []model.Verb { return r.Effect.verbs() }

// Writes implements model.Writer.
func (r *Rule) Writes(x *model.Turn) []model.Step {
	v := &view{Turn: x, rule: r, cluster: r.Observer.Cluster(x.State)}
	if !v.holds(r.When, nil) {
		return nil
	}
	return r.Effect.writes(v)
}

// Scales tells whether the rule writes spec.replicas of workload i.
func (r *Rule) Scales(i int) bool {
	switch e := r.Effect.(type) {
	case *Scale:
		return slices.Contains(e.Works, i)
	case *Patch:
		return e.Results[i] != nil && e.Results[i].Replicas != nil
	}
	return false
}

// holds evaluates a condition about an object, or about none. One without a
// value is noted and counts as false.
func (v *view) holds(c *Condition, object expression.Object) bool {
	if c == nil {
		return true
	}
	ok, err := c.Expression.EvalFor(v.cluster, object)
	if err != nil {
		v.Faults.Add(c.Path, "cannot be evaluated in every state: "+err.Error())
		return false
	}
	return ok
}

// by is the actor or event as who acts.
func (v *view) by() model.By { return model.Outside(v.rule.Name) }

// step makes a write with what a trace says about it.
func (v *view) step(s model.Step, refs []model.Ref, acts func() []model.Act, format string, args ...any) model.Step {
	s.Explain = func() model.Explanation {
		return model.Explanation{
			Acts:   acts(),
			Action: fmt.Sprintf(format, args...),
			Refs:   append([]model.Ref{v.ScenarioRef(v.rule.Path, "is the rule of "+v.rule.Name)}, refs...),
		}
	}
	return s
}

// workload is Deployment or ReplicaSet i as expressions see it.
func (v *view) workload(i int) expression.Object {
	if v.Workloads[i].Kind == "Deployment" {
		return v.rule.Observer.Deployment(v.State, i)
	}
	return v.rule.Observer.ReplicaSet(v.State, i, 0)
}

// each calls f for the workloads that exist and of which the condition is true.
func (v *view) each(works []int, where *Condition, f func(i int)) {
	for _, i := range works {
		if v.State.Work[i].Exists && v.holds(where, v.workload(i)) {
			f(i)
		}
	}
}

func ofWorkloads(name string) []model.Verb {
	return []model.Verb{{Name: name, Grain: model.ByWork, Fairness: statespace.Weak}}
}

// Pods deletes pods of some workloads, or evicts them.
type Pods struct {
	Works []int
	Where *Condition
	// Evict asks the eviction API, which may refuse; it is asked again for as
	// long as the rule stands.
	Evict bool
}

func (e *Pods) name() string {
	if e.Evict {
		return "evict"
	}
	return "delete"
}

// Pods without a node have a class of their own: no pool could be starved for
// another's sake.
func (e *Pods) verbs() []model.Verb {
	return []model.Verb{
		{Name: e.name(), Grain: model.ByWorkPool, Fairness: statespace.Weak},
		{Name: e.name() + " without a node", Grain: model.ByWork, Fairness: statespace.Weak},
	}
}

func (e *Pods) writes(v *view) []model.Step {
	var out []model.Step
	v.State.Each(func(at model.Place, c model.PodCount) {
		if c.Terminating || !slices.Contains(e.Works, int(c.Work)) || !v.holds(e.Where, v.rule.Observer.Pod(v.State, at, c.Pod)) {
			return
		}
		to, refs, kind := v.State.Clone(), []model.Ref(nil), model.KindDelete
		acts := func() []model.Act { return []model.Act{v.by().Deletes(v.World, "delete", at, c.Pod, 1, false)} }
		if e.Evict {
			to, refs = v.Evict(v.State, at, c.Pod, false)
			if kind = model.KindEvict; to == nil {
				return
			}
			acts = func() []model.Act { return v.Evictions(v.by(), to, at, c.Pod) }
		} else {
			v.Delete(to, at, c.Pod, false)
		}
		s := model.Step{Verb: e.name(), A: int(c.Work), Work: int(c.Work), Kind: kind, To: to}
		where := "without a node"
		if at.Node >= 0 && !at.Nominated {
			s.B, where = v.Nodes[at.Node].Pool, "on "+v.Nodes[at.Node].Name()
		} else {
			s.Verb += " without a node"
		}
		out = append(out, v.step(s, refs, acts, "%ss a %s pod of %s %s", e.name(), c.Phase, v.Workloads[c.Work].Object(), where))
	})
	return out
}

// Scale writes spec.replicas of Deployments and ReplicaSets.
type Scale struct {
	Works []int
	Where *Condition
	// To is the number, unless Replicas gives it.
	To       int32
	Replicas *Condition
}

func (e *Scale) verbs() []model.Verb { return ofWorkloads("scale") }

func (e *Scale) writes(v *view) []model.Step {
	var out []model.Step
	v.each(e.Works, e.Where, func(i int) {
		before := v.State.Work[i].Replicas
		n, ok := e.replicas(v, i)
		if !ok || n == before {
			return
		}
		to := v.State.Clone()
		to.EditWork(i).Replicas = n
		out = append(out, v.step(model.Step{Verb: "scale", A: i, Work: i, Kind: model.KindScale, To: to}, nil,
			func() []model.Act { return []model.Act{v.by().Scales(v.Workloads[i].Object(), before, n)} },
			"scales %s from %d to %d", v.Workloads[i].Object(), before, n))
	})
	return out
}

// replicas is the number for workload i, and whether the API server takes it.
func (e *Scale) replicas(v *view, i int) (int32, bool) {
	if e.Replicas == nil {
		return e.To, true
	}
	n, err := e.Replicas.Expression.NumberFor(v.cluster, v.workload(i))
	switch {
	case err != nil:
		v.Faults.Add(e.Replicas.Path, "cannot be evaluated in every state: "+err.Error())
		return 0, false
	case n < 0 || n > math.MaxInt32:
		v.Faults.Add(e.Replicas.Path, fmt.Sprintf("gives %d for %s in some state, which the API server rejects: let when or where exclude it",
			n, v.Workloads[i].Object()))
		return 0, false
	}
	return int32(n), true
}

// Delete deletes Deployments.
type Delete struct {
	Works []int
	Where *Condition
}

func (e *Delete) verbs() []model.Verb { return ofWorkloads("delete") }

func (e *Delete) writes(v *view) []model.Step {
	var out []model.Step
	v.each(e.Works, e.Where, func(i int) {
		to := v.State.Clone()
		v.DeleteWorkload(to, i)
		acts := func() []model.Act {
			act := v.by().To("delete", v.Workloads[i].Object())
			act.Gone = true
			return []model.Act{act}
		}
		out = append(out, v.step(model.Step{Verb: "delete", A: i, Work: i, To: to}, nil, acts, "deletes %s", v.Workloads[i].Object()))
	})
	return out
}

// Create brings a Deployment, or a pod of its own, that is not there.
type Create struct {
	Work     int
	Form     model.Form
	Replicas int32
}

func (e *Create) verbs() []model.Verb { return ofWorkloads("create") }

func (e *Create) writes(v *view) []model.Step {
	spec := &v.Workloads[e.Work]
	to, kind := v.State.Clone(), model.KindOther
	acts := func() []model.Act { return []model.Act{v.Rewrites(v.by(), "create", e.Work, to, nil)} }
	if spec.Kind == "Pod" {
		if v.State.Count(func(_ model.Place, p model.Pod) bool { return int(p.Work) == e.Work }) > 0 {
			return nil
		}
		kind = model.KindCreate
		at := v.PlaceOf(spec.Revisions[0].Pod.Spec.NodeName)
		to.EditWork(e.Work).Exists = true
		pod := v.NewPod(to, model.Pod{Work: uint16(e.Work)})
		to.SetBag(at, to.Bag(at).Add(pod, 1))
		acts = func() []model.Act {
			act := v.by().Creates(at, pod)
			act.Manifest = model.Object(spec.Revisions[0].Pod)
			return []model.Act{act}
		}
	} else {
		if !v.NothingLeft(v.State, e.Work) {
			return nil
		}
		to.EditWork(e.Work).Create(e.Form, e.Replicas)
	}
	return []model.Step{v.step(model.Step{Verb: "create", A: e.Work, Work: e.Work, Kind: kind, To: to}, nil, acts, "creates %s", spec.Object())}
}

// Patch changes Deployments.
type Patch struct {
	Works []int
	Where *Condition
	// Results say, by workload, what the patch makes of it.
	Results map[int]*Patched
}

// Patched is what a patch makes of one Deployment.
type Patched struct {
	// Rev is the revision after the patch, by the one before; so are Settings.
	Rev, Settings []uint8
	// Replicas is spec.replicas after the patch; nil leaves it.
	Replicas *int32
}

func (e *Patch) verbs() []model.Verb { return ofWorkloads("patch") }

func (e *Patch) writes(v *view) []model.Step {
	var out []model.Step
	v.each(e.Works, e.Where, func(i int) {
		before, result := v.State.Work[i], e.Results[i]
		to := v.State.Clone()
		after := to.EditWork(i)
		kind := model.KindOther
		if n := result.Replicas; n != nil && *n != before.Replicas {
			after.Replicas, kind = *n, model.KindScale
		}
		after.SetForm(model.Form{Rev: result.Rev[before.Rev], Settings: result.Settings[before.Settings]})
		if after.Replicas == before.Replicas && after.Form() == before.Form() {
			return
		}
		out = append(out, v.step(model.Step{Verb: "patch", A: i, Work: i, Kind: kind, To: to}, nil,
			func() []model.Act { return []model.Act{v.Rewrites(v.by(), "patch", i, to, nil)} },
			"patches %s: %s", v.Workloads[i].Object(), v.Workloads[i].Rewritten(before, after)))
	})
	return out
}

// Cordon writes spec.unschedulable of nodes.
type Cordon struct {
	Nodes         []int
	Where         *Condition
	Unschedulable bool
}

func (e *Cordon) verbs() []model.Verb {
	return []model.Verb{{Name: "patch", Grain: model.ByPool, Fairness: statespace.Weak}}
}

func (e *Cordon) writes(v *view) []model.Step {
	var out []model.Step
	for _, i := range e.Nodes {
		n := v.State.Nodes[i]
		if n.Unschedulable == e.Unschedulable || !v.holds(e.Where, v.rule.Observer.Node(i, n)) {
			continue
		}
		to := v.State.Clone()
		said := "cordons"
		if e.Unschedulable {
			to.EditNode(i).Unschedulable = true
		} else {
			said = "uncordons"
			v.Uncordon(to, i)
		}
		out = append(out, v.step(model.Step{Verb: "patch", A: v.Nodes[i].Pool, Work: model.NoWork, To: to}, nil,
			func() []model.Act { return []model.Act{v.Cordons(v.by(), i, e.Unschedulable)} }, "%s node %s", said, v.Nodes[i].Name()))
	}
	return out
}
