// Package volume stands for storage drivers: it provisions, expands and deletes
// the volumes of claims, as external provisioners and resizers do. Claims are
// bound by the real persistent volume controller and scheduler.
package volume

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	storagelisters "k8s.io/client-go/listers/storage/v1"
	"k8s.io/client-go/tools/cache"
	storagehelpers "k8s.io/component-helpers/storage/volume"
	"k8s.io/utils/clock"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/agenda"
)

// Options say how volumes are provisioned. The zero value serves every class at
// once.
type Options struct {
	// Provisioners are the names that are served; all if empty.
	Provisioners []string
	// Delay is how long provisioning and expanding take.
	Delay time.Duration
	// Retry is how long after a failed or refused write its object is looked at
	// afresh: 100 ms if zero. Patience is how long one write is waited for before
	// the next begins: 20 ms if zero.
	Retry, Patience time.Duration
	// Report gets the errors of writes, which are tried again. It may be nil.
	Report func(error)
}

// Volumes provisions. Make one with New.
type Volumes struct {
	client  kubernetes.Interface
	options Options
	clock   clock.Clock
	agenda  *agenda.Agenda[key]

	claims  corelisters.PersistentVolumeClaimLister
	volumes corelisters.PersistentVolumeLister
	nodes   corelisters.NodeLister
	classes storagelisters.StorageClassLister

	mu sync.Mutex
	// due is when what a claim asks for is done, since it was first seen to ask.
	due map[key]time.Time
}

// key names a claim, or a volume if it has no namespace.
type key struct{ namespace, name string }

// New makes what serves the claims that the informers of factory tell of. The
// caller starts the factory, and waits for it before Run.
func New(client kubernetes.Interface, factory informers.SharedInformerFactory, c clock.Clock, options Options) (*Volumes, error) {
	if options.Retry == 0 {
		options.Retry = 100 * time.Millisecond
	}
	if options.Patience == 0 {
		options.Patience = 20 * time.Millisecond
	}
	core := factory.Core().V1()
	v := &Volumes{
		client: client, options: options, clock: c, agenda: agenda.New[key](nil), due: make(map[key]time.Time),
		claims: core.PersistentVolumeClaims().Lister(), volumes: core.PersistentVolumes().Lister(),
		nodes: core.Nodes().Lister(), classes: factory.Storage().V1().StorageClasses().Lister(),
	}
	look := func(object any) {
		if o, ok := object.(metav1.Object); ok {
			v.agenda.At(key{o.GetNamespace(), o.GetName()}, c.Now())
		}
	}
	handler := cache.ResourceEventHandlerFuncs{AddFunc: look, UpdateFunc: func(_, now any) { look(now) }, DeleteFunc: func(any) {}}
	all := cache.ResourceEventHandlerFuncs{AddFunc: func(any) { v.lookAgain() }}
	for _, each := range []struct {
		informer cache.SharedIndexInformer
		handler  cache.ResourceEventHandler
	}{
		{core.PersistentVolumeClaims().Informer(), handler},
		{core.PersistentVolumes().Informer(), handler},
		{core.Nodes().Informer(), all},
		{factory.Storage().V1().StorageClasses().Informer(), all},
	} {
		if _, err := each.informer.AddEventHandler(each.handler); err != nil {
			return nil, fmt.Errorf("volumes: %w", err)
		}
	}
	return v, nil
}

// lookAgain looks at all claims: one may have waited for a class or a node.
func (v *Volumes) lookAgain() {
	claims, err := v.claims.List(labels.Everything())
	if err != nil {
		return
	}
	slices.SortFunc(claims, func(a, b *corev1.PersistentVolumeClaim) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	for _, claim := range claims {
		v.agenda.At(key{claim.Namespace, claim.Name}, v.clock.Now())
	}
}

// Pending says how many claims and volumes have a write under way, and when the
// next is due: the zero time if none is.
func (v *Volumes) Pending() (writing int, next time.Time) { return v.agenda.Pending() }

// Run serves until the context ends, and returns when everything that it started
// has.
func (v *Volumes) Run(ctx context.Context) {
	loop := agenda.Loop[key]{
		Agenda: v.agenda, Clock: v.clock, Patience: v.options.Patience, Retry: v.options.Retry, Report: v.options.Report, Decide: v.decide,
	}
	loop.Run(ctx)
}

// decide is what is to be written of a claim or volume, if anything, and when it
// is to be looked at again if nothing happens to it.
func (v *Volumes) decide(at key) (func(context.Context) error, time.Time) {
	if at.namespace == "" {
		return v.reclaim(at.name), time.Time{}
	}
	claim, err := v.claims.PersistentVolumeClaims(at.namespace).Get(at.name)
	if err != nil {
		v.forget(at)
		return nil, time.Time{}
	}
	switch {
	case claim.Spec.VolumeName == "":
		return v.provision(at, claim)
	case claim.Status.Phase == corev1.ClaimBound:
		return v.expand(at, claim)
	}
	return nil, time.Time{}
}

// delayed reports whether what a claim asks for is done by now, or when.
func (v *Volumes) delayed(at key) (bool, time.Time) {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.clock.Now()
	due, asked := v.due[at]
	if !asked {
		due = now.Add(v.options.Delay)
		v.due[at] = due
	}
	return due.After(now), due
}

func (v *Volumes) forget(at key) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.due, at)
}

func (v *Volumes) served(provisioner string) bool {
	return provisioner != "" && (len(v.options.Provisioners) == 0 || slices.Contains(v.options.Provisioners, provisioner))
}

// provision makes the volume of a claim that the volume controller asks an
// external provisioner for: at once, or when the scheduler has chosen a node.
func (v *Volumes) provision(at key, claim *corev1.PersistentVolumeClaim) (func(context.Context) error, time.Time) {
	provisioner := claim.Annotations[storagehelpers.AnnStorageProvisioner]
	if provisioner == "" {
		provisioner = claim.Annotations[storagehelpers.AnnBetaStorageProvisioner]
	}
	if !v.served(provisioner) || claim.DeletionTimestamp != nil {
		return nil, time.Time{}
	}
	class, err := v.classes.Get(storagehelpers.GetPersistentVolumeClaimClass(claim))
	if err != nil {
		return nil, time.Time{}
	}
	node := claim.Annotations[storagehelpers.AnnSelectedNode]
	if class.VolumeBindingMode != nil && *class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer && node == "" {
		return nil, time.Time{}
	}
	if late, due := v.delayed(at); late {
		return nil, due
	}
	terms, ok := v.topology(claim, class, node)
	if !ok {
		return v.reschedule(claim), time.Time{}
	}
	volume := volumeFor(claim, class, provisioner, terms)
	if _, err := v.volumes.Get(volume.Name); err == nil {
		return nil, time.Time{} // it is there, and not bound yet
	}
	return func(ctx context.Context) error {
		_, err := v.client.CoreV1().PersistentVolumes().Create(ctx, volume, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("provision %s/%s: %w", claim.Namespace, claim.Name, err)
		}
		v.forget(at)
		return nil
	}, time.Time{}
}

// reschedule tells the scheduler that the node it chose will not do, as external
// provisioners do.
func (v *Volumes) reschedule(claim *corev1.PersistentVolumeClaim) func(context.Context) error {
	patch := fmt.Appendf(nil, `{"metadata":{"uid":%q,"annotations":{%q:null}}}`, claim.UID, storagehelpers.AnnSelectedNode)
	return func(ctx context.Context) error {
		_, err := v.client.CoreV1().PersistentVolumeClaims(claim.Namespace).Patch(ctx, claim.Name, types.MergePatchType, patch, metav1.PatchOptions{})
		if err != nil {
			return fmt.Errorf("reschedule %s/%s: %w", claim.Namespace, claim.Name, err)
		}
		return nil
	}
}

func volumeFor(claim *corev1.PersistentVolumeClaim, class *storagev1.StorageClass, provisioner string, affinity []corev1.NodeSelectorTerm) *corev1.PersistentVolume {
	policy := corev1.PersistentVolumeReclaimDelete
	if class.ReclaimPolicy != nil {
		policy = *class.ReclaimPolicy
	}
	name := "pvc-" + string(claim.UID)
	out := &corev1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: map[string]string{storagehelpers.AnnDynamicallyProvisioned: provisioner}},
		Spec: corev1.PersistentVolumeSpec{
			Capacity:    corev1.ResourceList{corev1.ResourceStorage: claim.Spec.Resources.Requests[corev1.ResourceStorage]},
			AccessModes: claim.Spec.AccessModes, VolumeMode: claim.Spec.VolumeMode,
			PersistentVolumeReclaimPolicy: policy, StorageClassName: class.Name, MountOptions: class.MountOptions,
			ClaimRef: &corev1.ObjectReference{
				Kind: "PersistentVolumeClaim", APIVersion: "v1", Namespace: claim.Namespace, Name: claim.Name,
				UID: claim.UID, ResourceVersion: claim.ResourceVersion,
			},
			PersistentVolumeSource: corev1.PersistentVolumeSource{
				CSI: &corev1.CSIPersistentVolumeSource{Driver: driver(provisioner), VolumeHandle: name},
			},
			VolumeAttributesClassName: claim.Spec.VolumeAttributesClassName,
		},
	}
	if len(affinity) > 0 {
		out.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: affinity}}
	}
	return out
}

// driver is a name of a CSI driver for a provisioner, which may be called otherwise:
// rancher.io/local-path.
func driver(provisioner string) string {
	return strings.ToLower(strings.ReplaceAll(provisioner, "/", "."))
}

// topology is where the volume of a claim can be used: in the zone of the node
// that was chosen; without one in a zone that the class allows, or that a node is
// in, which follows from the claim's name. No zone is everywhere. It is not ok if
// the chosen node is gone.
func (v *Volumes) topology(claim *corev1.PersistentVolumeClaim, class *storagev1.StorageClass, node string) (terms []corev1.NodeSelectorTerm, ok bool) {
	if node != "" {
		chosen, err := v.nodes.Get(node)
		if err != nil {
			return nil, false
		}
		if zone := chosen.Labels[corev1.LabelTopologyZone]; zone != "" {
			return within(corev1.LabelTopologyZone, zone), true
		}
		return nil, true
	}
	zones, label := v.zones(), corev1.LabelTopologyZone
	for _, term := range class.AllowedTopologies {
		for _, e := range term.MatchLabelExpressions {
			zones, label = slices.Sorted(slices.Values(e.Values)), e.Key
		}
	}
	if len(zones) == 0 {
		return nil, true
	}
	hash := fnv.New32a()
	_, _ = fmt.Fprint(hash, claim.Namespace, "/", claim.Name)
	return within(label, zones[int(hash.Sum32()%uint32(len(zones)))]), true
}

// zones are those of the nodes, sorted.
func (v *Volumes) zones() []string {
	nodes, err := v.nodes.List(labels.Everything())
	if err != nil {
		return nil
	}
	var out []string
	for _, node := range nodes {
		if zone := node.Labels[corev1.LabelTopologyZone]; zone != "" {
			out = append(out, zone)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func within(label, value string) []corev1.NodeSelectorTerm {
	return []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{
		{Key: label, Operator: corev1.NodeSelectorOpIn, Values: []string{value}},
	}}}
}

// expand gives a claim the room that it asks for, if its class allows it: first
// the volume, then the claim.
func (v *Volumes) expand(at key, claim *corev1.PersistentVolumeClaim) (func(context.Context) error, time.Time) {
	wanted, has := claim.Spec.Resources.Requests[corev1.ResourceStorage], claim.Status.Capacity[corev1.ResourceStorage]
	if wanted.Cmp(has) <= 0 {
		v.forget(at)
		return nil, time.Time{}
	}
	volume, err := v.volumes.Get(claim.Spec.VolumeName)
	if err != nil || !v.served(volume.Annotations[storagehelpers.AnnDynamicallyProvisioned]) {
		return nil, time.Time{}
	}
	class, err := v.classes.Get(storagehelpers.GetPersistentVolumeClaimClass(claim))
	if err != nil || class.AllowVolumeExpansion == nil || !*class.AllowVolumeExpansion {
		return nil, time.Time{}
	}
	if late, due := v.delayed(at); late {
		return nil, due
	}
	room := wanted.String()
	return func(ctx context.Context) error {
		if got := volume.Spec.Capacity[corev1.ResourceStorage]; got.Cmp(wanted) < 0 {
			patch := fmt.Appendf(nil, `{"metadata":{"uid":%q},"spec":{"capacity":{"storage":%q}}}`, volume.UID, room)
			if _, err := v.client.CoreV1().PersistentVolumes().Patch(ctx, volume.Name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
				return fmt.Errorf("expand volume %s: %w", volume.Name, err)
			}
		}
		patch := fmt.Appendf(nil, `{"metadata":{"uid":%q},"status":{"capacity":{"storage":%q},"conditions":null,"allocatedResourceStatuses":null}}`, claim.UID, room)
		if _, err := v.client.CoreV1().PersistentVolumeClaims(claim.Namespace).Patch(ctx, claim.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status"); err != nil {
			return fmt.Errorf("expand claim %s/%s: %w", claim.Namespace, claim.Name, err)
		}
		v.forget(at)
		return nil
	}, time.Time{}
}

// reclaim deletes a volume that was provisioned here and is released, if that is
// its policy.
func (v *Volumes) reclaim(name string) func(context.Context) error {
	volume, err := v.volumes.Get(name)
	if err != nil || volume.Status.Phase != corev1.VolumeReleased || volume.DeletionTimestamp != nil ||
		volume.Spec.PersistentVolumeReclaimPolicy != corev1.PersistentVolumeReclaimDelete ||
		!v.served(volume.Annotations[storagehelpers.AnnDynamicallyProvisioned]) {
		return nil
	}
	return func(ctx context.Context) error {
		err := v.client.CoreV1().PersistentVolumes().Delete(ctx, name, metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(volume.UID))})
		if err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("delete volume %s: %w", name, err)
		}
		return nil
	}
}
