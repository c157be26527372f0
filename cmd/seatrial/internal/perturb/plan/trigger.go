package plan

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/history"
)

// Controller and User are the actors of the history that an experiment brings; Tool
// frees locks and nudges.
const (
	Controller = "controller"
	User       = "user"
	Tool       = "seatrial"
)

// Trigger is one event of a run, described so that it is found again in another:
// by what was written, not by when.
type Trigger struct {
	// Actor is controller, user, or empty if it does not matter who writes.
	Actor string       `json:"actor,omitempty"`
	Type  history.Type `json:"type"`
	// Object is its name, with a * for what of it is drawn.
	Object experiment.Reference `json:"object"`
	// Changes are what an update changed, of what counts.
	Changes []history.Change `json:"changes,omitempty"`
	// Occurrence is the how manieth such event it is, from 1.
	Occurrence int `json:"occurrence"`
	// Ordinal counts all events of this type on this object that change something that
	// counts, whatever they change.
	Ordinal bool `json:"ordinal,omitempty"`

	signature string
}

func (t *Trigger) prepare() error {
	switch t.Type {
	case history.Create, history.Update, history.Delete:
	default:
		return fmt.Errorf("a trigger of type %q: it is create, update or delete", t.Type)
	}
	switch {
	case t.Object == experiment.Reference{}:
		return errors.New("a trigger has no object")
	case t.Occurrence < 1:
		return errors.New("the occurrence of a trigger counts from 1")
	}
	t.signature = t.sign()
	return nil
}

func (t *Trigger) sign() string {
	var changes []byte
	if !t.Ordinal {
		var err error
		if changes, err = json.Marshal(t.Changes); err != nil {
			panic(err) // changes are JSON
		}
	}
	return strings.Join([]string{t.Actor, string(t.Type), t.Object.Resource, t.Object.Namespace, t.Object.Name, string(changes)}, "\x00")
}

// Signature is equal for events that a trigger does not tell apart.
func (t *Trigger) Signature() string {
	if t.signature == "" {
		t.signature = t.sign()
	}
	return t.signature
}

// Describe makes the trigger that an event fires if it is the first of its kind. It
// is false if nothing that counts was written.
func Describe(e history.Event, mask history.Mask) (Trigger, bool) {
	t := Trigger{Type: e.Type, Object: experiment.Reference{Resource: e.Resource, Namespace: e.Namespace, Name: e.GenericName()}, Occurrence: 1}
	if mask.IgnoresEvent(e) {
		return t, false
	}
	if e.Actor == Controller || e.Actor == User {
		t.Actor = e.Actor
	}
	if e.Type == history.Update {
		t.Changes = history.Diff(mask.Canonical(e.Resource, e.Previous), mask.Canonical(e.Resource, e.Object))
		if len(t.Changes) == 0 {
			return t, false
		}
	}
	t.signature = t.sign()
	return t, true
}

// ByOrdinal is the trigger without what was changed; its occurrence is to be
// counted anew.
func (t Trigger) ByOrdinal() Trigger {
	t.Changes, t.Ordinal = nil, true
	t.signature = t.sign()
	return t
}

// Numbering counts the events of one run as triggers do.
type Numbering struct {
	mask   history.Mask
	counts map[string]int
}

// NewNumbering counts from the beginning of a run.
func NewNumbering(mask history.Mask) *Numbering {
	return &Numbering{mask, map[string]int{}}
}

// Numbered is one event as the triggers that it fires.
type Numbered struct {
	Exact, Ordinal Trigger
}

// Next takes the next event. It is false for one that nothing can be triggered by.
func (n *Numbering) Next(e history.Event) (Numbered, bool) {
	exact, counts := Describe(e, n.mask)
	if !counts {
		return Numbered{}, false
	}
	ordinal := exact.ByOrdinal()
	n.counts[exact.Signature()]++
	exact.Occurrence = n.counts[exact.Signature()]
	n.counts["#"+ordinal.Signature()]++
	ordinal.Occurrence = n.counts["#"+ordinal.Signature()]
	return Numbered{exact, ordinal}, true
}

// Fires tells whether the event is the one that the trigger means.
func (n Numbered) Fires(t *Trigger) bool {
	is := &n.Exact
	if t.Ordinal {
		is = &n.Ordinal
	}
	return is.Occurrence == t.Occurrence && is.Signature() == t.Signature()
}

// String says in words what has to be written.
func (t *Trigger) String() string {
	b := strings.Builder{}
	if t.Occurrence > 1 || t.Ordinal {
		fmt.Fprintf(&b, "%s ", ordinal(t.Occurrence))
	}
	fmt.Fprintf(&b, "%s of %s", t.Type, t.Object)
	if t.Actor != "" {
		fmt.Fprintf(&b, " by the %s", t.Actor)
	}
	if len(t.Changes) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(saidChanges(t.Changes), ", "))
	}
	return b.String()
}

// changesMax bounds how many changes of a trigger are told in words.
const changesMax = 3

// saidChanges are the first changes in a few words each.
func saidChanges(changes []history.Change) []string {
	var said []string
	for i, c := range changes {
		switch {
		case c.Path == "metadata.deletionGracePeriodSeconds" && c.From == nil: // comes with the next
		case c.Path == "metadata.deletionTimestamp" && c.From == nil:
			said = append(said, "to be deleted")
		case len(said) == changesMax:
			return append(said, fmt.Sprintf("%d more", len(changes)-i))
		default:
			said = append(said, Said(c))
		}
	}
	return said
}

// Said is a change in a few words: spec.replicas 1→3.
func Said(c history.Change) string {
	return fmt.Sprintf("%s %s→%s", c.Path, Brief(c.From), Brief(c.To))
}

// Brief is a value, cut where it is long; nothing is a dash.
func Brief(v any) string {
	if v == nil {
		return "-"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	const long = 40
	if runes := []rune(string(text)); len(runes) > long {
		return string(runes[:long-1]) + "…"
	}
	return string(text)
}

func ordinal(n int) string {
	switch {
	case n%10 == 1 && n%100 != 11:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2 && n%100 != 12:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3 && n%100 != 13:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}

// Key is the class of a trigger: what is written, to what kind of object, in which
// fields.
func (t *Trigger) Key() string {
	var paths []string
	for _, c := range t.Changes {
		paths = append(paths, c.Path)
	}
	slices.Sort(paths)
	return strings.Join([]string{cmp.Or(t.Actor, "*"), string(t.Type), t.Object.Resource, t.Object.Name, strings.Join(paths, ",")}, " ")
}
