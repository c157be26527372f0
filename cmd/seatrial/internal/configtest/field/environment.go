package field

import (
	"go/ast"
	"go/types"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// environment is how a library that decodes variables of the environment into a struct names them.
type environment struct {
	// path matches its import paths.
	path *regexp.Regexp
	// tag has the name of a variable, and prefixTag what the names of the variables of a struct in a field begin with; of some libraries that is the
	// option prefix of the tag.
	tag, prefixTag string
	// untagged gives the name of a field that has none in its tag; empty for no variable.
	untagged func(field *types.Var, tag reflect.StructTag) string
	// joined: names have those of the structs that they are in before them, with _ between.
	joined bool
	// flag is the tag that names a flag, and byName is for a library whose flags are called as the fields are in files; empty for neither.
	flag   string
	byName bool
	// prefix is the argument of a call that all names begin with; -1 if it has none.
	prefix int
}

var environments = []*environment{
	{path: regexp.MustCompile(`^github\.com/caarlos0/env(/v\d+)?$`), tag: "env", prefixTag: "envPrefix", prefix: -1},
	{path: regexp.MustCompile(`^github\.com/ilyakaznacheev/cleanenv$`), tag: "env", prefixTag: "env-prefix", prefix: -1},
	{path: regexp.MustCompile(`^github\.com/sethvargo/go-envconfig$`), tag: "env", prefix: -1},
	{path: regexp.MustCompile(`^github\.com/alecthomas/kong$`), tag: "env", prefixTag: "envprefix", byName: true, prefix: -1},
	{path: regexp.MustCompile(`^github\.com/jessevdk/go-flags$`), tag: "env", prefixTag: "env-namespace", flag: "long", prefix: -1},
	{path: regexp.MustCompile(`^github\.com/kelseyhightower/envconfig$`), tag: "envconfig", joined: true, prefix: 0, untagged: func(field *types.Var, tag reflect.StructTag) string {
		if tag.Get("split_words") == "true" {
			return words(field.Name())
		}
		return field.Name()
	}},
	{path: regexp.MustCompile(`^github\.com/vrischmann/envconfig$`), tag: "envconfig", joined: true, prefix: -1, untagged: func(field *types.Var, _ reflect.StructTag) string {
		return words(field.Name())
	}},
}

// words puts a _ between the words of a name.
func words(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// variables tells whether a library decodes variables of the environment only.
func (d *decoder) variables() bool { return d.tag == "" && d.kind == "" }

// saysMore tells whether a library is to be gone by rather than another one that decodes into the same: one of files says more than one of variables only.
func (d *decoder) saysMore(than *decoder) bool {
	return than == nil || than.variables() && !d.variables()
}

// naming is how a library names the variables that it decodes, and what all names begin with.
type naming struct {
	library *environment
	prefix  string
}

// toldEnvironments are those of the calls in a file, and of tests those of the program's functions that these call.
func (a *analysis) toldEnvironments(f *file, of func(types.Type) *root) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is {
			return true
		}
		if called := a.called(f.info, call); !f.test || called != nil && !called.file.test {
			a.toldEnvironment(f, call, of)
		}
		return true
	})
}

// toldEnvironment notes how the variables of types are called that a call decodes, whatever else is decoded into these: a file first, say, and then what is above it.
func (a *analysis) toldEnvironment(f *file, call *ast.CallExpr, of func(types.Type) *root) {
	args, instances := a.environmentsOf(f.info, call)
	note := func(t types.Type, n naming) {
		if named(t) == nil || structOf(t) == nil {
			return
		}
		r := of(t)
		switch {
		case r == nil || r.decoder == nil || (n.library.byName || n.library.flag != "") && !r.decoder.names: // it goes by other names of the fields
		case r.environment == nil:
			r.environment, r.prefix = n.library, n.prefix
		case r.environment != n.library || r.prefix != n.prefix:
			a.problem(f, call, "variables of "+r.typ.Obj().Name()+" have other names elsewhere: which are known are those of one place")
		}
	}
	for _, i := range slices.Sorted(maps.Keys(args)) {
		note(f.info.TypeOf(call.Args[i]), args[i])
	}
	for t, n := range instances {
		note(t, n)
	}
}

// environmentsOf are the arguments of a call into which variables are decoded, and the types of which a value is made of them, with how they are called: as it says itself, or the
// function of the module that it calls.
func (a *analysis) environmentsOf(info *types.Info, call *ast.CallExpr) (args map[int]naming, instances map[types.Type]naming) {
	args, instances = map[int]naming{}, map[types.Type]naming{}
	if called := a.called(info, call); called != nil {
		for i, n := range called.environments {
			if i < len(call.Args) {
				args[i] = n
			}
		}
		of, _ := typeArguments(info, calledBy(call))
		for i, n := range called.ofTypes {
			if i < of.Len() {
				instances[pointed(of.At(i))] = n
			}
		}
		return args, instances
	}
	n, is := environmentOf(info, call)
	if !is {
		return nil, nil
	}
	if d, i := decodes(info, call); d != nil {
		args[i] = n
	}
	if of, f := typeArguments(info, calledBy(call)); f != nil && generics(f) != nil && of.Len() > 0 {
		instances[pointed(of.At(0))] = n
	}
	return args, instances
}

// environmentsIn notes what a call in a function decodes of the environment for whoever calls that; false if it is nothing new.
func (a *analysis) environmentsIn(fn *function, call *ast.CallExpr) (more bool) {
	note := func(in map[int]naming, i int, n naming) {
		if _, known := in[i]; i >= 0 && !known {
			in[i], more = n, true
		}
	}
	info := fn.file.info
	args, instances := a.environmentsOf(info, call)
	for _, i := range slices.Sorted(maps.Keys(args)) {
		note(fn.environments, fn.param(info, call.Args[i]), args[i])
		note(fn.ofTypes, fn.typeParam(info.TypeOf(call.Args[i])), args[i])
	}
	for t, n := range instances {
		note(fn.ofTypes, fn.typeParam(t), n)
	}
	return more
}

// environmentOf is how a call of a library that decodes variables names them; false if it is none.
func environmentOf(info *types.Info, call *ast.CallExpr) (out naming, is bool) {
	fn, is := typeutil.Callee(info, call).(*types.Func)
	if !is || fn.Pkg() == nil {
		return naming{}, false
	}
	for _, e := range environments {
		if !e.path.MatchString(fn.Pkg().Path()) {
			continue
		}
		out.library = e
		if e.prefix >= 0 && e.prefix < len(call.Args) {
			out.prefix, _ = constantText(info, call.Args[e.prefix])
		}
		for _, arg := range call.Args {
			out.prefix += prefixOption(info, arg)
		}
		return out, true
	}
	return naming{}, false
}

// prefixOption is what an argument says as Options{Prefix: "…"}.
func prefixOption(info *types.Info, arg ast.Expr) string {
	lit, is := ast.Unparen(arg).(*ast.CompositeLit)
	if !is {
		return ""
	}
	for _, e := range lit.Elts {
		if kv, is := e.(*ast.KeyValueExpr); is {
			if name, is := kv.Key.(*ast.Ident); is && name.Name == "Prefix" {
				text, _ := constantText(info, kv.Value)
				return text
			}
		}
	}
	return ""
}

// tagged joins fields with the variables that are decoded into them.
func (a *analysis) tagged(r *root, n *node, prefix string) {
	e := r.environment
	if e == nil {
		return
	}
	s := structOf(n.typ)
	for _, c := range n.children {
		tag := tagAt(s, c.field.Name())
		name, options, _ := strings.Cut(tag.Get(e.tag), ",")
		name, _, _ = strings.Cut(name, ";")
		name = strings.TrimSpace(name)
		if !c.leaf {
			a.tagged(r, c, e.below(prefix, name, options, c.field, tag))
			continue
		}
		a.flagOf(e, c, tag)
		if alone := name; alone != "" && e.joined {
			a.alias(parameter.New(parameter.Env, strings.ToUpper(alone)), c.id()) // it is asked for without a prefix, too
		}
		if name == "" && e.untagged != nil {
			name = e.untagged(c.field, tag)
		}
		if name == "" || name == "-" {
			continue
		}
		if e.joined {
			name = strings.ToUpper(joined(prefix, name))
		} else {
			name = prefix + name
		}
		a.alias(parameter.New(parameter.Env, name), c.id())
	}
}

// flagOf joins a field with the flag that its tag, or its name, says. What two commands call alike is not known to be either.
func (a *analysis) flagOf(e *environment, leaf *node, tag reflect.StructTag) {
	name := tag.Get(e.flag)
	if _, positional := tag.Lookup("arg"); e.byName && !positional {
		name = leaf.key[len(leaf.key)-1]
	}
	alike := 0
	for _, other := range leaf.root.node.leaves() {
		if other.key[len(other.key)-1] == leaf.key[len(leaf.key)-1] {
			alike++
		}
	}
	if name != "" && alike == 1 {
		flag := parameter.New(parameter.Flag, "--"+name)
		a.alias(flag, leaf.id())
		a.shortOf(tag.Get("short"), flag)
	}
}

func joined(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "_" + name
}

// below is what the names of the variables of a struct in a field begin with.
func (e *environment) below(prefix, name, options string, field *types.Var, tag reflect.StructTag) string {
	switch {
	case e.prefixTag != "":
		return prefix + tag.Get(e.prefixTag)
	case e.joined && field.Embedded() && name == "":
		return prefix
	case e.joined && name != "":
		return joined(prefix, name)
	case e.joined:
		return joined(prefix, e.untagged(field, tag))
	}
	for option := range strings.SplitSeq(options, ",") {
		if text, is := strings.CutPrefix(strings.TrimSpace(option), "prefix="); is {
			return prefix + text
		}
	}
	return prefix
}

// tagAt is the tag of a field of a struct.
func tagAt(s *types.Struct, name string) reflect.StructTag {
	for i := range s.NumFields() {
		if s.Field(i).Name() == name {
			return reflect.StructTag(s.Tag(i))
		}
	}
	return ""
}
