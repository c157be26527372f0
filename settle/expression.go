package settle

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// expressionCost bounds one evaluation in CEL's cost units: what Kubernetes allows one of a
// validation rule (PerCallLimit of k8s.io/apiserver/pkg/apis/cel).
const expressionCost = 1_000_000

// expressions have the functions that Kubernetes has in its own, and the variables of the
// conditions of `seatrial perturb`: object is what is desired, and objects are lists of all by
// their resource.
var expressions = sync.OnceValues(func() (*cel.Env, error) {
	var base *environment.EnvSet
	switch set := any(environment.MustBaseEnvSet).(type) {
	case func(*version.Version, bool) *environment.EnvSet: // until Kubernetes 1.35
		base = set(environment.DefaultCompatibilityVersion(), true)
	case func(*version.Version) *environment.EnvSet:
		base = set(environment.DefaultCompatibilityVersion())
	default:
		return nil, fmt.Errorf("the environment of CEL is made by a %T: this release of Kubernetes' libraries is not supported", set)
	}
	return base.NewExpressionsEnv().Extend(
		ext.Encoders(), // for Secrets
		cel.Variable("object", cel.DynType),
		cel.Variable("objects", cel.MapType(cel.StringType, cel.ListType(cel.DynType))),
	)
})

// expression is a condition in CEL that has to be true.
type expression struct {
	text    string
	program cel.Program
}

// compile parses an expression. Its error is one line.
func compile(text string) (*expression, error) {
	env, err := expressions()
	if err != nil {
		return nil, err
	}
	checked, issues := env.Compile(text)
	if issues.Err() != nil {
		first := issues.Errors()[0]
		return nil, fmt.Errorf("%q: column %d: %s", text, first.Location.Column()+1, strings.ReplaceAll(first.Message, "\n", " "))
	}
	if t := checked.OutputType(); t != cel.BoolType && t != cel.DynType {
		return nil, fmt.Errorf("%q is of type %s, not bool", text, t)
	}
	program, err := env.Program(checked, cel.EvalOptions(cel.OptOptimize), cel.CostLimit(expressionCost))
	return &expression{text, program}, err
}

// wrong is why it is not true of what there is. What cannot be evaluated, because a field is
// not there yet, is not true.
func (e *expression) wrong(x *explorer, s kubestate.State, o *kubestate.Object) error {
	objects := map[string]any{}
	for r := range x.server.Resources() {
		var list []any
		for o := range s.Under(r.Prefix("")) {
			fields, err := x.types.fields(o)
			if err != nil {
				return err
			}
			list = append(list, fields)
		}
		objects[r.Resource.GroupResource().String()] = list
	}
	variables := map[string]any{"object": nil, "objects": objects}
	if o != nil {
		fields, err := x.types.fields(o)
		if err != nil {
			return err
		}
		variables["object"] = fields
	}
	out, _, err := e.program.Eval(variables)
	if err != nil {
		return errors.New(strings.ReplaceAll(err.Error(), "\n", " ") + ": " + e.text)
	}
	if is, ok := out.Value().(bool); !ok || !is {
		return fmt.Errorf("it is not so that %s", e.text)
	}
	return nil
}

// judges are Match and Always, and what of them is in CEL.
type judges struct {
	match  func(x *explorer, s kubestate.State, d desired, o *kubestate.Object) error
	always map[string]func(x *explorer, s kubestate.State) error
}

func (c *Config) judges() (*judges, error) {
	j := &judges{always: map[string]func(*explorer, kubestate.State) error{}}
	for name, always := range c.Always {
		j.always[name] = func(x *explorer, s kubestate.State) error { return always(context.Background(), x.lookup(s)) }
	}
	for name, text := range c.AlwaysCEL {
		e, err := compile(text)
		if err != nil {
			return nil, fmt.Errorf("settle: AlwaysCEL: %s: %w", name, err)
		}
		if j.always[name] != nil {
			return nil, fmt.Errorf("settle: two properties have the name %q", name)
		}
		j.always[name] = func(x *explorer, s kubestate.State) error { return e.wrong(x, s, nil) }
	}
	switch {
	case c.MatchCEL == "" && c.Match == nil:
		j.match = func(x *explorer, s kubestate.State, _ desired, _ *kubestate.Object) error {
			return x.otherEnd(c.ends, s)
		}
	case c.MatchCEL != "" && c.Match != nil:
		return nil, errors.New("settle: Match and MatchCEL are given: keep one of them")
	case c.MatchCEL != "":
		e, err := compile(c.MatchCEL)
		if err != nil {
			return nil, fmt.Errorf("settle: MatchCEL: %w", err)
		}
		j.match = func(x *explorer, s kubestate.State, _ desired, o *kubestate.Object) error { return e.wrong(x, s, o) }
	default:
		j.match = func(x *explorer, s kubestate.State, d desired, o *kubestate.Object) error {
			is, err := x.typedAs(o, d.object)
			if err != nil {
				return err
			}
			return c.Match(context.Background(), x.lookup(s), is)
		}
	}
	return j, nil
}

// typedAs is an object in the type of another, to be changed as one likes.
func (x *explorer) typedAs(o *kubestate.Object, like client.Object) (client.Object, error) {
	is, err := x.types.as(o, reflect.TypeOf(like))
	if err != nil {
		x.fail(err)
		return nil, err
	}
	return is.DeepCopyObject().(client.Object), nil
}
