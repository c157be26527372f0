package conformance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	realdeployment "k8s.io/kubernetes/pkg/controller/deployment"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/deployment"
)

// echo is a clientset that stores nothing: what is written comes back.
func echo() *fake.Clientset {
	client := &fake.Clientset{}
	client.AddReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if write, ok := action.(clienttesting.CreateAction); ok { // an update has the same methods
			return true, write.GetObject(), nil
		}
		return false, nil, nil
	})
	return client
}

// deploymentOracle is the real controller on listers that the test fills.
type deploymentOracle struct {
	controller              *realdeployment.DeploymentController
	client                  *fake.Clientset
	deployments, sets, pods cache.Indexer
	// versions are the resource versions of the ReplicaSets that were updated since
	// the listers were filled, where all have the empty one.
	versions map[string]string
}

func newDeploymentOracle(t *testing.T) *deploymentOracle {
	t.Helper()
	o := &deploymentOracle{client: echo()}
	factory := informers.NewSharedInformerFactory(o.client, 0)
	d, rs, pods := factory.Apps().V1().Deployments(), factory.Apps().V1().ReplicaSets(), factory.Core().V1().Pods()
	controller, err := realdeployment.NewDeploymentController(context.Background(), d, rs, pods, o.client)
	if err != nil {
		t.Fatal(err)
	}
	o.controller = controller
	o.client.PrependReactor("update", "replicasets", func(action clienttesting.Action) (bool, runtime.Object, error) {
		set := action.(clienttesting.UpdateAction).GetObject().(*appsv1.ReplicaSet).DeepCopy()
		if set.ResourceVersion != o.versions[set.Name] {
			return true, nil, apierrors.NewConflict(appsv1.Resource("replicasets"), set.Name, errors.New("the object has been modified"))
		}
		set.ResourceVersion += "."
		o.versions[set.Name] = set.ResourceVersion
		return true, set, nil
	})
	o.deployments, o.sets, o.pods = d.Informer().GetIndexer(), rs.Informer().GetIndexer(), pods.Informer().GetIndexer()
	return o
}

// replace makes the lister behind index list the objects given alone.
func replace[T any](t *testing.T, index cache.Indexer, objects ...T) {
	t.Helper()
	list := make([]any, len(objects))
	for i, object := range objects {
		list[i] = object
	}
	if err := index.Replace(list, ""); err != nil {
		t.Fatal(err)
	}
}

// sync returns the writes of ReplicaSets that one real reconcile makes, without
// those that change nothing of what deployment.Write has. A reconcile that did
// not get further than such writes, because it looked twice at a ReplicaSet that
// it had written, is tried again with what it wrote.
func (o *deploymentOracle) sync(t *testing.T, d *appsv1.Deployment, sets []*appsv1.ReplicaSet, pods map[string][]*corev1.Pod) []deployment.Write {
	t.Helper()
	replace(t, o.deployments, d)
	sets = copies(sets)
	var all []*corev1.Pod
	for _, list := range pods {
		all = append(all, list...)
	}
	replace(t, o.pods, all...)
	for range 1 + len(sets) {
		replace(t, o.sets, sets...)
		o.client.ClearActions()
		o.versions = map[string]string{}
		err := syncDeployment(o.controller, context.Background(), d.Namespace+"/"+d.Name)
		writes := o.writes(sets)
		switch {
		case err == nil || apierrors.IsConflict(err) && len(writes) > 0:
			return writes
		case !apierrors.IsConflict(err):
			t.Fatal(err)
		}
		for _, action := range o.client.Actions() {
			if write, ok := action.(clienttesting.UpdateAction); ok && o.versions[name(write)] != "" {
				written := write.GetObject().(*appsv1.ReplicaSet).DeepCopy()
				written.ResourceVersion = ""
				sets[slices.IndexFunc(sets, func(s *appsv1.ReplicaSet) bool { return s.Name == written.Name })] = written
			}
		}
	}
	t.Fatal("the reconcile conflicts with itself again and again")
	return nil
}

// name is that of the ReplicaSet that an update is of, or empty.
func name(write clienttesting.UpdateAction) string {
	if set, ok := write.GetObject().(*appsv1.ReplicaSet); ok {
		return set.Name
	}
	return ""
}

// writes are the writes of the last reconcile that say something new of a set.
func (o *deploymentOracle) writes(sets []*appsv1.ReplicaSet) []deployment.Write {
	last := make(map[string]deployment.Write)
	for _, set := range sets {
		last[set.Name] = writeOf(set)
	}
	var writes []deployment.Write
	for _, action := range o.client.Actions() {
		if action.GetResource().Resource != "replicasets" || action.GetSubresource() != "" {
			continue
		}
		set := action.(clienttesting.CreateAction).GetObject().(*appsv1.ReplicaSet)
		write := writeOf(set)
		if action.GetVerb() == "create" {
			write.ReplicaSet, write.Create = "", true
			writes = append(writes, write)
		} else if !cmp.Equal(write, last[set.Name]) {
			writes = append(writes, write)
			last[set.Name] = write
		}
	}
	return writes
}

func writeOf(set *appsv1.ReplicaSet) deployment.Write {
	annotations := maps.Clone(set.Annotations)
	maps.DeleteFunc(annotations, func(key, _ string) bool {
		return key != deploymentutil.DesiredReplicasAnnotation && key != deploymentutil.MaxReplicasAnnotation
	})
	return deployment.Write{ReplicaSet: set.Name, Replicas: *set.Spec.Replicas, MinReadySeconds: set.Spec.MinReadySeconds, Annotations: annotations}
}

func template(version int) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: fmt.Sprint("web:", version)}}},
	}
}

func randomAmount(r *rand.Rand) *intstr.IntOrString {
	amount := intstr.FromInt32(r.Int32N(4))
	if r.IntN(2) == 0 {
		amount = intstr.FromString(fmt.Sprintf("%d%%", []int{0, 1, 10, 25, 33, 50, 75, 100}[r.IntN(8)]))
	}
	return &amount
}

func randomDeployment(r *rand.Rand) *appsv1.Deployment {
	replicas := r.Int32N(13)
	d := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web", UID: "web", Generation: 1},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			Template: template(r.IntN(4)),
			Paused:   r.IntN(10) == 0,

			MinReadySeconds: r.Int32N(2) * 10,
			Strategy: appsv1.DeploymentStrategy{
				Type:          appsv1.RollingUpdateDeploymentStrategyType,
				RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: randomAmount(r), MaxUnavailable: randomAmount(r)},
			},
		},
	}
	if r.IntN(4) == 0 {
		d.Spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
	}
	d.Status.Replicas = r.Int32N(15)
	return d
}

// newSet is a ReplicaSet of d as its controller would have created it.
func newSet(d *appsv1.Deployment, number int, replicas int32) *appsv1.ReplicaSet {
	yes := true
	set := &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: d.Namespace, Name: fmt.Sprint("web-", number), UID: types.UID(fmt.Sprint("set-", number)),
			Labels:            map[string]string{"app": "web"},
			CreationTimestamp: metav1.NewTime(time.Unix(int64(1000+number), 0)),
			OwnerReferences:   []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: d.Name, UID: d.UID, Controller: &yes}},
		},
	}
	set.Spec.Replicas = &replicas
	set.Spec.MinReadySeconds = d.Spec.MinReadySeconds
	set.Spec.Selector = d.Spec.Selector
	set.Spec.Template = *d.Spec.Template.DeepCopy()
	deploymentutil.SetReplicasAnnotations(set, *d.Spec.Replicas, *d.Spec.Replicas+deploymentutil.MaxSurge(*d))
	return set
}

func randomSets(r *rand.Rand, d *appsv1.Deployment) ([]*appsv1.ReplicaSet, map[string][]*corev1.Pod) {
	var sets []*appsv1.ReplicaSet
	pods := make(map[string][]*corev1.Pod)
	for number := range r.IntN(5) {
		replicas := max(r.Int32N(14)-3, 0)
		set := newSet(d, number, replicas)
		set.Spec.Template = template(r.IntN(4))
		if r.IntN(8) == 0 {
			set.Spec.MinReadySeconds = 5
		}
		set.CreationTimestamp = metav1.NewTime(time.Unix(1000+r.Int64N(4), 0))
		set.Status.Replicas = max(replicas+[]int32{0, 0, 0, -1, 1}[r.IntN(5)], 0)
		set.Status.ReadyReplicas = max(set.Status.Replicas-[]int32{0, 0, 1, 2}[r.IntN(4)], 0)
		set.Status.AvailableReplicas = set.Status.ReadyReplicas
		switch r.IntN(6) {
		case 0:
			desired := r.Int32N(13)
			deploymentutil.SetReplicasAnnotations(set, desired, desired+r.Int32N(5))
		case 1:
			set.Annotations = map[string]string{deploymentutil.MaxReplicasAnnotation: "x"}
		}
		for n := range r.IntN(3) {
			pods[set.Name] = append(pods[set.Name], podOf(set, n, []corev1.PodPhase{
				corev1.PodFailed, corev1.PodSucceeded, corev1.PodFailed, corev1.PodRunning, corev1.PodPending, corev1.PodUnknown,
			}[r.IntN(6)]))
		}
		if r.IntN(3) == 0 {
			delete(pods, set.Name)
			set.Status.Replicas, set.Status.AvailableReplicas = 0, 0
			*set.Spec.Replicas = 0
		}
		sets = append(sets, set)
	}
	r.Shuffle(len(sets), func(i, j int) { sets[i], sets[j] = sets[j], sets[i] })
	return sets, pods
}

func podOf(set *appsv1.ReplicaSet, number int, phase corev1.PodPhase) *corev1.Pod {
	yes := true
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: set.Namespace, Name: fmt.Sprint(set.Name, "-", number), UID: types.UID(fmt.Sprint(set.Name, "-", number)),
		Labels:          map[string]string{"app": "web"},
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: set.Name, UID: set.UID, Controller: &yes}},
	}}
	pod.Status.Phase = phase
	return pod
}

func TestDeploymentSyncIsTheRealOne(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	o := newDeploymentOracle(t)
	seen, told := make(map[int]int), 0
	for i := range *inputs {
		d := randomDeployment(r)
		sets, pods := randomSets(r, d)
		want := o.sync(t, d, copies(sets), pods)
		before := copies(sets)
		got, err := deployment.Sync(d, sets, pods)
		if err != nil {
			t.Fatal(err)
		}
		seen[len(want)]++
		for _, w := range want {
			if slices.ContainsFunc(sets, func(s *appsv1.ReplicaSet) bool {
				return s.Name == w.ReplicaSet && s.Spec.MinReadySeconds != w.MinReadySeconds
			}) {
				told++
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("input %d (-real +ours):\n%s\n%s", i, diff, describe(d, sets))
		}
		if !apiequality.Semantic.DeepEqual(before, sets) {
			t.Fatalf("input %d: Sync changed its input:\n%s", i, cmp.Diff(before, sets))
		}
		compareStatus(t, d, sets)
	}
	for writes := range 4 {
		if seen[writes] < *inputs/200 {
			t.Errorf("only %d inputs with %d writes", seen[writes], writes)
		}
	}
	if told < *inputs/50 {
		t.Errorf("only %d ReplicaSets get another minReadySeconds", told)
	}
}

func compareStatus(t *testing.T, d *appsv1.Deployment, sets []*appsv1.ReplicaSet) {
	t.Helper()
	list := append([]*appsv1.ReplicaSet(nil), sets...)
	want := deploymentStatus(list, deploymentutil.FindNewReplicaSet(d, list), d)
	got := deployment.Status(d, sets)
	times := cmpopts.IgnoreFields(appsv1.DeploymentCondition{}, "LastUpdateTime", "LastTransitionTime")
	if diff := cmp.Diff(want, got, times, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("status (-real +ours):\n%s\n%s", diff, describe(d, sets))
	}
}

func copies(sets []*appsv1.ReplicaSet) []*appsv1.ReplicaSet {
	list := make([]*appsv1.ReplicaSet, len(sets))
	for i, set := range sets {
		list[i] = set.DeepCopy()
	}
	return list
}

func describe(d *appsv1.Deployment, sets []*appsv1.ReplicaSet) string {
	text := fmt.Sprintf("replicas %d, strategy %+v, template %s, paused %v\n", *d.Spec.Replicas, d.Spec.Strategy, d.Spec.Template.Spec.Containers[0].Image, d.Spec.Paused)
	for _, set := range sets {
		text += fmt.Sprintf("%s template %s, replicas %d, status %d/%d, created %d, annotations %v\n", set.Name, set.Spec.Template.Spec.Containers[0].Image,
			*set.Spec.Replicas, set.Status.Replicas, set.Status.AvailableReplicas, set.CreationTimestamp.Unix(), set.Annotations)
	}
	return text
}

// TestRolloutsStepLikeTheRealOne runs whole rollouts, with scaling, new
// templates and rollbacks in between, until nothing changes any more.
func TestRolloutsStepLikeTheRealOne(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	o := newDeploymentOracle(t)
	syncs, complete, runs := 0, 0, 0
	for syncs < *inputs {
		d := randomDeployment(r)
		d.Spec.Paused = false
		var sets []*appsv1.ReplicaSet
		events := r.IntN(4)
		runs++
		for step := 0; ; step++ {
			if step > 500 {
				t.Fatalf("no end after %d steps\n%s", step, describe(d, sets))
			}
			if events > 0 && r.IntN(8) == 0 {
				events--
				disturb(r, d)
			}
			want := o.sync(t, d, sets, nil)
			got, err := deployment.Sync(d, sets, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("run %d, step %d (-real +ours):\n%s\n%s", runs, step, diff, describe(d, sets))
			}
			syncs++
			sets = follow(d, sets, got)
			moved := progress(r, sets)
			if len(got) == 0 && !moved && events == 0 && !progress(nil, sets) {
				break
			}
		}
		if deployment.Complete(d, sets) {
			complete++
		}
	}
	// The rest are blocked by a scaling event that has nothing to scale.
	if complete < runs*95/100 {
		t.Errorf("only %d of %d rollouts complete", complete, runs)
	}
}

// disturb is a user's change of d.
func disturb(r *rand.Rand, d *appsv1.Deployment) {
	switch r.IntN(6) {
	case 0, 1:
		replicas := r.Int32N(13)
		d.Spec.Replicas = &replicas
	case 2, 3:
		d.Spec.Template = template(r.IntN(3))
	case 4:
		d.Spec.MinReadySeconds = 10 - d.Spec.MinReadySeconds
	case 5:
		d.Spec.Strategy = randomDeployment(r).Spec.Strategy
	}
}

// follow stores writes.
func follow(d *appsv1.Deployment, sets []*appsv1.ReplicaSet, writes []deployment.Write) []*appsv1.ReplicaSet {
	for _, write := range writes {
		if write.Create {
			set := newSet(d, len(sets), write.Replicas)
			set.Annotations = write.Annotations
			sets = append(sets, set)
			continue
		}
		for i, set := range sets {
			if set.Name == write.ReplicaSet {
				next := set.DeepCopy()
				*next.Spec.Replicas = write.Replicas
				next.Spec.MinReadySeconds = write.MinReadySeconds
				maps.Copy(next.Annotations, write.Annotations)
				sets[i] = next
			}
		}
	}
	return sets
}

// progress moves the pods of each ReplicaSet, or with r of some, one step
// towards what its spec asks for, and reports whether any moved.
func progress(r *rand.Rand, sets []*appsv1.ReplicaSet) bool {
	moved := false
	for i, set := range sets {
		if r != nil && r.IntN(2) == 0 {
			continue
		}
		next := set.DeepCopy()
		if next.Status.Replicas == *next.Spec.Replicas {
			next.Status.AvailableReplicas += min(1, next.Status.Replicas-next.Status.AvailableReplicas)
		} else {
			next.Status.Replicas = *next.Spec.Replicas
			next.Status.AvailableReplicas = min(next.Status.AvailableReplicas, next.Status.Replicas)
		}
		next.Status.ReadyReplicas = next.Status.AvailableReplicas
		if !cmp.Equal(next.Status, set.Status) {
			sets[i], moved = next, true
		}
	}
	return moved
}
