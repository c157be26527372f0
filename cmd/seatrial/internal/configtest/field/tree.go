package field

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// root is a type of configuration, of which values are not parts of another one.
type root struct {
	id      parameter.ID
	pkg     string
	typ     *types.Named
	decoder *decoder // nil for a type that no file is decoded into
	flags   map[string]bool
	tag     string // that of names, where the program says another one than the decoder has
	hooked  bool   // the program says itself how some of its values are read
	named   bool   // it is called like a configuration, and made by a function that is
	naming  naming // of the variables that are decoded into it; of no library if there are none
	node    *node
}

// node is a struct or a leaf in the tree of a root.
type node struct {
	root     *root
	field    *types.Var // nil for the root
	typ      types.Type
	way      []string // by names of fields
	key      []string // by names that files have
	prefix   string   // what the names in it begin with, of flags of a struct that is not seen in them
	children []*node
	leaf     bool
	number   int // of a struct
}

func (n *node) id() parameter.ID {
	return parameter.ID(strings.Join(append([]string{string(n.root.id)}, n.key...), "."))
}

func (n *node) leaves() []*node {
	if n.leaf {
		return []*node{n}
	}
	var out []*node
	for _, c := range n.children {
		out = append(out, c.leaves()...)
	}
	return out
}

func (n *node) child(name string) *node {
	for _, c := range n.children {
		if c.field.Name() == name {
			return c
		}
	}
	return nil
}

// plant makes the tree of a root. cut are types that have a tree of their own.
func (a *analysis) plant(r *root, cut map[string]bool) {
	r.node = &node{root: r, typ: r.typ}
	a.grow(r.node, cut, []string{a.typeKey(r.typ)})
	a.number(r.node)
}

func (a *analysis) number(n *node) {
	if n.leaf {
		if key := a.typeKey(elementOf(n.typ)); key != "" {
			a.elements[key] = true
		}
		a.itemize(n)
		return
	}
	n.number = len(a.parts)
	a.parts = append(a.parts, n)
	if key := a.typeKey(n.typ); key != "" {
		a.byType[key] = append(a.byType[key], n)
	}
	for _, c := range n.children {
		a.number(c)
	}
}

// elementOf is what a collection has, or one in it; nil of what is none.
func elementOf(t types.Type) types.Type {
	var of types.Type
	for t != nil {
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			t = u.Elem()
			continue
		case *types.Slice:
			t, of = u.Elem(), u.Elem()
			continue
		case *types.Array:
			t, of = u.Elem(), u.Elem()
			continue
		case *types.Map:
			t, of = u.Elem(), u.Elem()
			continue
		}
		break
	}
	return of
}

func (a *analysis) grow(n *node, cut map[string]bool, above []string) {
	s := structOf(n.typ)
	for i := range s.NumFields() {
		f := s.Field(i)
		name, inline, is := a.fileName(n.root, f, s.Tag(i))
		way := append(slices.Clone(n.way), f.Name())
		bound := n.root.flags[strings.Join(way, ".")]
		for flag := range n.root.flags {
			bound = bound || strings.HasPrefix(flag, strings.Join(way, ".")+".")
		}
		if !is && bound { // no file has it, and the flag does
			name, is = f.Name(), true
		}
		if !is || !bound && n.root.decoder == nil && !n.root.named || !bound && !f.Exported() && !f.Embedded() {
			continue
		}
		c := &node{root: n.root, field: f, typ: f.Type(), way: way, key: n.key, prefix: n.prefix}
		if n.root.decoder != nil && n.root.decoder.kebab {
			name, c.prefix = n.prefix+name, n.prefix+reflect.StructTag(s.Tag(i)).Get("prefix")
		}
		if !inline {
			c.key = append(slices.Clone(n.key), name)
		}
		key := a.typeKey(f.Type())
		kind := a.sort(f.Type(), inline)
		if kind == contains && n.root.decoder == nil && n.root.flags[strings.Join(way, ".")] {
			kind = holds // a flag with a type of its own
		}
		switch kind {
		case holds:
			if inline && !f.Embedded() {
				continue // what no other field has is in it: there is no key of which it is the value
			}
			c.key = append(slices.Clone(n.key), name)
			c.leaf = true
		case contains:
			if key != "" && (slices.Contains(above, key) || cut[key]) {
				continue
			}
			a.grow(c, cut, append(slices.Clone(above), key))
			if len(c.children) == 0 {
				continue
			}
		default:
			continue
		}
		n.children = append(n.children, c)
	}
}

// What a field can be.
const (
	neither  = iota
	holds    // a value
	contains // fields
)

func (a *analysis) sort(t types.Type, inline bool) int {
	t = types.Unalias(t)
	if p, is := t.Underlying().(*types.Pointer); is {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	if n != nil && n.Obj().Pkg() != nil && strings.HasPrefix(n.Obj().Pkg().Path(), "sync") {
		return neither
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		switch {
		case n == nil, inline && !a.custom(n), a.own(n.Obj().Pkg()) && !a.custom(n):
			return contains
		}
		return holds
	case *types.Interface:
		if u.Empty() {
			return holds
		}
		return neither
	case *types.Signature, *types.Chan, *types.TypeParam, *types.Pointer:
		return neither
	}
	return holds
}

// custom tells whether a type reads itself. One that only puts defaults in place before is as others are.
func (a *analysis) custom(n *types.Named) bool {
	if a.plain[a.typeKey(n)] {
		return false
	}
	methods := types.NewMethodSet(types.NewPointer(n))
	for _, name := range []string{"UnmarshalYAML", "UnmarshalJSON", "UnmarshalText", "UnmarshalTOML", "EnvDecode"} {
		if methods.Lookup(nil, name) != nil {
			return true
		}
	}
	return false
}

// fileName is what a field is called in files; inline if its fields are fields of what is around it.
func (a *analysis) fileName(r *root, f *types.Var, tag string) (name string, inline, is bool) {
	tags, lower := []string{"yaml", "json", "toml", "mapstructure", "koanf"}, false
	if r.decoder != nil && r.decoder.tag != "" {
		tags, lower = []string{cmp.Or(r.tag, r.decoder.tag)}, r.decoder.lower
	}
	for _, t := range tags {
		value, has := reflect.StructTag(tag).Lookup(t)
		if !has {
			continue
		}
		name, options, _ := strings.Cut(value, ",")
		if name == "-" {
			return "", false, false
		}
		if slices.ContainsFunc(strings.Split(options, ","), func(o string) bool { return o == "inline" || o == "squash" || o == "remain" }) {
			return f.Name(), true, true
		}
		if name != "" {
			return name, false, true
		}
	}
	if r.decoder != nil && r.decoder.kebab {
		_, embed := reflect.StructTag(tag).Lookup("embed")
		return strings.ToLower(strings.ReplaceAll(words(f.Name()), "_", "-")), embed || f.Embedded(), true
	}
	if lower {
		return strings.ToLower(f.Name()), false, true
	}
	return f.Name(), f.Embedded() && structOf(f.Type()) != nil && (r.decoder == nil || r.decoder.kind == "" && r.decoder.tag != "mapstructure"), true
}
