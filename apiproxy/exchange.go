package apiproxy

import (
	"time"
)

// Exchange is one request of an incarnation and, as far as there is one, its
// answer. What is not known is zero.
type Exchange struct {
	Incarnation string
	// Sequence numbers the requests of an engine from 1 on, as they come.
	Sequence int64
	Request
	// Path is the path of the URL. It is all there is to know of a request that is
	// not about a resource.
	Path string
	// ResourceVersion and Match are the parameters of a read: empty for a
	// consistent one.
	ResourceVersion, Match string
	UserAgent              string
	// Command is what an exec runs.
	Command []string

	// BodyRevision and BodyUID are metadata.resourceVersion and metadata.uid of the
	// object or patch that is sent; of a JSON patch, what it tests or sets there.
	BodyRevision, BodyUID string
	// GenerateName is metadata.generateName of an object that is created.
	GenerateName string
	// PreconditionRevision, PreconditionUID and Propagation are those of the
	// options of a delete or an eviction.
	PreconditionRevision, PreconditionUID string
	Propagation                           string
	// Apply tells that the patch is a server-side apply.
	Apply bool

	// Code is the status of the API server's answer; 0 if there is none.
	Code int
	// Revision, UID and ObjectName are those of the object in the answer. That of a
	// delete may be a Status, which has no revision. The revision of a list is its
	// own.
	Revision   int64
	UID        string
	ObjectName string
	// Removed tells that an update or a patch took the last finalizer from an object that
	// was being deleted: the object is gone, and Revision is the one before that.
	Removed bool
	// Exact is the revision at which a read was answered that would have taken any
	// version, or one not older than the limit; 0 if it was passed on as it came.
	Exact int64

	Started, Ended time.Time
}

// Conditional tells whether the API server refuses a write if the object is not
// the one that the client has read: another version of it, or another of its
// name. A create always is: it wants none to be there.
func (x *Exchange) Conditional() bool {
	if x.Verb == "create" && x.BodyRevision == "" && x.PreconditionUID == "" && x.PreconditionRevision == "" {
		return x.subresource() == ""
	}
	// The API server takes version 0 for none.
	return x.OnRevision() || x.BodyUID != "" || x.PreconditionUID != ""
}

// OnRevision tells whether a write is refused if the object has another version
// than the client has read.
func (x *Exchange) OnRevision() bool {
	return x.BodyRevision != "" && x.BodyRevision != "0" || x.PreconditionRevision != ""
}

// Answer is what becomes of a write. The zero value is Pass.
type Answer struct {
	kind answerKind
	// Code, Reason and RetryAfter are those of a refusal.
	Code       int
	Reason     string
	RetryAfter time.Duration
}

type answerKind int

const (
	answerPass answerKind = iota
	answerLose
	answerRefuse
)

// Pass lets a write, or its answer, pass.
var Pass = Answer{}

// Lose resets the connection: the client sees no answer. Before a write is passed
// on the API server never hears of it; after, it has done it.
var Lose = Answer{kind: answerLose}

// Refuse answers with an error of the API server: a code from 400 to 599, and a
// reason such as Conflict, which may be empty for the one that belongs to the
// code. retryAfter, if it is above 0, is rounded up to seconds: clients then send
// the same again. Refuse as an answer to After is a lie: the write is done.
func Refuse(code int, reason string, retryAfter time.Duration) Answer {
	return Answer{kind: answerRefuse, Code: code, Reason: reason, RetryAfter: retryAfter}
}

// String is for people: pass, lose, refuse 409.
func (a Answer) String() string {
	switch a.kind {
	case answerLose:
		return "lose"
	case answerRefuse:
		return "refuse " + decimal(int64(a.Code))
	default:
		return "pass"
	}
}
