package expression

import (
	"errors"
	"fmt"
	"reflect"
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

// Expression is a boolean CEL expression over a Cluster.
type Expression struct {
	text    string
	program cel.Program
	nodes   Nodes
}

// environment is the same for every expression.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	cluster := reflect.TypeFor[Cluster]()
	options := []cel.EnvOption{
		cel.OptionalTypes(),
		func(e *cel.Env) (*cel.Env, error) { return cel.CustomTypeProvider(newProvider(e.CELTypeProvider()))(e) },
		cel.ASTValidators(cel.ValidateHomogeneousAggregateLiterals()),
	}
	for i := range cluster.NumField() {
		f := cluster.Field(i)
		options = append(options, cel.Variable(f.Tag.Get("cel"), cel.ListType(cel.ObjectType(f.Type.Elem().Elem().Name()))))
	}
	return cel.NewEnv(options...)
})

// Compile parses and checks an expression. Its error is one line.
func Compile(text string) (*Expression, error) {
	if len(text) > lengthMax {
		return nil, fmt.Errorf("the expression has %d bytes, more than %d", len(text), lengthMax)
	}
	env, err := environment()
	if err != nil {
		return nil, err
	}
	checked, issues := env.Compile(text)
	if issues.Err() != nil {
		return nil, firstOf(issues)
	}
	if checked.OutputType() != cel.BoolType {
		return nil, fmt.Errorf("the expression is of type %s, not bool", checked.OutputType())
	}
	nodes, err := analyse(checked.NativeRep())
	if err != nil {
		return nil, err
	}
	program, err := env.Program(checked, cel.EvalOptions(cel.OptOptimize), cel.CostLimit(costMax))
	if err != nil {
		return nil, err
	}
	return &Expression{text, program, nodes}, nil
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

// Eval evaluates the expression. An error, such as a label that is not there
// or more work than is allowed, depends on nothing but the cluster. It is safe
// for concurrent use.
func (e *Expression) Eval(c *Cluster) (bool, error) {
	v := reflect.ValueOf(c).Elem()
	input := make(map[string]any, v.NumField())
	for i := range v.NumField() {
		list := make([]ref.Val, v.Field(i).Len())
		for k := range list {
			list[k] = v.Field(i).Index(k).Interface().(maker).made()
		}
		input[v.Type().Field(i).Tag.Get("cel")] = types.NewRefValList(types.DefaultTypeAdapter, list)
	}
	out, _, err := e.program.Eval(input)
	if err != nil {
		return false, err
	}
	b, ok := out.(types.Bool)
	if !ok {
		return false, fmt.Errorf("the expression gives %v, not a bool", out.Type())
	}
	return bool(b), nil
}

// typeOf is the name of the type of a part of a checked expression.
func typeOf(tree *ast.AST, e ast.Expr) string {
	if t := tree.GetType(e.ID()); t != nil {
		return t.TypeName()
	}
	return ""
}
