package kubestate

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/storage"
)

// transaction is one request under way: the registry is given the State by the context.
type transaction struct {
	state   State
	objects *pool
	// generations are tokens.
	generations bool
	events      []Event
	// read are the objects that the answer depends on, nil where there is none, by key;
	// counted: on how many were created, and all: on everything.
	read    map[string]*Object
	counted bool
	all     bool
	// watch is what the request is for, if it is to watch.
	watch *Watch
	// scale: the request is for the scale subresource.
	scale bool
}

// get is the object under key, nil if there is none.
func (tx *transaction) get(key string) *Object {
	o := tx.state.Get(key)
	own := func(e Event) bool { return e.Object.key == key }
	if _, known := tx.read[key]; !known && !slices.ContainsFunc(tx.events, own) {
		tx.read[key] = o
	}
	return o
}

// nextUID is the UID of the next object that is created.
func (tx *transaction) nextUID() types.UID {
	tx.counted = true
	return uidToken(tx.state.created + 1)
}

// put makes a write.
func (tx *transaction) put(e Event) {
	tx.events = append(tx.events, e)
	tx.state = tx.state.after(e)
}

type transactionKey struct{}

func transactionOf(ctx context.Context) *transaction {
	tx, _ := ctx.Value(transactionKey{}).(*transaction)
	return tx
}

// Event is one write.
type Event struct {
	Type watch.EventType
	// Object is what there is now, or the last state of what is deleted; Old is
	// what there was, nil for what is new.
	Object, Old *Object
}

// store is storage.Interface on the State of the request's context.
type store struct {
	// What is not below is never asked of a registry without a cache, and changes from
	// one release to the next.
	storage.Interface
	versioner storage.APIObjectVersioner
	newObject func() runtime.Object
	// codec is how kube-apiserver would write to etcd. What it makes of an object is what
	// is stored: it leaves out empty metadata, for example.
	codec runtime.Codec
}

func (s *store) Versioner() storage.Versioner { return s.versioner }

// Create is part of storage.Interface.
func (s *store) Create(ctx context.Context, key string, obj, out runtime.Object, _ uint64) error {
	tx := transactionOf(ctx)
	if version, err := s.versioner.ObjectResourceVersion(obj); err == nil && version != 0 {
		return storage.ErrResourceVersionSetOnCreate
	}
	if tx.get(key) != nil {
		return storage.NewKeyExistsError(key, 0)
	}
	obj = obj.DeepCopyObject()
	m, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	m.SetUID(tx.nextUID())
	tx.state.created++
	if tx.generations && m.GetGeneration() == 1 {
		m.SetGeneration(FirstGeneration(key))
	}
	return s.write(tx, key, nil, firstVersion(tx.state.created, key), obj, out)
}

// write stores obj, which nobody else has, and copies it to out.
func (s *store) write(tx *transaction, key string, old *Object, version uint64, obj, out runtime.Object) error {
	o, err := s.object(tx, key, version, obj)
	if err != nil {
		return err
	}
	kind := watch.Modified
	if old == nil {
		kind = watch.Added
	}
	tx.put(Event{kind, o, old})
	return s.give(o, out)
}

// object is obj, which nobody else has, with a version.
func (s *store) object(tx *transaction, key string, version uint64, obj runtime.Object) (*Object, error) {
	m, err := meta.Accessor(obj)
	if err != nil {
		return nil, err
	}
	if tx.scale {
		turnClocks(m)
	}
	stopClock(m)
	if err := s.versioner.UpdateObject(obj, version); err != nil {
		return nil, err
	}
	text, err := runtime.Encode(s.codec, obj)
	if err != nil {
		return nil, err
	}
	value, err := s.read(text)
	if err != nil {
		return nil, err
	}
	var raw []byte
	if _, custom := value.(runtime.Unstructured); custom {
		if normal, err := encode(value); err != nil || !bytes.Equal(bytes.TrimSpace(text), normal) {
			raw = text
		}
	}
	return tx.objects.intern(key, value, raw)
}

// read gives the value of what is stored, in the version in which it is.
func (s *store) read(text []byte) (runtime.Object, error) {
	value, err := runtime.Decode(s.codec, text)
	if err != nil {
		return nil, err
	}
	kind := schema.GroupVersionKind{} // what is typed has none
	if _, custom := value.(runtime.Unstructured); custom {
		var stored metav1.TypeMeta
		if err := json.Unmarshal(text, &stored); err != nil {
			return nil, err
		}
		kind = stored.GroupVersionKind()
	}
	value.GetObjectKind().SetGroupVersionKind(kind)
	return value, nil
}

// value is a copy of what o is, in the version that this store is of. Versions of a custom
// resource differ in their name only.
func (s *store) value(o *Object) runtime.Object {
	value := o.value.DeepCopyObject()
	if _, custom := value.(runtime.Unstructured); custom {
		value.GetObjectKind().SetGroupVersionKind(s.newObject().GetObjectKind().GroupVersionKind())
	}
	return value
}

// give copies o to what out points to.
func (s *store) give(o *Object, out runtime.Object) error {
	to, err := conversion.EnforcePtr(out)
	if err != nil {
		return err
	}
	to.Set(reflect.ValueOf(s.value(o)).Elem())
	return nil
}

// Get is part of storage.Interface.
func (s *store) Get(ctx context.Context, key string, opts storage.GetOptions, out runtime.Object) error {
	o := transactionOf(ctx).get(key)
	switch {
	case o != nil:
		return s.give(o, out)
	case opts.IgnoreNotFound:
		return runtime.SetZeroValue(out)
	}
	return storage.NewKeyNotFoundError(key, 0)
}

// GetList is part of storage.Interface.
func (s *store) GetList(ctx context.Context, key string, opts storage.ListOptions, list runtime.Object) error {
	tx := transactionOf(ctx)
	tx.all = true
	items, err := meta.GetItemsPtr(list)
	if err != nil {
		return err
	}
	slice, err := conversion.EnforcePtr(items)
	if err != nil {
		return err
	}
	if opts.Recursive && !strings.HasSuffix(key, "/") {
		key += "/"
	}
	for o := range tx.state.Under(key) {
		if !opts.Recursive && o.key != key {
			continue
		}
		if match, err := opts.Predicate.Matches(o.value); err != nil {
			return err
		} else if match {
			slice.Set(reflect.Append(slice, reflect.ValueOf(s.value(o)).Elem()))
		}
	}
	if slice.IsNil() {
		slice.Set(reflect.MakeSlice(slice.Type(), 0, 0))
	}
	m, err := meta.ListAccessor(list)
	if err != nil {
		return err
	}
	m.SetResourceVersion(listVersion(tx.state.writes))
	m.SetContinue("") // lists of custom resources have it
	return nil
}

// GuaranteedUpdate is part of storage.Interface.
func (s *store) GuaranteedUpdate(ctx context.Context, key string, out runtime.Object, ignoreNotFound bool, preconditions *storage.Preconditions, update storage.UpdateFunc, _ runtime.Object) error {
	tx := transactionOf(ctx)
	old := tx.get(key)
	if old == nil && !ignoreNotFound {
		return storage.NewKeyNotFoundError(key, 0)
	}
	current, version := s.newObject(), uint64(0)
	if old != nil {
		current = s.value(old)
		var err error
		if version, err = s.versioner.ObjectResourceVersion(current); err != nil {
			return err
		}
	}
	if err := preconditions.Check(key, current); err != nil {
		return err
	}
	if tx.scale && old != nil {
		m, err := meta.Accessor(current)
		if err != nil {
			return err
		}
		turnClocks(m)
	}
	changed, _, err := update(current, storage.ResponseMeta{ResourceVersion: version})
	if err != nil {
		return err
	}
	if old == nil {
		changed = changed.DeepCopyObject()
		if err := s.versioner.PrepareObjectForStorage(changed); err != nil { // it may have a version
			return err
		}
		return s.Create(ctx, key, changed, out, 0)
	}
	same, err := s.object(tx, key, version, changed.DeepCopyObject())
	if err != nil {
		return err
	}
	// kube-apiserver compares with what its cache has read, and then with what is stored: where
	// those differ, every write is one.
	if same == old && old.raw == nil {
		return s.give(old, out)
	}
	return s.write(tx, key, old, version+step, changed.DeepCopyObject(), out)
}

// Delete is part of storage.Interface.
func (s *store) Delete(ctx context.Context, key string, out runtime.Object, preconditions *storage.Preconditions, validate storage.ValidateObjectFunc, _ runtime.Object, _ storage.DeleteOptions) error {
	tx := transactionOf(ctx)
	old := tx.get(key)
	if old == nil {
		return storage.NewKeyNotFoundError(key, 0)
	}
	if err := preconditions.Check(key, old.value); err != nil {
		return err
	}
	if err := validate(ctx, s.value(old)); err != nil {
		return err
	}
	version, err := s.versioner.ObjectResourceVersion(old.value)
	if err != nil {
		return err
	}
	last, err := s.object(tx, key, version+step, s.value(old))
	if err != nil {
		return err
	}
	tx.put(Event{watch.Deleted, last, old})
	return s.give(last, out)
}
