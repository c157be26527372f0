package kind

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	storagev1 "k8s.io/api/storage/v1"
)

// roots are the kinds whose types stand in custom resources, with all that they are
// made of.
var roots = []any{
	corev1.Pod{},
	corev1.PodTemplate{},
	corev1.Service{},
	corev1.PersistentVolumeClaim{},
	corev1.PersistentVolume{},
	corev1.Node{},
	corev1.ConfigMap{},
	corev1.Secret{},
	corev1.ServiceAccount{},
	corev1.LimitRange{},
	corev1.ResourceQuota{},
	appsv1.StatefulSet{},
	appsv1.Deployment{},
	appsv1.DaemonSet{},
	appsv1.ReplicaSet{},
	batchv1.Job{},
	batchv1.CronJob{},
	policyv1.PodDisruptionBudget{},
	autoscalingv2.HorizontalPodAutoscaler{},
	networkingv1.Ingress{},
	networkingv1.NetworkPolicy{},
	rbacv1.Role{},
	rbacv1.ClusterRole{},
	rbacv1.RoleBinding{},
	storagev1.StorageClass{},
}

// model is the types of Kubernetes.
type model struct {
	types map[string]*typ
	// order are the types as they were found: those of pods first.
	order []*typ
	// having are the types that have a field of a name.
	having map[string][]*typ
	// named are the types that stand under a name somewhere in Kubernetes, those first that
	// stand there most often.
	named map[string][]*typ
}

// typ is one type, an object.
type typ struct {
	name string
	// words are those of the last part of it.
	words []string
	// order is its place among all.
	order  int
	fields []field // by name
	// uses are the fields that hold it, or a list or map of it.
	uses []use
}

type use struct {
	by    *typ
	field *field
	// words are those of the field's name.
	words []string
}

// short is the last part of its name.
func (t *typ) short() string { return t.name[strings.LastIndexByte(t.name, '.')+1:] }

func (t *typ) field(name string) *field {
	i, ok := slices.BinarySearchFunc(t.fields, name, func(f field, name string) int { return strings.Compare(f.name, name) })
	if !ok {
		return nil
	}
	return &t.fields[i]
}

type field struct {
	name  string
	shape shape
	// typ is the type of the object, or of the objects in the list or map; nil for none that is known.
	typ *typ
}

// kubernetes is the model of the release of Kubernetes that seatrial is built with.
var kubernetes = sync.OnceValue(func() *model {
	m := &model{types: map[string]*typ{}, having: map[string][]*typ{}, named: map[string][]*typ{}}
	for _, root := range roots {
		m.add(reflect.TypeOf(root))
	}
	for _, t := range m.order {
		for i := range t.fields {
			f := &t.fields[i]
			m.having[f.name] = append(m.having[f.name], t)
			if f.typ != nil {
				f.typ.uses = append(f.typ.uses, use{t, f, words(f.name)})
				if !slices.Contains(m.named[f.name], f.typ) {
					m.named[f.name] = append(m.named[f.name], f.typ)
				}
			}
		}
	}
	for name, types := range m.named {
		slices.SortStableFunc(types, func(a, b *typ) int { return b.under(name) - a.under(name) })
	}
	return m
})

// under is how often the type stands under a name.
func (t *typ) under(name string) int {
	n := 0
	for _, u := range t.uses {
		if u.field.name == name {
			n++
		}
	}
	return n
}

// add is the type of a Go type, with all below it.
func (m *model) add(goType reflect.Type) *typ {
	name := openAPIName(goType)
	if t := m.types[name]; t != nil {
		return t
	}
	t := &typ{name: name, words: words(goType.Name()), order: len(m.order)}
	m.types[name] = t
	m.order = append(m.order, t)
	m.addFields(t, goType)
	slices.SortFunc(t.fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	return t
}

func (m *model) addFields(t *typ, goType reflect.Type) {
	for i := range goType.NumField() {
		f := goType.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || f.PkgPath != "" && !f.Anonymous:
		case name == "" && (f.Anonymous || strings.Contains(options, "inline")):
			m.addFields(t, f.Type)
		default:
			shape, inner := m.shapeOf(f.Type)
			t.fields = append(t.fields, field{name, shape, inner})
		}
	}
}

// shapeOf is the shape of a Go type, and the type of the objects in it.
func (m *model) shapeOf(goType reflect.Type) (shape, *typ) {
	if s, ok := special[openAPIName(goType)]; ok {
		return s, nil
	}
	switch goType.Kind() {
	case reflect.Pointer:
		return m.shapeOf(goType.Elem())
	case reflect.Slice:
		if goType.Elem().Kind() == reflect.Uint8 {
			return shapeString, nil
		}
		s, t := m.shapeOf(goType.Elem())
		return "[]" + s, t
	case reflect.Map:
		s, t := m.shapeOf(goType.Elem())
		return "{}" + s, t
	case reflect.Struct:
		// What there is is not what is wanted.
		if n := goType.Name(); strings.HasSuffix(n, "Status") || strings.HasSuffix(n, "Condition") {
			return shapeObject, nil
		}
		return shapeObject, m.add(goType)
	case reflect.Bool:
		return shapeBoolean, nil
	case reflect.String:
		return shapeString, nil
	case reflect.Float32, reflect.Float64:
		return shapeNumber, nil
	case reflect.Interface:
		return shapeAny, nil
	default:
		return shapeInteger, nil
	}
}

// openAPIName is how the OpenAPI documents spell a Go type: the domain of its package the other
// way round, and dots.
func openAPIName(goType reflect.Type) string {
	domain, path, _ := strings.Cut(goType.PkgPath(), "/")
	parts := strings.Split(domain, ".")
	slices.Reverse(parts)
	return strings.Join(parts, ".") + "." + strings.ReplaceAll(path, "/", ".") + "." + goType.Name()
}
