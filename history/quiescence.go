package history

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"time"
)

// cycleMax is the longest cycle that is recognised, in writes that count.
const cycleMax = 256

// Quiescence follows a history and tells when nothing that counts is written any
// more. A write counts if it changes the canonical form of its object: a lease
// that is renewed does not, nor a status that is written as it was.
//
// It also tells when what is written goes in a circle: the same state comes
// again, by the same writes. Objects with generated names are told apart by
// their contents only, so that a pod that is created and deleted for ever, by
// another name each time, is a circle.
type Quiescence struct {
	mask  Mask
	quiet time.Duration

	revision  int64     // of the last write of any kind
	wrote     time.Time // the last one that the mask does not ignore
	effective Write
	since     time.Time // when that was, or when it all began
	canonical map[Key]digest
	state     digest // the sum over what was seen, relative to the start
	recent    []step // the last writes that count
}

// Write is a write as one says it twice: without revision and generated name.
type Write struct {
	Actor     string `json:"actor,omitempty"`
	Type      Type   `json:"type"`
	Resource  string `json:"resource"`
	Namespace string `json:"namespace,omitempty"`
	// Name ends in a * where a generated part stood.
	Name string `json:"name"`
	// Paths are what an update changed.
	Paths []string `json:"paths,omitempty"`
	// Revision is that of the event.
	Revision int64 `json:"revision"`
}

// step is a write that counts and the state that it led to.
type step struct {
	write     Write
	signature signature
	state     digest
}

// signature is what two writes share that do the same.
type signature struct {
	said    string
	was, is digest
}

// Rest is what a Quiescence knows at some time.
type Rest struct {
	// Quiet tells that nothing that counts was written for long enough.
	Quiet bool `json:"quiet"`
	// Periodic tells that something is still written that does not count.
	Periodic bool `json:"periodic,omitempty"`
	// Cycle is the circle in which writes that count go; nil if there is none, or
	// if it is over and all is quiet.
	Cycle *Cycle `json:"cycle,omitempty"`
	// Wait is after how long all will be quiet if nothing more comes.
	Wait time.Duration `json:"wait,omitempty"`
	// Revision is that of the last write that counts, Newest that of the last.
	Revision int64 `json:"revision"`
	Newest   int64 `json:"newest"`
}

// Cycle is writes that led from a state to the same state, twice.
type Cycle struct {
	Writes []Write `json:"writes"`
}

// NewQuiescence follows a history from now on. All is quiet when nothing that
// counts under the mask was written for that long.
func NewQuiescence(mask Mask, quiet time.Duration, now time.Time) *Quiescence {
	return &Quiescence{mask: mask, quiet: quiet, since: now, canonical: map[Key]digest{}}
}

// Add takes the next event, which came at now.
func (q *Quiescence) Add(e Event, now time.Time) {
	q.revision = e.Revision
	if q.mask.IgnoresEvent(e) {
		return
	}
	q.wrote = now
	was, known := q.canonical[e.Key]
	if !known {
		was = digestOf(q.form(e.Key, e.Previous))
	}
	is := digest{}
	if e.Type == Delete {
		delete(q.canonical, e.Key)
	} else {
		is = digestOf(q.form(e.Key, e.Object))
		q.canonical[e.Key] = is
	}
	if was == is && e.Type == Update {
		return
	}
	o := e.Object
	if o == nil {
		o = e.Previous
	}
	w := Write{Actor: e.Actor, Type: e.Type, Resource: e.Resource, Namespace: e.Namespace, Revision: e.Revision}
	w.Name, _ = generic(e.Name, o)
	if e.Type == Update {
		for _, c := range Diff(q.mask.Canonical(e.Resource, e.Previous), q.mask.Canonical(e.Resource, e.Object)) {
			w.Paths = append(w.Paths, c.Path)
		}
	}
	q.since, q.effective = now, w
	q.state = q.state.minus(was).plus(is)
	said := strings.Join([]string{w.Actor, string(w.Type), w.Resource, w.Namespace, w.Name}, "\x00")
	q.recent = append(q.recent, step{w, signature{said, was, is}, q.state})
	if len(q.recent) > 4*cycleMax {
		q.recent = slices.Clone(q.recent[len(q.recent)-2*cycleMax-1:])
	}
}

// form is the canonical form of an object with its name, unless that is
// generated, and with its resource and namespace: the state is their sum.
func (q *Quiescence) form(key Key, o Object) Object {
	c := q.mask.Canonical(key.Resource, o)
	if c == nil {
		return nil
	}
	if name, drawn := generic(key.Name, o); drawn {
		c = generalized(c, name)
	}
	return Object{"resource": key.Resource, "namespace": key.Namespace, "object": map[string]any(c)}
}

// At tells how things are at now, which is not before the last event.
func (q *Quiescence) At(now time.Time) Rest {
	r := Rest{Revision: q.effective.Revision, Newest: q.revision}
	if idle := now.Sub(q.since); idle < q.quiet {
		r.Wait = q.quiet - idle
		r.Cycle = q.cycle()
		return r
	}
	r.Quiet = true
	r.Periodic = q.wrote.After(q.since) && now.Sub(q.wrote) < q.quiet
	return r
}

// cycle finds the shortest one that the last writes end with: the state three
// times, with the same writes from the first to the second as from there to the
// third.
func (q *Quiescence) cycle() *Cycle {
	n := len(q.recent)
	for period := 1; period <= cycleMax && 2*period < n; period++ {
		if q.recent[n-1-2*period].state != q.state {
			continue
		}
		second, first := q.recent[n-period:], q.recent[n-2*period:n-period]
		same := slices.EqualFunc(first, second, func(a, b step) bool {
			return a.signature == b.signature && a.state == b.state
		})
		if same {
			writes := make([]Write, period)
			for i, s := range second {
				writes[i] = s.write
			}
			return &Cycle{writes}
		}
	}
	return nil
}

// digest is of canonical bytes. Digests are added, so that the sum over a
// state's objects does not depend on their order and follows each write.
type digest [2]uint64

// digestOf is zero for nothing.
func digestOf(o Object) digest {
	if o == nil {
		return digest{}
	}
	sum := sha256.Sum256(encode(o))
	return digest{binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:])}
}

func (d digest) plus(other digest) digest  { return digest{d[0] + other[0], d[1] + other[1]} }
func (d digest) minus(other digest) digest { return digest{d[0] - other[0], d[1] - other[1]} }
