package field

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// maker is a function of the program that makes a whole configuration of the environment, and does nothing else: it says of all variables what the program makes of them, with what it checks and
// bounds behind that.
type maker struct {
	of *root
	// call is how it is called, in its own package.
	call string
}

// source is the declaration that hands the maker to the recorder.
func (m maker) source() string {
	return fmt.Sprintf("var _ = %s.Maker(%q, func() any { return %s.First(%s) })", recorder, m.of.id, recorder, m.call)
}

// findMakers looks for the maker of each type; of several, the one that asks for most.
func (a *analysis) findMakers() {
	best := map[*root]*function{}
	for _, name := range slices.Sorted(maps.Keys(a.functions)) {
		fn := a.functions[name]
		if of := a.makes(fn); of != nil && (best[of] == nil || len(fn.asks) > len(best[of].asks)) && a.onlyAsks(fn) {
			best[of] = fn
		}
	}
	for _, of := range a.roots {
		fn := best[of]
		if fn == nil {
			continue
		}
		var args []string
		for _, p := range fn.params {
			args = append(args, recorder+"."+standIn(p.(*types.Var)))
		}
		fn.file.makers = append(fn.file.makers, maker{of, fn.object.Name() + "(" + strings.Join(args, ", ") + ")"})
		for _, leaf := range of.node.leaves() {
			if a.told(leaf) {
				a.got[leaf.id()] = true
			}
		}
	}
}

// makes is the type of which a function makes a value with nothing but the environment; nil if it does not.
func (a *analysis) makes(fn *function) *root {
	s := fn.object.Signature()
	results := s.Results()
	if fn.file.test || fn.file.generated || s.Recv() != nil || s.TypeParams() != nil || results.Len() == 0 || results.Len() > 2 || fn.object.Name() == "_" || fn.object.Name() == "init" {
		return nil
	}
	if results.Len() == 2 && types.TypeString(results.At(1).Type(), nil) != "error" {
		return nil
	}
	for p := range s.Params().Variables() {
		if !inPlaceOfEnvironment(p) {
			return nil
		}
	}
	of := a.byType[a.typeKey(results.At(0).Type())]
	if len(of) != 1 || of[0] != of[0].root.node {
		return nil
	}
	return of[0].root
}

// harmless are packages of which a function may be called anywhere, and as often as one likes: they do nothing but count, compare and write words.
var harmless = regexp.MustCompile(`^(bytes|cmp|encoding(/.*)?|errors|iter|maps|math(/bits|/big)?|net/(mail|netip|url)|path(/filepath)?|reflect|regexp|slices|sort|strconv|strings|text/template|time|unicode(/.*)?|k8s\.io/apimachinery/pkg/api/resource|github\.com/(alecthomas/units|c2h5oh/datasize|docker/go-units|dustin/go-humanize|google/uuid|hashicorp/go-multierror)|go\.uber\.org/multierr)$`)

// onlyOf are functions of packages of which others do more.
var onlyOf = map[string]*regexp.Regexp{
	"fmt":      regexp.MustCompile(`^(Append|Errorf|Sprint|Sscan)`),
	"net":      regexp.MustCompile(`^(Parse|SplitHostPort|JoinHostPort|String|Error)`),
	"os":       regexp.MustCompile(`^(Getenv|LookupEnv|Environ|Expand|ExpandEnv|Hostname)$`),
	"log/slog": regexp.MustCompile(`^(UnmarshalText|UnmarshalJSON|MarshalText|Level|String)$`),
}

// onlyAsks tells whether a function, with all of the module that it calls, asks the environment, and does nothing else but work out what to make of that: it opens and starts nothing, and never ends
// the program.
func (a *analysis) onlyAsks(fn *function) bool {
	asks, only := false, true
	seen := map[*function]bool{fn: true}
	for next := []*function{fn}; len(next) > 0 && only; {
		fn, next = next[0], next[1:]
		ast.Inspect(fn.node.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt:
				only = false
			case *ast.CallExpr:
				switch f := typeutil.Callee(fn.file.info, n).(type) {
				case *types.Var: // a function that it is given, or has made
					asks = asks || inPlaceOfEnvironment(f)
				case *types.Func:
					if called := a.functions[key(f)]; called != nil && !seen[called] {
						seen[called] = true
						next = append(next, called)
					} else if called == nil && f.Pkg() != nil {
						library := ofVariables(f)
						asks = asks || library || f.Pkg().Path() == "os"
						only = only && (library || isHarmless(f))
					}
				}
			}
			return only
		})
	}
	return asks && only
}

// ofVariables tells whether a function is of a library that fills structs with variables, and knows no flags: those that do end the program.
func ofVariables(f *types.Func) bool {
	return slices.ContainsFunc(environments, func(e *environment) bool {
		return e.flag == "" && !e.byName && e.path.MatchString(f.Pkg().Path())
	})
}

// isHarmless tells whether a function of another module does nothing but ask the environment, or work something out.
func isHarmless(f *types.Func) bool {
	path := f.Pkg().Path()
	if some := onlyOf[path]; some != nil {
		return some.MatchString(f.Name())
	}
	return harmless.MatchString(path) && f.Name() != "Sleep" && !strings.HasPrefix(f.Name(), "Walk")
}
