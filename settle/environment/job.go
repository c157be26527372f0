package environment

import (
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Jobs runs the pods of each Job until as many as it asks for have succeeded or too many have
// failed, and counts each once.
//
// Not as in Kubernetes: Jobs with completionMode Indexed and those that another controller
// manages are left alone, and so are deadlines, back-off, ttlSecondsAfterFinished,
// podFailurePolicy and successPolicy.
func Jobs() Actor { return jobController{} }

type jobController struct{}

func (jobController) Name() string                     { return "job controller" }
func (jobController) Reads() []schema.GroupVersionKind { return reads(jobs, pods) }

func (jobController) Steps(w World) (steps []Step) {
	for _, j := range list[*batchv1.Job](w, jobs, "") {
		if j.Spec.ManagedBy != nil && *j.Spec.ManagedBy != batchv1.JobControllerName || value(j.Spec.CompletionMode, "") == batchv1.IndexedCompletion {
			continue
		}
		if step := newCounted(w, j).next(); step != nil {
			step.Class = Path(jobs, j)
			steps = append(steps, *step)
		}
	}
	for _, p := range list[*corev1.Pod](w, pods, "") { // nobody counts them any more
		owner := metav1.GetControllerOfNoCopy(p)
		if !tracked(p) || owner == nil || owner.Kind != jobs.Kind.Kind {
			continue
		}
		if o := w.Get(jobs.Prefix(p.Namespace) + owner.Name); o == nil || o.Meta().GetUID() != owner.UID {
			step := untrack(p)
			step.Class = Path(pods, p)
			steps = append(steps, *step)
		}
	}
	return steps
}

// tracked tells whether a pod stays until it is counted.
func tracked(p *corev1.Pod) bool {
	return slices.Contains(p.Finalizers, batchv1.JobTrackingFinalizer)
}

func untrack(p *corev1.Pod) *Step {
	left := slices.DeleteFunc(slices.Clone(p.Finalizers), func(f string) bool { return f == batchv1.JobTrackingFinalizer })
	return &Step{Text: "let go of " + Path(pods, p), Request: Patch(pods, p, map[string]any{"finalizers": left})}
}

// counted is one look at a Job.
type counted struct {
	j           *batchv1.Job
	own, active []*corev1.Pod
	// uncounted are pods of which the status says that they are over, and not yet counted.
	uncounted batchv1.UncountedTerminatedPods
	// newly are those that are over, and of which the status does not say so.
	newlySucceeded, newlyFailed []types.UID
	succeeded, failed           int32
	// ends is the condition by which the Job is about to end, nil if it is not.
	ends *batchv1.JobCondition
}

func newCounted(w World, j *batchv1.Job) *counted {
	c := &counted{j: j, own: controlled(j, list[*corev1.Pod](w, pods, j.Namespace)), uncounted: value(j.Status.UncountedTerminatedPods, batchv1.UncountedTerminatedPods{})}
	c.active = keep(c.own, active)
	for _, p := range c.own {
		switch known := slices.Contains(c.uncounted.Succeeded, p.UID) || slices.Contains(c.uncounted.Failed, p.UID); {
		case known || !tracked(p):
		case p.Status.Phase == corev1.PodSucceeded:
			c.newlySucceeded = append(c.newlySucceeded, p.UID)
		case c.fell(p):
			c.newlyFailed = append(c.newlyFailed, p.UID)
		}
	}
	c.succeeded = j.Status.Succeeded + int32(len(c.newlySucceeded)+len(c.uncounted.Succeeded)) //nolint:gosec // there are not that many
	c.failed = j.Status.Failed + int32(len(c.newlyFailed)+len(c.uncounted.Failed))             //nolint:gosec // there are not that many
	for _, t := range []batchv1.JobConditionType{batchv1.JobSuccessCriteriaMet, batchv1.JobFailureTarget} {
		if is := concluded(&j.Status, t); is != nil && c.ends == nil {
			c.ends = is
		}
	}
	if c.ends == nil && c.failed > value(j.Spec.BackoffLimit, 6) {
		c.ends = &batchv1.JobCondition{Type: batchv1.JobFailureTarget, Reason: batchv1.JobReasonBackoffLimitExceeded, Message: "Job has reached the specified backoff limit"}
	}
	return c
}

// fell tells whether a pod counts as failed: also one that is deleted, unless only those that
// failed are replaced.
func (c *counted) fell(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodFailed || terminating(p) && value(c.j.Spec.PodReplacementPolicy, batchv1.TerminatingOrFailed) != batchv1.Failed
}

func concluded(s *batchv1.JobStatus, t batchv1.JobConditionType) *batchv1.JobCondition {
	if i := slices.IndexFunc(s.Conditions, func(c batchv1.JobCondition) bool { return c.Type == t && c.Status == corev1.ConditionTrue }); i >= 0 {
		return &s.Conditions[i]
	}
	return nil
}

// next is the next write, nil if there is none to make: syncJob of kube-controller-manager.
func (c *counted) next() *Step {
	if concluded(&c.j.Status, batchv1.JobComplete) != nil || concluded(&c.j.Status, batchv1.JobFailed) != nil {
		return nil
	}
	switch {
	case c.ends != nil:
		for _, p := range c.active {
			return &Step{Text: "delete " + Path(pods, p), Request: Delete(pods, p, "", nil)}
		}
	case c.j.DeletionTimestamp == nil:
		if concluded(&c.j.Status, batchv1.JobSuspended) != nil && !value(c.j.Spec.Suspend, false) {
			return c.report() // that it goes on, before any pod is over
		}
		if step := c.manage(); step != nil {
			return step
		}
		if all := c.j.Spec.Completions; len(c.active) == 0 && (all == nil && c.succeeded > 0 || all != nil && c.succeeded >= *all) {
			c.ends = &batchv1.JobCondition{Type: batchv1.JobSuccessCriteriaMet, Reason: batchv1.JobReasonCompletionsReached, Message: "Reached expected number of succeeded pods"}
		}
	}
	if step := c.report(); step != nil {
		return step
	}
	for _, p := range c.own {
		if tracked(p) && (c.ends != nil || c.j.DeletionTimestamp != nil || p.Status.Phase == corev1.PodSucceeded || c.fell(p)) {
			return untrack(p)
		}
	}
	return nil
}

// manage has as many pods run as the Job asks for.
func (c *counted) manage() *Step {
	s, is := &c.j.Spec, int32(len(c.active)) //nolint:gosec // there are not that many
	wanted := value(s.Parallelism, 1)
	switch {
	case value(s.Suspend, false):
		wanted = 0
	case s.Completions != nil:
		wanted = max(min(*s.Completions-c.succeeded, wanted), 0)
	case c.succeeded > 0:
		wanted = is
	}
	if is > wanted { // those that are not counted do not fail when they are deleted
		p := slices.MinFunc(c.active, func(a, b *corev1.Pod) int {
			if n := when(!tracked(a), !tracked(b)); n != 0 {
				return n
			}
			return dispensable(a, b)
		})
		if tracked(p) {
			return untrack(p)
		}
		return &Step{Text: "delete " + Path(pods, p), Request: Delete(pods, p, "", nil)}
	}
	if value(s.PodReplacementPolicy, batchv1.TerminatingOrFailed) == batchv1.Failed {
		is += count(c.own, func(p *corev1.Pod) bool { return terminating(p) && !ended(p) })
	}
	if is >= wanted {
		return nil
	}
	p := podOf(&s.Template, c.j, jobs)
	if !tracked(p) {
		p.Finalizers = append(p.Finalizers, batchv1.JobTrackingFinalizer)
	}
	return &Step{Text: "create a pod of " + Path(jobs, c.j), Request: Create(pods, p)}
}

// report updates the status, nil if it is what it should be.
func (c *counted) report() *Step {
	j := c.j.DeepCopy()
	s, suspended := &j.Status, value(j.Spec.Suspend, false)
	if s.StartTime == nil && !suspended {
		s.StartTime = pointer(now())
	}
	if c.ends == nil && j.DeletionTimestamp == nil {
		c.suspend(s, suspended)
	}
	stopping := count(c.own, func(p *corev1.Pod) bool { return terminating(p) && !ended(p) })
	s.Active, s.Ready, s.Terminating = int32(len(c.active)), pointer(count(c.active, ready)), &stopping //nolint:gosec // there are not that many
	tracks := func(uid types.UID) bool {
		return slices.ContainsFunc(c.own, func(p *corev1.Pod) bool { return p.UID == uid && tracked(p) })
	}
	left := batchv1.UncountedTerminatedPods{Succeeded: keep(c.uncounted.Succeeded, tracks), Failed: keep(c.uncounted.Failed, tracks)}
	s.Succeeded += int32(len(c.uncounted.Succeeded) - len(left.Succeeded)) //nolint:gosec // there are not that many
	s.Failed += int32(len(c.uncounted.Failed) - len(left.Failed))          //nolint:gosec // there are not that many
	left.Succeeded, left.Failed = append(left.Succeeded, c.newlySucceeded...), append(left.Failed, c.newlyFailed...)
	s.UncountedTerminatedPods = &left
	if c.ends != nil {
		c.end(s, len(left.Succeeded)+len(left.Failed) == 0 && stopping == 0 && len(c.active) == 0)
	}
	if equality.Semantic.DeepEqual(c.j.Status, *s) {
		return nil
	}
	return &Step{Text: "update the status of " + Path(jobs, j), Request: Update(jobs, j, "status")}
}

func (c *counted) suspend(s *batchv1.JobStatus, suspended bool) {
	i := slices.IndexFunc(s.Conditions, func(c batchv1.JobCondition) bool { return c.Type == batchv1.JobSuspended })
	was := i >= 0 && s.Conditions[i].Status == corev1.ConditionTrue
	if was == suspended {
		return
	}
	is := batchv1.JobCondition{Type: batchv1.JobSuspended, Status: corev1.ConditionTrue, Reason: "JobSuspended", Message: "Job suspended", LastProbeTime: now(), LastTransitionTime: now()}
	if !suspended {
		is.Status, is.Reason, is.Message = corev1.ConditionFalse, "JobResumed", "Job resumed"
		s.StartTime = pointer(now())
	}
	if i < 0 {
		s.Conditions = append(s.Conditions, is)
		return
	}
	s.Conditions[i] = is
}

// end notes that the Job is about to end and, when all pods are counted and gone, that it has
// ended.
func (c *counted) end(s *batchv1.JobStatus, over bool) {
	note := func(t batchv1.JobConditionType) {
		if concluded(s, t) == nil {
			s.Conditions = append(s.Conditions, batchv1.JobCondition{
				Type: t, Status: corev1.ConditionTrue, Reason: c.ends.Reason, Message: c.ends.Message, LastProbeTime: now(), LastTransitionTime: now(),
			})
		}
	}
	note(c.ends.Type)
	switch {
	case !over:
	case c.ends.Type == batchv1.JobFailureTarget:
		note(batchv1.JobFailed)
	default:
		note(batchv1.JobComplete)
		s.CompletionTime = pointer(now())
	}
}
