package experiment

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"

	"github.com/seatrial/seatrial/history"
)

const (
	// costMax bounds one evaluation in CEL's cost units: what Kubernetes allows one of
	// a validation rule (PerCallLimit of k8s.io/apiserver/pkg/apis/cel), which is about
	// a second. A run waits for it.
	costMax = 1_000_000
	// lengthMax bounds an expression, in bytes.
	lengthMax = 10_000
)

// Expression is a CEL expression that is true or false, over variables of any type.
type Expression struct {
	text    string
	program cel.Program
}

// Over compiles an expression over variables with these names. Its error is one line.
func Over(text string, variables ...string) (*Expression, error) {
	options := []cel.EnvOption{cel.OptionalTypes(), ext.Strings()}
	for _, name := range variables {
		options = append(options, cel.Variable(name, cel.DynType))
	}
	env, err := cel.NewEnv(options...)
	if err != nil {
		return nil, err
	}
	return compile(env, text)
}

// Text is the expression's source.
func (e *Expression) Text() string { return e.text }

// Holds evaluates the expression. An error, such as a field that is not there, depends on the
// variables only.
func (e *Expression) Holds(variables map[string]any) (bool, error) {
	out, _, err := e.program.Eval(variables)
	if err != nil {
		return false, errors.New(strings.ReplaceAll(err.Error(), "\n", " "))
	}
	holds, ok := out.Value().(bool)
	if !ok {
		return false, fmt.Errorf("the expression is %s here, not true or false", out.Type().TypeName())
	}
	return holds, nil
}

// Lists shows a state to an expression: the objects of each resource, in the order of their
// keys. A resource of which there are no objects has an empty list.
func Lists(state history.State) any { return lists{state}.value() }

// Condition is a CEL expression that is true or false. It sees object, which is
// one object, and objects, which are lists of all by their resource:
//
//	object.status.readyReplicas == 3
//	objects['pods'].filter(p, p.status.phase == 'Running').size() <= 1
//
// A resource of which there are no objects has an empty list.
type Condition struct{ Expression }

var environment = sync.OnceValues(func() (*cel.Env, error) {
	return cel.NewEnv(
		cel.OptionalTypes(), ext.Strings(),
		cel.Variable("object", cel.DynType),
		cel.Variable("objects", cel.MapType(cel.StringType, cel.ListType(cel.DynType))),
	)
})

// Compile parses and checks an expression. Its error is one line.
func Compile(text string) (*Condition, error) {
	env, err := environment()
	if err != nil {
		return nil, err
	}
	e, err := compile(env, text)
	if err != nil {
		return nil, err
	}
	return &Condition{*e}, nil
}

func compile(env *cel.Env, text string) (*Expression, error) {
	if len(text) > lengthMax {
		return nil, fmt.Errorf("the expression has %d bytes, more than %d", len(text), lengthMax)
	}
	checked, issues := env.Compile(text)
	if issues.Err() != nil {
		first := issues.Errors()[0]
		return nil, fmt.Errorf("column %d: %s", first.Location.Column()+1, strings.ReplaceAll(first.Message, "\n", " "))
	}
	if t := checked.OutputType(); t != cel.BoolType && t != cel.DynType {
		return nil, fmt.Errorf("the expression is of type %s, not bool", t)
	}
	program, err := env.Program(checked, cel.EvalOptions(cel.OptOptimize), cel.CostLimit(costMax))
	if err != nil {
		return nil, err
	}
	return &Expression{text, program}, nil
}

// Holds evaluates the expression in a state; object is nil if there is none. An
// error, such as a field that is not there, depends on the state only.
func (c *Condition) Holds(object history.Object, state history.State) (bool, error) {
	variables := map[string]any{"object": nil, "objects": Lists(state)}
	if object != nil {
		variables["object"] = map[string]any(object)
	}
	return c.Expression.Holds(variables)
}
