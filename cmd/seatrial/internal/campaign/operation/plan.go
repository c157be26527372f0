package operation

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
)

// Server says what the API server makes of a resource, without one.
type Server interface {
	// Complete is the resource as it would be stored: with defaults, and without what
	// the schema does not have. What is given stays as it is.
	Complete(resource history.Object) history.Object
	// Refuses lists why it would not be taken in the place of before, nil for none.
	Refuses(resource, before history.Object) []string
}

// Bounds of a plan where its options say nothing.
const (
	OperationsMax  = 440
	SequenceLength = 10
)

// Options are what a plan is made of.
type Options struct {
	// Definition has the schema, with the types of Kubernetes that were recognised.
	Definition *schema.Definition
	// Server is nil for the definition, which knows what the schema says.
	Server Server
	// Seed is the resource that every sequence begins with. The server takes it.
	Seed history.Object
	// Setup are objects that are there before the seed, which may refer to them.
	Setup []history.Object
	// Examples are other resources, whose values are tried.
	Examples []history.Object
	// Focus, if any, and Ignore select properties with all that is below them:
	// spec.tls, spec.servers[].port, spec.*.replicas, **.resources.
	Focus, Ignore []string
	// Values are tried of properties, by their paths.
	Values map[string][]any
	// Tables say what is tried of types of Kubernetes; nil for those that seatrial has.
	Tables *value.Tables
	// RandomSeed is what all that is random follows from.
	RandomSeed uint64
	// Max bounds the operations, those not counted that the schema refuses; 0 for
	// [OperationsMax].
	Max int
	// SequenceLength bounds the operations of one sequence; 0 for [SequenceLength].
	SequenceLength int
}

// Plan is what a campaign does.
type Plan struct {
	// Hash is equal for plans that do the same.
	Hash string `json:"hash"`
	// Sequences are in the order in which they tell most. Those whose operations have Refused
	// stand last: each of these is for the resource as the seed has it.
	Sequences []*Sequence `json:"sequences"`
	Covered   []Covered   `json:"coverage"`
}

// Operations counts those of all sequences.
func (p *Plan) Operations() int {
	n := 0
	for _, s := range p.Sequences {
		n += len(s.Operations)
	}
	return n
}

// Coverage says of each property what is tried of it, or why nothing is, in the order of the
// schema.
func (p *Plan) Coverage() []Covered { return p.Covered }

// phase is one way to come to operations: a file for each, which registers itself. Those of one order stand in that of
// their files.
type phase struct {
	name  string
	order int
	// share is the part of all operations that it may have before the others had theirs, in
	// percent; 0 for one that comes behind all others, once.
	share int
	plan  func(m *maker)
}

var phases []phase

func register(p phase) bool {
	phases = append(phases, p)
	slices.SortStableFunc(phases, func(a, b phase) int { return cmp.Compare(a.order, b.order) })
	return true
}

// Make plans a campaign: first one change of each property, then removals, then
// misoperations with their repairs, then what is only allowed in the place of another property,
// further items of lists, properties of one name in different objects, pairs of properties of one
// object, what was not changed yet in a mode, what else there is to try of each, what is inside of
// types of Kubernetes, and random walks until there are enough. An error says which of the options is
// wrong.
func Make(o Options) (*Plan, error) {
	m, err := newMaker(o)
	if err != nil {
		return nil, err
	}
	for _, p := range phases {
		if p.share > 0 {
			m.end = min(m.Max, m.count+m.Max*p.share/100)
			p.plan(m)
		}
	}
	m.end = m.Max
	for _, p := range phases {
		p.plan(m)
	}
	plan := &Plan{Sequences: append(m.sequences, m.refusals...), Covered: m.coverage()}
	plan.Sequences = slices.DeleteFunc(plan.Sequences, func(s *Sequence) bool { return len(s.Operations) == 0 })
	plan.Hash, err = hash(plan.Sequences)
	return plan, err
}

// hash is of all that the sequences do.
func hash(sequences []*Sequence) (string, error) {
	text, err := json.Marshal(sequences)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8]), nil
}
