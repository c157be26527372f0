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

// Condition is a CEL expression that is true or false. It sees object, which is
// one object, and objects, which are lists of all by their resource:
//
//	object.status.readyReplicas == 3
//	objects['pods'].filter(p, p.status.phase == 'Running').size() <= 1
//
// A resource of which there are no objects has an empty list.
type Condition struct {
	text    string
	program cel.Program
}

var environment = sync.OnceValues(func() (*cel.Env, error) {
	return cel.NewEnv(
		cel.OptionalTypes(), ext.Strings(),
		cel.Variable("object", cel.DynType),
		cel.Variable("objects", cel.MapType(cel.StringType, cel.ListType(cel.DynType))),
	)
})

// Compile parses and checks an expression. Its error is one line.
func Compile(text string) (*Condition, error) {
	if len(text) > lengthMax {
		return nil, fmt.Errorf("the expression has %d bytes, more than %d", len(text), lengthMax)
	}
	env, err := environment()
	if err != nil {
		return nil, err
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
	return &Condition{text, program}, nil
}

// Text is the expression's source.
func (c *Condition) Text() string { return c.text }

// Holds evaluates the expression in a state; object is nil if there is none. An
// error, such as a field that is not there, depends on the state only.
func (c *Condition) Holds(object history.Object, state history.State) (bool, error) {
	variables := map[string]any{"object": nil, "objects": lists{state}.value()}
	if object != nil {
		variables["object"] = map[string]any(object)
	}
	out, _, err := c.program.Eval(variables)
	if err != nil {
		return false, errors.New(strings.ReplaceAll(err.Error(), "\n", " "))
	}
	holds, ok := out.Value().(bool)
	if !ok {
		return false, fmt.Errorf("the expression is %s here, not true or false", out.Type().TypeName())
	}
	return holds, nil
}
