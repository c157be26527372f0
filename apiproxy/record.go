package apiproxy

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// RecordKind is what a record is about.
type RecordKind string

// The kinds of records.
const (
	// RecordRequest: a request has ended, before its client sees the answer. Lists
	// are requests too.
	RecordRequest RecordKind = "request"
	// RecordStreamBegin and RecordStreamEnd: a watch was answered, and is over.
	RecordStreamBegin RecordKind = "stream-begin"
	RecordStreamEnd   RecordKind = "stream-end"
	// RecordDelivery: a frame of a stream is handed to the client, which has none
	// of it before.
	RecordDelivery RecordKind = "delivery"
	// RecordUpgrade: a connection has become one for exec, attach or
	// port-forward.
	RecordUpgrade RecordKind = "upgrade"
	// RecordReconcileBegin, RecordReconcileEnd and RecordRead come from hooks in
	// the process of a controller: see [Incarnation.Reconcile].
	RecordReconcileBegin RecordKind = "reconcile-begin"
	RecordReconcileEnd   RecordKind = "reconcile-end"
	RecordRead           RecordKind = "read"
)

// Outcome is how a request has ended.
type Outcome string

// The outcomes of requests.
const (
	// OutcomeAnswered: the client gets the API server's answer.
	OutcomeAnswered Outcome = "answered"
	// OutcomeRefused: it gets one of the engine's own.
	OutcomeRefused Outcome = "refused"
	// OutcomeLost: it gets none. Code tells whether the API server had answered.
	OutcomeLost Outcome = "lost"
	// OutcomeKilled: its incarnation was killed. If the API server had got a write
	// before, it was carried to its end, and Code has what came of it.
	OutcomeKilled Outcome = "killed"
	// OutcomeAbandoned: the client gave up. A write is carried to its end, as above.
	OutcomeAbandoned Outcome = "abandoned"
	// OutcomeFailed: the API server could not be reached, or hung up.
	OutcomeFailed Outcome = "failed"
)

// Record is one thing that happened.
type Record struct {
	// Sequence numbers the records of an engine from 1 on, without gaps.
	Sequence    int64
	Time        time.Time
	Kind        RecordKind
	Incarnation string
	// Exchange is that of a request, an upgrade, or the watch of a stream. It may
	// be kept.
	Exchange *Exchange
	// Outcome is that of a request; Code is what the client got, 0 for none.
	Outcome Outcome
	Code    int
	// Stream numbers the streams of an engine from 1 on; Resource is what it is of.
	Stream   int64
	Resource string
	// Frame is the type of a delivered frame (ADDED, MODIFIED, DELETED, BOOKMARK,
	// ERROR), Object its object and Revision its revision. At the end of a stream,
	// Revision is that of the last frame that was delivered.
	Frame    string
	Object   ObjectName
	Revision int64
	// Initial tells of a frame that it is part of a streaming list.
	Initial bool
	// Overdue tells of a frame that was delivered though nobody said that its
	// revision was reached.
	Overdue bool
	// Dropped is how many frames a stream had that were not delivered when it
	// ended.
	Dropped int
	// Key and Verb are those of a reconcile and of a read of a cache; Error is how
	// a reconcile or a failed request ended, empty for well.
	Key, Verb, Error string
}

// ObjectName names an object within a resource.
type ObjectName struct{ Namespace, Name, UID string }

// String is for people and for transcripts.
func (r Record) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", r.Incarnation, r.Kind)
	switch r.Kind {
	case RecordRequest, RecordUpgrade:
		fmt.Fprintf(&b, " %s", r.Exchange)
		if r.Outcome != "" && r.Outcome != OutcomeAnswered {
			fmt.Fprintf(&b, ", %s", r.Outcome)
		}
	case RecordReconcileBegin, RecordReconcileEnd, RecordRead:
		for _, word := range []string{r.Verb, r.Resource, r.Key, r.Error} {
			if word != "" {
				b.WriteString(" " + word)
			}
		}
	case RecordDelivery:
		fmt.Fprintf(&b, " %s %s %s @%d", r.Resource, r.Frame, r.Object, r.Revision)
		for _, flag := range []struct {
			word string
			is   bool
		}{{"initial", r.Initial}, {"overdue", r.Overdue}} {
			if flag.is {
				b.WriteString(" " + flag.word)
			}
		}
	default:
		fmt.Fprintf(&b, " %s @%d", r.Resource, r.Revision)
		if r.Dropped > 0 {
			fmt.Fprintf(&b, ", %d dropped", r.Dropped)
		}
	}
	return b.String()
}

// String is namespace/name.
func (n ObjectName) String() string {
	if n.Namespace == "" {
		return n.Name
	}
	return n.Namespace + "/" + n.Name
}

// String is for people: update pods default/web-0 200 @41.
func (x *Exchange) String() string {
	var b strings.Builder
	if x.Resource == "" {
		b.WriteString(x.Path)
	} else {
		name := x.Name
		if name == "" {
			name = x.ObjectName
		}
		fmt.Fprintf(&b, "%s %s", x.Verb, x.Resource)
		if where := (ObjectName{Namespace: x.Namespace, Name: name}).String(); where != "" {
			b.WriteString(" " + where)
		}
	}
	if x.Code != 0 {
		fmt.Fprintf(&b, " %d", x.Code)
	}
	if x.Revision != 0 {
		fmt.Fprintf(&b, " @%d", x.Revision)
	}
	if x.Exact != 0 {
		fmt.Fprintf(&b, " exact %d", x.Exact)
	}
	return b.String()
}

// subresource is what stands behind the resource: status, binding.
func (r Request) subresource() string {
	_, sub, _ := strings.Cut(r.Resource, "/")
	return sub
}

// base is the resource without its subresource.
func (r Request) base() string {
	base, _, _ := strings.Cut(r.Resource, "/")
	return base
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
