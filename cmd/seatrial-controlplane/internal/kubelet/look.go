package kubelet

import (
	"fmt"
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
	"k8s.io/kubernetes/pkg/kubelet/events"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/kubelet/rule"
)

// step is what a look at a pod did to its status: the smallest change that a
// kubelet can tell.
type step int

const (
	none step = iota
	created
	refused
	started
	pullFailed
	exited
	backedOff
	readied
	unreadied
	stopped
)

// stepsMax bounds the steps of one look, for rules by which a container exits for
// ever without time passing. The next look goes on.
const stepsMax = 64

// containerMemory is what a kubelet knows of a container and its status does not
// say, or only in seconds.
type containerMemory struct {
	// since is when it last began to run, or ended, or its image failed.
	since time.Time
	// backOff is how long it waits after its next end, and from when that counts
	// as doubled.
	backOff   time.Duration
	backOffAt time.Time
	pulls     int32
}

// memory is what a kubelet knows of a pod and its status does not say.
type memory struct {
	created time.Time
	// told is when the pod was told to stop.
	told   time.Time
	ending *ending
	ip     string
	// containers has the init containers too: names are unique in a pod.
	containers map[string]containerMemory
}

// ending is why a kubelet ends a pod that nobody deleted.
type ending struct {
	reason, message string
	// grace is the most that it may take.
	grace time.Duration
	// disruption is the message of the condition DisruptionTarget; without one the
	// pod gets none.
	disruption string
}

func (m memory) clone() memory {
	m.containers = maps.Clone(m.containers)
	if m.containers == nil {
		m.containers = make(map[string]containerMemory)
	}
	return m
}

// moved replaces the time of a look by a later one, at which its write passed: a
// step that had to wait happened then.
func (m *memory) moved(from, to time.Time) {
	shift := func(t *time.Time) {
		if t.Equal(from) {
			*t = to
		}
	}
	shift(&m.created)
	for name, c := range m.containers {
		shift(&c.since)
		shift(&c.backOffAt)
		m.containers[name] = c
	}
}

// adopt is the memory of a pod that ran before this process: by its status.
func adopt(pod *corev1.Pod) memory {
	m := memory{ip: pod.Status.PodIP}.clone()
	if pod.Spec.HostNetwork {
		m.ip = ""
	}
	if pod.Status.StartTime != nil {
		m.created = pod.Status.StartTime.Time
	}
	for _, list := range [][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
		for i := range list {
			var c containerMemory
			switch s := &list[i]; {
			case s.State.Running != nil:
				c.since = s.State.Running.StartedAt.Time
			case endedLast(s) != nil:
				c.since = endedLast(s).FinishedAt.Time
			}
			m.containers[list[i].Name] = c
		}
	}
	return m
}

// look is one look at one pod: what is due at a time happens to its status.
type look struct {
	now time.Time
	// pod is a copy whose status is changed; before is the status that it had.
	pod    *corev1.Pod
	before corev1.PodStatus
	mem    memory
	rules  []rule.Rule
	// hostIP and podIP are the addresses that it gets.
	hostIP, podIP string
	// admit and mounted ask for what lies outside the pod.
	admit   func(*corev1.Pod) *rule.Refusal
	mounted func(*corev1.Pod) bool
	// unmounted and unconfigured say which ConfigMap or Secret is not there, if one
	// is not.
	unmounted    func(*corev1.Pod) string
	unconfigured func(*corev1.Pod, *corev1.Container) string
	// warnings are the Events that say why the pod does not go on.
	warnings []warning
	// next is when something is due that is not yet: zero if nothing is. limit is
	// when the pod's kubelet ends it, zero if it does not.
	next, limit time.Time
	// ended: all containers are stopped for good. rejected: the status is whole.
	ended, rejected bool
}

// reached reports whether the time d after t has come, and notes it if not.
func (l *look) reached(t time.Time, d time.Duration) bool {
	if d == rule.Never {
		return false
	}
	due := t.Add(d)
	if !due.After(l.now) {
		return true
	}
	if l.next.IsZero() || due.Before(l.next) {
		l.next = due
	}
	return false
}

func (l *look) stamp() metav1.Time { return metav1.NewTime(l.now).Rfc3339Copy() }

// run takes the steps that are due, as many as one write may have.
func (l *look) run() {
	mode := *rule.OfPod(l.rules, l.pod).Updates
	for i := range stepsMax {
		l.next = l.limit
		s := l.step()
		if s == none || s == refused || s == stopped || s == pullFailed {
			break
		}
		if mode == rule.UpdatesAll || mode == rule.UpdatesKubelet && (s == created || s == started && probed(l.pod)) {
			l.next = l.now
			break
		}
		if i == stepsMax-1 {
			l.next = l.now
		}
	}
	if !l.rejected && (l.pod.Status.StartTime != nil || l.ended) {
		settle(l.pod, &l.before, l.stamp(), l.ended)
	}
}

// probed reports whether a pod's readiness is found out, and not given by running.
func probed(pod *corev1.Pod) bool {
	for i := range pod.Spec.Containers {
		if c := &pod.Spec.Containers[i]; c.ReadinessProbe != nil || c.StartupProbe != nil {
			return true
		}
	}
	return false
}

// step does the next thing that is due.
func (l *look) step() step {
	switch {
	case podutil.IsPodPhaseTerminal(l.pod.Status.Phase):
		return none
	case l.pod.DeletionTimestamp != nil || l.mem.ending != nil:
		return l.stop()
	case l.pod.Status.StartTime == nil:
		return l.create()
	case !l.mounted(l.pod):
		return none
	case untouched(l.pod) && l.unmounted(l.pod) != "":
		l.warn(events.FailedMountVolume, l.unmounted(l.pod))
		return none
	case !l.reached(l.mem.created, *rule.OfPod(l.rules, l.pod).Start):
		return none
	}
	l.complete()
	if s, done := l.initialize(); !done || s != none {
		return s
	}
	if s := l.startFresh(); s != none {
		return s
	}
	for _, c := range l.lasting() {
		if s := l.live(c); s != none {
			return s
		}
	}
	if s := l.endSidecars(); s != none {
		return s
	}
	return l.probe()
}

// create admits the pod, or rejects it.
func (l *look) create() step {
	refusal := rule.OfPod(l.rules, l.pod).Reject
	if refusal == nil {
		refusal = l.admit(l.pod)
	}
	if refusal != nil {
		l.pod.Status, l.rejected = rejected(l.pod, refusal, l.stamp()), true
		return refused
	}
	s, now := &l.pod.Status, l.stamp()
	s.StartTime, l.mem.created = &now, l.now
	s.InitContainerStatuses, s.ContainerStatuses = waiting(l.pod)
	if l.hostIP == "" {
		return created
	}
	s.HostIP, s.HostIPs = l.hostIP, []corev1.HostIP{{IP: l.hostIP}}
	if l.pod.Spec.HostNetwork {
		s.PodIP, s.PodIPs = l.hostIP, []corev1.PodIP{{IP: l.hostIP}}
	}
	return created
}

// complete adds the statuses of containers that have none, as of a pod whose
// status somebody else wrote.
func (l *look) complete() {
	s := &l.pod.Status
	if len(s.InitContainerStatuses) >= len(l.pod.Spec.InitContainers) && len(s.ContainerStatuses) >= len(l.pod.Spec.Containers) {
		return
	}
	initial, regular := waiting(l.pod)
	for i := range initial {
		if _, found := podutil.GetContainerStatus(s.InitContainerStatuses, initial[i].Name); !found {
			s.InitContainerStatuses = append(s.InitContainerStatuses, initial[i])
		}
	}
	for i := range regular {
		if _, found := podutil.GetContainerStatus(s.ContainerStatuses, regular[i].Name); !found {
			s.ContainerStatuses = append(s.ContainerStatuses, regular[i])
		}
	}
}

// container is one container of a look.
type container struct {
	spec *corev1.Container
	// status is a place in the pod's status.
	status *corev1.ContainerStatus
	rule   rule.Rule
	// initial: an init container. sidecar: one that goes on running.
	initial, sidecar bool
}

// up reports whether the container's startup probe has succeeded.
func (c container) up() bool { return c.status.Started != nil && *c.status.Started }

func (l *look) list(specs []corev1.Container, statuses *[]corev1.ContainerStatus, initial bool) []container {
	out := make([]container, 0, len(specs))
	for i := range specs {
		spec := &specs[i]
		sidecar := initial && podutil.IsRestartableInitContainer(spec)
		c := container{spec: spec, rule: rule.OfContainer(l.rules, l.pod, spec, initial && !sidecar), initial: initial, sidecar: sidecar}
		for j := range *statuses {
			if (*statuses)[j].Name == spec.Name {
				c.status = &(*statuses)[j]
			}
		}
		if c.status != nil {
			out = append(out, c)
		}
	}
	return out
}

func (l *look) initial() []container {
	return l.list(l.pod.Spec.InitContainers, &l.pod.Status.InitContainerStatuses, true)
}

func (l *look) regular() []container {
	return l.list(l.pod.Spec.Containers, &l.pod.Status.ContainerStatuses, false)
}

// lasting are the containers that go on running: the regular ones and sidecars.
func (l *look) lasting() []container {
	var out []container
	for _, c := range l.initial() {
		if c.sidecar {
			out = append(out, c)
		}
	}
	return append(out, l.regular()...)
}

// initialize takes the init containers in turn. Done says that all of them are.
func (l *look) initialize() (s step, done bool) {
	if begun(l.pod) {
		return none, true
	}
	for _, c := range l.initial() {
		running := c.status.State.Running != nil
		switch {
		case running && c.sidecar:
			if c.up() {
				continue
			}
			if !l.reached(l.mem.containers[c.spec.Name].since, *c.rule.Startup) {
				return none, false
			}
			up := true
			c.status.Started = &up
			return readied, false
		case running:
			return l.live(c), false
		case c.status.State.Terminated != nil && c.status.State.Terminated.ExitCode == 0 && !c.sidecar:
			continue
		default:
			return l.start(c), false
		}
	}
	return none, true
}

// startFresh starts the containers that never were, all at once.
func (l *look) startFresh() step {
	out := none
	for _, c := range l.regular() {
		if c.status.State.Waiting == nil || c.status.LastTerminationState.Terminated != nil {
			continue
		}
		if s := l.start(c); s != none && out != pullFailed {
			out = s
		}
	}
	return out
}

// live ends a container that runs, or starts one again that ended, if it is time.
func (l *look) live(c container) step {
	if c.status.State.Running == nil {
		if endedLast(c.status) == nil || c.sidecar && l.over() {
			return none
		}
		return l.start(c)
	}
	since := l.mem.containers[c.spec.Name].since
	exits := c.rule.Exits == nil || *c.rule.Exits == 0 || c.status.RestartCount < *c.rule.Exits
	if exits && l.reached(since, *c.rule.Run) {
		l.exit(c, *c.rule.Exit)
		return exited
	}
	if exits && *c.rule.Liveness != rule.Never {
		grace := time.Duration(0)
		if l.pod.Spec.TerminationGracePeriodSeconds != nil {
			grace = time.Duration(*l.pod.Spec.TerminationGracePeriodSeconds) * time.Second
		}
		takes, exit := l.stopping(c, grace)
		if l.reached(since, *c.rule.Liveness+takes) {
			l.exit(c, exit)
			return exited
		}
	}
	return none
}

// start starts a container, for the first time or again, unless its image fails or
// it has to wait or is not started again.
func (l *look) start(c container) step {
	m := l.mem.containers[c.spec.Name]
	s := c.status
	if endedLast(s) == nil {
		return l.pull(c)
	}
	if last := s.State.Terminated; last != nil {
		if !podutil.ContainerShouldRestart(*c.spec, l.pod.Spec, last.ExitCode) {
			return none
		}
		if m.backOff > 0 && !m.expired(c.rule) && l.now.Before(m.since.Add(m.backOff)) {
			s.LastTerminationState = corev1.ContainerState{Terminated: last}
			s.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{
				Reason: "CrashLoopBackOff",
				Message: fmt.Sprintf("back-off %s restarting failed container=%s pod=%s_%s(%s)",
					m.backOff, c.spec.Name, l.pod.Name, l.pod.Namespace, l.pod.UID),
			}}
			return backedOff
		}
	} else if !l.reached(m.since, m.backOff) {
		return none
	}
	if waits, ok := l.configured(c); !ok {
		return waits
	}
	m.longer(c.rule, l.now)
	l.mem.containers[c.spec.Name] = m
	l.launch(c)
	return started
}

// pull is the first start, for which the image is needed.
func (l *look) pull(c container) step {
	m := l.mem.containers[c.spec.Name]
	p, w := c.rule.Pull, c.status.State.Waiting
	fails := p != nil && (p.Times == 0 || m.pulls < p.Times)
	reason := "ErrImagePull"
	if p != nil && p.Reason != "" {
		reason = p.Reason
	}
	switch {
	case m.pulls > 0 && w.Reason == reason:
		c.status.State.Waiting = &corev1.ContainerStateWaiting{
			Reason: "ImagePullBackOff", Message: fmt.Sprintf("Back-off pulling image %q", c.spec.Image),
		}
		return backedOff
	case m.pulls > 0 && !l.reached(m.since, m.backOff):
		return none
	case fails:
		m.pulls, m.since = m.pulls+1, l.now
		m.longer(c.rule, l.now)
		l.mem.containers[c.spec.Name] = m
		message := p.Message
		if message == "" {
			message = fmt.Sprintf("failed to pull image %q: not found", c.spec.Image)
		}
		l.network()
		c.status.State.Waiting = &corev1.ContainerStateWaiting{Reason: reason, Message: message}
		l.next = l.now
		return pullFailed
	}
	m.backOff, m.backOffAt = 0, time.Time{}
	l.mem.containers[c.spec.Name] = m
	if waits, ok := l.configured(c); !ok {
		return waits
	}
	l.launch(c)
	return started
}

const (
	backOffFirst = 10 * time.Second
	backOffMost  = 300 * time.Second
)

// expired reports whether a container ran for so long that it is forgiven
// (k8s.io/client-go/util/flowcontrol, Backoff).
func (m containerMemory) expired(r rule.Rule) bool {
	return m.since.Sub(m.backOffAt) > 2*scaled(backOffMost, r)
}

// longer doubles the time for which a container waits after its next end.
func (m *containerMemory) longer(r rule.Rule, now time.Time) {
	switch {
	case m.backOff == 0 || m.expired(r):
		m.backOff = scaled(backOffFirst, r)
	default:
		m.backOff = min(2*m.backOff, scaled(backOffMost, r))
	}
	m.backOffAt = now
}

func scaled(d time.Duration, r rule.Rule) time.Duration {
	return time.Duration(float64(d) * *r.BackOff)
}

// network gives the pod its address: it has a sandbox from then on.
func (l *look) network() {
	if s := &l.pod.Status; s.PodIP == "" {
		s.PodIP, s.PodIPs = l.podIP, []corev1.PodIP{{IP: l.podIP}}
	}
}

func (l *look) launch(c container) {
	l.network()
	s := c.status
	if last := endedLast(s); last != nil {
		s.LastTerminationState = corev1.ContainerState{Terminated: last}
		s.RestartCount++
	}
	up := *c.rule.Startup == 0
	s.State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: l.stamp()}}
	s.Started, s.Ready = &up, false
	s.Image, s.ImageID = c.spec.Image, imageOf(c.spec.Image)
	s.ContainerID = "containerd://" + identifier(string(l.pod.UID), c.spec.Name, fmt.Sprint(s.RestartCount))
	s.AllocatedResources = c.spec.Resources.Requests
	s.Resources = c.spec.Resources.DeepCopy()
	l.since(c)
}

// since notes that the container's state began now.
func (l *look) since(c container) {
	m := l.mem.containers[c.spec.Name]
	m.since = l.now
	l.mem.containers[c.spec.Name] = m
}

func (l *look) exit(c container, e rule.Exit) {
	s, no := c.status, false
	ended := &corev1.ContainerStateTerminated{
		ExitCode: e.Code, Reason: e.Reason, Message: e.Message, FinishedAt: l.stamp(), ContainerID: s.ContainerID,
	}
	if s.State.Running != nil {
		ended.StartedAt = s.State.Running.StartedAt
	}
	if ended.Reason == "" {
		ended.Reason = "Error"
		if e.Code == 0 {
			ended.Reason = "Completed"
		}
	}
	s.State = corev1.ContainerState{Terminated: ended}
	s.Started = &no
	// An init container that is done counts as ready.
	s.Ready = c.initial && !c.sidecar && e.Code == 0
	l.since(c)
}
