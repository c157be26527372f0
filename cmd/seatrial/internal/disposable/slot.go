package disposable

import (
	"context"
	"iter"
	"net/http"
	"time"

	"k8s.io/client-go/rest"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/history"
)

// slot is where one run at a time happens: namespaces of the cluster, and what its runs make outside of
// them. Its fields are under the lock of the cluster.
type slot struct {
	cluster *Cluster
	// renaming is for all slots but the first.
	renaming renaming
	// own are its namespaces: whatever was not there before is its own.
	own map[string]bool
	// touched are the objects that its operator or its users have written since the last reset, and made those
	// of the setup.
	touched, made map[history.Key]bool
	// base is what there is behind a reset; nil before the setup is done.
	base history.State
	// log are the writes that concern it since the last reset, and moved is when the last one came.
	log   []history.Event
	moved time.Time
}

// newSlot is the first slot, in the namespace of the seed and those that are set up, or another one, in a
// namespace of its own.
func newSlot(c *Cluster, r renaming) *slot {
	s := &slot{cluster: c, renaming: r, own: map[string]bool{}, touched: map[history.Key]bool{}, made: map[history.Key]bool{}, moved: c.o.Now()}
	if r.slot != "" {
		s.own[r.slot] = true
		return s
	}
	s.own[namespaceOf(c.o.Seed)] = true
	for _, o := range c.o.Setup {
		if o.Text("kind") == "Namespace" {
			s.own[o.Text("metadata", "name")] = true
		}
	}
	return s
}

// concerns tells whether a write belongs to the slot. The cluster is locked.
func (s *slot) concerns(e history.Event, by author) bool {
	if by.slot == s {
		s.touched[e.Key] = true
		if e.Resource == namespaces && e.Type == history.Create {
			s.own[e.Name] = true
		}
	}
	o := e.Object
	if o == nil {
		o = e.Previous
	}
	return s.has(e.Key, o)
}

// has tells whether an object belongs to the slot. The cluster is locked.
func (s *slot) has(key history.Key, o history.Object) bool {
	switch {
	case s.cluster.before[key]:
		return s.touched[key]
	case s.own[key.Namespace], s.touched[key], s.made[key], key.Resource == namespaces && s.own[key.Name]:
		return true
	case key.Resource == volumes:
		return s.own[o.Text("spec", "claimRef", "namespace")]
	}
	return false
}

// volumes are the resource of PersistentVolumes: who has provisioned one removes it, with what is behind it.
const volumes = "persistentvolumes"

// place is the slot for a run.
func (s *slot) place(folder string) stage.Place {
	c := s.cluster
	c.mu.Lock()
	defer c.mu.Unlock()
	config := rest.CopyConfig(c.login.Config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return translator{s.renaming, witness{s, next}} })
	base := history.State{}
	for key, o := range c.objects {
		if key.Namespace == "" || s.base[key] != nil && !comes(key) {
			base[s.renaming.key(key)] = s.renaming.object(o)
		}
	}
	return stage.Place{
		Config: config, Base: base, History: s.history, Unordered: true, Namespace: s.renaming.slot, Labels: map[string]string{Label: "true"}, Folder: folder,
	}
}

// history gives the writes since the last reset as they come.
func (s *slot) history(ctx context.Context) iter.Seq2[history.Event, error] {
	return func(yield func(history.Event, error) bool) {
		for next := 0; ; {
			s.cluster.mu.Lock()
			events, changed := s.log[min(next, len(s.log)):], s.cluster.changed
			s.cluster.mu.Unlock()
			for _, e := range events {
				if next++; !yield(s.renaming.in(e), nil) {
					return
				}
			}
			if len(events) > 0 {
				continue
			}
			select {
			case <-changed:
			case <-ctx.Done():
				yield(history.Event{}, context.Cause(ctx))
				return
			}
		}
	}
}
