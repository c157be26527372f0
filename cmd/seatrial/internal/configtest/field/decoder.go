package field

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/types/typeutil"
)

// decoder is a library that decodes configurations into structs.
type decoder struct {
	// path matches its import paths.
	path *regexp.Regexp
	// functions are those that decode, with which argument is decoded into; methods are called as functions are.
	functions map[string]int
	// tag is what names fields; lower if one without is looked for in lower case.
	tag   string
	lower bool
	// apply is the text of a function of the recorder that decodes a document with the library, where that is imported
	// as NAME.
	apply string
	// kind is of keys of which a part is decoded, which the argument before says.
	kind string
	// kebab: a field without a name is called in small letters, with - between its words, and one with the tag embed is
	// what is around it, where names begin with its tag prefix.
	kebab bool
	// names: it is only known what fields are called. Nobody decodes a document, so that no values are given.
	names bool
	// file: it opens the file that is the first argument, and variables of the environment are above what is in it.
	file bool
	// library is the import path of the very one that the program decodes with, of those that path matches; empty if
	// that is not known.
	library string
	// picky: other things than configurations are decoded with it.
	picky bool
}

// codec is that of Kubernetes, which makes the object itself.
var codec = &decoder{path: regexp.MustCompile(`^k8s\.io/apimachinery/pkg/runtime$`), functions: map[string]int{"DecodeInto": 2, "DecodeIntoWithSpecifiedVersionKind": 2, "Decode": 2}, tag: "json", picky: true}

var decoders = []*decoder{
	{path: regexp.MustCompile(`^(gopkg\.in/yaml\.v[23]|go\.yaml\.in/yaml/v[234]|github\.com/goccy/go-yaml)$`), functions: map[string]int{"Unmarshal": 1, "UnmarshalStrict": 1, "UnmarshalWithOptions": 1, "UnmarshalContext": 2, "Decode": 0, "DecodeContext": 1}, tag: "yaml", lower: true, apply: "asText(func(text []byte, into any) error { return NAME.Unmarshal(text, into) })"},
	{path: regexp.MustCompile(`^(sigs\.k8s\.io/yaml|github\.com/ghodss/yaml)$`), functions: map[string]int{"Unmarshal": 1, "UnmarshalStrict": 1}, tag: "json", apply: "asText(func(text []byte, into any) error { return NAME.Unmarshal(text, into) })"},
	{path: regexp.MustCompile(`^k8s\.io/apimachinery/pkg/util/yaml$`), functions: map[string]int{"Unmarshal": 1, "UnmarshalStrict": 1, "Decode": 0}, tag: "json"},
	codec,
	{path: regexp.MustCompile(`^github\.com/BurntSushi/toml$`), functions: map[string]int{"Unmarshal": 1, "Decode": 1, "DecodeFile": 1, "DecodeFS": 2}, tag: "toml", apply: "again(encoded(NAME.NewEncoder), func(text []byte, into any) error { return NAME.Unmarshal(text, into) })"},
	{path: regexp.MustCompile(`^github\.com/pelletier/go-toml(/v2)?$`), functions: map[string]int{"Unmarshal": 1, "Decode": 0}, tag: "toml", apply: "again(encoded(NAME.NewEncoder), func(text []byte, into any) error { return NAME.Unmarshal(text, into) })"},
	{path: regexp.MustCompile(`^github\.com/(mitchellh/mapstructure|go-viper/mapstructure/v2)$`), functions: map[string]int{"Decode": 1, "DecodeMetadata": 1}, tag: "mapstructure", apply: "asMap(func(v, into any) error { return NAME.Decode(v, into) })"},
	{path: regexp.MustCompile(`^github\.com/(mitchellh/mapstructure|go-viper/mapstructure/v2)$`), functions: map[string]int{"WeakDecode": 1, "WeakDecodeMetadata": 1}, tag: "mapstructure", apply: "asMap(func(v, into any) error { return NAME.WeakDecode(v, into) })"},
	{path: regexp.MustCompile(`^github\.com/spf13/viper$`), functions: map[string]int{"Unmarshal": 0, "UnmarshalExact": 0, "UnmarshalKey": 1}, tag: "mapstructure", kind: "viper", apply: "func(given map[string]any, into any) error {\n\t\tv := NAME.New()\n\t\tif err := v.MergeConfigMap(numbers(given).(map[string]any)); err != nil {\n\t\t\treturn err\n\t\t}\n\t\treturn v.Unmarshal(into)\n\t}"},
	{path: regexp.MustCompile(`^github\.com/knadh/koanf(/v2)?$`), functions: map[string]int{"Unmarshal": 1, "UnmarshalWithConf": 1}, tag: "koanf", kind: "koanf", apply: "func(given map[string]any, into any) error {\n\t\tk := NAME.New(\".\")\n\t\tif err := k.Load(provider(numbers(given).(map[string]any)), nil); err != nil {\n\t\t\treturn err\n\t\t}\n\t\treturn k.Unmarshal(\"\", into)\n\t}"},
	{path: regexp.MustCompile(`^github\.com/ilyakaznacheev/cleanenv$`), functions: map[string]int{"ReadConfig": 1}, tag: "yaml", lower: true, file: true, apply: "asText(func(text []byte, into any) error { return NAME.ParseYAML(reader(text), into) })"},
	{path: regexp.MustCompile(`^github\.com/(kelseyhightower/envconfig|sethvargo/go-envconfig|caarlos0/env/v\d+|caarlos0/env|ilyakaznacheev/cleanenv|vrischmann/envconfig)$`), functions: map[string]int{"Process": 1, "ProcessWith": 1, "MustProcess": 1, "Parse": 0, "ParseWithOptions": 0, "ReadEnv": 0, "UpdateEnv": 0, "Init": 0}},
	{path: regexp.MustCompile(`^github\.com/alecthomas/kong$`), functions: map[string]int{"Parse": 0, "New": 0, "Must": 0}, tag: "name", kebab: true, names: true},
	{path: regexp.MustCompile(`^github\.com/jessevdk/go-flags$`), functions: map[string]int{"Parse": 0, "ParseArgs": 0, "NewParser": 0, "NewNamedParser": 0, "AddGroup": 2, "AddCommand": 3}, tag: "long", names: true},
	{path: regexp.MustCompile(`^gopkg\.in/ini\.v1$`), functions: map[string]int{"MapTo": 0, "StrictMapTo": 0}, tag: "ini", names: true},
	{path: regexp.MustCompile(`^github\.com/magiconair/properties$`), functions: map[string]int{"Decode": 0}, tag: "properties", names: true},
	{path: regexp.MustCompile(`^(encoding/json|github\.com/(goccy/go-json|json-iterator/go|bytedance/sonic))$`), functions: map[string]int{"Unmarshal": 1, "Decode": 0}, tag: "json", picky: true},
}

// generics is the library of a generic function that gives what it has decoded; nil if it is none.
func generics(f *types.Func) *decoder {
	if f.Pkg() == nil || !strings.HasPrefix(f.Name(), "ParseAs") {
		return nil
	}
	for _, d := range decoders {
		if d.variables() && d.path.MatchString(f.Pkg().Path()) {
			return d
		}
	}
	return nil
}

// byLibrary are decoders by the library that they are of, and its import path: each is one, so that they can be
// compared.
var byLibrary sync.Map

// by is the decoder of the very library that has an import path: another version, or another owner, has methods of
// other types, and reads some texts otherwise.
func (d *decoder) by(library string) *decoder {
	type key struct {
		of      *decoder
		library string
	}
	own := *d
	own.library = library
	known, _ := byLibrary.LoadOrStore(key{d, library}, &own)
	return known.(*decoder)
}

// candidates are those of some libraries that may decode as the program does, the one that it calls first.
func (d *decoder) candidates(libraries []string) []string {
	if slices.Contains(libraries, d.library) {
		return []string{d.library}
	}
	return slices.DeleteFunc(libraries, func(path string) bool { return !d.path.MatchString(path) })
}

// decodes tells with which library a call decodes into which argument.
func decodes(info *types.Info, call *ast.CallExpr) (*decoder, int) {
	f, is := typeutil.Callee(info, call).(*types.Func)
	if !is {
		return byValue(info, call)
	}
	if f.Pkg() == nil {
		return nil, 0
	}
	path := f.Pkg().Path()
	if _, vendored, is := strings.Cut(path, "/vendor/"); is {
		path = vendored
	}
	for _, d := range decoders {
		if !d.path.MatchString(path) {
			continue
		}
		n, is := d.functions[f.Name()]
		if method := f.Signature().Recv() != nil; is && method && f.Name() == "Decode" && d.tag != "" && path != "k8s.io/apimachinery/pkg/runtime" {
			n = 0
		} else if is && method && f.Name() == "Unmarshal" && f.Signature().Params().Len() == 1 { // of what has been parsed
			n = 0
		}
		// envconfig.Process a prefix, and that of sethvargo a context.
		if is && n < len(call.Args) {
			return d.by(path), n
		}
	}
	return nil, 0
}

// byValue is the library of a function that is called by a variable, as loaders have one for each extension: the first
// of those of which the package has a function of that type.
func byValue(info *types.Info, call *ast.CallExpr) (*decoder, int) {
	t := info.TypeOf(call.Fun)
	if t == nil || len(call.Args) != 2 {
		return nil, 0
	}
	s, is := t.Underlying().(*types.Signature)
	if !is || !unmarshals(s) {
		return nil, 0
	}
	for _, d := range decoders {
		if d.variables() || d.kind != "" || d.names {
			continue
		}
		for _, o := range info.Uses {
			f, is := o.(*types.Func)
			if is && f.Pkg() != nil && d.path.MatchString(f.Pkg().Path()) && d.functions[f.Name()] == 1 && types.Identical(f.Type(), s) {
				return d.by(f.Pkg().Path()), 1
			}
		}
	}
	return nil, 0
}

// unmarshals tells whether a function is one as the Unmarshal of libraries is.
func unmarshals(s *types.Signature) bool {
	if s.Recv() != nil || s.Params().Len() != 2 || s.Results().Len() != 1 {
		return false
	}
	into, is := s.Params().At(1).Type().Underlying().(*types.Interface)
	return is && into.Empty() && types.TypeString(s.Params().At(0).Type(), nil) == "[]byte"
}

var configuration = regexp.MustCompile(`(?i)(config|configuration|conf|cfg|options|opts|settings)$`)

// takes tells whether a type is one that a decoder is for.
func (d *decoder) takes(n *types.Named) bool {
	if !d.picky {
		return true
	}
	if d.path.MatchString("encoding/json") {
		return configuration.MatchString(n.Obj().Name())
	}
	s := structOf(n)
	for i := range s.NumFields() {
		if f := s.Field(i); f.Embedded() && f.Name() == "TypeMeta" {
			return strings.HasSuffix(n.Obj().Name(), "Configuration") || strings.HasSuffix(n.Obj().Name(), "Config")
		}
	}
	return false
}

// text is the value of a constant.
func constantText(info *types.Info, e ast.Expr) (string, bool) {
	v := info.Types[e].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}
