package kubelet

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/kubelet/rule"
)

// killed is how a container ends that did not end in time.
var killed = rule.Exit{Code: 137}

// probe sets what the startup and readiness probes of the running containers say,
// and follows the resources that the pod has now.
func (l *look) probe() step {
	out := none
	for _, c := range l.lasting() {
		if c.status.State.Running == nil {
			continue
		}
		c.status.AllocatedResources, c.status.Resources = c.spec.Resources.Requests, c.spec.Resources.DeepCopy()
		up, ready := l.outcome(c)
		if c.status.Started != nil && c.up() == up && c.status.Ready == ready {
			continue
		}
		if out == none {
			out = readied
		}
		if c.status.Ready && !ready {
			out = unreadied
		}
		c.status.Started, c.status.Ready = &up, ready
	}
	return out
}

// outcome is what a container's probes say now; when that changes is noted.
func (l *look) outcome(c container) (up, ready bool) {
	since := l.mem.containers[c.spec.Name].since
	if !l.reached(since, *c.rule.Startup) {
		return false, false
	}
	if !l.reached(since, *c.rule.Ready) {
		return true, false
	}
	u := c.rule.Unready
	if u == nil || !l.reached(since, *c.rule.Ready+u.After) {
		return true, true
	}
	begin := since.Add(*c.rule.Ready + u.After)
	passed := l.now.Sub(begin)
	if u.Every > 0 {
		begin = begin.Add(passed / u.Every * u.Every)
		passed %= u.Every
	}
	if passed < u.For {
		l.reached(begin, u.For)
		return true, false
	}
	if u.Every > 0 {
		l.reached(begin, u.Every)
	}
	return true, true
}

// over reports whether all containers but the sidecars have ended for good.
func (l *look) over() bool { return tallyOf(l.pod).final == len(l.pod.Spec.Containers) }

// endSidecars stops the sidecars of a pod whose other containers ended for good.
func (l *look) endSidecars() step {
	out := none
	if !l.over() {
		return out
	}
	for _, c := range l.initial() {
		if c.sidecar && c.status.State.Running != nil {
			l.exit(c, *c.rule.StopExit)
			out = exited
		}
	}
	return out
}

// stopping is how long a container takes to end that is told to, and how it does.
func (l *look) stopping(c container, grace time.Duration) (time.Duration, rule.Exit) {
	takes := *c.rule.Stop
	if takes == rule.WholeGrace || takes >= grace && takes > 0 {
		return grace, killed
	}
	return takes, *c.rule.StopExit
}

// stop ends a pod that was deleted, or that its kubelet ends.
func (l *look) stop() step {
	var grace time.Duration
	switch {
	case l.pod.DeletionTimestamp == nil:
		grace = l.mem.ending.grace
	case l.pod.DeletionGracePeriodSeconds != nil:
		grace = time.Duration(*l.pod.DeletionGracePeriodSeconds) * time.Second
	}
	if *rule.OfPod(l.rules, l.pod).Updates == rule.UpdatesAll && l.unready() {
		return unreadied
	}
	running := false
	for _, c := range append(l.initial(), l.regular()...) {
		if c.status.State.Running == nil {
			continue
		}
		takes, exit := l.stopping(c, grace)
		if l.mem.ending != nil && grace == 0 {
			takes, exit = 0, killed
		}
		if l.reached(l.mem.told, takes) {
			l.exit(c, exit)
		} else {
			running = true
		}
	}
	if running {
		return none
	}
	l.ended = true
	l.conclude()
	if e := l.mem.ending; e != nil {
		s := &l.pod.Status
		s.Phase, s.Reason, s.Message = corev1.PodFailed, e.reason, e.message
		if e.disruption != "" {
			s.Conditions = append(s.Conditions, corev1.PodCondition{
				Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, ObservedGeneration: l.pod.Generation,
				Reason: corev1.PodReasonTerminationByKubelet, Message: e.disruption,
			})
		}
	}
	return stopped
}

// conclude says how the containers ended that are not running: as they did last,
// or that it is not known, as kubelets do once a pod is initialized.
func (l *look) conclude() {
	_, initialized := l.initialize()
	for _, c := range l.regular() {
		switch last := endedLast(c.status); {
		case c.status.State.Waiting == nil:
		case last != nil:
			c.status.State = corev1.ContainerState{Terminated: last}
		case initialized:
			c.status.State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
				ExitCode: killed.Code, Reason: "ContainerStatusUnknown", Message: "The container could not be located when the pod was terminated",
			}}
		}
	}
}

// unready takes readiness from all containers.
func (l *look) unready() bool {
	out := false
	for _, c := range l.lasting() {
		out = out || c.status.State.Running != nil && c.status.Ready
		if c.status.State.Running != nil {
			c.status.Ready = false
		}
	}
	return out
}
