package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/fidelity"
	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// Kubernetes is the release that traces are replayed on.
const Kubernetes = "v1.36.3"

// waits are the options of components that make them wait less. What a trace says
// of time is that it passes; how long is the component's own affair.
var waits = map[string]string{
	"horizontal-pod-autoscaler-sync-period":             "500ms",
	"horizontal-pod-autoscaler-downscale-stabilization": "0s",
}

// losses are those where a machine is lost: by default that takes 40 s to be seen, and of
// several in a zone one in 10 s has its pods evicted.
var losses = map[string]string{
	"node-monitor-period":       "500ms",
	"node-monitor-grace-period": "4s",
	"node-eviction-rate":        "10",
}

// tolerations: admission gives pods 300 s on a node that is lost.
var tolerations = map[string]string{
	"default-not-ready-toleration-seconds":   "1",
	"default-unreachable-toleration-seconds": "1",
}

// atMost are the waiting times that objects ask for, in seconds: admission shortens
// longer ones. What becomes of them is as before, since a write that comes before its
// turn waits. A pod that is not available yet is not held, so that time has to do for
// some steps; it is shorter than anybody is waited for.
var atMost = map[string]int64{
	"tolerationSeconds": 1, "stabilizationWindowSeconds": 0, "periodSeconds": 1, "minReadySeconds": longest,
}

// longest is the longest of them.
const longest = 10

// launch starts the control plane with the nodes of the setup.
func (r *run) launch(ctx context.Context) error {
	spec, err := r.spec()
	if err != nil {
		return err
	}
	r.process, err = controlplane.Launch(ctx, controlplane.Options{Path: r.options.Executable, Spec: spec})
	var refused *controlplane.RefusedError
	if errors.As(err, &refused) {
		return Unusable{"a component of the setup: " + refused.Reason}
	} else if err != nil {
		return err
	}
	r.admin, r.plane = r.process.Admin, r.process.Ready.Plane.Name
	config, err := clientcmd.BuildConfigFromFlags("", r.process.Ready.Plane.Kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.UserAgent = -1, manager
	return r.clients(config)
}

func (r *run) clients(config *rest.Config) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	r.client = client
	r.mapper = restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client.Discovery()))
	r.dynamic, err = dynamic.NewForConfig(config)
	return err
}

// spec is the control plane that the setup asks for.
func (r *run) spec() (admin.Spec, error) {
	spec := admin.Spec{
		Mode: "lean", Steering: true, APIServer: tolerations, AtMost: atMost, ControllerManager: map[string]string{},
		// A beta that reuses a decision for an equal pod, and has no place in the model.
		FeatureGates: map[string]bool{"OpportunisticBatching": false},
		Nodes:        []json.RawMessage{},
	}
	for _, raw := range r.trace.Setup.Objects {
		if kindOf(raw) == "Node" {
			spec.Nodes = append(spec.Nodes, raw)
		}
	}
	rules, err := json.Marshal(r.rules)
	if err != nil {
		return spec, err
	}
	spec.Rules = string(rules)
	components := r.trace.Setup.Components
	if raw, ok := components["kube-scheduler"]; ok {
		spec.Scheduler = string(raw)
	}
	if raw, ok := components["kube-controller-manager"]; ok {
		if err := json.Unmarshal(raw, &spec.ControllerManager); err != nil {
			return spec, Unusable{"the options of kube-controller-manager: " + err.Error()}
		}
	}
	maps.Copy(spec.ControllerManager, waits)
	if r.lossy {
		maps.Copy(spec.ControllerManager, losses)
		spec.Heartbeat = "1s"
	}
	if r.remembers {
		spec.AtMost = maps.Clone(atMost)
		spec.AtMost["stabilizationWindowSeconds"] = remembered
		spec.ControllerManager["horizontal-pod-autoscaler-downscale-stabilization"] = fmt.Sprintf("%ds", remembered)
	}
	if r.resyncs {
		spec.ControllerManager["min-resync-period"] = resyncEvery
	}
	return spec, nil
}

// loses tells whether a machine is lost in a trace, or before.
func loses(t *trace.Trace) bool {
	for _, s := range t.Steps {
		if slices.ContainsFunc(s.Acts, func(a trace.Act) bool { return a.Verb == "node-down" }) {
			return true
		}
	}
	return slices.ContainsFunc(t.Setup.Objects, func(raw json.RawMessage) bool {
		var node history.Object
		return kindOf(raw) == "Node" && json.Unmarshal(raw, &node) == nil && silent(node)
	})
}

func kindOf(raw json.RawMessage) string {
	var object struct {
		Kind string `json:"kind"`
	}
	if json.Unmarshal(raw, &object) != nil {
		return ""
	}
	return object.Kind
}

// availableWithin is for how many minReadySeconds the start waits.
const availableWithin = 30

// builtWithin is how long the setup may take to come about.
const builtWithin = 40 * time.Second

var errBuilt = errors.New("the setup does not come about")

// build makes the cluster as it is at the start: the objects, then the pods where
// the trace has them, then what acts on them.
func (r *run) build(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, builtWithin, errBuilt)
	defer cancel()
	if err := r.admin.Steer(ctx, r.plane, admin.Steer{On: true}); err != nil {
		return err
	}
	if err := r.admin.Hold(ctx, r.plane, held...); err != nil {
		return err
	}
	if err := r.loads.begin(r.trace.Setup.Workloads); err != nil {
		return err
	}
	pods := byOrdinal(r.trace.Pods)
	for i := range pods {
		if p := &pods[i]; p.Name != "" {
			_, namespace, _ := named(p.Owner)
			r.pods.set(identityOf(p), name{namespace, p.Name})
		} else {
			r.expected = append(r.expected, identityOf(p))
		}
	}
	if err := r.lose(ctx, pods); err != nil {
		return err
	}
	// A budget counts the pods that are there when it is made; of pods with several
	// budgets later news reaches one of these.
	late := func(kind string) bool { return kind == "PodDisruptionBudget" || kind == "HorizontalPodAutoscaler" }
	if err := r.createAll(ctx, func(kind string) bool { return kind != "Node" && !late(kind) }); err != nil {
		return err
	}
	if err := r.arrange(ctx, pods); err != nil {
		return err
	}
	if err := r.createAll(ctx, func(kind string) bool { return kind == "PodDisruptionBudget" }); err != nil {
		return err
	}
	if err := r.arrange(ctx, pods); err != nil {
		return err
	}
	if err := r.use(ctx); err != nil {
		return err
	}
	if err := r.createAll(ctx, func(kind string) bool { return kind == "HorizontalPodAutoscaler" }); err != nil {
		return err
	}
	if _, err := r.view.look(); err != nil {
		return err
	}
	r.start = fidelity.Start{Pods: map[history.Key]trace.Pod{}, Sets: map[history.Key]string{}}
	for set, real := range r.names {
		if real != set.name {
			r.start.Sets[history.Key{Resource: "replicasets.apps", Namespace: set.namespace, Name: real}] = set.name
		}
	}
	for i := range pods {
		if n, pod := r.real(&pods[i]); pod != nil {
			r.start.Pods[history.Key{Resource: "pods", Namespace: n.namespace, Name: n.name}] = pods[i]
		}
	}
	r.acted, r.began = r.view.newest, true
	return r.admin.LockStep(ctx, r.plane, true)
}

// lose stops the machines that are not there at the start. Pods that are bound to one have
// never started.
func (r *run) lose(ctx context.Context, pods []trace.Pod) error {
	for _, raw := range r.trace.Setup.Objects {
		var node history.Object
		if kindOf(raw) != "Node" || json.Unmarshal(raw, &node) != nil || !silent(node) {
			continue
		}
		lost := node.Text("metadata", "name")
		if slices.ContainsFunc(pods, func(p trace.Pod) bool { return p.Node == lost && p.Phase != string(corev1.PodPending) }) {
			return unsupported{"build the start: pods that run on node " + lost + ", which is not Ready"}
		}
		if readiness(node) != "Unknown" {
			return unsupported{"build the start: node " + lost + ", which says that it is not Ready"}
		}
		if err := r.admin.FailNode(ctx, r.plane, lost); err != nil {
			return err
		}
		r.lost = append(r.lost, lost)
	}
	return nil
}

// silent tells whether a node of the setup has a condition Ready that is not True.
func silent(node history.Object) bool {
	status := readiness(node)
	return status != "" && status != "True"
}

func (r *run) createAll(ctx context.Context, wanted func(kind string) bool) error {
	for _, raw := range r.trace.Setup.Objects {
		kind := kindOf(raw)
		if !wanted(kind) {
			continue
		}
		err := r.create(ctx, raw)
		if apierrors.IsAlreadyExists(err) && (kind == "Namespace" || kind == "PriorityClass") {
			continue // one that every cluster has
		}
		if meta.IsNoMatchError(err) || apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) {
			return Unusable{fmt.Sprintf("an object of the setup: %v", err)}
		}
		if err != nil {
			return fmt.Errorf("create %s: %w", kind, err)
		}
	}
	return nil
}

// own puts the uids of what was created into the owners of an object, and leaves
// out owners that are not there.
func (r *run) own(object *unstructured.Unstructured) {
	var owners []metav1.OwnerReference
	for _, owner := range object.GetOwnerReferences() {
		if uid, ok := r.uids[owner.Kind+" "+object.GetNamespace()+"/"+owner.Name]; ok {
			owner.UID = uid
			owners = append(owners, owner)
		}
	}
	object.SetOwnerReferences(owners)
}

func (r *run) replicas(owner string, revision int) *int32 {
	for _, w := range r.trace.Setup.Workloads {
		if w.Object == owner && revision < len(w.Revisions) {
			return w.Revisions[revision].Replicas
		}
	}
	return nil
}

// ownerOf is the workload and template of a pod that is to be created.
func (r *run) ownerOf(q request) (owner string, revision int, ok bool) {
	kind, set := controller(q.body)
	if kind != "ReplicaSet" {
		return "", 0, false
	}
	object := r.view.object("replicasets.apps", q.Namespace, set)
	if object == nil {
		return "", 0, false
	}
	return r.sets.of(object)
}

// createsSet tells whether a request creates the ReplicaSet of an act.
func (r *run) createsSet(a *trace.Act, q request) bool {
	owner, revision, ok := r.sets.of(q.body)
	_, namespace, set := named(a.Object)
	for _, w := range r.trace.Setup.Workloads {
		if ok && w.Object == owner && q.Namespace == namespace && revision < len(w.Revisions) {
			return w.Revisions[revision].Set == set
		}
	}
	return false
}

// setName is the name that a ReplicaSet of the trace has in the plane.
func (r *run) setName(namespace, set string) string {
	if own, ok := r.names[name{namespace, set}]; ok {
		return own
	}
	return set
}

// observe learns who is who from what is created.
func (r *run) observe(e history.Event) {
	r.out.History = append(r.out.History, e)
	if r.began {
		r.events = append(r.events, e)
	}
	if e.Type != history.Create {
		return
	}
	switch e.Resource {
	case "replicasets.apps":
		owner, revision, ok := r.sets.of(e.Object)
		for _, w := range r.trace.Setup.Workloads {
			if ok && w.Object == owner && revision < len(w.Revisions) {
				r.names[name{e.Namespace, w.Revisions[revision].Set}] = e.Name
			}
		}
	case "pods":
		_, set := controller(e.Object)
		owner, revision, ok := r.sets.of(r.view.object("replicasets.apps", e.Namespace, set))
		index := slices.IndexFunc(r.expected, func(i identity) bool { return ok && i.owner == owner && i.revision == revision })
		if index >= 0 {
			r.pods.set(r.expected[index], name{e.Namespace, e.Name})
			r.expected = slices.Delete(r.expected, index, index+1)
		}
	}
}

// resource is the client for an object that an act names.
func (r *run) resource(object string) (dynamic.ResourceInterface, error) {
	kind, namespace, _ := named(object)
	group, ok := groups[kind]
	if !ok {
		return nil, unsupported{"write " + object}
	}
	return r.resourceOf(newObject(group, kind, namespace))
}

// groups are the API versions of the kinds that acts name.
var groups = map[string]string{
	"Deployment": "apps/v1", "ReplicaSet": "apps/v1", "Pod": "v1", "Node": "v1",
	"HorizontalPodAutoscaler": "autoscaling/v2", "PodDisruptionBudget": "policy/v1",
}

func newObject(version, kind, namespace string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetAPIVersion(version)
	object.SetKind(kind)
	object.SetNamespace(namespace)
	return object
}

func (r *run) resourceOf(object *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	kind := object.GroupVersionKind()
	mapping, err := r.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return nil, err
	}
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		return r.dynamic.Resource(mapping.Resource).Namespace(object.GetNamespace()), nil
	}
	return r.dynamic.Resource(mapping.Resource), nil
}
