package settle

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// Contract is what a controller guarantees about its own writes, and what it relies on
// in those of others, by name. Both are asked about every write of every behaviour that
// is explored, and an error says in what way the write breaks it. What breaks a contract
// is found at the write, where a property of the cluster is broken later or, because
// nobody else acts yet, not at all.
type Contract struct {
	// Controller is its name in lower case, as controller-runtime logs it.
	Controller string
	// Guarantees are asked about the writes of this controller.
	Guarantees map[string]func(*Write) error
	// Relies are asked about the writes of all other controllers and of the environment;
	// not about what users do and what goes wrong, which is in scope by itself.
	Relies map[string]func(*Write) error
}

// Write is a request that changes something, or would.
type Write struct {
	// Actor is who makes it: the name of a controller, or of an actor of the environment.
	Actor string
	// Verb is create, update, patch, delete or deletecollection.
	Verb string
	Kind schema.GroupVersionKind
	// Key is of the object; its Name is empty where that is generated, or where there are many.
	Key         client.ObjectKey
	Subresource string
	// Sent is the JSON of what is sent: the object, the patch, or the DeleteOptions.
	Sent []byte
	// Patch is the type of a patch.
	Patch types.PatchType
	// Err is the answer; nil if the API server took it.
	Err error
	// Cluster reads what there was before.
	Cluster client.Reader

	was, is held
}

// held is an object that can be copied to any type that can have it; nil is none.
type held func(to client.Object) error

// held is an object of the model.
func (t *typed) held(o *kubestate.Object) held {
	if o == nil {
		return nil
	}
	return func(to client.Object) error { return t.copy(o, to) }
}

// heldAs is an object of another cluster.
func heldAs(o client.Object) held {
	if o == nil {
		return nil
	}
	return func(to client.Object) error {
		text, err := json.Marshal(o)
		if err != nil {
			return err
		}
		return json.Unmarshal(text, to)
	}
}

// Was copies to o, which is of any type that can have it (metav1.PartialObjectMetadata for
// one), what was there before; it is false if nothing was.
func (w *Write) Was(o client.Object) bool { return w.was != nil && w.was(o) == nil }

// Is does the same for what is there afterwards.
func (w *Write) Is(o client.Object) bool { return w.is != nil && w.is(o) == nil }

// promise is one clause of a contract.
type promise struct {
	name string
	// asked tells about whose writes it is.
	asked func(actor string) bool
	of    func(*Write) error
}

// promises are all clauses, in the order of their names.
func (c *Config) promises() (all []promise) {
	for _, contract := range c.Contracts {
		own := contract.Controller
		for _, name := range slices.Sorted(maps.Keys(contract.Guarantees)) {
			all = append(all, promise{own + " guarantees: " + name, func(actor string) bool { return actor == own }, contract.Guarantees[name]})
		}
		for _, name := range slices.Sorted(maps.Keys(contract.Relies)) {
			all = append(all, promise{own + " relies on: " + name, func(actor string) bool { return actor != own }, contract.Relies[name]})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Writes)) {
		all = append(all, promise{name, func(string) bool { return true }, c.Writes[name]})
	}
	return all
}

// contracts are the names of all clauses.
func (x *explorer) contracts() (names []string) {
	for _, p := range x.promises {
		names = append(names, p.name)
	}
	return names
}

// heed asks all contracts about a write that was made in n.
func (x *explorer) heed(n *node, before kubestate.State, c *call, a *answer) {
	if c.actor == "" || len(x.promises) == 0 {
		return
	}
	w := &Write{
		Actor: c.actor, Verb: c.write.Verb, Kind: c.resource.Kind, Subresource: c.write.Subresource, Sent: c.write.Body, Patch: types.PatchType(c.write.Patch),
		Key: client.ObjectKey{Namespace: c.write.Namespace, Name: c.write.Name}, Cluster: x.lookup(before), was: x.types.held(before.Get(c.key)), is: x.types.held(n.world.Get(c.key)),
	}
	if a.status != nil {
		w.Err = failure(a.status)
	} else if w.Verb == "create" {
		w.is = x.types.held(a.object)
	}
	for _, p := range x.promises {
		if !p.asked(c.actor) {
			continue
		}
		if err := x.calling(p.name, func() error { return p.of(w) }); err != nil {
			x.broke(n, p.name, fmt.Errorf("%s: %s: %w", c.actor, c.title, err))
		}
	}
}

// Heed asks Contracts and Writes about a write to another cluster than that of an exploration, as
// tests of package regression do: was and is are what was there before and after it, nil for nothing. The
// error is of the first clause that it breaks.
func (c *Config) Heed(w Write, was, is client.Object) error {
	w.was, w.is = heldAs(was), heldAs(is)
	for _, p := range c.promises() {
		if !p.asked(w.Actor) {
			continue
		}
		if err := p.of(&w); err != nil {
			return fmt.Errorf("%s: %s: %s %s %s: %w", p.name, w.Actor, w.Verb, w.Kind.Kind, w.Key, err)
		}
	}
	return nil
}

// OwnsWhatItWrites is a guarantee: a controller creates objects only with a controller
// reference to an object of this kind that exists, and changes and deletes, beside those of the
// kind itself, only what has such a reference.
func OwnsWhatItWrites(kind string) func(*Write) error {
	return func(w *Write) error {
		if w.Kind.Kind == kind {
			return nil
		}
		var o metav1.PartialObjectMetadata
		if w.Verb == "create" {
			if err := json.Unmarshal(w.Sent, &o); err != nil {
				return err
			}
			return ownedBy(w, &o, kind, "creates")
		}
		if !w.Was(&o) {
			return nil // nothing is changed
		}
		return ownedBy(w, &o, kind, "writes")
	}
}

func ownedBy(w *Write, o *metav1.PartialObjectMetadata, kind, does string) error {
	owner := metav1.GetControllerOf(o)
	if owner == nil || owner.Kind != kind {
		return fmt.Errorf("it %s what no %s controls", does, kind)
	}
	if does != "creates" {
		return nil
	}
	var is metav1.PartialObjectMetadata
	is.SetGroupVersionKind(schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind))
	err := w.Cluster.Get(context.Background(), client.ObjectKey{Namespace: o.Namespace, Name: owner.Name}, &is)
	if err != nil || is.UID != owner.UID {
		return fmt.Errorf("it creates what belongs to a %s %q that is not there any more", kind, owner.Name)
	}
	return nil
}

// DeletesWithPreconditions is a guarantee: what is deleted is named by its UID as well, so that a
// later object of the same name is not taken for it.
func DeletesWithPreconditions(w *Write) error {
	if w.Verb != "delete" {
		return nil
	}
	var o metav1.DeleteOptions
	if err := json.Unmarshal(w.Sent, &o); err != nil {
		return err
	}
	if o.Preconditions == nil || o.Preconditions.UID == nil {
		return fmt.Errorf("it deletes without the UID of what it has seen: client.Preconditions{UID: …}")
	}
	return nil
}

// WritesWithVersion is a guarantee: updates and patches carry the resourceVersion of what they
// are based on, so that nothing is overwritten unseen.
func WritesWithVersion(w *Write) error {
	if w.Verb != "update" && w.Verb != "patch" || w.Patch == types.ApplyPatchType {
		return nil
	}
	var o metav1.PartialObjectMetadata
	if err := json.Unmarshal(w.Sent, &o); err != nil || o.ResourceVersion == "" { // a JSON patch is a list
		return fmt.Errorf("it writes without a resourceVersion, over whatever is there")
	}
	return nil
}

// IsAccepted is a guarantee: the API server never refuses a write as invalid (422) or
// forbidden (403), which no repetition mends.
func IsAccepted(w *Write) error {
	if s, ok := w.Err.(interface{ Status() metav1.Status }); ok && (s.Status().Code == 422 || s.Status().Code == 403) {
		return fmt.Errorf("it is refused: %w", w.Err)
	}
	return nil
}
