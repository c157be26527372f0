package disposable

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/seatrial/seatrial/history"
)

const (
	// calm is how long nothing may come behind a reset: controllers may not have heard yet that what
	// they care for is gone.
	calm = 300 * time.Millisecond
	// patience is how long it is waited for those whose finalizers are Kubernetes' own, and for who has
	// provisioned a volume.
	patience = 30 * time.Second
	// goneMax is how long objects may take until they are gone.
	goneMax = 2 * time.Minute
	// grace is how many seconds pods have to end.
	grace = int64(1)
)

// furniture are objects that come with a namespace, if those that were there before have them.
var furniture = []history.Key{{Resource: "serviceaccounts", Name: "default"}, {Resource: "configmaps", Name: "kube-root-ca.crt"}}

// comes tells whether an object comes with its namespace.
func comes(key history.Key) bool {
	key.Namespace = ""
	return slices.Contains(furniture, key)
}

// furnished waits until the namespaces have what comes with them.
func (s *slot) furnished(ctx context.Context) error {
	c := s.cluster
	missing := ""
	ctx, cancel := context.WithTimeout(ctx, readyMax)
	defer cancel()
	err := c.await(ctx, time.Second, func() bool {
		for namespace := range s.own {
			for _, key := range furniture {
				key.Namespace = metav1.NamespaceDefault
				usual := c.before[key]
				key.Namespace = namespace
				if there := c.objects[history.Key{Resource: namespaces, Name: namespace}] != nil; there && usual && c.objects[key] == nil {
					missing = key.String()
					return false
				}
			}
		}
		return true
	})
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s does not come within %s, as in other namespaces", missing, readyMax)
	}
	return err
}

// await waits until something is so, which is asked whenever something is written, and at every interval. The cluster
// is locked when it is asked.
func (c *Cluster) await(ctx context.Context, interval time.Duration, is func() bool) error {
	for {
		c.mu.Lock()
		so, changed := is(), c.changed
		c.mu.Unlock()
		if so {
			return nil
		}
		if err := wait(ctx, changed, interval); err != nil {
			return err
		}
	}
}

// wait waits until something is written, or for so long.
func wait(ctx context.Context, changed <-chan struct{}, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-changed:
	case <-timer.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// quiet waits until nothing has been written in the slot for a moment.
func (s *slot) quiet(ctx context.Context) error {
	return s.cluster.await(ctx, calm/3, func() bool { return s.cluster.o.Now().Sub(s.moved) >= calm })
}

// takeBase takes what there is for what is to be there behind each reset.
func (s *slot) takeBase(ctx context.Context) error {
	if err := s.quiet(ctx); err != nil {
		return err
	}
	c := s.cluster
	c.mu.Lock()
	defer c.mu.Unlock()
	s.base = history.State{}
	for key, o := range c.objects {
		if !c.before[key] && s.has(key, o) {
			s.base[key], s.made[key] = o, true
		}
	}
	return nil
}

// reset makes the slot what it was behind the setup.
func (s *slot) reset(ctx context.Context) error {
	if err := s.clear(ctx, s.base); err != nil {
		return err
	}
	if err := s.restore(ctx); err != nil {
		return err
	}
	if err := s.quiet(ctx); err != nil {
		return err
	}
	c := s.cluster
	c.ledger.forget(s)
	c.mu.Lock()
	defer c.mu.Unlock()
	s.log, s.touched = nil, map[history.Key]bool{}
	for name := range s.own {
		key := history.Key{Resource: namespaces, Name: name}
		if c.objects[key] == nil {
			delete(s.own, name)
		}
	}
	return nil
}

// remove leaves nothing of the slot, first what runs have left and then what was set up.
func (s *slot) remove(ctx context.Context) error {
	if s.base != nil {
		if err := s.clear(ctx, s.base); err != nil {
			return err
		}
	}
	s.cluster.mu.Lock()
	for key, o := range s.cluster.objects {
		if o.At("metadata", "labels", Label) != nil && !s.cluster.before[key] {
			s.made[key] = true // of a setup that has failed half way
		}
	}
	s.cluster.mu.Unlock()
	return s.clear(ctx, nil)
}

// leftover is an object that is to go.
type leftover struct {
	history.Key
	object history.Object
}

// leftovers are what is in the slot, and was neither there before nor is to be kept: owners first, pods behind
// what would make them again, and namespaces last. The cluster is locked.
func (s *slot) leftovers(keep history.State) []leftover {
	var left []leftover
	for key, o := range s.cluster.objects {
		if !s.cluster.before[key] && keep[key] == nil && s.has(key, o) {
			left = append(left, leftover{key, o})
		}
	}
	slices.SortFunc(left, func(a, b leftover) int { return cmp.Or(a.rank()-b.rank(), a.Compare(b.Key)) })
	return left
}

func (l leftover) rank() int {
	owners, _ := l.object.At("metadata", "ownerReferences").([]any)
	switch {
	case l.Resource == namespaces:
		return 4
	case l.Resource == crds:
		return 3
	case l.Resource == "pods":
		return 2
	case len(owners) > 0:
		return 1
	}
	return 0
}

// clear deletes leftovers, and waits until they are gone and nothing comes any more.
func (s *slot) clear(ctx context.Context, keep history.State) error {
	c := s.cluster
	begun := c.o.Now()
	asked := map[string]time.Time{}
	for {
		c.mu.Lock()
		left, changed, still := s.leftovers(keep), c.changed, c.o.Now().Sub(s.moved)
		c.mu.Unlock()
		if len(left) == 0 && still >= calm {
			return nil
		}
		if c.o.Now().Sub(begun) > goneMax {
			return fmt.Errorf("not gone within %s: %s", goneMax, names(left))
		}
		for _, l := range left {
			if err := s.drop(ctx, l, asked); err != nil {
				return fmt.Errorf("delete %s: %w", l.Key, err)
			}
		}
		if err := wait(ctx, changed, calm/3); err != nil {
			return err
		}
	}
}

// names are those of the first leftovers.
func names(left []leftover) string {
	const most = 5
	var all []string
	for _, l := range left[:min(len(left), most)] {
		all = append(all, l.Key.String())
	}
	if n := len(left) - most; n > 0 {
		all = append(all, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(all, ", ")
}

// drop goes one step on to where an object is gone; asked says since when by its UID.
func (s *slot) drop(ctx context.Context, l leftover, asked map[string]time.Time) error {
	r, served := s.cluster.feed.resource(l.Key)
	if !served {
		return nil // it goes with its CRD
	}
	uid := l.object.Text("metadata", "uid")
	since, was := asked[uid]
	now := s.cluster.o.Now()
	if !was {
		asked[uid] = now
	}
	late := was && now.Sub(since) > patience
	deleted := l.object.At("metadata", "deletionTimestamp") != nil
	provisioned := l.Resource == volumes && l.object.Text("spec", "persistentVolumeReclaimPolicy") == "Delete"
	if !deleted && (!was && !provisioned || late) {
		background := metav1.DeletePropagationBackground
		options := metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(uid), PropagationPolicy: &background}
		if l.Resource == "pods" {
			seconds := grace
			options.GracePeriodSeconds = &seconds
		}
		return ignore(r.Delete(ctx, l.Name, options))
	}
	finalizers := texts(l.object.At("metadata", "finalizers"))
	kept := slices.DeleteFunc(slices.Clone(finalizers), func(f string) bool { return late || !ofKubernetes(f) })
	if !deleted || len(kept) == len(finalizers) {
		return nil
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"finalizers": kept, "uid": uid, "resourceVersion": l.object.Text("metadata", "resourceVersion")}})
	if err != nil {
		return err
	}
	_, err = r.Patch(ctx, l.Name, types.MergePatchType, patch, metav1.PatchOptions{})
	return ignore(err)
}

// ofKubernetes tells whether who removes a finalizer is a part of Kubernetes, which is at work; the operator is not.
func ofKubernetes(finalizer string) bool {
	domain, _, ok := strings.Cut(finalizer, "/")
	return !ok || domain == "kubernetes.io" || strings.HasSuffix(domain, ".kubernetes.io") || strings.HasSuffix(domain, ".k8s.io")
}

// ignore leaves out errors that say that an object is another one by now: a watch tells what it is.
func ignore(err error) error {
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

func texts(list any) []string {
	items, _ := list.([]any)
	var all []string
	for _, item := range items {
		text, _ := item.(string)
		all = append(all, text)
	}
	return all
}

// restore gives objects of the setup that a run has deleted or changed their old form.
func (s *slot) restore(ctx context.Context) error {
	c := s.cluster
	ctx, cancel := context.WithTimeoutCause(ctx, goneMax, fmt.Errorf("what was set up is not as it was within %s", goneMax))
	defer cancel()
	keys := s.base.Keys()
	slices.SortStableFunc(keys, func(a, b history.Key) int { return (leftover{Key: b}).rank() - (leftover{Key: a}).rank() })
	for _, key := range keys {
		c.mu.Lock()
		was, is, touched := s.base[key], c.objects[key], s.touched[key]
		c.mu.Unlock()
		if is != nil && (!touched || is.Text("metadata", "resourceVersion") == was.Text("metadata", "resourceVersion")) {
			continue
		}
		revision, err := s.write(ctx, key, was, is)
		if err != nil {
			return fmt.Errorf("%s as it was set up: %w", key, err)
		}
		if err := c.await(ctx, time.Second, func() bool { return revisionOf(c.objects[key]) >= max(revision, 1) }); err != nil {
			return err
		}
		c.mu.Lock()
		s.base[key] = c.objects[key]
		c.mu.Unlock()
	}
	return nil
}

// write creates an object, or makes what there is, if it is not nil, the same; it returns the revision.
func (s *slot) write(ctx context.Context, key history.Key, was, is history.Object) (int64, error) {
	r, served := s.cluster.feed.resource(key)
	if !served {
		return 0, errors.New("nothing serves it any more")
	}
	u := (&unstructured.Unstructured{Object: was}).DeepCopy()
	metadata, _ := u.Object["metadata"].(map[string]any)
	for _, field := range []string{"uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "ownerReferences"} {
		delete(metadata, field)
	}
	var done *unstructured.Unstructured
	var err error
	if is == nil {
		done, err = r.Create(ctx, u, metav1.CreateOptions{})
	} else {
		u.SetResourceVersion(is.Text("metadata", "resourceVersion"))
		done, err = r.Update(ctx, u, metav1.UpdateOptions{})
	}
	if err != nil {
		return 0, ignore(err)
	}
	return revisionOf(done.Object), nil
}

// revisionOf is the revision of an object; 0 for nil.
func revisionOf(o history.Object) int64 {
	n, err := strconv.ParseInt(o.Text("metadata", "resourceVersion"), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
