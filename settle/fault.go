package settle

import (
	"errors"
	"slices"
)

// check says what of the faults makes no sense.
func (f *Faults) check() error {
	if f.Older && !f.Crash {
		return errors.New("settle: Faults.Older is about processes that were killed and begin again: it needs Faults.Crash")
	}
	if f.Gradual && !f.Stale {
		return errors.New("settle: Faults.Gradual is about caches that are behind: it needs Faults.Stale")
	}
	return nil
}

// crash kills a process. What it has asked for and not heard of yet may take effect later.
func (x *explorer) crash(n *node, process int, emit emit) {
	name := x.processes[process].Name
	dead := func() *node {
		to := n.clone()
		for i := range to.controllers {
			if x.processOf[i] == process {
				to.controllers[i] = controllerState{}
			}
		}
		x.restarts(to, process)
		return to
	}
	begun := func(to *node) *node {
		x.begin(to, process)
		return to
	}
	emit(step{fault: "Crash", label: label{name, "is killed, and begins again"}}, begun(dead()))
	if to := dead(); x.ages(to, process) {
		emit(step{fault: "Older", label: label{name, older}}, begun(to))
	}
	if !x.config.Faults.Late || len(n.late) > 0 {
		return // one at a time
	}
	for i, c := range n.controllers {
		if x.processOf[i] != process {
			continue
		}
		for _, f := range c.flights {
			for _, asked := range x.outcome(i, f).next {
				if !asked.changes() {
					continue
				}
				known, _ := x.lates.LoadOrStore(asked.lateKey(), asked)
				to := begun(dead())
				to.late = []*call{known.(*call)}
				if x.config.draws {
					to.note(lateDraw, false, f.seed())
				}
				emit(step{fault: "Crash", label: label{name, "is killed while it asks for " + asked.title + ", and begins again"}}, to)
			}
		}
	}
}

// late are the writes of processes that were killed: each takes effect some time, or never.
func (x *explorer) late(n *node, emit emit) {
	for i, c := range n.late {
		without := n.clone()
		without.late = slices.Delete(slices.Clone(n.late), i, i+1)
		emit(step{class: "late", label: label{"network", "lost: " + c.title}}, without)
		happens := without.clone()
		x.effect(happens, c)
		x.drew(happens, n.world, n.lateSeed())
		emit(step{fault: "Late", label: label{"network", "late: " + c.title}}, happens)
	}
}
