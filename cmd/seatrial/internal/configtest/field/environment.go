package field

import (
	"go/ast"
	"go/types"
	"reflect"
	"regexp"
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

// toldEnvironment notes how the variables of a type are called that a call decodes.
func (a *analysis) toldEnvironment(f *file, call *ast.CallExpr, r *root) {
	if r.decoder.variables() || r.decoder.names || r.decoder.file {
		r.environment, r.prefix = a.environmentOf(f.info, call)
	}
}

// environmentOf is how a call that decodes variables names them, and what all names begin with: as it says itself, or the function of the module that it calls.
func (a *analysis) environmentOf(info *types.Info, call *ast.CallExpr) (of *environment, prefix string) {
	fn, is := typeutil.Callee(info, call).(*types.Func)
	if !is || fn.Pkg() == nil {
		return nil, ""
	}
	if called := a.functions[key(fn)]; called != nil {
		return called.environment, called.prefix
	}
	for _, e := range environments {
		if !e.path.MatchString(fn.Pkg().Path()) {
			continue
		}
		if e.prefix >= 0 && e.prefix < len(call.Args) {
			prefix, _ = constantText(info, call.Args[e.prefix])
		}
		for _, arg := range call.Args {
			prefix += prefixOption(info, arg)
		}
		return e, prefix
	}
	return nil, ""
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
