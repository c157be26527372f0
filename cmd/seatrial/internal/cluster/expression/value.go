package expression

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// object is an API object as CEL has it. It is made once and never changed, so
// that looking at a field costs no more than a map. (The native types of
// cel-go's ext package read the struct's tags at every access.)
type object struct {
	kind   *types.Type
	fields map[string]ref.Val
	// unset are the fields with zero values: has tells them from others, as it
	// does for fields that the API leaves out.
	unset map[string]bool
}

var (
	_ traits.Indexer     = (*object)(nil)
	_ traits.FieldTester = (*object)(nil)
)

// made keeps the CEL value of the struct that embeds it.
type made struct {
	once  sync.Once
	value ref.Val
}

// of returns the value of the struct that pointer points at, making it once.
func (m *made) of(pointer any) ref.Val {
	m.once.Do(func() { m.value = convert(reflect.ValueOf(pointer).Elem()) })
	return m.value
}

// Object is one of the structs that are the elements of Cluster's lists.
type Object interface{ made() ref.Val }

// convert makes the CEL value of a field of the structs in object.go.
func convert(v reflect.Value) ref.Val {
	adapter := types.DefaultTypeAdapter
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		return types.Timestamp{Time: v.Interface().(time.Time)}
	case v.Kind() == reflect.Struct:
		o := &object{types.NewObjectType(v.Type().Name()), map[string]ref.Val{}, map[string]bool{}}
		for i := range v.NumField() {
			if name := v.Type().Field(i).Tag.Get("cel"); name != "" {
				o.fields[name], o.unset[name] = convert(v.Field(i)), v.Field(i).IsZero()
			}
		}
		return o
	case v.Kind() == reflect.Slice:
		list := make([]ref.Val, v.Len())
		for i := range list {
			list[i] = convert(v.Index(i))
		}
		return types.NewRefValList(adapter, list)
	}
	return adapter.NativeToValue(v.Interface())
}

// ConvertToNative implements ref.Val.
func (o *object) ConvertToNative(t reflect.Type) (any, error) {
	return nil, errors.New("an object cannot be turned into " + t.String())
}

// ConvertToType implements ref.Val.
func (o *object) ConvertToType(t ref.Type) ref.Val {
	switch t.TypeName() {
	case types.TypeType.TypeName():
		return o.kind
	case o.kind.TypeName():
		return o
	}
	return types.NewErr("an object cannot be turned into %s", t.TypeName())
}

// Equal implements ref.Val: objects are equal if all their fields are.
func (o *object) Equal(other ref.Val) ref.Val {
	p, ok := other.(*object)
	if !ok || o.kind.TypeName() != p.kind.TypeName() {
		return types.False
	}
	for name, v := range o.fields {
		if types.Equal(v, p.fields[name]) != types.True {
			return types.False
		}
	}
	return types.True
}

// Type implements ref.Val.
func (o *object) Type() ref.Type { return o.kind }

// Value implements ref.Val.
func (o *object) Value() any { return o }

// Get implements traits.Indexer.
func (o *object) Get(field ref.Val) ref.Val {
	name, _ := field.Value().(string)
	if v, ok := o.fields[name]; ok {
		return v
	}
	return types.NewErr("no such field: %v", field)
}

// IsSet implements traits.FieldTester.
func (o *object) IsSet(field ref.Val) ref.Val {
	name, _ := field.Value().(string)
	if _, ok := o.fields[name]; !ok {
		return types.NewErr("no such field: %v", field)
	}
	return types.Bool(!o.unset[name])
}

// provider adds the objects' types to CEL's own.
type provider struct {
	types.Provider
	fields map[string]map[string]*types.FieldType
}

func newProvider(base types.Provider) *provider {
	p := &provider{base, map[string]map[string]*types.FieldType{}}
	cluster := reflect.TypeFor[Cluster]()
	for i := range cluster.NumField() {
		p.declare(cluster.Field(i).Type)
	}
	return p
}

// declare adds the type and those of its fields, and returns what it is in CEL.
func (p *provider) declare(t reflect.Type) *types.Type {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return cel.TimestampType
	case t.Kind() == reflect.Pointer:
		return p.declare(t.Elem())
	case t.Kind() == reflect.Slice:
		return cel.ListType(p.declare(t.Elem()))
	case t.Kind() == reflect.Map:
		return cel.MapType(p.declare(t.Key()), p.declare(t.Elem()))
	case t.Kind() == reflect.Bool:
		return cel.BoolType
	case t.Kind() == reflect.Int64:
		return cel.IntType
	case t.Kind() == reflect.String:
		return cel.StringType
	}
	fields := map[string]*types.FieldType{}
	p.fields[t.Name()] = fields
	for i := range t.NumField() {
		if name := t.Field(i).Tag.Get("cel"); name != "" {
			fields[name] = &types.FieldType{
				Type:    p.declare(t.Field(i).Type),
				IsSet:   func(o any) bool { return !o.(*object).unset[name] },
				GetFrom: func(o any) (any, error) { return o.(*object).fields[name], nil },
			}
		}
	}
	return types.NewObjectType(t.Name())
}

// FindStructType implements types.Provider.
func (p *provider) FindStructType(name string) (*types.Type, bool) {
	if _, ok := p.fields[name]; ok {
		return types.NewTypeTypeWithParam(types.NewObjectType(name)), true
	}
	return p.Provider.FindStructType(name)
}

// FindStructFieldNames implements types.Provider.
func (p *provider) FindStructFieldNames(name string) ([]string, bool) {
	if fields, ok := p.fields[name]; ok {
		return slices.Sorted(maps.Keys(fields)), true
	}
	return p.Provider.FindStructFieldNames(name)
}

// FindStructFieldType implements types.Provider.
func (p *provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	if fields, ok := p.fields[name]; ok {
		t, ok := fields[field]
		return t, ok
	}
	return p.Provider.FindStructFieldType(name, field)
}
