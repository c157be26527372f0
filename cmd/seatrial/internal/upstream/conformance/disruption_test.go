package conformance

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	api "k8s.io/kubernetes/pkg/apis/core"
	k8sapiv1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/policy"
	realdisruption "k8s.io/kubernetes/pkg/controller/disruption"
	podstorage "k8s.io/kubernetes/pkg/registry/core/pod/storage"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/disruption"
)

// budgetOracle is the real disruption controller on listers that the test
// fills, at time zero.
type budgetOracle struct {
	controller                                 *realdisruption.DisruptionController
	client                                     *fake.Clientset
	budgets, pods, sets, deployments, stateful cache.Indexer
}

func newBudgetOracle() *budgetOracle {
	o := &budgetOracle{client: echo()}
	factory := informers.NewSharedInformerFactory(o.client, 0)
	apps, core := factory.Apps().V1(), factory.Core().V1()
	o.controller = realdisruption.NewDisruptionControllerInternal(context.Background(),
		core.Pods(), factory.Policy().V1().PodDisruptionBudgets(), core.ReplicationControllers(),
		apps.ReplicaSets(), apps.Deployments(), apps.StatefulSets(), o.client,
		apimeta.NewDefaultRESTMapper(nil), nil, nil, clocktesting.NewFakeClock(time.Time{}), long)
	o.budgets = factory.Policy().V1().PodDisruptionBudgets().Informer().GetIndexer()
	o.pods, o.sets = core.Pods().Informer().GetIndexer(), apps.ReplicaSets().Informer().GetIndexer()
	o.deployments, o.stateful = apps.Deployments().Informer().GetIndexer(), apps.StatefulSets().Informer().GetIndexer()
	return o
}

// sync returns the status that one real reconcile of pdb leaves.
func (o *budgetOracle) sync(t *testing.T, pdb *policyv1.PodDisruptionBudget, pods []*corev1.Pod) policyv1.PodDisruptionBudgetStatus {
	t.Helper()
	replace(t, o.budgets, pdb)
	replace(t, o.pods, pods...)
	o.client.ClearActions()
	if err := syncBudget(o.controller, context.Background(), pdb.Namespace+"/"+pdb.Name); err != nil {
		t.Fatal(err)
	}
	status := pdb.Status
	for _, action := range o.client.Actions() {
		if action.GetResource().Resource == "poddisruptionbudgets" {
			status = action.(clienttesting.UpdateAction).GetObject().(*policyv1.PodDisruptionBudget).Status
		}
	}
	return status
}

// owners are one Deployment with two ReplicaSets, a bare ReplicaSet and a
// StatefulSet; the scale of each is drawn anew for every input.
type owners struct {
	deployment  *appsv1.Deployment
	first, next *appsv1.ReplicaSet
	bare        *appsv1.ReplicaSet
	stateful    *appsv1.StatefulSet
}

func newOwners(r *rand.Rand) owners {
	d := randomDeployment(r)
	own := owners{deployment: d, first: newSet(d, 0, r.Int32N(6)), next: newSet(d, 1, r.Int32N(6)), bare: newSet(d, 2, r.Int32N(9))}
	own.bare.OwnerReferences = nil
	replicas := r.Int32N(9)
	own.stateful = &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "stateful", UID: "stateful"}}
	own.stateful.Spec.Replicas = &replicas
	return own
}

// randomMatched are pods of the owners, some of nobody; with stray one is of an
// owner that nobody knows.
func (own owners) randomPods(r *rand.Rand, stray bool) []*corev1.Pod {
	var pods []*corev1.Pod
	yes := true
	for number := range r.IntN(9) {
		var pod *corev1.Pod
		switch r.IntN(8) {
		case 0:
			pod = podOf(own.bare, number, corev1.PodRunning)
		case 1:
			pod = podOf(own.next, number, corev1.PodRunning)
		case 2:
			pod = podOf(own.first, number, corev1.PodRunning)
			pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "stateful", UID: "stateful", Controller: &yes}}
		case 3:
			pod = podOf(own.first, number, corev1.PodRunning)
			pod.OwnerReferences = nil
		default:
			pod = podOf(own.first, number, corev1.PodRunning)
		}
		if stray && number == 0 {
			pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "example.com/v1", Kind: "Widget", Name: "w", UID: "w", Controller: &yes}}
		}
		status := corev1.ConditionTrue
		if r.IntN(4) == 0 {
			status = corev1.ConditionFalse
		}
		pod.Status.Phase = []corev1.PodPhase{corev1.PodRunning, corev1.PodRunning, corev1.PodPending, corev1.PodFailed}[r.IntN(4)]
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: status}}
		if r.IntN(8) == 0 {
			pod.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
		}
		if r.IntN(10) == 0 {
			pod.Labels = map[string]string{"app": "other"}
		}
		if r.IntN(12) == 0 {
			pod.Namespace = "other"
		}
		pods = append(pods, pod)
	}
	return pods
}

func (own owners) scaleOf(pod *corev1.Pod) (string, int32, bool) {
	owner := metav1.GetControllerOf(pod)
	if owner == nil {
		return "", 0, false
	}
	switch owner.UID {
	case own.first.UID, own.next.UID:
		return "deployment", *own.deployment.Spec.Replicas, true
	case own.bare.UID:
		return "bare", *own.bare.Spec.Replicas, true
	case own.stateful.UID:
		return "stateful", *own.stateful.Spec.Replicas, true
	}
	return "", 0, false
}

func randomBudget(r *rand.Rand, name string, pods []*corev1.Pod) *policyv1.PodDisruptionBudget {
	pdb := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, Generation: 1 + r.Int64N(2)}}
	pdb.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	switch r.IntN(12) {
	case 0:
		pdb.Spec.Selector = &metav1.LabelSelector{}
	case 1:
		pdb.Spec.Selector = nil
	}
	amount := intstr.FromInt32(r.Int32N(9))
	if r.IntN(2) == 0 {
		amount = intstr.FromString(fmt.Sprintf("%d%%", r.IntN(101)))
	}
	switch r.IntN(9) {
	case 0:
	case 1, 2, 3, 4:
		pdb.Spec.MinAvailable = &amount
	default:
		pdb.Spec.MaxUnavailable = &amount
	}
	switch r.IntN(4) {
	case 0:
		always := policyv1.AlwaysAllow
		pdb.Spec.UnhealthyPodEvictionPolicy = &always
	case 1:
		ifHealthy := policyv1.IfHealthyBudget
		pdb.Spec.UnhealthyPodEvictionPolicy = &ifHealthy
	}
	pdb.Status = policyv1.PodDisruptionBudgetStatus{
		ObservedGeneration: 1 + r.Int64N(2), DisruptionsAllowed: max(r.Int32N(5)-2, r.Int32N(2)-1),
		CurrentHealthy: r.Int32N(4), DesiredHealthy: r.Int32N(4), ExpectedPods: r.Int32N(4),
	}
	if r.IntN(3) > 0 {
		pdb.Status.Conditions = []metav1.Condition{{
			Type: policyv1.DisruptionAllowedCondition, Status: []metav1.ConditionStatus{"True", "False", "False"}[r.IntN(3)],
			Reason:  []string{policyv1.SyncFailedReason, policyv1.SufficientPodsReason, policyv1.InsufficientPodsReason}[r.IntN(3)],
			Message: []string{"", "message"}[r.IntN(2)],
		}}
	}
	for _, pod := range pods {
		if r.IntN(6) == 0 {
			if pdb.Status.DisruptedPods == nil {
				pdb.Status.DisruptedPods = make(map[string]metav1.Time)
			}
			pdb.Status.DisruptedPods[pod.Name] = metav1.Time{}
		}
	}
	return pdb
}

func TestBudgetStatusIsTheRealOne(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	o := newBudgetOracle()
	failures, allowances := 0, 0
	for i := range *inputs {
		own := newOwners(r)
		replace(t, o.sets, own.first, own.next, own.bare)
		replace(t, o.deployments, own.deployment)
		replace(t, o.stateful, own.stateful)
		pods := own.randomPods(r, r.IntN(20) == 0)
		pdb := randomBudget(r, "pdb", pods)
		before := pdb.DeepCopy()
		want, got := o.sync(t, pdb, pods), disruption.Status(pdb, pods, own.scaleOf)
		if !cmp.Equal(before, pdb) {
			t.Fatalf("input %d: Status changed its input", i)
		}
		// The text of a failed sync is the REST mapper's; everything else agrees.
		failed := false
		for _, status := range []*policyv1.PodDisruptionBudgetStatus{&want, &got} {
			for j := range status.Conditions {
				status.Conditions[j].LastTransitionTime = metav1.Time{}
				if status.Conditions[j].Reason == policyv1.SyncFailedReason {
					status.Conditions[j].Message = ""
					failed = true
				}
			}
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("input %d (-real +ours):\n%s", i, diff)
		}
		if failed {
			failures++
			continue
		}
		allowances += int(want.DisruptionsAllowed)
		expected, desired, err := disruption.Expected(pdb, pods, own.scaleOf)
		if err != nil || expected != want.ExpectedPods || desired != want.DesiredHealthy {
			t.Fatalf("input %d: expected %d, desired %d, error %v; real %d, %d", i, expected, desired, err, want.ExpectedPods, want.DesiredHealthy)
		}
	}
	if failures < *inputs/100 || allowances < *inputs/10 {
		t.Errorf("%d failures, %d disruptions allowed: too few", failures, allowances)
	}
}

// onePod is a pod store with one pod, which counts deletions.
type onePod struct {
	rest.StandardStorage
	pod     *api.Pod
	deleted int
}

func (s *onePod) Get(context.Context, string, *metav1.GetOptions) (runtime.Object, error) {
	return s.pod, nil
}

func (s *onePod) Update(context.Context, string, rest.UpdatedObjectInfo, rest.ValidateObjectFunc, rest.ValidateObjectUpdateFunc, bool, *metav1.UpdateOptions) (runtime.Object, bool, error) {
	return s.pod, false, nil
}

func (s *onePod) Delete(context.Context, string, rest.ValidateObjectFunc, *metav1.DeleteOptions) (runtime.Object, bool, error) {
	s.deleted++
	return s.pod, true, nil
}

// evictionOracle is the real eviction subresource over one pod and a client that
// lists the budgets given.
type evictionOracle struct {
	store   *onePod
	budgets policyv1.PodDisruptionBudgetList
	written *policyv1.PodDisruptionBudget
	storage *podstorage.EvictionREST
}

func newEvictionOracle() *evictionOracle {
	o := &evictionOracle{store: &onePod{}}
	client := &fake.Clientset{}
	client.AddReactor("list", "poddisruptionbudgets", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, o.budgets.DeepCopy(), nil
	})
	client.AddReactor("update", "poddisruptionbudgets", func(action clienttesting.Action) (bool, runtime.Object, error) {
		o.written = action.(clienttesting.UpdateAction).GetObject().(*policyv1.PodDisruptionBudget).DeepCopy()
		return true, o.written, nil
	})
	o.storage = newEvictionStorage(o.store, client.PolicyV1())
	return o
}

// evict asks the real subresource.
func (o *evictionOracle) evict(t *testing.T, pod *corev1.Pod, pdbs []*policyv1.PodDisruptionBudget) disruption.Admission {
	t.Helper()
	o.store.pod, o.store.deleted, o.written = &api.Pod{}, 0, nil
	if err := k8sapiv1.Convert_v1_Pod_To_core_Pod(pod.DeepCopy(), o.store.pod, nil); err != nil {
		t.Fatal(err)
	}
	o.budgets.Items = nil
	for _, pdb := range pdbs {
		o.budgets.Items = append(o.budgets.Items, *pdb)
	}
	eviction := &policy.Eviction{ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name}}
	object, err := o.storage.Create(context.Background(), pod.Name, eviction, nil, &metav1.CreateOptions{})
	status, _ := object.(*metav1.Status)
	var refused *apierrors.StatusError
	if errors.As(err, &refused) {
		status = &refused.ErrStatus
	} else if err != nil {
		t.Fatal(err)
	}
	answer := disruption.Admission{Allowed: o.store.deleted > 0, Code: int(status.Code), Message: status.Message, Update: o.written}
	if status.Status == metav1.StatusSuccess {
		answer.Code = 200
	}
	if status.Details != nil && len(status.Details.Causes) > 0 {
		answer.Cause = status.Details.Causes[0].Message
	}
	return answer
}

func TestEvictionIsTheRealOne(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	o := newEvictionOracle()
	seen := make(map[int]int)
	writes := 0
	for i := range *inputs {
		own := newOwners(r)
		var pod *corev1.Pod
		for pod == nil {
			if pods := own.randomPods(r, false); len(pods) > 0 {
				pod = pods[0]
			}
		}
		if r.IntN(3) > 0 {
			pod.Status.Phase, pod.DeletionTimestamp = corev1.PodRunning, nil
		}
		var pdbs []*policyv1.PodDisruptionBudget
		for n := range []int{0, 1, 1, 1, 1, 2}[r.IntN(6)] {
			pdbs = append(pdbs, randomBudget(r, fmt.Sprint("pdb-", n), []*corev1.Pod{pod}))
		}
		if i%1000 == 1 {
			crowd(pdbs)
		}
		want, got := o.evict(t, pod, pdbs), disruption.Evict(pod, pdbs)
		seen[want.Code]++
		if got.Update != nil {
			writes++
			if _, ok := got.Update.Status.DisruptedPods[pod.Name]; !ok {
				t.Fatalf("input %d: pod not among %v", i, got.Update.Status.DisruptedPods)
			}
		}
		options := cmp.Options{
			cmpopts.IgnoreFields(disruption.Admission{}, "PDB"),
			cmpopts.IgnoreFields(metav1.Condition{}, "LastTransitionTime"),
			cmp.Comparer(func(a, b metav1.Time) bool { return true }),
		}
		if diff := cmp.Diff(want, got, options); diff != "" {
			t.Fatalf("input %d (-real +ours):\n%s", i, diff)
		}
	}
	for _, code := range []int{200, 403, 429, 500} {
		if seen[code] < *inputs/100 {
			t.Errorf("only %d answers with code %d", seen[code], code)
		}
	}
	if writes < *inputs/100 {
		t.Errorf("only %d budgets written", writes)
	}
}

// crowd gives budgets more approved evictions than the subresource accepts.
func crowd(pdbs []*policyv1.PodDisruptionBudget) {
	for _, pdb := range pdbs {
		pdb.Status.DisruptedPods = make(map[string]metav1.Time)
		for n := range podstorage.MaxDisruptedPodSize + 1 {
			pdb.Status.DisruptedPods[fmt.Sprint(n)] = metav1.Time{}
		}
	}
}
