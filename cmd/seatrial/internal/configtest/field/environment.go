package field

import (
	"go/types"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// environment is how a library that decodes variables of the environment into a struct names them.
type environment struct {
	// path matches its import paths.
	path *regexp.Regexp
	// tag has the name of a variable, or of several, and prefixTag what the names of the variables of a struct in a
	// field begin with; of some libraries that is the option prefix of the tag.
	tag, prefixTag string
	several        bool
	// untagged gives the name of a field that has none in its tag; empty for no variable.
	untagged func(field *types.Var, tag reflect.StructTag) string
	// joined: names have those of the structs that they are in before them, with _ between.
	joined bool
	// flag is the tag that names a flag, and byName is for a library whose flags are called as the fields are in files;
	// empty for neither.
	flag   string
	byName bool
	// prefix is the argument of a call that all names begin with; -1 if it has none.
	prefix int
}

var environments = []*environment{
	{path: regexp.MustCompile(`^github\.com/caarlos0/env(/v\d+)?$`), tag: "env", prefixTag: "envPrefix", prefix: -1},
	{path: regexp.MustCompile(`^github\.com/ilyakaznacheev/cleanenv$`), tag: "env", prefixTag: "env-prefix", several: true, prefix: -1},
	{path: regexp.MustCompile(`^github\.com/sethvargo/go-envconfig$`), tag: "env", prefix: -1},
	{path: regexp.MustCompile(`^github\.com/alecthomas/kong$`), tag: "env", prefixTag: "envprefix", byName: true, prefix: -1},
	{path: regexp.MustCompile(`^github\.com/jessevdk/go-flags$`), tag: "env", prefixTag: "env-namespace", flag: "long", prefix: -1},
	{path: regexp.MustCompile(`^github\.com/kelseyhightower/envconfig$`), tag: "envconfig", joined: true, prefix: 0, untagged: func(field *types.Var, tag reflect.StructTag) string {
		if isTrue(tag, "split_words") {
			return split(field.Name())
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

// isTrue tells whether a tag says so.
func isTrue(tag reflect.StructTag, name string) bool {
	is, _ := strconv.ParseBool(tag.Get(name))
	return is
}

// gathered and acronym are the words of a name for kelseyhightower/envconfig.
var (
	gathered = regexp.MustCompile(`[^A-Z]+|[A-Z]+[^A-Z]+|[A-Z]+`)
	acronym  = regexp.MustCompile(`([A-Z]+)([A-Z][^A-Z]+)`)
)

// split puts a _ between the words of a name as kelseyhightower/envconfig does: HTT_P2_PORT of HTTP2Port.
func split(name string) string {
	all := gathered.FindAllString(name, -1)
	for i, word := range all {
		if m := acronym.FindStringSubmatch(word); m != nil {
			all[i] = m[1] + "_" + m[2]
		}
	}
	return strings.Join(all, "_")
}

// fieldVariable is the variable of a field without a tag for caarlos0/env, where it is told to take the name of the
// field.
func fieldVariable(name string) string {
	var out []rune
	runes := []rune(name)
	for i, r := range runes {
		if r == '_' {
			continue
		}
		if len(out) > 0 && unicode.IsUpper(r) && i+1 < len(runes) && (unicode.IsLower(runes[i+1]) || unicode.IsLower(runes[i-1])) {
			out = append(out, '_')
		}
		out = append(out, unicode.ToUpper(r))
	}
	return string(out)
}

// variables tells whether a library decodes variables of the environment only.
func (d *decoder) variables() bool { return d.tag == "" && d.kind == "" }

// saysMore tells whether a library is to be gone by rather than another one that decodes into the same: one of files
// says more than one of variables only.
func (d *decoder) saysMore(than *decoder) bool {
	return than == nil || than.variables() && !d.variables()
}

// tagged joins fields with the variables that are decoded into them.
func (a *analysis) tagged(r *root, n *node, prefix string) {
	e := r.naming.library
	if e == nil {
		return
	}
	s := structOf(n.typ)
	for _, c := range n.children {
		tag := tagAt(s, c.field.Name())
		if e.joined && isTrue(tag, "ignored") {
			continue
		}
		names, options := r.naming.variables(tag)
		if !c.leaf {
			a.tagged(r, c, r.naming.below(prefix, names[0], options, c.field, tag))
			continue
		}
		a.flagOf(e, c, tag)
		for _, name := range names {
			if alone := name; alone != "" && e.joined {
				a.alias(parameter.New(parameter.Env, strings.ToUpper(alone)), c.id()) // it is asked for without a prefix, too
			}
			if name == "" && e.untagged != nil {
				name = e.untagged(c.field, tag)
			}
			if name == "" && r.naming.byField {
				name = fieldVariable(c.field.Name())
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
}

// variables are the names that a tag gives a field, one at least, which may be empty, and what else it says.
func (n naming) variables(tag reflect.StructTag) (names []string, options string) {
	text := tag.Get(n.tag)
	if n.library.several {
		return strings.Split(text, ","), ""
	}
	name, options, _ := strings.Cut(text, ",")
	name, _, _ = strings.Cut(name, ";")
	return []string{strings.TrimSpace(name)}, options
}

// flagOf joins a field with the flag that its tag, or its name, says. What two commands call alike is not known to be
// either.
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
func (n naming) below(prefix, name, options string, field *types.Var, tag reflect.StructTag) string {
	e := n.library
	switch {
	case n.prefixTag != "":
		return prefix + tag.Get(n.prefixTag)
	case e.joined && field.Embedded():
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
