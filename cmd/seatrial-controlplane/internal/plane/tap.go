package plane

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/store"
	"github.com/seatrial/seatrial/history"
)

// tap follows every write to a plane from its start on, while who wrote it is
// still known.
type tap struct {
	space   *store.Space
	authors *authors

	mu      sync.Mutex
	newest  int64
	reached chan struct{} // closed when newest grows
	writers map[int64]author
	times   map[int64]time.Time
	last    map[string]history.Event // by resource
	resets  map[int64]bool
	failed  bool
	from    int64
}

// resetActor is who puts a plane back to its baseline.
const resetActor = "seatrial"

func newTap(space *store.Space, authors *authors) *tap {
	return &tap{
		space: space, authors: authors, from: space.Revision() + 1, newest: space.Revision(),
		reached: make(chan struct{}), writers: map[int64]author{}, times: map[int64]time.Time{},
		last: map[string]history.Event{}, resets: map[int64]bool{},
	}
}

// run follows the writes until the context ends.
func (t *tap) run(ctx context.Context) {
	for writes := range t.space.Watch(ctx, t.from) {
		now := time.Now()
		for _, w := range writes {
			e, ok := t.event(w)
			if !ok {
				t.reach(w.Revision)
				continue
			}
			by := t.authors.of(e)
			t.mu.Lock()
			if t.resets[e.Revision] {
				by = author{actor: resetActor}
			}
			t.writers[e.Revision], t.times[e.Revision] = by, now
			e.Previous = nil
			t.last[e.Resource] = e
			t.mu.Unlock()
			t.reach(w.Revision)
		}
		t.authors.forget(writes[len(writes)-1].Revision)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failed = true
	close(t.reached)
	t.reached = make(chan struct{})
}

func (t *tap) reach(revision int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if revision > t.newest {
		t.newest = revision
		close(t.reached)
		t.reached = make(chan struct{})
	}
}

// wait waits until the tap has seen a revision of the plane's own.
func (t *tap) wait(ctx context.Context, revision int64) error {
	for {
		t.mu.Lock()
		newest, reached, failed := t.newest, t.reached, t.failed
		t.mu.Unlock()
		switch {
		case newest >= revision:
			return nil
		case failed:
			return fmt.Errorf("the history ended at revision %d", newest)
		}
		select {
		case <-reached:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// reset notes that a revision is a reset's. It comes when the transaction has
// been written, and may come after the watch.
func (t *tap) reset(revision int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.resets[revision] = true
	if _, seen := t.writers[revision]; seen {
		t.writers[revision] = author{actor: resetActor}
	}
}

// aliases are key segments that are not named after their resource.
var aliases = map[string]string{
	"minions": "nodes", "controllers": "replicationcontrollers", "ingress": "ingresses",
}

// event reads a write: what it is about is in the key and in the object. It is
// false for keys that hold no object of the API.
func (t *tap) event(w store.Write) (history.Event, bool) {
	e := history.Event{Revision: w.Revision, Type: history.Update}
	switch {
	case w.Value == nil:
		e.Type = history.Delete
	case w.Previous == nil:
		e.Type = history.Create
	}
	if !decode(w.Value, &e.Object) || !decode(w.Previous, &e.Previous) {
		return e, false
	}
	object := e.Object
	if object == nil {
		object = e.Previous
	}
	metadata, _ := object["metadata"].(map[string]any)
	version, _ := object["apiVersion"].(string)
	group, _, grouped := strings.Cut(version, "/")
	segments := strings.Split(strings.TrimPrefix(w.Key, t.space.Prefix()+"/"), "/")
	if metadata == nil || version == "" || len(segments) < 2 {
		return e, false
	}
	e.Resource = segments[0]
	switch {
	case strings.Contains(segments[0], "."): // a group of its own: CRDs, custom resources
		e.Resource = segments[1]
	case segments[0] == "services" && segments[1] == "specs":
	case segments[0] == "services" && segments[1] == "endpoints":
		e.Resource = "endpoints"
	}
	if alias, ok := aliases[e.Resource]; ok {
		e.Resource = alias
	}
	if grouped {
		e.Resource += "." + group
	}
	e.Name, _ = metadata["name"].(string)
	e.Namespace, _ = metadata["namespace"].(string)
	e.UID, _ = metadata["uid"].(string)
	return e, e.Name != ""
}

// decode reads a stored object; nothing is nil. It is false for what is no JSON.
func decode(value []byte, into *history.Object) bool {
	if value == nil {
		return true
	}
	return bytes.HasPrefix(value, []byte("{")) && json.Unmarshal(value, into) == nil
}

// History calls yield with every write from a revision on, in order: up to the
// newest one when it began, or, if it follows, until the context ends.
func (p *Plane) History(ctx context.Context, from int64, follow bool, yield func(history.Event) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	until, err := p.space.Mark(ctx)
	if err != nil {
		return err
	}
	for writes := range p.space.Watch(ctx, max(from, 1)) {
		for _, w := range writes {
			if !follow && w.Revision >= until {
				return nil
			}
			if err := p.tap.wait(ctx, w.Revision); err != nil {
				return err
			}
			e, ok := p.tap.event(w)
			if !ok {
				continue
			}
			p.tap.mu.Lock()
			by := p.tap.writers[w.Revision]
			e.Actor, e.Outside, e.Time = by.actor, by.outside, p.tap.times[w.Revision]
			p.tap.mu.Unlock()
			if err := yield(e); err != nil {
				return err
			}
		}
	}
	return context.Cause(ctx)
}
