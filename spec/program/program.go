// Package program makes of a specification, which is trees, what a model checker asks: the initial states, the next
// states of one, and whether something is true of a state or of a step. Expressions become closures that find names in
// slots.
package program

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/seatrial/seatrial/spec/config"
	"github.com/seatrial/seatrial/spec/library"
	"github.com/seatrial/seatrial/spec/resolver"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// Program is a specification with a configuration, compiled: its states, its steps, and what is claimed of them.
type Program struct {
	// Name is that of the module.
	Name string
	// Variables are the names of the variables, in the order of their declarations.
	Variables []string
	// Actions are the parts of the next-state relation, which traces name.
	Actions []Action
	// Invariants, Constraints and Assumptions are what their names in the configuration say.
	Invariants  []Predicate
	Properties  []Temporal
	Fairness    []Fairness
	Warnings    []Warning
	Assumptions []Predicate

	c             *compiler
	store         *value.Store
	places        []syntax.Position
	initial       step
	view, alias   *Predicate
	postcondition *Predicate
	permutations  []*permutation
	orders        *sorter
	compiled      bool
	until         context.Context
	steps         []step
	taken         []atomic.Bool
	// said is what there is to say of the run, by the names that TLCGet has for it.
	said map[string]value.Value
	// depth is how far the states are that Next gets: see Level.
	depth atomic.Int32
	// demands are what properties say of each step.
	demands []func(from, to []statespace.ID) bool
	// outside is what of the machine operators may see; nil for nothing.
	outside *library.Outside
	watched watched
	// values are, for each variable, the ids of those that it had in states whose steps were looked for.
	values            []value.Numbers
	constraints       []Predicate
	actionConstraints []Predicate
	deadlock, counted bool
	fairness          []placed
	fairnessCount     int
	// views are what actions see of each variable that they do not read as a whole.
	views  [][]view
	frames frames
	// entries counts what the tables of all frames have room for.
	entries atomic.Int64
	// guessed is true if ENABLED was judged leniently, excluded if constraints left something out.
	guessed, excluded atomic.Bool

	mu        sync.Mutex
	registers map[string]value.Value
	out       func(string)
}

// Action is a part of the next-state relation.
type Action struct {
	// Name has the values that it is taken with.
	Name string
	At   syntax.Position
	// within are the definitions, with their arguments, that it is a part of.
	within []use
}

// Base is the name without the values that the action is taken with.
func (a Action) Base() string {
	base, _, _ := strings.Cut(a.Name, "(")
	return base
}

// use is a definition with the values of its arguments.
type use struct {
	of   *binding
	args string
}

// Warning is what there is to say of a specification that is no error.
type Warning struct {
	At      syntax.Position
	Problem string
}

// Predicate is a named condition on a state, or on a step.
type Predicate struct {
	Name string
	At   syntax.Position
	eval func(*frame) value.Value
	reads
}

// EvaluationError is an expression that has no value, where it stands.
type EvaluationError struct {
	At      syntax.Position
	Problem string
	// Assertion is true for an Assert that is false, and Limit for what may have a value, but not within the limits of
	// evaluation.
	Assertion, Limit bool
}

// Error returns the place and the problem.
func (e *EvaluationError) Error() string { return e.At.String() + ": " + e.Problem }

// Compile makes a program of a module and its configuration. Errors that are about the text are *syntax.Error.
// What of the machine its operators may see is outside, nil for nothing.
func Compile(root *syntax.Module, find resolver.Finder, cfg *config.Config, outside *library.Outside) (p *Program, err error) {
	defer syntax.Catch(&err)
	modules := resolver.NewModules(find)
	names, err := resolver.Check(root, modules)
	if err != nil {
		return nil, err
	}
	claims(cfg, names)
	p = &Program{Name: root.Name, store: value.NewStore(), registers: map[string]value.Value{}, outside: outside, deadlock: cfg.Deadlock}
	p.places = append(p.places, syntax.Position{})
	c := &compiler{program: p, modules: modules, config: cfg, overridden: map[string]bool{}, replaced: map[syntax.Position]*binding{}, natives: map[*library.Operator]*binding{}, large: map[*syntax.Quantifier]bool{}}
	p.c = c
	w := &world{c: c, scopes: map[string]*scope{}, root: true}
	w.declare = func(d syntax.Parameter, isVariable bool) *binding {
		if !isVariable {
			if d.Text == "defaultInitValue" {
				// What algorithms give to variables without a value.
				return &binding{kind: given, name: d.Text, at: d.At, value: value.OfModel(d.Text)}
			}
			return &binding{kind: constant, name: d.Text, at: d.At, arity: d.Arity}
		}
		p.Variables = append(p.Variables, d.Text)
		return &binding{kind: variable, name: d.Text, at: d.At, slot: len(p.Variables) - 1}
	}
	c.root = &scope{names: map[string]*binding{}, inner: map[string]*syntax.Module{}, module: root.Name}
	s := w.open(root, nil)
	*c.root = *s
	c.override(s)
	top := env{scope: s, old: -1}
	for _, b := range c.assumptions {
		if n, ok := c.assumption(b); ok {
			p.Assumptions = append(p.Assumptions, n)
		}
	}
	p.views = make([][]view, len(p.Variables))
	c.behaviour(cfg, top)
	for _, name := range cfg.Constraints {
		p.constraints = append(p.constraints, c.predicate(name, top))
	}
	for _, name := range cfg.ActionConstraints {
		p.actionConstraints = append(p.actionConstraints, c.predicate(name, top))
	}
	for _, name := range cfg.Invariants {
		p.Invariants = append(p.Invariants, c.predicate(name, top))
	}
	if len(cfg.Properties) > 0 {
		c.properties(cfg.Properties, top)
	}
	p.watched.others = map[string]bool{}
	if len(cfg.Symmetry) == 0 && cfg.View.Text == "" {
		for _, name := range slices.Concat(cfg.Invariants, cfg.Properties) {
			c.watch(name, top)
		}
	}
	for _, given := range []struct {
		name syntax.Name
		into **Predicate
	}{{cfg.View, &p.view}, {cfg.Alias, &p.alias}, {cfg.Postcondition, &p.postcondition}} {
		if given.name.Text != "" {
			q := c.predicate(given.name, top)
			*given.into = &q
		}
	}
	if p.view != nil {
		p.Warnings = append(p.Warnings, Warning{At: cfg.View.At, Problem: "with VIEW, what holds does so only if states that look the same have successors that do, and properties do not tell them apart"})
	}
	c.symmetry(top)
	for _, g := range cfg.Constants {
		if g.Module != "" && !c.overridden[g.Module] {
			p.Warnings = append(p.Warnings, Warning{At: g.Name.At, Problem: "nothing that is checked uses a module " + g.Module + ": this replaces nothing"})
		}
	}
	p.taken, p.values = make([]atomic.Bool, len(p.Actions)), make([]value.Numbers, len(p.Variables))
	p.compiled = true
	return p, nil
}

// override replaces what names stand for by what the configuration says.
func (c *compiler) override(s *scope) {
	for _, g := range c.config.Constants {
		if g.Module != "" {
			continue
		}
		b := s.find(g.Name.Text)
		if b == nil {
			if g.Definition.Text == "" {
				// A model value that nothing declares is a value for others to mention.
				if g.Value != value.OfModel(g.Name.Text) {
					c.program.Warnings = append(c.program.Warnings, Warning{At: g.Name.At, Problem: s.module + " has no constant " + g.Name.Text + ": what it is given is used nowhere"})
				}
				continue
			}
			fail(g.Name.At, "%s is neither a constant nor defined in %s", g.Name.Text, s.module)
		}
		if b.kind == variable {
			fail(g.Name.At, "%s is a variable: a configuration gives values to constants", g.Name.Text)
		}
		by := binding{kind: given, name: b.name, at: b.at, value: g.Value}
		if g.Definition.Text != "" {
			d := s.find(g.Definition.Text)
			if d == nil {
				fail(g.Definition.At, "%s is not defined", g.Definition.Text)
			}
			by = *d
		}
		if b.kind == definition {
			c.replaced[b.at] = &by
		}
		*b = by
	}
}

// overrideIn replaces a name within one module only. What it is replaced by is a definition of the root module, which
// is found when it is used.
func (c *compiler) overrideIn(s *scope, g config.Constant) {
	b := s.names[g.Name.Text]
	if b == nil {
		fail(g.Name.At, "%s is neither a constant nor defined in %s", g.Name.Text, g.Module)
	}
	if g.Definition.Text == "" {
		s.names[g.Name.Text] = &binding{kind: given, name: b.name, at: b.at, value: g.Value}
		return
	}
	body := &syntax.Ident{At: syntax.At{Place: g.Definition.At}, Name: g.Definition.Text}
	arity := b.arity
	if b.kind == definition {
		arity = len(b.params)
	}
	s.names[g.Name.Text] = &binding{kind: argument, name: b.name, at: b.at, body: body, env: env{scope: c.root, old: -1}, arity: arity}
}

// lookup returns what a name of the configuration stands for.
func (c *compiler) lookup(name syntax.Name, v env) *binding {
	b := v.scope.find(name.Text)
	if b == nil {
		fail(name.At, "%s is not defined in the specification", name.Text)
	}
	if b.kind == definition && len(b.params) > 0 {
		fail(name.At, "%s takes arguments; the configuration names what takes none", name.Text)
	}
	return b
}

func (c *compiler) predicate(name syntax.Name, v env) Predicate {
	b := c.lookup(name, v)
	v.routine = c.routine()
	return c.compiled(name.Text, b.at, c.use(b, nil, b.at, v), v.routine)
}

func (c *compiler) compiled(name string, at syntax.Position, n node, r *routine) Predicate {
	if r.count > 0 {
		n.eval, n.of = own(n.eval, r), nil
	}
	n = c.memo(n)
	return Predicate{Name: name, At: at, eval: n.eval, reads: n.reads}
}

func (c *compiler) assumption(b *binding) (Predicate, bool) {
	v := b.env
	v.routine = c.routine()
	name := b.name
	if name == "" {
		name = "ASSUME"
	}
	return c.compiled(name, b.body.Position(), c.expr(b.body, v), v.routine), true
}

// rescue turns what evaluation panics with into an error that says where.
func (f *frame) rescue(r any) error {
	switch r := r.(type) {
	case nil:
		return nil
	case *value.Failure:
		return &EvaluationError{At: f.position(), Problem: r.Problem, Limit: r.Limit}
	case *library.Refusal:
		return &syntax.Error{At: f.position(), Problem: r.Problem}
	case *library.Assertion:
		return &EvaluationError{At: f.position(), Problem: r.Message, Assertion: true}
	case *EvaluationError:
		return r
	case error:
		if runtimeError := (interface{ RuntimeError() })(nil); errors.As(r, &runtimeError) {
			panic(r)
		}
		return r
	}
	panic(r)
}

// CheckAssumptions returns an error for the first assumption that is not true.
func (p *Program) CheckAssumptions() (err error) {
	f := p.newFrame()
	defer func() {
		if r := recover(); r != nil {
			err = f.rescue(r)
		}
	}()
	for _, a := range p.Assumptions {
		f.begin()
		if f.place = 0; !a.eval(f).Bool("an assumption") {
			return &EvaluationError{At: a.At, Problem: fmt.Sprintf("the assumption %s is false", a.Name)}
		}
	}
	return nil
}

// Says has TLCGet answer "config": how states are looked at, "bfs" or "simulate".
func (p *Program) Says(mode string) {
	// Models that need \cdot ask whether they may have it, by the name of TLC's switch for it.
	p.said = map[string]value.Value{"-Dtlc2.tool.impl.Tool.cdot": value.OfString("true"), "config": record(
		"mode", value.OfString(mode), "deadlock", value.OfBool(p.deadlock), "depth", value.OfInt(-1), "traces", value.OfInt(-1), "worker", value.OfInt(1),
		"install", value.OfString(""),
	)}
}

// Explored has TLCGet answer in the POSTCONDITION what is known once all states were explored.
func (p *Program) Explored(s statespace.Stats) {
	whole := []any{"generated", value.OfInt(int64(s.Transitions)), "distinct", value.OfInt(int64(s.States)), "diameter", value.OfInt(int64(s.Levels)), "queue", value.OfInt(0)}
	for i := 0; i < len(whole); i += 2 {
		p.said[whole[i].(string)] = whole[i+1].(value.Value)
	}
	p.said["stats"] = record(whole...)
}

// record is a record of names and values in turn.
func record(fields ...any) value.Value {
	var names, items []value.Value
	for i := 0; i < len(fields); i += 2 {
		names, items = append(names, value.OfString(fields[i].(string))), append(items, fields[i+1].(value.Value))
	}
	return value.OfPairs(names, items)
}

// CheckPostcondition returns an error if the POSTCONDITION, if there is one, is not true once everything was explored.
func (p *Program) CheckPostcondition() (err error) {
	if p.postcondition == nil {
		return nil
	}
	f := p.newFrame()
	defer func() {
		if r := recover(); r != nil {
			err = f.rescue(r)
		}
	}()
	f.begin()
	if !p.postcondition.holds(f) {
		return &EvaluationError{At: p.postcondition.At, Problem: "the postcondition " + p.postcondition.Name + " is false", Assertion: true}
	}
	return nil
}

// Alias returns what a trace is to show of a step instead of the variables: the fields of a record with their values.
// There is nothing if the configuration gives no ALIAS, or it has no value here. The step is the one with that number,
// the first being 0.
func (p *Program) Alias(from, to []statespace.ID, number int) (names []string, values []value.Value) {
	if p.alias == nil {
		return nil, nil
	}
	f := p.newFrame()
	defer func() {
		if r := recover(); r != nil {
			names, values = nil, nil
		}
	}()
	f.load(from)
	f.level = number + 1
	for i, id := range to {
		f.kept[i] = id + 1
	}
	v := p.alias.eval(f)
	if !v.IsFunction() {
		return nil, nil
	}
	for _, field := range value.Domain(v).Members() {
		name, ok := field.Text()
		if !ok {
			return nil, nil
		}
		names = append(names, name)
	}
	return names, v.Items()
}

// OnPrint has what Print and PrintT show handed to out.
func (p *Program) OnPrint(out func(string)) { p.out = out }

func (p *Program) print(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.out != nil {
		p.out(line)
	}
}

func (p *Program) register(key value.Value) (value.Value, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	v, ok := p.registers[value.Format(key)]
	return v, ok
}

func (p *Program) setRegister(key, v value.Value) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.registers[value.Format(key)] = v
}

// Values returns the values of the variables in a state.
func (p *Program) Values(state []statespace.ID) []value.Value {
	values := make([]value.Value, len(state))
	for i, id := range state {
		values[i] = p.store.Value(id)
	}
	return values
}

// ID returns the id that a value has in states.
func (p *Program) ID(v value.Value) statespace.ID { return p.store.ID(v) }

// Takes returns how many arguments a definition of the module takes, false if there is none of that name.
func (p *Program) Takes(name string) (arguments int, ok bool) {
	b := p.c.root.find(name)
	if b == nil || b.kind != definition {
		return 0, false
	}
	return len(b.params), true
}

// Call applies an operator of the specification to values.
func (p *Program) Call(name syntax.Name, args ...value.Value) (result value.Value, err error) {
	defer syntax.Catch(&err)
	c := p.c
	v := env{scope: c.root, old: -1, routine: c.routine()}
	b := c.root.find(name.Text)
	if b == nil {
		fail(name.At, "%s is not defined in %s", name.Text, p.Name)
	}
	exprs := make([]syntax.Expr, len(args))
	for i := range args {
		hidden := fmt.Sprintf("argument %d", i+1)
		v = v.bind(hidden, &binding{kind: given, name: hidden, value: args[i]})
		exprs[i] = &syntax.Ident{At: syntax.At{Place: name.At}, Name: hidden}
	}
	n := c.use(b, exprs, name.At, v)
	f := p.newFrame()
	defer func() {
		if r := recover(); r != nil {
			result, err = value.Value{}, f.rescue(r)
		}
	}()
	f.begin()
	return n.eval(f), nil
}
