package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// The ReplicaSet controller deletes pods that have been ready for less time before
// others that are like them, by powers of two of that time, and by UIDs within one. A
// trace says in which order pods became ready in it, and nothing of how long ago: so
// those that it keeps are made to have been ready for long, if none of them became ready
// after one that it deletes.

// longReady is for how long pods that are kept have been ready at least: many times what a
// replay takes. Those that were kept before and are deleted now have been for as long: these
// are outlived by more than twice.
const longReady = time.Hour

// spared are the ready pods of the ReplicaSets of which acts delete ready pods, and which
// they keep; doomed are these.
func (r *run) spared(acts []trace.Act) (spared, doomed []name) {
	deleted := map[name]bool{}
	type set struct {
		owner    string
		revision int
	}
	of := map[set]bool{}
	for i := range acts {
		a := &acts[i]
		if a.Verb != "delete" || a.By != "replicaset-controller" || a.Pod == nil {
			continue
		}
		n, pod := r.podNow(a, r.view.state)
		deleted[n] = true
		if ready(pod) && !terminating(pod) {
			doomed = append(doomed, n)
			of[set{a.Pod.Owner, a.Pod.Revision}] = true
		}
	}
	for i, n := range r.pods.names {
		pod := r.view.object("pods", n.namespace, n.name)
		if of[set{i.owner, i.revision}] && !deleted[n] && ready(pod) && !terminating(pod) {
			spared = append(spared, n)
		}
	}
	return spared, doomed
}

// overtakes tells whether acts delete a pod and keep one that became ready after it.
func (r *run) overtakes(acts []trace.Act) bool {
	spared, doomed := r.spared(acts)
	for _, v := range doomed {
		for _, s := range spared {
			if r.readied[v] < r.readied[s] {
				return true
			}
		}
	}
	return false
}

// olden makes the pods that a step keeps older than those that it deletes, where the
// trace does not say otherwise.
func (r *run) olden(ctx context.Context, acts []trace.Act) error {
	spared, doomed := r.spared(acts)
	if len(doomed) == 0 || r.overtakes(acts) {
		return nil
	}
	var oldest time.Duration
	for _, n := range doomed {
		oldest = max(oldest, r.readyFor(n))
	}
	since := metav1.NewTime(time.Now().Add(-max(longReady, 3*oldest))).UTC().Format(time.RFC3339)
	changed := false
	for _, n := range spared {
		if r.readyFor(n) > max(longReady/2, oldest*5/2) {
			continue
		}
		patch, err := json.Marshal(map[string]any{"status": map[string]any{"conditions": []any{map[string]any{"type": "Ready", "lastTransitionTime": since}}}})
		if err != nil {
			return err
		}
		if _, err := r.client.CoreV1().Pods(n.namespace).Patch(ctx, n.name, types.StrategicMergePatchType, patch, metav1.PatchOptions{FieldManager: manager}, "status"); err != nil {
			return fmt.Errorf("make %s older: %w", r.pods.shown(n), err)
		}
		if err := r.view.wait(ctx, func(s history.State) bool {
			return readySince(s[history.Key{Resource: "pods", Namespace: n.namespace, Name: n.name}]) == since
		}); err != nil {
			return err
		}
		changed = true
	}
	if !changed {
		return nil
	}
	r.acted = r.view.newest
	return r.allSee(ctx)
}

// readyFor is for how long a pod has been ready.
func (r *run) readyFor(n name) time.Duration {
	began, err := time.Parse(time.RFC3339, readySince(r.view.object("pods", n.namespace, n.name)))
	if err != nil {
		return 0
	}
	return time.Since(began)
}
