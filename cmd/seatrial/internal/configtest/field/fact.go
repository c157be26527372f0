package field

import (
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// Fact is what the text of a module says of the values of a parameter.
type Fact struct {
	// Type is that of Go.
	Type string
	// Members are all valid values, if there are only some: the constants of the type, or those that a tag or a marker
	// names.
	Members []string
	// Words are those that the type compares a text with when it reads itself.
	Words []string
	// Listed are those that the comment of a field says that there are: in quotes, or with bars between them.
	Listed []string
	// Least and Most are the bounds that a tag or a marker gives; empty for none.
	Least, Most string
}

// facts are what is known of parameters; keys of viper are in small letters. What the text says in two ways is left
// out.
func (a *analysis) facts() map[parameter.ID]Fact {
	out, several := map[parameter.ID]Fact{}, map[parameter.ID]bool{}
	add := func(id parameter.ID, t types.Type, more Fact) {
		if t == nil || several[id] {
			return
		}
		more.Type = t.String()
		if more.Members == nil {
			more.Members = members(t)
		}
		more.Words = a.parsed(t)
		if before, is := out[id]; is && before.Type != more.Type {
			several[id] = true
			delete(out, id)
			return
		}
		out[id] = more
	}
	notes := a.fieldNotes()
	for _, r := range a.roots {
		for _, n := range r.node.leaves() {
			note := notes[a.where(n.field)]
			fact := said(tagOf(structOf(n.parentType(a)), n.field.Name()) + " " + note)
			fact.Listed = listed(note)
			add(n.id(), n.typ, fact)
		}
	}
	for _, f := range a.files {
		if f.test {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if lit, is := n.(*ast.CompositeLit); is {
				if b := a.flagLiteral(f.info, lit); b != nil {
					if id, is := b.id(f.info); is {
						add(id, literalType(f.info, lit), Fact{})
					}
				}
			}
			if call, is := n.(*ast.CallExpr); is {
				for id, t := range a.typed(f.info, call) {
					add(id, t, Fact{})
				}
			}
			return true
		})
	}
	return out
}

// typed are the parameters that a call is about, with the types that it gives them.
func (a *analysis) typed(info *types.Info, call *ast.CallExpr) map[parameter.ID]types.Type {
	if b := a.binding(info, call); b != nil {
		id, is := b.id(info)
		if !is {
			return nil
		}
		t := info.TypeOf(call)
		if b.target != nil {
			t = info.TypeOf(b.target)
		}
		if p, is := t.Underlying().(*types.Pointer); is {
			t = p.Elem()
		}
		return map[parameter.ID]types.Type{id: t}
	}
	f, is := typeutil.Callee(info, call).(*types.Func)
	if !is || f.Pkg() == nil || f.Signature().Results().Len() == 0 {
		return nil
	}
	result := f.Signature().Results().At(0).Type()
	if id, is := asked(info, f, call, getters); is {
		return map[parameter.ID]types.Type{id: result}
	}
	out := map[parameter.ID]types.Type{}
	called := a.called(info, call)
	for i, arg := range call.Args {
		name, is := a.askedFor(info, call, i)
		_, constant := constantText(info, arg)
		switch {
		case is && called != nil:
			out[parameter.New(parameter.Env, name)] = result
		case !constant && parses.MatchString(f.FullName()):
			if inner, is := ast.Unparen(arg).(*ast.CallExpr); is && len(inner.Args) == 1 {
				if name, is := a.askedFor(info, inner, 0); is {
					out[parameter.New(parameter.Env, name)] = result
				}
			}
		}
	}
	return out
}

// parses is for functions that make a value of a text.
var parses = regexp.MustCompile(`^(strconv\.(Atoi|Parse(Int|Uint|Float|Bool))|time\.ParseDuration)$`)

// getters are the methods of libraries that give a key as something.
var getters = regexp.MustCompile(`^(Get|Must)?(Bool|Int|Int32|Int64|Uint|Uint16|Uint32|Uint64|Float64|Duration)$`)

// givers are those that give it as something a program has in a field, with what is of no type that says more: texts,
// and lists.
var givers = regexp.MustCompile(getters.String() + `|^(Get|Must)?(String|StringSlice|Strings|IntSlice|Ints|Int64s|SizeInBytes|Bytes)$`)

// asked is the key that a method of viper or koanf is asked for, if its name is one of some.
func asked(info *types.Info, f *types.Func, call *ast.CallExpr, by *regexp.Regexp) (parameter.ID, bool) {
	if len(call.Args) != 1 || !by.MatchString(f.Name()) {
		return "", false
	}
	name, is := constantText(info, call.Args[0])
	switch path := f.Pkg().Path(); {
	case path == "github.com/spf13/viper":
		return parameter.New(parameter.Viper, strings.ToLower(name)), is
	case strings.HasPrefix(path, "github.com/knadh/koanf"):
		return parameter.New(parameter.Koanf, name), is
	}
	return "", false
}

// members are the constants of a type of texts, in order; none if it has no name.
func members(t types.Type) []string {
	n, is := types.Unalias(t).(*types.Named)
	if !is || n.Obj().Pkg() == nil {
		return nil
	}
	out := map[string]bool{}
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, is := scope.Lookup(name).(*types.Const); is && types.Identical(c.Type(), n) && c.Val().Kind() == constant.String {
			out[constant.StringVal(c.Val())] = true
		}
	}
	delete(out, "")
	return slices.Sorted(maps.Keys(out))
}

// fieldNotes are the comments of the fields of structs, by where these are.
func (a *analysis) fieldNotes() map[string]string {
	out := map[string]string{}
	for _, f := range a.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if field, is := n.(*ast.Field); is {
				for _, name := range field.Names {
					for _, c := range slices.Concat(commentsOf(field.Doc), commentsOf(field.Comment)) {
						out[a.fset.Position(name.Pos()).String()] += c.Text + "\n"
					}
				}
			}
			return true
		})
	}
	return out
}

// tagOf is the tag of a field of a struct.
func tagOf(s *types.Struct, name string) string {
	for i := range s.NumFields() {
		if s.Field(i).Name() == name {
			return reflect.StructTag(s.Tag(i)).Get("validate") + " " + reflect.StructTag(s.Tag(i)).Get("binding")
		}
	}
	return ""
}

// The words of tags, as of github.com/go-playground/validator, and of the markers of kubebuilder.
var (
	least  = regexp.MustCompile(`(?:\b(?:min|gte)=|validation:Minimum:?=)(-?[0-9.]+)`)
	most   = regexp.MustCompile(`(?:\b(?:max|lte)=|validation:Maximum:?=)(-?[0-9.]+)`)
	oneOf  = regexp.MustCompile(`\boneof=([^,]+)`)
	enumOf = regexp.MustCompile(`validation:Enum:?=\{?([^\s}]+)`)
)

// inQuotes is a word in quotes, and betweenBars are words with bars between them, as comments list the values that
// there are.
var (
	inQuotes    = regexp.MustCompile("[\"'`]([A-Za-z][-A-Za-z0-9_]*)[\"'`]")
	betweenBars = regexp.MustCompile(`\b[A-Za-z][-A-Za-z0-9_]*(?: ?\| ?[A-Za-z][-A-Za-z0-9_]*)+`)
)

// examples are words behind which a comment does not list all that there are.
var examples = regexp.MustCompile(`(?i)\be\.?\s?g\b|\bsuch as\b|\b(?:for )?example|\blike\b|\bdefaults? to\b|\bsee\b|\betc\b|\.\.\.|…`)

// listed are the words that a comment lists, if these are all.
func listed(comment string) (out []string) {
	if examples.MatchString(comment) {
		return nil
	}
	for _, word := range inQuotes.FindAllStringSubmatch(comment, -1) {
		out = append(out, word[1])
	}
	for _, list := range betweenBars.FindAllString(comment, -1) {
		for word := range strings.SplitSeq(list, "|") {
			out = append(out, strings.TrimSpace(word))
		}
	}
	return out
}

// said is what tags and markers say.
func said(text string) Fact {
	var out Fact
	if found := least.FindStringSubmatch(text); found != nil {
		out.Least = found[1]
	}
	if found := most.FindStringSubmatch(text); found != nil {
		out.Most = found[1]
	}
	if found := oneOf.FindStringSubmatch(text); found != nil {
		out.Members = strings.Fields(found[1])
	}
	if found := enumOf.FindStringSubmatch(text); found != nil {
		out.Members = strings.FieldsFunc(found[1], func(r rune) bool { return r == ';' || r == ',' || r == '"' })
	}
	return out
}
