package jobset

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/jobset/pkg/controllers"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/settle/environment"
	"github.com/seatrial/seatrial/settle/kubestate"
)

func pointer[T any](v T) *T { return &v }

// training is a JobSet as the API server has it behind JobSet's own admission webhook.
func training(suspend bool) *jobset.JobSet {
	return &jobset.JobSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "training"},
		Spec: jobset.JobSetSpec{
			Suspend:       pointer(suspend),
			SuccessPolicy: &jobset.SuccessPolicy{Operator: jobset.OperatorAll},
			StartupPolicy: &jobset.StartupPolicy{StartupPolicyOrder: jobset.AnyOrder},
			Network:       &jobset.Network{EnableDNSHostnames: pointer(true), PublishNotReadyAddresses: pointer(true)},
			ReplicatedJobs: []jobset.ReplicatedJob{{
				Name: "workers", Replicas: 2, GroupName: "default",
				Template: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{
					CompletionMode: pointer(batchv1.IndexedCompletion), Completions: pointer(int32(1)), Parallelism: pointer(int32(1)),
					Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
						RestartPolicy: corev1.RestartPolicyOnFailure,
						Containers:    []corev1.Container{{Name: "train", Image: "train:1"}},
					}},
				}},
			}},
		},
	}
}

// failing lets a Job that is not suspended fail: the pods that it would have are of no interest here.
type failing struct{}

func (failing) Name() string { return "job controller" }
func (failing) Reads() []schema.GroupVersionKind {
	return []schema.GroupVersionKind{batchv1.SchemeGroupVersion.WithKind("Job")}
}

func (failing) Steps(w environment.World) (steps []environment.Step) {
	for o := range w.Objects() {
		j, _ := o.Value().(*batchv1.Job)
		if j == nil || *j.Spec.Suspend || len(j.Status.Conditions) > 0 {
			continue
		}
		failed, err := json.Marshal(map[string]any{"status": map[string]any{
			"startTime": kubestate.Epoch, "conditions": []batchv1.JobCondition{{Type: batchv1.JobFailureTarget, Status: "True"}, {Type: batchv1.JobFailed, Status: "True"}},
		}})
		if err != nil {
			continue
		}
		r := w.Resource(o)
		steps = append(steps, environment.Step{Text: "fails " + environment.Path(r, j), Request: kubestate.Request{
			Verb: "patch", Resource: r.Resource, Namespace: j.Namespace, Name: j.Name, Subresource: "status", Patch: "application/merge-patch+json", Body: failed,
		}})
	}
	return steps
}

// config is what is checked.
func config(t *testing.T) settle.Config {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, batchv1.AddToScheme, jobset.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	released, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/jobset").Output()
	if err != nil {
		t.Fatal(err)
	}
	return settle.Config{
		Scheme: scheme,
		CRDs:   []string{filepath.Join(strings.TrimSpace(string(released)), "config", "components", "crd", "bases")},
		Setup: func(mgr ctrl.Manager) error {
			if err := controllers.SetupJobSetIndexes(context.Background(), mgr.GetFieldIndexer()); err != nil {
				return err
			}
			return controllers.NewJobSetReconciler(mgr.GetClient(), mgr.GetScheme(), mgr.GetEventRecorderFor("jobset")).SetupWithManager(mgr)
		},
		Desired: []client.Object{training(false)},
		Match:   match,
	}
}

// match: it has failed, or it has two Jobs, suspended if that is wanted, and the Service.
func match(ctx context.Context, c client.Reader, o client.Object) error {
	want := o.(*jobset.JobSet)
	if want.Status.TerminalState != "" {
		return nil
	}
	var jobs batchv1.JobList
	if err := c.List(ctx, &jobs); err != nil {
		return err
	}
	own := 0
	for _, j := range jobs.Items {
		if !metav1.IsControlledBy(&j, want) {
			continue
		}
		if own++; *j.Spec.Suspend != *want.Spec.Suspend {
			return fmt.Errorf("suspend of %s is %v", j.Name, *j.Spec.Suspend)
		}
	}
	if own != 2 {
		return fmt.Errorf("it has %d Jobs", own)
	}
	return c.Get(ctx, client.ObjectKeyFromObject(want), &corev1.Service{})
}

// failsOfItself: a JobSet is marked as failed for a Job of its own only, and not for one of a
// JobSet that had its name before.
func failsOfItself(w *settle.Write) error {
	var was, is jobset.JobSet
	if w.Kind.Kind != "JobSet" || !w.Was(&was) || !w.Is(&is) || is.Status.TerminalState != string(jobset.JobSetFailed) || was.Status.TerminalState == is.Status.TerminalState {
		return nil
	}
	var jobs batchv1.JobList
	if err := w.Cluster.List(context.Background(), &jobs); err != nil {
		return err
	}
	for _, j := range jobs.Items {
		if len(j.Status.Conditions) > 0 && metav1.IsControlledBy(&j, &is) {
			return nil
		}
	}
	return fmt.Errorf("none of its own Jobs has failed")
}

// TestSettles: it has its Jobs whatever requests and crashes become of it, as users suspend and
// resume it.
func TestSettles(t *testing.T) {
	c := config(t)
	c.Desired = append(c.Desired, training(true))
	c.Faults = settle.Faults{Crash: true, Timeout: true}
	settle.Check(t, c)
}

// TestFailure: a Job that fails has the JobSet fail.
func TestFailure(t *testing.T) {
	c := config(t)
	c.Environment = []environment.Actor{failing{}}
	c.Writes = map[string]func(*settle.Write) error{"fails-of-itself": failsOfItself}
	c.Faults = settle.Faults{Crash: true}
	settle.Check(t, c)
}

// TestRecreated: a JobSet is deleted, and created anew with its name while a Job of the former,
// which has failed, is not collected yet. JobSet v0.10.1 looks for the Jobs of a JobSet by its name,
// not by its UID: the new one is marked as failed for ever, for what it has never done.
func TestRecreated(t *testing.T) {
	c := config(t)
	c.Environment = []environment.Actor{failing{}}
	c.Writes = map[string]func(*settle.Write) error{"fails-of-itself": failsOfItself}
	c.Faults = settle.Faults{Recreate: true, Budget: settle.Budget{Recreate: 1}}
	settle.Finds(t, c, "fails-of-itself")
}
