package settle

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/zeebo/xxh3"
)

// reach goes through everything that can be reached from a value: fields, elements, what
// pointers point to. Functions, and what is in channels, cannot be looked into; libraries that
// reconcilers are given (clients, schemes, loggers, metrics) are left out.
type reach struct {
	seen map[unsafe.Pointer]bool
	// left is how many values may still be looked at.
	left int
	// held are the locks that somebody holds.
	held []lock
	// leaf is told of each value without parts, by its path, if it is not nil.
	leaf func(path, value string)
}

// reachMax bounds how many values are looked at. What is beyond is taken not to change, and a
// verdict says so.
const reachMax = 20_000

// lock is a sync.Mutex or a sync.RWMutex.
type lock interface {
	sync.Locker
	TryLock() bool
}

// release releases a lock that is held by those who are gone.
func release(l lock) {
	for !l.TryLock() {
		if rw, ok := l.(*sync.RWMutex); ok && rw.TryRLock() {
			rw.RUnlock()
			rw.RUnlock() // of somebody else
			continue
		}
		l.Unlock()
	}
	l.Unlock()
}

// sumOf is a sum of what can be reached from a value, the locks that are held, and whether that
// is all.
func sumOf(v reflect.Value) (sum uint64, held []lock, all bool) {
	f := reach{seen: map[unsafe.Pointer]bool{}, left: reachMax}
	sum = f.sum(v, "")
	return sum, f.held, f.left >= 0
}

// changedField names the first field in which two values differ, and how.
func changedField(was, is reflect.Value) string {
	of := func(v reflect.Value) map[string]string {
		all := map[string]string{}
		f := reach{seen: map[unsafe.Pointer]bool{}, left: reachMax, leaf: func(path, value string) { all[path] = value }}
		f.sum(v, strings.TrimPrefix(v.Type().String(), "*"))
		return all
	}
	before, after := of(was), of(is)
	paths := map[string]bool{}
	for _, all := range []map[string]string{before, after} {
		for path := range all {
			paths[path] = true
		}
	}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		a, b := before[path], after[path]
		switch {
		case a == b:
		case a == "":
			return fmt.Sprintf("%s is %s, and there is nothing in a new one", path, brief(b))
		case b == "":
			return fmt.Sprintf("%s is gone, and %s in a new one", path, brief(a))
		default:
			return fmt.Sprintf("%s is %s, and %s in a new one", path, brief(b), brief(a))
		}
	}
	return ""
}

// libraries are packages whose values are what reconcilers are given, or remember nothing that
// could be decided by.
var libraries = []string{
	strings.TrimSuffix(own, "."), "sigs.k8s.io/controller-runtime", "k8s.io/apimachinery/pkg/runtime", "k8s.io/apimachinery/pkg/api/meta",
	"k8s.io/client-go/rest", "k8s.io/client-go/tools/record", "k8s.io/client-go/tools/events", "k8s.io/client-go/discovery", "k8s.io/client-go/kubernetes", "k8s.io/client-go/dynamic",
	"github.com/go-logr", "k8s.io/klog", "go.uber.org/zap", "github.com/prometheus", "go.opentelemetry.io", "k8s.io/utils/clock",
	"reflect", "regexp", "text/template", "html/template", "net", "net/http", "context", "crypto", "log", "log/slog", "os", "embed", "testing", "unique",
}

var foreign sync.Map // types, and whether they are of libraries

// ofLibrary tells whether a type is of a library.
func ofLibrary(t reflect.Type) bool {
	if known, ok := foreign.Load(t); ok {
		return known.(bool)
	}
	path := t.PkgPath()
	is := slices.ContainsFunc(libraries, func(l string) bool { return path == l || strings.HasPrefix(path, l+"/") })
	foreign.Store(t, is)
	return is
}

// open is a value that can be called methods of, though its field is not exported.
func open(v reflect.Value) reflect.Value {
	if !v.CanAddr() {
		return v
	}
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem() //nolint:gosec // of the type that it is of
}

func mix(a, b uint64) uint64 { return (a^b)*0x9E3779B97F4A7C15 + a>>31 }

// path is that of a part; it costs nothing if nobody wants it.
func (f *reach) path(parent, format string, of ...any) string {
	if f.leaf == nil {
		return ""
	}
	return parent + fmt.Sprintf(format, of...)
}

// end is a value without parts.
func (f *reach) end(path string, n uint64, text func() string) uint64 {
	if f.leaf != nil {
		f.leaf(path, text())
	}
	return n
}

func (f *reach) sum(v reflect.Value, path string) uint64 {
	if f.left--; f.left < 0 || !v.IsValid() || ofLibrary(v.Type()) {
		return 1
	}
	number := func(n uint64) uint64 { return f.end(path, n, func() string { return fmt.Sprint(v) }) }
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return number(3)
		}
		return number(5)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return number(v.Uint())
	case reflect.Float32, reflect.Float64:
		return number(math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		return number(mix(math.Float64bits(real(v.Complex())), math.Float64bits(imag(v.Complex()))))
	case reflect.String:
		return f.end(path, xxh3.HashString(v.String()), func() string { return fmt.Sprintf("%q", v.String()) })
	case reflect.Chan:
		return f.end(path, uint64(v.Len()), func() string { return fmt.Sprintf("a channel of %d", v.Len()) })
	case reflect.Func:
		if v.IsNil() {
			return 7
		}
		return 11
	case reflect.Pointer, reflect.Interface:
		return f.behind(v, path)
	case reflect.Slice, reflect.Array:
		n := uint64(v.Len()) + 13
		for i := range v.Len() {
			n = mix(n, f.sum(v.Index(i), f.path(path, "[%d]", i)))
		}
		return n
	case reflect.Map:
		return f.entries(v, path)
	case reflect.Struct:
		return f.parts(v, path)
	}
	return 17
}

// behind is what a pointer or interface leads to.
func (f *reach) behind(v reflect.Value, path string) uint64 {
	if v.IsNil() {
		return 19
	}
	if v.Kind() == reflect.Pointer {
		if f.seen[v.UnsafePointer()] {
			return 23
		}
		f.seen[v.UnsafePointer()] = true
	}
	return mix(29, f.sum(v.Elem(), path))
}

// entries are those of a map, in whatever order.
func (f *reach) entries(v reflect.Value, path string) (n uint64) {
	for all := v.MapRange(); all.Next(); {
		key := all.Key()
		n += mix(f.key(key), f.sum(all.Value(), f.path(path, "[%v]", key)))
	}
	return n + uint64(v.Len()) + 31
}

// key is that of an entry, which is in the path of its value.
func (f *reach) key(v reflect.Value) uint64 {
	leaf := f.leaf
	defer func() { f.leaf = leaf }()
	f.leaf = nil
	return f.sum(v, "")
}

// parts are the fields of a struct.
func (f *reach) parts(v reflect.Value, path string) (n uint64) {
	if v.Type().PkgPath() == "sync" && v.CanAddr() {
		switch s := open(v).Addr().Interface().(type) {
		case *sync.Map:
			s.Range(func(key, value any) bool {
				n += mix(f.key(reflect.ValueOf(key)), f.sum(reflect.ValueOf(value), f.path(path, "[%v]", key)))
				return true
			})
			return n + 37
		case lock:
			if s.TryLock() {
				s.Unlock()
			} else {
				f.held = append(f.held, s)
			}
		}
		return 41
	}
	switch v.Type() {
	case reflect.TypeFor[time.Time]():
		if !v.CanAddr() {
			return f.end(path, v.Field(0).Uint()+uint64(v.Field(1).Int()), func() string { return "a time" })
		}
		t, _ := open(v).Interface().(time.Time)
		return f.end(path, uint64(t.UnixNano()), func() string { return t.String() })
	case reflect.TypeFor[time.Timer](), reflect.TypeFor[time.Ticker](), reflect.TypeFor[time.Location]():
		return 43
	}
	if v.Type().PkgPath() == "sync/atomic" && strings.HasPrefix(v.Type().Name(), "Pointer[") && v.CanAddr() {
		loaded := open(v).Addr().MethodByName("Load").Call(nil)
		return f.sum(loaded[0], path)
	}
	for i := range v.NumField() {
		n = mix(n, f.sum(v.Field(i), f.path(path, ".%s", v.Type().Field(i).Name)))
	}
	return n + 47
}
