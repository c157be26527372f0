package expression

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

const (
	// costMax bounds the work of one evaluation in CEL's cost units, which is
	// what Kubernetes allows one call of a validation rule
	// (apiserver/pkg/apis/cel PerCallLimit).
	costMax = 1_000_000
	// lengthMax bounds an expression, in bytes.
	lengthMax = 10_000
)

// Expression is a CEL expression over a Cluster, and over one of its objects if
// it was compiled for that.
type Expression struct {
	text    string
	object  string
	program cel.Program
	nodes   Nodes
}

// Objects are the names that one object of a list can have beside the lists:
// pod for one of pods, and so on.
func Objects() []string {
	var out []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Cluster]()) {
		out = append(out, objectOf(f))
	}
	return out
}

// objectOf is the singular of a list's name.
func objectOf(list reflect.StructField) string { return strings.TrimSuffix(list.Tag.Get("cel"), "s") }

// environment has the lists; it is extended by an object.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	cluster := reflect.TypeFor[Cluster]()
	options := []cel.EnvOption{
		cel.OptionalTypes(),
		func(e *cel.Env) (*cel.Env, error) { return cel.CustomTypeProvider(newProvider(e.CELTypeProvider()))(e) },
		cel.ASTValidators(cel.ValidateHomogeneousAggregateLiterals()),
	}
	for i := range cluster.NumField() {
		f := cluster.Field(i)
		options = append(options, cel.Variable(f.Tag.Get("cel"), cel.ListType(elementOf(f))))
	}
	return cel.NewEnv(options...)
})

// elementOf is the type of a list's objects.
func elementOf(list reflect.StructField) *cel.Type {
	return cel.ObjectType(list.Type.Elem().Elem().Name())
}

// environmentFor has the lists and an object, one of Objects or none.
func environmentFor(object string) (*cel.Env, error) {
	env, err := environment()
	if err != nil || object == "" {
		return env, err
	}
	fields := reflect.VisibleFields(reflect.TypeFor[Cluster]())
	i := slices.IndexFunc(fields, func(f reflect.StructField) bool { return objectOf(f) == object })
	if i < 0 {
		return nil, fmt.Errorf("nothing is called %s", object)
	}
	return env.Extend(cel.Variable(object, elementOf(fields[i])))
}

// Compile parses and checks an expression that is true or false. Its error is
// one line.
func Compile(text string) (*Expression, error) { return compile(text, "", cel.BoolType) }

// CompileFor is Compile for an expression that also sees an object: one of
// Objects, or none if it is empty. With number it gives an int.
func CompileFor(text, object string, number bool) (*Expression, error) {
	if number {
		return compile(text, object, cel.IntType)
	}
	return compile(text, object, cel.BoolType)
}

func compile(text, object string, gives *cel.Type) (*Expression, error) {
	if len(text) > lengthMax {
		return nil, fmt.Errorf("the expression has %d bytes, more than %d", len(text), lengthMax)
	}
	env, err := environmentFor(object)
	if err != nil {
		return nil, err
	}
	checked, issues := env.Compile(text)
	if issues.Err() != nil {
		return nil, firstOf(issues)
	}
	if checked.OutputType() != gives {
		return nil, fmt.Errorf("the expression is of type %s, not %s", checked.OutputType(), gives)
	}
	nodes, err := analyse(checked.NativeRep())
	if err != nil {
		return nil, err
	}
	program, err := env.Program(checked, cel.EvalOptions(cel.OptOptimize), cel.CostLimit(costMax))
	if err != nil {
		return nil, err
	}
	return &Expression{text: text, object: object, program: program, nodes: nodes}, nil
}

// firstOf is the first thing that is wrong, and where in the expression.
func firstOf(issues *cel.Issues) error {
	e := issues.Errors()[0]
	at := ""
	if e.Location.Line() > 0 {
		at = fmt.Sprintf("column %d: ", e.Location.Column()+1)
		if e.Location.Line() > 1 {
			at = fmt.Sprintf("line %d, %s", e.Location.Line(), at)
		}
	}
	return errors.New(at + e.Message)
}

// Text is the expression's source.
func (e *Expression) Text() string { return e.text }

// Nodes says which nodes the expression tells apart.
func (e *Expression) Nodes() Nodes { return e.nodes }

// Eval evaluates an expression that is true or false and sees no object. An
// error, such as a label that is not there or more work than is allowed,
// depends on nothing but the cluster. It is safe for concurrent use.
func (e *Expression) Eval(c *Cluster) (bool, error) { return e.EvalFor(c, nil) }

// EvalFor is Eval with the object that the expression sees.
func (e *Expression) EvalFor(c *Cluster, object Object) (bool, error) {
	v, err := e.eval(c, object)
	if err != nil {
		return false, err
	}
	b, ok := v.(types.Bool)
	if !ok {
		return false, fmt.Errorf("the expression gives %v, not a bool", v.Type())
	}
	return bool(b), nil
}

// NumberFor is EvalFor of an expression that gives an int.
func (e *Expression) NumberFor(c *Cluster, object Object) (int64, error) {
	v, err := e.eval(c, object)
	if err != nil {
		return 0, err
	}
	n, ok := v.(types.Int)
	if !ok {
		return 0, fmt.Errorf("the expression gives %v, not an int", v.Type())
	}
	return int64(n), nil
}

func (e *Expression) eval(c *Cluster, object Object) (ref.Val, error) {
	input := c.input()
	if e.object != "" && object != nil {
		input[e.object] = object.made()
	}
	out, _, err := e.program.Eval(input)
	return out, err
}

// input are the lists by name.
func (c *Cluster) input() map[string]any {
	v := reflect.ValueOf(c).Elem()
	input := make(map[string]any, v.NumField()+1)
	for i := range v.NumField() {
		list := make([]ref.Val, v.Field(i).Len())
		for k := range list {
			list[k] = v.Field(i).Index(k).Interface().(Object).made()
		}
		input[v.Type().Field(i).Tag.Get("cel")] = types.NewRefValList(types.DefaultTypeAdapter, list)
	}
	return input
}

// typeOf is the name of the type of a part of a checked expression.
func typeOf(tree *ast.AST, e ast.Expr) string {
	if t := tree.GetType(e.ID()); t != nil {
		return t.TypeName()
	}
	return ""
}
