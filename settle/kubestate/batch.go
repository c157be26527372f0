package kubestate

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/robfig/cron/v3"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	valid "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

var batchKinds = []builtin{
	{
		kind: kindOf("batch", "Job"), plural: "jobs", counted: specOf, collected: rest.OrphanDependents,
		defaults: each(defaultJob), create: each(selectOwnPods), validate: check(validateJob),
		changed: change(changedJob), statusChanged: change(changedJobStatus),
		fields: selectable(func(j *batchv1.Job) fields.Set {
			return fields.Set{"status.successful": strconv.Itoa(int(j.Status.Succeeded))}
		}),
		refused: "field label %q not supported for Job",
	},
	{
		kind: kindOf("batch", "CronJob"), plural: "cronjobs", counted: specOf,
		defaults: each(defaultCronJob), validate: check(validateCronJob), born: check(bornCronJob),
	},
}

func defaultJob(j *batchv1.Job) {
	defaultJobSpec(&j.Spec)
	if len(j.Labels) == 0 && j.Spec.Template.Labels != nil {
		// The very map, as in the server: a Job gets the labels that are added to the
		// template, too.
		j.Labels = j.Spec.Template.Labels
	}
	if j.Spec.Completions == nil && j.Spec.Parallelism == nil {
		fillPointer(&j.Spec.Completions, 1)
	}
	fillPointer(&j.Spec.Parallelism, 1)
	limit := int32(6)
	if j.Spec.BackoffLimitPerIndex != nil {
		limit = math.MaxInt32
	}
	fillPointer(&j.Spec.BackoffLimit, limit)
	fillPointer(&j.Spec.CompletionMode, batchv1.NonIndexedCompletion)
	fillPointer(&j.Spec.Suspend, false)
	replaced := batchv1.TerminatingOrFailed
	if j.Spec.PodFailurePolicy != nil {
		replaced = batchv1.Failed
	}
	fillPointer(&j.Spec.PodReplacementPolicy, replaced)
	fillPointer(&j.Spec.ManualSelector, false)
}

// defaultJobSpec sets what is left out also of the template of a CronJob.
func defaultJobSpec(s *batchv1.JobSpec) {
	defaultTemplate(&s.Template)
	if s.PodFailurePolicy == nil {
		return
	}
	for _, r := range s.PodFailurePolicy.Rules {
		for i := range r.OnPodConditions {
			fill(&r.OnPodConditions[i].Status, corev1.ConditionTrue)
		}
	}
}

const oldNameLabel, oldUIDLabel = "job-name", "controller-uid"

// owned are the labels by which a Job knows its pods.
func owned(j *batchv1.Job) map[string]string {
	return map[string]string{
		oldNameLabel: j.Name, batchv1.JobNameLabel: j.Name, oldUIDLabel: string(j.UID), batchv1.ControllerUidLabel: string(j.UID),
	}
}

// selectOwnPods has a Job select its pods by its UID, if it does not say how.
func selectOwnPods(j *batchv1.Job) {
	if *j.Spec.ManualSelector {
		return
	}
	for k, v := range owned(j) {
		if _, said := j.Spec.Template.Labels[k]; !said {
			metav1.SetMetaDataLabel(&j.Spec.Template.ObjectMeta, k, v)
		}
	}
	fillPointer(&j.Spec.Selector, metav1.LabelSelector{})
	if _, said := j.Spec.Selector.MatchLabels[batchv1.ControllerUidLabel]; !said {
		metav1.AddLabelToSelector(j.Spec.Selector, batchv1.ControllerUidLabel, string(j.UID))
	}
}

func validateJob(j *batchv1.Job) field.ErrorList {
	at, s := field.NewPath("spec"), &j.Spec
	var all field.ErrorList
	if s.Selector != nil && !*s.ManualSelector {
		expected := owned(j)
		for _, k := range []string{oldUIDLabel, oldNameLabel, batchv1.ControllerUidLabel, batchv1.JobNameLabel} {
			labels := at.Child("template", "metadata", "labels").Key(k)
			if v, ok := s.Template.Labels[k]; !ok {
				all = append(all, field.Required(labels, "must be '"+expected[k]+"'"))
			} else if v != expected[k] {
				all = append(all, field.Invalid(labels, s.Template.Labels, "must be '"+expected[k]+"'"))
			}
		}
		if selector, err := metav1.LabelSelectorAsSelector(s.Selector); err == nil && !selector.Matches(labels.Set(expected)) {
			all = append(all, field.Invalid(at.Child("selector"), s.Selector, "`selector` not auto-generated"))
		}
	}
	return append(all, validateSelected(at, s)...)
}

// validateSelected says what is wrong with the spec of a Job that is not a template.
func validateSelected(at *field.Path, s *batchv1.JobSpec) field.ErrorList {
	all := validateJobSpec(at, s)
	if s.Selector == nil {
		all = append(all, field.Required(at.Child("selector"), ""))
	}
	all = append(all, validSelector(at.Child("selector"), s.Selector)...)
	return append(all, selects(at.Child("template"), s.Selector, s.Template.Labels)...)
}

func validateJobSpec(at *field.Path, s *batchv1.JobSpec) field.ErrorList {
	all := optional(at.Child("parallelism"), s.Parallelism)
	all = append(all, optional(at.Child("completions"), s.Completions)...)
	all = append(all, optional(at.Child("activeDeadlineSeconds"), s.ActiveDeadlineSeconds)...)
	all = append(all, optional(at.Child("backoffLimit"), s.BackoffLimit)...)
	all = append(all, optional(at.Child("ttlSecondsAfterFinished"), s.TTLSecondsAfterFinished)...)
	all = append(all, optional(at.Child("backoffLimitPerIndex"), s.BackoffLimitPerIndex)...)
	all = append(all, optional(at.Child("maxFailedIndexes"), s.MaxFailedIndexes)...)
	if m := s.CompletionMode; m != nil {
		all = append(all, oneOf(at.Child("completionMode"), *m, batchv1.NonIndexedCompletion, batchv1.IndexedCompletion)...)
		if *m == batchv1.IndexedCompletion && s.Completions == nil {
			all = append(all, field.Required(at.Child("completions"), "when completion mode is Indexed"))
		}
	}
	template := at.Child("template")
	all = append(all, validateAnyTemplate(template, &s.Template)...)
	switch policy := template.Child("spec", "restartPolicy"); s.Template.Spec.RestartPolicy {
	case corev1.RestartPolicyNever:
	case corev1.RestartPolicyOnFailure:
		if s.PodFailurePolicy != nil {
			all = append(all, field.Invalid(policy, s.Template.Spec.RestartPolicy, `only "Never" is supported when podFailurePolicy is specified`))
		}
	case corev1.RestartPolicyAlways, "":
		all = append(all, field.Required(policy, `valid values: "OnFailure", "Never"`))
	default:
		all = append(all, field.NotSupported(policy, s.Template.Spec.RestartPolicy, []corev1.RestartPolicy{corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever}))
	}
	return all
}

func changedJob(j, old *batchv1.Job) field.ErrorList {
	at, now, was := field.NewPath("spec"), &j.Spec, &old.Spec
	all := validateSelected(at, now) // once more, as the server does
	switch indexed := now.CompletionMode != nil && *now.CompletionMode == batchv1.IndexedCompletion; {
	case !indexed:
		all = append(all, immutable(at.Child("completions"), now.Completions, was.Completions)...)
	case now.Completions != nil && !equality.Semantic.DeepEqual(now.Completions, was.Completions) && *now.Completions != *now.Parallelism:
		all = append(all, field.Invalid(at.Child("completions"), *now.Completions, "can only be modified in tandem with spec.parallelism"))
	}
	all = append(all, immutable(at.Child("selector"), now.Selector, was.Selector)...)
	template := was.Template.DeepCopy()
	if was.Suspend != nil && *was.Suspend && old.Status.StartTime == nil {
		schedulable(template, &now.Template)
	}
	all = append(all, immutable(at.Child("template"), &now.Template, template)...)
	for _, f := range []struct {
		name     string
		now, was any
	}{
		{"completionMode", now.CompletionMode, was.CompletionMode},
		{"podFailurePolicy", now.PodFailurePolicy, was.PodFailurePolicy},
		{"backoffLimitPerIndex", now.BackoffLimitPerIndex, was.BackoffLimitPerIndex},
		{"managedBy", now.ManagedBy, was.ManagedBy},
		{"successPolicy", now.SuccessPolicy, was.SuccessPolicy},
	} {
		all = append(all, immutable(at.Child(f.name), f.now, f.was)...)
	}
	return all
}

// schedulable has t be as now in what may be changed before a Job starts: where its pods
// run.
func schedulable(t, now *corev1.PodTemplateSpec) {
	t.Labels, t.Annotations = now.Labels, now.Annotations
	t.Spec.NodeSelector, t.Spec.Tolerations, t.Spec.SchedulingGates = now.Spec.NodeSelector, now.Spec.Tolerations, now.Spec.SchedulingGates
	var affinity *corev1.NodeAffinity
	if now.Spec.Affinity != nil {
		affinity = now.Spec.Affinity.NodeAffinity
	}
	switch {
	case t.Spec.Affinity != nil:
		t.Spec.Affinity.NodeAffinity = affinity
		if now.Spec.Affinity == nil && *t.Spec.Affinity == (corev1.Affinity{}) {
			t.Spec.Affinity = nil
		}
	case now.Spec.Affinity != nil:
		t.Spec.Affinity = &corev1.Affinity{NodeAffinity: affinity}
	}
}

// holds tells whether a Job has a condition that is true.
func holds(j *batchv1.Job, t batchv1.JobConditionType) bool {
	return slices.ContainsFunc(j.Status.Conditions, func(c batchv1.JobCondition) bool { return c.Type == t && c.Status == corev1.ConditionTrue })
}

func changedJobStatus(j, old *batchv1.Job) field.ErrorList {
	at, s, was := field.NewPath("status"), &j.Status, &old.Status
	all := nonNegative(at.Child("active"), s.Active)
	all = append(all, nonNegative(at.Child("succeeded"), s.Succeeded)...)
	all = append(all, nonNegative(at.Child("failed"), s.Failed)...)
	all = append(all, optional(at.Child("ready"), s.Ready)...)
	all = append(all, optional(at.Child("terminating"), s.Terminating)...)
	complete, failed := holds(j, batchv1.JobComplete), holds(j, batchv1.JobFailed)
	ended := complete || failed
	timed := complete != holds(old, batchv1.JobComplete) || !s.CompletionTime.Equal(was.CompletionTime)
	ends := ended && !holds(old, batchv1.JobComplete) && !holds(old, batchv1.JobFailed)
	for _, r := range []struct {
		wrong   bool
		refusal *field.Error
	}{
		{complete && failed, conditions("cannot set Complete=True and Failed=true conditions")},
		{complete && holds(j, batchv1.JobFailureTarget), conditions("cannot set Complete=True and FailureTarget=true conditions")},
		{s.CompletionTime != nil && !complete && timed, field.Invalid(at.Child("completionTime"), s.CompletionTime, "cannot set completionTime when there is no Complete=True condition")},
		{s.CompletionTime == nil && complete && timed, field.Required(at.Child("completionTime"), "completionTime is required for Complete jobs")},
		{failed && !holds(old, batchv1.JobFailed) && !holds(j, batchv1.JobFailureTarget), conditions("cannot set Failed=True condition without the FailureTarget=true condition")},
		{complete && !holds(old, batchv1.JobComplete) && !holds(j, batchv1.JobSuccessCriteriaMet), conditions("cannot set Complete=True condition without the SuccessCriteriaMet=true condition")},
		{ended && s.Active > 0 && (ends || s.Active != was.Active), field.Invalid(at.Child("active"), s.Active, "active>0 is invalid for finished job")},
		{ends && s.StartTime == nil, field.Required(at.Child("startTime"), "startTime is required for finished job")},
		{ended && s.Terminating != nil && *s.Terminating > 0 && (ends || !reflect.DeepEqual(s.Terminating, was.Terminating)), field.Invalid(at.Child("terminating"), s.Terminating, "terminating>0 is invalid for finished job")},
		{s.Ready != nil && *s.Ready > s.Active && (s.Active != was.Active || !reflect.DeepEqual(s.Ready, was.Ready)), field.Invalid(at.Child("ready"), s.Ready, "cannot set more ready pods than active")},
		{holds(j, batchv1.JobSuccessCriteriaMet) && failed, conditions("cannot set SuccessCriteriaMet=True and Failed=true conditions")},
		{s.Failed < was.Failed, field.Invalid(at.Child("failed"), s.Failed, "cannot decrease the failed counter")},
	} {
		if r.wrong {
			all = append(all, r.refusal)
		}
	}
	for _, t := range []batchv1.JobConditionType{batchv1.JobFailed, batchv1.JobComplete, batchv1.JobFailureTarget} {
		if holds(old, t) && !holds(j, t) {
			all = append(all, conditions(fmt.Sprintf("cannot disable the terminal %s=True condition", t)))
		}
	}
	return all
}

func conditions(message string) *field.Error {
	return field.Invalid(field.NewPath("status", "conditions"), field.OmitValueType{}, message)
}

// bornCronJob refuses names to which the controller could add no time.
func bornCronJob(c *batchv1.CronJob) field.ErrorList {
	if len(c.Name) <= valid.DNS1035LabelMaxLength-11 {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("metadata", "name"), c.Name, "must be no more than 52 characters")}
}

func defaultCronJob(c *batchv1.CronJob) {
	fill(&c.Spec.ConcurrencyPolicy, batchv1.AllowConcurrent)
	fillPointer(&c.Spec.Suspend, false)
	fillPointer(&c.Spec.SuccessfulJobsHistoryLimit, 3)
	fillPointer(&c.Spec.FailedJobsHistoryLimit, 1)
	defaultJobSpec(&c.Spec.JobTemplate.Spec)
}

func validateCronJob(c *batchv1.CronJob) field.ErrorList {
	at, s := field.NewPath("spec"), &c.Spec
	var all field.ErrorList
	switch schedule := at.Child("schedule"); {
	case s.Schedule == "":
		all = append(all, field.Required(schedule, ""))
	case strings.Contains(s.Schedule, "TZ"):
		all = append(all, field.Invalid(schedule, s.Schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"))
	default:
		if _, err := cron.ParseStandard(s.Schedule); err != nil {
			all = append(all, field.Invalid(schedule, s.Schedule, err.Error()))
		}
	}
	all = append(all, optional(at.Child("startingDeadlineSeconds"), s.StartingDeadlineSeconds)...)
	all = append(all, oneOf(at.Child("concurrencyPolicy"), s.ConcurrencyPolicy, batchv1.AllowConcurrent, batchv1.ForbidConcurrent, batchv1.ReplaceConcurrent)...)
	all = append(all, validateJobSpec(at.Child("jobTemplate", "spec"), &s.JobTemplate.Spec)...)
	all = append(all, optional(at.Child("successfulJobsHistoryLimit"), s.SuccessfulJobsHistoryLimit)...)
	return append(all, optional(at.Child("failedJobsHistoryLimit"), s.FailedJobsHistoryLimit)...)
}
