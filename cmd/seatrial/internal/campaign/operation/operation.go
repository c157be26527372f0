// Package operation is what is done to a custom resource in a campaign: operations,
// each a concrete change, and the sequences that are made of them (docs/adr/0034).
//
// [Make] plans them from the schema and the seed, [Reduce] makes those that show a
// finding fewer and smaller. Both are pure: the same input gives the same bytes.
package operation

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
)

// Operation is one change of the custom resource.
type Operation struct {
	// Name says what it does in one line that is safe to show: spec.replicas: one more (3 → 4).
	Name string `json:"name"`
	// Property is the path of the property of the schema that it is about, as
	// schema.Property spells it: spec.tls.secretName, spec.servers[].port,
	// spec.labels{}. Of several, the first.
	Property string `json:"property"`
	// With are the others that it changes.
	With []string `json:"with,omitempty"`
	// Case is the name of what is tried of the property: maximum, removed, toggled.
	Case string `json:"case"`
	// Kind is the type of Kubernetes that the property was recognised as; empty for none.
	Kind string `json:"kind,omitempty"`
	// Misoperation tells that the API server or the operator should refuse it, or that it cannot
	// work: an image that does not exist.
	Misoperation bool `json:"misoperation,omitempty"`
	// Lacks tells that it is one for want of an object that it refers to, which the next operation makes.
	Lacks bool `json:"lacks,omitempty"`
	// Pauses tells that it is a misoperation only since nothing is done behind it: it tells the operator to pause, or
	// to end what runs.
	Pauses bool `json:"pauses,omitempty"`
	// Paused tells that it is taken for one since nothing need come of it as long as another one's pause lasts, and
	// asks for what can work.
	Paused bool `json:"paused,omitempty"`
	// Slip tells that it sets a number to 0 of which the schema does not say whether that is meant.
	Slip bool `json:"slip,omitempty"`
	// Zero tells that it sets a number to 0 that may be that, and of which the schema does not say that it stands for
	// something else.
	Zero bool `json:"zero,omitempty"`
	// Default tells that it takes out what the schema has a default for.
	Default bool `json:"default,omitempty"`
	// Stays tells that nothing repairs a misoperation: the resource is deleted as it is then.
	Stays bool `json:"stays,omitempty"`
	// Followed tells that the next operation takes away what it changes, and that nothing takes it back before that.
	Followed bool `json:"followed,omitempty"`
	// Refused is why the API server will not take it, as far as the schema says so; empty
	// if it does not.
	Refused string `json:"refused,omitempty"`
	// Overtakes are changes that are made first: Changes follow as soon as the operator has begun with what they ask
	// for.
	Overtakes []Change `json:"overtakes,omitempty"`
	// Changes are made one after another.
	Changes []Change `json:"changes"`
	// Objects are applied before: a Secret that the resource refers to then.
	Objects []history.Object `json:"objects,omitempty"`
	// Content tells that the resource refers to Objects already, which say something else then. Changes are what it
	// says, and change nothing.
	Content bool `json:"content,omitempty"`
	// Sentinels are values in Changes that stand nowhere else in the campaign, so that
	// it can be seen where they go.
	Sentinels []string `json:"sentinels,omitempty"`
	// Repairs tells that the operation takes back the one before it.
	Repairs bool `json:"repairs,omitempty"`
	// Restarts tells that the operator is killed before it and started again behind it, so that a process has to do it
	// that has not seen what was before.
	Restarts bool `json:"restarts,omitempty"`
}

// Change sets or removes what is at a path of a resource.
type Change struct {
	// Path has a string for a key of a map and an int for the item of a list; a
	// number that is the length of the list adds an item.
	Path []any `json:"path"`
	// Value is what is set; not used if Remove is set.
	Value  any  `json:"value,omitempty"`
	Remove bool `json:"remove,omitempty"`
	// wrong tells that it is what the misoperation of several at once is; where none is, all are.
	wrong bool
}

// Sequence is operations one after another, the first on the seed.
type Sequence struct {
	Operations []*Operation `json:"operations"`
}

// UnmarshalJSON reads a change, with whole numbers as an object has them.
func (c *Change) UnmarshalJSON(text []byte) error {
	var raw struct {
		Path   json.RawMessage `json:"path"`
		Value  json.RawMessage `json:"value"`
		Remove bool            `json:"remove"`
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	*c = Change{Remove: raw.Remove}
	if len(raw.Path) == 0 {
		return errors.New("a change has no path, want a list of keys and numbers")
	}
	path, err := value.Decode(raw.Path)
	if err != nil {
		return err
	}
	list, ok := path.([]any)
	if !ok {
		return fmt.Errorf("the path of a change is %s, want a list of keys and numbers", raw.Path)
	}
	for i, e := range list {
		if n, whole := e.(int64); whole {
			list[i] = int(n)
		} else if _, key := e.(string); !key {
			return fmt.Errorf("the path of a change is %s, want a list of keys and numbers", raw.Path)
		}
	}
	c.Path = list
	if len(raw.Value) > 0 {
		v, err := value.Decode(raw.Value)
		if err != nil {
			return err
		}
		c.Value = v
	}
	return nil
}
