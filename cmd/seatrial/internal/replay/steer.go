package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/trace"
)

// steer has the scheduler decide about one pod and nothing else.
func (r *run) steer(ctx context.Context, n name, node string, tries int) error {
	return r.admin.Steer(ctx, r.plane, admin.Steer{On: true, Pods: []admin.Turn{{Namespace: n.namespace, Name: n.name, Node: node, Tries: tries}}})
}

// refusedTurn tells that the scheduler would not choose the node of a bind.
func (r *run) refusedTurn(ctx context.Context, acts []*trace.Act) error {
	for _, a := range acts {
		if a.Verb != "bind" {
			continue
		}
		turns, err := r.admin.Turns(ctx, r.plane, 0)
		if err != nil {
			return err
		}
		for _, turn := range turns.Pods {
			sum := 0
			for _, times := range turn.Refused {
				sum += times
			}
			if turn.Chosen != "" || turn.Tries == 0 || sum < turn.Tries {
				continue
			}
			nodes := slices.Sorted(maps.Keys(turn.Refused))
			seen := fmt.Sprintf("kube-scheduler bind %s on %s", r.pods.shown(name{turn.Namespace, turn.Name}), strings.Join(nodes, " or "))
			return &divergence{expected: sentence(a), seen: []string{seen}, why: fmt.Sprintf("it chose so %d times", sum)}
		}
	}
	return nil
}

// deschedule begins a cycle of the descheduler, unless one runs.
func (r *run) deschedule(ctx context.Context) error {
	if ended, err := r.ended(); !ended || err != nil {
		return err
	}
	policy, ok := r.trace.Setup.Components["descheduler"]
	if !ok {
		return Unusable{"the descheduler acts, and the setup has no policy for it"}
	}
	sooner, err := soonerPolicy(policy)
	if err != nil {
		return Unusable{"the descheduler's policy: " + err.Error()}
	}
	ended := make(chan error, 1)
	go func() {
		_, err := r.admin.Deschedule(ctx, r.plane, string(sooner))
		var refused *admin.Error
		if ctx.Err() != nil || errors.Is(err, context.Canceled) {
			err = nil
		} else if errors.As(err, &refused) && refused.Code == http.StatusBadRequest {
			err = Unusable{"a component of the setup: " + refused.Message}
		}
		ended <- err
	}()
	r.cycle = ended
	return nil
}

// ended tells whether no cycle of the descheduler runs.
func (r *run) ended() (bool, error) {
	if r.cycle == nil {
		return true, nil
	}
	select {
	case err := <-r.cycle:
		r.cycle = nil
		return true, err
	default:
		return false, nil
	}
}

// ages are the arguments of the descheduler's plugins that are ages of pods: what they
// say of the youngest pod that counts, and what is enough of it.
var ages = map[string]any{
	"maxPodLifeTimeSeconds": 0, "minPodLifetimeSeconds": 0, "minTimeSinceLastTransitionSeconds": 0, "minPodAge": "0s",
}

// soonerPolicy is a policy for which every pod is old enough: it is in the trace that
// time passes.
func soonerPolicy(policy json.RawMessage) ([]byte, error) {
	var document any
	if err := json.Unmarshal(policy, &document); err != nil {
		return nil, err
	}
	return json.Marshal(sooner(document))
}

func sooner(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, each := range v {
			if least, ok := ages[key]; ok {
				v[key] = least
			} else {
				v[key] = sooner(each)
			}
		}
	case []any:
		for i := range v {
			v[i] = sooner(v[i])
		}
	}
	return value
}
