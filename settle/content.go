package settle

import (
	"math"
	"math/bits"
	"reflect"
	"time"

	"github.com/zeebo/xxh3"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// content is a sum of all that what is sent of some values can depend on: their types, fields and
// elements. It is false if there may be something else.
func content(of ...any) (xxh3.Uint128, bool) {
	s := summing{left: contentMax}
	var n xxh3.Uint128
	for i, one := range of {
		v := reflect.ValueOf(one)
		if i > 0 && v.Kind() == reflect.Pointer && one == of[i-1] {
			n = s.pair(n, s.number(reflect.Pointer, 1))
			continue
		}
		n = s.pair(n, s.behind(one, v))
	}
	return n, !s.unknown
}

// contentMax bounds how many values are looked at.
const contentMax = 20_000

// summing sums a value: two sums are equal if the values are, and never else in practice.
type summing struct {
	left int
	// known: it is a patch of controller-runtime, whose functions have nothing of their own.
	known bool
	// unknown: there is something in the value that cannot be looked into.
	unknown bool
}

// The secrets of pair, digits of pi.
const (
	secretA = 0x243F6A8885A308D3
	secretB = 0x13198A2E03707344
	secretC = 0xA4093822299F31D0
	secretD = 0x082EFA98EC4E6C89
)

// pair is the sum of two sums, in this order.
func (s *summing) pair(a, b xxh3.Uint128) xxh3.Uint128 {
	fold := func(a, b uint64) uint64 {
		hi, lo := bits.Mul64(a, b)
		return hi ^ lo
	}
	return xxh3.Uint128{Hi: fold(a.Hi^secretA, b.Lo^secretB) + a.Lo, Lo: fold(a.Lo^secretC, b.Hi^secretD) + b.Lo}
}

// number is the sum of a value of a kind that has no parts.
func (s *summing) number(kind reflect.Kind, n uint64) xxh3.Uint128 {
	return s.pair(xxh3.Uint128{Hi: uint64(kind), Lo: ^uint64(kind)}, xxh3.Uint128{Hi: n, Lo: ^n})
}

func (s *summing) text(text string) xxh3.Uint128 {
	return s.pair(xxh3.Uint128{Hi: uint64(reflect.String), Lo: uint64(len(text))}, xxh3.HashString128(text))
}

// typ is the sum of a type, in this process.
func (s *summing) typ(t reflect.Type) xxh3.Uint128 {
	return s.number(reflect.UnsafePointer, uint64(reflect.ValueOf(t).Pointer()))
}

// behind is the sum of what is handed to a client.
func (s *summing) behind(one any, v reflect.Value) xxh3.Uint128 {
	if u, ok := one.(*unstructured.Unstructured); ok {
		return s.json(u.Object)
	}
	n := s.typ(v.Type())
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	s.known = v.Kind() == reflect.Struct && v.Type().PkgPath() == patches
	if _, is := one.(client.Patch); is && !s.known { // it may say anything when it is asked
		s.unknown = true
		return n
	}
	n = s.pair(n, s.value(v))
	s.known = false
	return n
}

// patches is the package of client.MergeFrom.
const patches = "sigs.k8s.io/controller-runtime/pkg/client"

// json is the sum of what unstructured objects are made of.
func (s *summing) json(v any) xxh3.Uint128 {
	if s.left--; s.left < 0 {
		s.unknown = true
		return xxh3.Uint128{}
	}
	switch v := v.(type) {
	case nil:
		return s.number(reflect.Invalid, 0)
	case bool:
		if v {
			return s.number(reflect.Bool, 1)
		}
		return s.number(reflect.Bool, 0)
	case int64:
		return s.number(reflect.Int64, uint64(v))
	case float64:
		return s.number(reflect.Float64, math.Float64bits(v))
	case string:
		return s.text(v)
	case []any:
		n := s.number(reflect.Slice, uint64(len(v))<<1|nothing(v == nil))
		for _, one := range v {
			n = s.pair(n, s.json(one))
		}
		return n
	case map[string]any:
		n := s.number(reflect.Map, uint64(len(v))<<1|nothing(v == nil))
		for key, one := range v {
			n = sum(n, s.pair(xxh3.HashString128(key), s.json(one)))
		}
		return n
	}
	return s.pair(s.typ(reflect.TypeOf(v)), s.value(reflect.ValueOf(v)))
}

func nothing(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}

// sum is the sum of two sums, in whatever order.
func sum(a, b xxh3.Uint128) xxh3.Uint128 {
	lo, carry := bits.Add64(a.Lo, b.Lo, 0)
	hi, _ := bits.Add64(a.Hi, b.Hi, carry)
	return xxh3.Uint128{Hi: hi, Lo: lo}
}

var timeType = reflect.TypeFor[time.Time]()

// value is the sum of any value: of its type where that does not follow, and all that it has.
func (s *summing) value(v reflect.Value) xxh3.Uint128 {
	if s.left--; s.left < 0 {
		s.unknown = true
		return xxh3.Uint128{}
	}
	switch v.Kind() {
	case reflect.Bool:
		return s.number(reflect.Bool, nothing(!v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return s.number(v.Kind(), uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return s.number(v.Kind(), v.Uint())
	case reflect.Float32, reflect.Float64:
		return s.number(v.Kind(), math.Float64bits(v.Float()))
	case reflect.String:
		return s.text(v.String())
	case reflect.Slice, reflect.Array:
		return s.elements(v)
	case reflect.Map:
		n := s.number(reflect.Map, uint64(v.Len())<<1|nothing(v.IsNil()))
		for all := v.MapRange(); all.Next(); {
			n = sum(n, s.pair(s.value(all.Key()), s.value(all.Value())))
		}
		return n
	case reflect.Pointer:
		if v.IsNil() {
			return s.number(reflect.Pointer, 0)
		}
		return s.pair(s.number(reflect.Pointer, 1), s.value(v.Elem()))
	case reflect.Interface:
		if v.IsNil() {
			return s.number(reflect.Interface, 0)
		}
		return s.pair(s.typ(v.Elem().Type()), s.value(v.Elem()))
	case reflect.Struct:
		return s.fields(v)
	}
	if v.Kind() == reflect.Func && s.known && !v.IsNil() {
		return s.number(reflect.Func, uint64(v.Pointer()))
	}
	s.unknown = true // a function, a channel
	return xxh3.Uint128{}
}

func (s *summing) elements(v reflect.Value) xxh3.Uint128 {
	isNil := v.Kind() == reflect.Slice && v.IsNil()
	n := s.number(reflect.Slice, uint64(v.Len())<<1|nothing(isNil))
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		return s.pair(n, xxh3.Hash128(v.Bytes()))
	}
	for i := range v.Len() {
		n = s.pair(n, s.value(v.Index(i)))
	}
	return n
}

func (s *summing) fields(v reflect.Value) xxh3.Uint128 {
	n := s.number(reflect.Struct, uint64(v.NumField()))
	if v.Type() == timeType { // the same may be told in several ways
		if !v.CanAddr() {
			s.unknown = true
			return n
		}
		t, _ := open(v).Interface().(time.Time)
		_, offset := t.Zone()
		return s.pair(n, s.pair(s.number(reflect.Int64, uint64(t.Unix())), s.number(reflect.Int, uint64(offset)<<32|uint64(t.Nanosecond()))))
	}
	for i := range v.NumField() {
		n = s.pair(n, s.value(v.Field(i)))
	}
	return n
}
