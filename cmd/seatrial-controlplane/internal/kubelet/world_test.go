package kubelet

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	clienttesting "k8s.io/client-go/testing"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
)

// world is a plane that is nothing but its objects, with kubelets. Time is that
// of a synctest bubble: it moves only by advance.
type world struct {
	t       *testing.T
	client  *fake.Clientset
	store   *store
	kubelet *Kubelets
	stop    func()
}

// store adds to the tracker of client-go's fake what kubelets rely on: resource
// versions, UIDs, graceful deletion, UID preconditions; and a gate.
type store struct {
	clienttesting.ObjectTracker
	mu      sync.Mutex
	version int64
	log     []string
	start   time.Time
	// hold has a channel for each pod whose writes wait, on which an error or nil
	// releases one.
	hold map[string]chan error
}

func newWorld(t *testing.T, options Options, objects ...runtime.Object) *world {
	codecs := serializer.NewCodecFactory(scheme.Scheme)
	s := &store{ObjectTracker: clienttesting.NewObjectTracker(scheme.Scheme, codecs.UniversalDecoder()), start: time.Now(), hold: map[string]chan error{}}
	client := &fake.Clientset{}
	client.AddReactor("*", "*", clienttesting.ObjectReaction(s))
	client.AddWatchReactor("*", func(action clienttesting.Action) (bool, watch.Interface, error) {
		w, err := s.Watch(action.GetResource(), action.GetNamespace(), action.(clienttesting.WatchActionImpl).ListOptions)
		return true, w, err
	})
	for _, o := range objects {
		m, err := meta.Accessor(o)
		if err != nil {
			t.Fatal(err)
		}
		s.stamp(m)
		if err := s.Add(o); err != nil {
			t.Fatal(err)
		}
	}
	w := &world{t: t, client: client, store: s}
	w.begin(options)
	t.Cleanup(func() { w.stop() })
	return w
}

// begin starts kubelets that know nothing of what was before.
func (w *world) begin(options Options) {
	if w.stop != nil {
		w.stop()
	}
	k, err := newFor(gated{w.client, w.store}, options)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { k.Run(ctx); close(ended) }()
	w.kubelet = k
	w.stop = sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	synctest.Wait()
}

// advance lets time pass, and returns what was written.
func (w *world) advance(d time.Duration) string {
	time.Sleep(d)
	synctest.Wait()
	return w.written()
}

func (w *world) written() string {
	synctest.Wait()
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	// Events are written beside the rest, in no order that means anything.
	slices.SortStableFunc(w.store.log, func(a, b string) int {
		return cmp.Compare(strings.Count(a, "  Event "), strings.Count(b, "  Event "))
	})
	out := strings.Join(w.store.log, "\n")
	w.store.log = nil
	return out
}

func (w *world) pod(name string) *corev1.Pod {
	w.t.Helper()
	pod, err := w.client.CoreV1().Pods("ns").Get(context.Background(), name, metav1.GetOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	return pod
}

func (w *world) create(pod *corev1.Pod) {
	w.t.Helper()
	pod = pod.DeepCopy()
	pod.CreationTimestamp = metav1.Now()
	pod.Status.Phase = corev1.PodPending
	if _, err := w.client.CoreV1().Pods(pod.Namespace).Create(context.Background(), pod, metav1.CreateOptions{}); err != nil {
		w.t.Fatal(err)
	}
}

// gated is a client whose writes to pods may be held. The fake has a lock while
// it reacts, so that they cannot wait in there.
type gated struct {
	kubernetes.Interface
	store *store
}

// IsWatchListSemanticsUnSupported is what informers ask of fakes.
func (g gated) IsWatchListSemanticsUnSupported() bool { return true }

func (g gated) CoreV1() corev1client.CoreV1Interface { return gatedCore{g.Interface.CoreV1(), g.store} }

type gatedCore struct {
	corev1client.CoreV1Interface
	store *store
}

func (g gatedCore) Pods(namespace string) corev1client.PodInterface {
	return gatedPods{g.CoreV1Interface.Pods(namespace), g.store}
}

type gatedPods struct {
	corev1client.PodInterface
	store *store
}

func (g gatedPods) wait(ctx context.Context, name string) error {
	g.store.mu.Lock()
	held := g.store.hold[name]
	g.store.mu.Unlock()
	if held == nil {
		return nil
	}
	select {
	case err := <-held:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g gatedPods) Patch(ctx context.Context, name string, kind types.PatchType, data []byte, options metav1.PatchOptions, subresources ...string) (*corev1.Pod, error) {
	if err := g.wait(ctx, name); err != nil {
		return nil, err
	}
	return g.PodInterface.Patch(ctx, name, kind, data, options, subresources...)
}

func (g gatedPods) Delete(ctx context.Context, name string, options metav1.DeleteOptions) error {
	if err := g.wait(ctx, name); err != nil {
		return err
	}
	return g.PodInterface.Delete(ctx, name, options)
}

func (s *store) stamp(o metav1.Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	o.SetResourceVersion(strconv.FormatInt(s.version, 10))
	if o.GetUID() == "" {
		o.SetUID(types.UID("uid-" + o.GetName() + "-" + o.GetResourceVersion()))
	}
}

func (s *store) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, fmt.Sprintf("%6s  ", time.Since(s.start).Round(time.Millisecond))+fmt.Sprintf(format, args...))
}

func (s *store) Create(gvr schema.GroupVersionResource, o runtime.Object, ns string, opts ...metav1.CreateOptions) error {
	m, err := meta.Accessor(o)
	if err != nil {
		return err
	}
	s.stamp(m)
	if e, ok := o.(*corev1.Event); ok {
		s.note("Event %s %s: %s", e.InvolvedObject.Name, e.Reason, e.Message)
	}
	return s.ObjectTracker.Create(gvr, o, ns, opts...)
}

func (s *store) Update(gvr schema.GroupVersionResource, o runtime.Object, ns string, opts ...metav1.UpdateOptions) error {
	m, err := meta.Accessor(o)
	if err != nil {
		return err
	}
	s.stamp(m)
	return s.ObjectTracker.Update(gvr, o, ns, opts...)
}

func (s *store) Patch(gvr schema.GroupVersionResource, o runtime.Object, ns string, opts ...metav1.PatchOptions) error {
	m, err := meta.Accessor(o)
	if err != nil {
		return err
	}
	old, err := s.Get(gvr, ns, m.GetName())
	if err != nil {
		return err
	}
	if before, err := meta.Accessor(old); err != nil || before.GetUID() != m.GetUID() {
		return apierrors.NewConflict(gvr.GroupResource(), m.GetName(), fmt.Errorf("the UID differs"))
	}
	s.stamp(m)
	switch o := o.(type) {
	case *corev1.Pod:
		s.note("%s", said(o))
	case *corev1.Node:
		s.note("%s", saidOfNode(o))
	}
	return s.ObjectTracker.Patch(gvr, o, ns, opts...)
}

func (s *store) Delete(gvr schema.GroupVersionResource, ns, name string, opts ...metav1.DeleteOptions) error {
	if gvr.Resource != "pods" || len(opts) == 0 {
		return s.ObjectTracker.Delete(gvr, ns, name, opts...)
	}
	o, err := s.Get(gvr, ns, name)
	if err != nil {
		return err
	}
	pod := o.(*corev1.Pod).DeepCopy()
	if p := opts[0].Preconditions; p != nil && *p.UID != pod.UID {
		return apierrors.NewConflict(gvr.GroupResource(), name, fmt.Errorf("the UID differs"))
	}
	grace := int64(30)
	if pod.Spec.TerminationGracePeriodSeconds != nil {
		grace = *pod.Spec.TerminationGracePeriodSeconds
	}
	if given := opts[0].GracePeriodSeconds; given != nil {
		grace = *given
	}
	if podutil.IsPodPhaseTerminal(pod.Status.Phase) {
		grace = 0
	}
	if grace == 0 && len(pod.Finalizers) == 0 {
		s.note("%s is gone", name)
		return s.ObjectTracker.Delete(gvr, ns, name)
	}
	if grace == 0 {
		s.note("%s is gone but for its finalizers", name)
	}
	at := metav1.NewTime(time.Now().Add(time.Duration(grace) * time.Second))
	pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = &at, &grace
	return s.Update(gvr, pod, ns)
}

// said is one line about a pod: phase and reason, which conditions are true, and
// the state of each container.
func said(pod *corev1.Pod) string {
	s := &pod.Status
	out := fmt.Sprintf("%s %s", pod.Name, s.Phase)
	if s.Reason != "" {
		out += " " + s.Reason
	}
	var conditions []string
	for _, c := range s.Conditions {
		if c.Status == corev1.ConditionTrue && c.Type != corev1.PodScheduled && c.Type != corev1.PodReadyToStartContainers && c.Type != corev1.ContainersReady {
			conditions = append(conditions, string(c.Type))
		}
	}
	out += " [" + strings.Join(conditions, " ") + "]"
	for _, c := range append(append([]corev1.ContainerStatus{}, s.InitContainerStatuses...), s.ContainerStatuses...) {
		out += " " + c.Name + "="
		switch {
		case c.State.Running != nil && c.Ready:
			out += "ready"
		case c.State.Running != nil && c.Started != nil && !*c.Started:
			out += "starting"
		case c.State.Running != nil:
			out += "running"
		case c.State.Terminated != nil:
			out += fmt.Sprintf("%s(%d)", c.State.Terminated.Reason, c.State.Terminated.ExitCode)
		case c.State.Waiting != nil:
			out += c.State.Waiting.Reason
		}
		if c.RestartCount > 0 {
			out += fmt.Sprintf("*%d", c.RestartCount)
		}
	}
	return out
}

func saidOfNode(node *corev1.Node) string {
	var out []string
	for _, c := range node.Status.Conditions {
		if c.Status != corev1.ConditionFalse {
			out = append(out, fmt.Sprintf("%s=%s", c.Type, c.Status))
		}
	}
	return fmt.Sprintf("node %s [%s]", node.Name, strings.Join(out, " "))
}
