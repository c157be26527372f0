// Package plan is one perturbation of one experiment, as a file: a trigger, what
// is done when it fires, when that ends, and the assumption under which a real
// cluster does it.
package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
)

// APIVersion and Kind are those of a plan.
const (
	APIVersion = "seatrial.dev/v1alpha1"
	Kind       = "Plan"
)

// Assumption says under which circumstances a real cluster does what a plan does.
type Assumption string

// The assumptions.
const (
	// Crash: a process may end at any time, and is started again.
	Crash Assumption = "crash"
	// LostAnswer: a connection may break when a write is stored and not yet answered.
	LostAnswer Assumption = "lost-answer"
	// RefusedWrite: the API server may refuse any write, for a while.
	RefusedWrite Assumption = "refused-write"
	// SlowAnswer: the answer to a write may come late.
	SlowAnswer Assumption = "slow-answer"
	// OldList: the first list after a start may be an old one. API servers before
	// 1.34 and clients before client-go 0.35 list that way, and others that ask for
	// resourceVersion=0.
	OldList Assumption = "rv0-list"
	// LaggingStandby: a standby whose caches lag becomes the leader. So in all
	// versions, for controllers whose caches fill before they lead.
	LaggingStandby Assumption = "lagging-standby"
	// LaggingWatch: a watch may lag behind, by any time, and each kind by another.
	LaggingWatch Assumption = "lagging-watch"
	// PausedLeader: a leader may be paused, between two requests, for longer than its
	// lease lasts.
	PausedLeader Assumption = "paused-leader"
)

// Narrow is 1 for what only some clusters and clients do, and 0 for the rest.
func (a Assumption) Narrow() int {
	if a == OldList {
		return 1
	}
	return 0
}

// Text says what an assumption means, in a sentence without a full stop.
func (a Assumption) Text() string { return assumptions[a] }

var assumptions = map[Assumption]string{
	Crash:          "a process may end at any time, and is started again",
	LostAnswer:     "a connection may break when a write is stored and not yet answered",
	RefusedWrite:   "the API server may refuse a write, for a while",
	SlowAnswer:     "the answer to a write may come late",
	OldList:        "the first list after a start may be an old one: so with API servers before 1.34 or clients before client-go 0.35, and with all that list with resourceVersion=0",
	LaggingStandby: "a standby whose caches lag may become the leader, with any version",
	LaggingWatch:   "a watch may lag behind, and each kind by another time",
	PausedLeader:   "a leader may be paused between two requests for longer than its lease lasts",
}

// Plan is one perturbation of one experiment. It needs no other file but the
// controller's executable.
type Plan struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Version is that of the tool that made it; another may not match its trigger.
	Version string `json:"version"`
	// Pattern is the name of a pattern: intermediate-state, stale-state …
	Pattern string `json:"pattern"`
	// Sentence says in words what is done.
	Sentence   string     `json:"sentence"`
	Assumption Assumption `json:"assumption"`
	Trigger    Trigger    `json:"trigger"`
	Fault      Fault      `json:"fault"`
	// Class is what plans share of which one is enough: the kind of the write and of
	// what follows it.
	Class      string                 `json:"-"`
	Experiment *experiment.Experiment `json:"experiment,omitempty"`
}

// Fault is what is done when the trigger fires, by its kind; package fault has a
// file for each, which says which fields it reads.
type Fault struct {
	Kind string `json:"kind"`
	// Verb is that of the request that is refused or parked: create, update, patch,
	// delete.
	Verb string `json:"verb,omitempty"`
	// Code and Reason are those of a refusal.
	Code   int    `json:"code,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Resource is the one whose deliveries are held back, or "*" for all.
	Resource string `json:"resource,omitempty"`
	// Seen is the event that fixes how old the view is: it ends with that event, or,
	// with Before, just before it.
	Seen   *Trigger `json:"seen,omitempty"`
	Before bool     `json:"before,omitempty"`
	// Until is the event that ends a hold; without it a hold ends when all is quiet.
	Until *Trigger `json:"until,omitempty"`
	// Step: it ends when the users' next step was done and all is quiet, instead of
	// when all is quiet.
	Step bool `json:"step,omitempty"`
	// Relist: when it ends, the client has to list anew, and does not see what was
	// between. Else everything is delivered late.
	Relist bool `json:"relist,omitempty"`
	// Ends: an old leader ends with the write that was under way, and does not go on.
	Ends bool `json:"ends,omitempty"`
}

// ID is what a plan is known by from one run to the next.
func (p *Plan) ID() string {
	text, err := json.Marshal([]any{p.Pattern, p.Trigger, p.Fault})
	if err != nil {
		panic(err) // these types marshal
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:4])
}

// Encode writes a plan as YAML.
func (p *Plan) Encode() ([]byte, error) { return yaml.Marshal(p) }

// Load reads a plan. Its error names the file.
func Load(path string) (*Plan, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	p, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// Decode reads what Encode writes.
func Decode(data []byte) (*Plan, error) {
	p := &Plan{}
	if err := yaml.UnmarshalStrict(data, p); err != nil {
		return nil, errors.New(strings.Join(strings.Fields(err.Error()), " "))
	}
	switch {
	case p.APIVersion != APIVersion || p.Kind != Kind:
		return nil, fmt.Errorf("this is no plan: apiVersion: %s and kind: %s are wanted", APIVersion, Kind)
	case p.Experiment == nil:
		return nil, errors.New("the plan has no experiment")
	case p.Fault.Kind == "" || p.Trigger.Type == "":
		return nil, errors.New("the plan has no trigger or no fault")
	}
	if err := p.Trigger.prepare(); err != nil {
		return nil, err
	}
	for _, t := range []*Trigger{p.Fault.Seen, p.Fault.Until} {
		if t != nil {
			if err := t.prepare(); err != nil {
				return nil, err
			}
		}
	}
	return p, p.Experiment.Prepare()
}
