package model

import "k8s.io/kubernetes/pkg/controller/deployment/util"

// Watched says which properties need the past to be remembered in the state;
// what no property asks for is not recorded, so that it makes no states.
type Watched struct {
	Rollout bool
	Peak    bool
	Rest    bool
	// NodeEvent: whether an event has struck a node.
	NodeEvent bool
	// AtLeast are the numbers of pods promised to be available, by workload.
	AtLeast map[int][]int32
}

// observe brings the remembered past of s.To up to date.
func (x *Turn) observe(s *Step) {
	if x.Watched.NodeEvent && !x.State.Env.NodeEvent && struck(x.State, s.To) {
		s.To.EditEnv().NodeEvent = true
	}
	scaled := false
	for i := range x.Workloads {
		before, after := x.State.Work[i], s.To.Work[i]
		now := *after
		scaled = scaled || before.Replicas != after.Replicas || before.Exists != after.Exists
		if x.Watched.Rollout && x.Workloads[i].Kind == "Deployment" {
			x.observeRollout(s, i, before, &now)
		}
		rescaled := x.rescaled(s.To, i)
		if rescaled {
			now.Reached, now.Baseline = 0, 0 // another number may be promised, or wanted
		}
		now.Reached = x.Reached(s.To, i, now.Reached)
		if x.Watched.Peak {
			x.observePeak(s, i, before, &now, rescaled)
		}
		if x.Watched.Rest && s.Kind == KindEvent && !rescaled {
			x.observeRest(before, &now)
		}
		if !sameMemory(&now, after) {
			edited := s.To.EditWork(i)
			edited.Rolling, edited.Excused, edited.Reached = now.Rolling, now.Excused, now.Reached
			edited.Baseline, edited.Peak, edited.Fallen = now.Baseline, now.Peak, now.Fallen
		}
	}
	for i := range x.PDBs {
		if scaled || x.State.PDB[i].Unheard {
			if unheard := x.unheard(s.To, i); unheard != s.To.PDB[i].Unheard {
				s.To.EditPDB(i).Unheard = unheard
			}
		}
	}
}

// struck tells whether a step takes a node away or gives one back.
func struck(before, after *State) bool {
	for i, n := range after.Nodes {
		b := before.Nodes[i]
		if b != n && (n.Event != 0 || !n.Up || n.Unschedulable != b.Unschedulable) {
			return true
		}
	}
	return false
}

// sameMemory tells whether a and b remember the same past.
func sameMemory(a, b *Workload) bool {
	return a.Rolling == b.Rolling && a.Excused == b.Excused && a.Reached == b.Reached &&
		a.Baseline == b.Baseline && a.Peak == b.Peak && a.Fallen == b.Fallen
}

// Reached is the largest number promised to be available of workload i that s
// shows, or the one reached before.
func (w *World) Reached(s *State, i int, before int32) int32 {
	reached := before
	for _, k := range w.Watched.AtLeast[i] {
		if k > reached && w.AvailableOf(s, i) >= int(k) {
			reached = k
		}
	}
	return reached
}

// Values of Workload.Rolling.
const (
	RollingUnasked uint8 = iota + 1 // not all replicas were available when it began
	RollingOut
	RollingBack
)

// observeRollout follows a rollout from the change of the template to its end.
func (x *Turn) observeRollout(s *Step, i int, before, now *Workload) {
	if before.Rev != now.Rev && before.Exists {
		now.Excused = false
		switch {
		case now.Rev == before.Before && before.Rolling != 0:
			// What did not fit before the rollout need not fit after it is undone.
			now.Rolling, now.Excused = RollingBack, before.Rolling == RollingUnasked
		case before.Rolling == 0 && x.AvailableOf(x.State, i) >= int(before.Replicas), before.Rolling == RollingOut:
			now.Rolling = RollingOut
		default:
			now.Rolling = RollingUnasked
		}
	}
	if !now.Exists {
		now.Rolling, now.Excused = 0, false
	}
	if now.Rolling == 0 {
		return
	}
	if now.Replicas > before.Replicas {
		now.Excused = true
	}
	if !now.Excused {
		for _, n := range s.To.Nodes {
			now.Excused = now.Excused || !n.Up || n.Event != 0
		}
	}
	if x.rolledOut(s.To, i, now) {
		now.Rolling, now.Excused = 0, false
	}
}

// RolloutUnderWay is what Rolling begins with if s, made from the input, shows
// Deployment i in the middle of a rollout: as one that began with all replicas
// available, unless fewer are available than its strategy lets a rollout leave.
func (w *World) RolloutUnderWay(s *State, i int) uint8 {
	spec, work := &w.Workloads[i], s.Work[i]
	if !w.Watched.Rollout || spec.Kind != "Deployment" || len(spec.Given) == 0 && spec.GivenSets == nil || w.rolledOut(s, i, work) {
		return 0
	}
	other := s.Count(func(_ Place, p Pod) bool { return int(p.Work) == i && w.Set(p) != work.Rev && p.Active() })
	for r, set := range work.Sets {
		if r != int(work.Rev) && set.Exists {
			other += int(set.Replicas)
		}
	}
	switch {
	case other == 0:
		return 0 // pods are missing, but no rollout is why
	case w.AvailableOf(s, i) < int(work.Replicas-util.MaxUnavailable(*w.Deployment(s, i))):
		return RollingUnasked
	}
	return RollingOut
}

// rolledOut is DeploymentComplete: every replica is of the wanted template and
// available, and no pod of another is left.
func (w *World) rolledOut(s *State, i int, now *Workload) bool {
	var updated, other, available int
	s.Each(func(_ Place, c PodCount) {
		if int(c.Work) != i || !c.Active() {
			return
		}
		if w.Set(c.Pod) != now.Rev {
			other += c.N
			return
		}
		updated += c.N
		if w.Available(s, c.Pod) {
			available += c.N
		}
	})
	n := int(now.Replicas)
	return other == 0 && updated == n && available == n
}

// observePeak notes that the autoscaler reached its maximum, and that it left it
// again, under one load and one spec.
func (x *Turn) observePeak(s *Step, i int, before, now *Workload, rescaled bool) {
	if rescaled {
		now.Peak, now.Fallen = false, false
	}
	minimum, maximum, scaled := x.ScaleBounds(s.To, i)
	if !scaled {
		return
	}
	if before.Load != now.Load || before.Rev != now.Rev || s.Kind == KindEvent && before.Replicas != now.Replicas {
		now.Peak, now.Fallen = false, false
	}
	if s.Kind == KindScale && before.Replicas < now.Replicas && now.Replicas == maximum && maximum > minimum {
		now.Peak = true
	}
	if now.Peak && (maximum-now.Replicas >= 3 || now.Replicas <= minimum) {
		now.Fallen = true
	}
}

// observeRest notes spec.replicas when an event strikes at rest. Events that
// change the load or the wanted replicas forget it.
func (x *Turn) observeRest(before, now *Workload) {
	switch {
	case before.Load != now.Load || before.Replicas != now.Replicas || before.Exists != now.Exists:
		now.Baseline = 0
	case x.Rest && now.Baseline == 0:
		now.Baseline = before.Replicas + 1
	}
}
