package value

import (
	"slices"
	"strings"
	"sync"
)

// rule is a function by how its values are found. What was found is kept.
type rule struct {
	domain Value
	apply  func(Value) Value

	mu    sync.Mutex
	found map[digest]Value
}

// OfRule returns the function on a domain that apply computes. It is listed when it has to be.
func OfRule(domain Value, apply func(Value) Value) Value {
	return Value{o: &object{kind: Rule, other: &other{rule: &rule{domain: domain, apply: apply}}}}
}

func (r *rule) at(arg Value) (Value, bool) {
	if !Contains(r.domain, arg) {
		return Value{}, false
	}
	key := digestOf(arg)
	r.mu.Lock()
	v, ok := r.found[key]
	r.mu.Unlock()
	if ok {
		return v, true
	}
	v = r.apply(arg)
	r.mu.Lock()
	if r.found == nil {
		r.found = map[digest]Value{}
	}
	r.found[key] = v
	r.mu.Unlock()
	return v, true
}

// OfTuple returns the sequence of items, which it keeps.
func OfTuple(items []Value) Value { return Value{o: &object{kind: Tuple, items: items}} }

// EmptyTuple is << >>.
var EmptyTuple = OfTuple(nil)

// OfPairs returns the function that has items[i] at domain[i]. Both are kept, and domain, which has no
// duplicates, is sorted, and items with it.
func OfPairs(domain, items []Value) Value {
	if !slices.IsSortedFunc(domain, Compare) {
		order := make([]int, len(domain))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int { return Compare(domain[i], domain[j]) })
		d, it := make([]Value, len(domain)), make([]Value, len(domain))
		for i, j := range order {
			d[i], it[i] = domain[j], items[j]
		}
		domain, items = d, it
	}
	return onDomain(&object{kind: Enumerated, items: domain}, items)
}

// OfFunction returns the function on a set with these values, in the order of its Members.
func OfFunction(domain Value, items []Value) Value {
	domain.Members()
	return onDomain(domain.list(), items)
}

func onDomain(domain *object, items []Value) Value {
	if len(items) == 0 {
		return EmptyTuple
	}
	if domain.items[0].o == intObject && domain.items[0].n == 1 && domain.items[len(items)-1].n == int64(len(items)) &&
		domain.items[len(items)-1].o == intObject {
		return OfTuple(items)
	}
	return Value{o: &object{kind: Function, domain: domain, items: items}}
}

// Shape is the fields of records of one form, in their order.
type Shape struct {
	domain *object
	order  []int
}

// shapes are the domains of records, by their fields: records with the same fields share one.
var shapes sync.Map

// NewShape returns the shape of records with these fields.
func NewShape(fields []string) Shape {
	sorted := slices.Clone(fields)
	slices.Sort(sorted)
	key := strings.Join(sorted, "\x00")
	domain, ok := shapes.Load(key)
	if !ok {
		var items []Value
		for _, f := range sorted {
			items = append(items, OfString(f))
		}
		domain, _ = shapes.LoadOrStore(key, OfSet(items).o)
	}
	s := Shape{domain: domain.(*object)}
	for _, f := range fields {
		s.order = append(s.order, slices.Index(s.domain.items, OfString(f)))
	}
	return s
}

// Place returns where the i-th field is among the items of a record of the shape.
func (s Shape) Place(i int) int { return s.order[i] }

// Record returns the record of this shape; items are in the order of Place, and are kept.
func (s Shape) Record(items []Value) Value {
	if len(items) == 0 {
		return EmptyTuple
	}
	return Value{o: &object{kind: Function, domain: s.domain, items: items}}
}

// IsFunction tells whether the value is a function, a sequence or a record.
func (v Value) IsFunction() bool { return isFunction(v.Kind()) }

// function returns the listed form of a function.
func (v Value) function() *object {
	switch v.Kind() {
	case Tuple, Function:
		return v.o
	case Rule:
		if o := v.o.listed.Load(); o != nil {
			return o
		}
		members := v.o.rule.domain.Members()
		items := make([]Value, len(members))
		for i, m := range members {
			items[i], _ = v.o.rule.at(m)
		}
		if contained(v.o, items, map[*object]bool{}) {
			Fail("what the function gives for an argument has the function itself in it")
		}
		o := OfFunction(v.o.rule.domain, items).o
		v.o.listed.Store(o)
		return o
	}
	Fail("%s stands where a function is expected", Describe(v))
	return nil
}

// contained tells whether an object is in some values, as far as they are listed. A function whose values have it in
// them would have no end.
func contained(o *object, items []Value, seen map[*object]bool) bool {
	for _, i := range items {
		in := i.o
		if in == o {
			return true
		}
		if in != nil && in.kind == Rule {
			in = in.listed.Load()
		}
		if in != nil && len(in.items) > 0 && !seen[in] {
			seen[in] = true
			if contained(o, in.items, seen) {
				return true
			}
		}
	}
	return false
}

// Domain returns the domain of a function.
func Domain(f Value) Value {
	switch f.Kind() {
	case Tuple:
		return Interval(1, int64(len(f.o.items)))
	case Function:
		return Value{o: f.o.domain}
	case Rule:
		return f.o.rule.domain
	}
	Fail("DOMAIN is asked of %s, which is no function", Describe(f))
	return Value{}
}

// find returns where an argument is in the domain of a listed function.
func (o *object) find(arg Value) (int, bool) {
	if o.kind == Tuple {
		if arg.o != intObject {
			if arg.Kind() != Model && len(o.items) > 0 {
				Fail("%s and the number 1 cannot be compared", Describe(arg))
			}
			typed(arg, OfInt(1))
			return 0, false
		}
		return int(arg.n - 1), arg.n >= 1 && arg.n <= int64(len(o.items))
	}
	return search(o.domain.items, arg)
}

// search finds a value among sorted ones: small sets by looking at each.
func search(items []Value, v Value) (int, bool) {
	switch k := v.Kind(); {
	case len(items) == 0:
		return 0, false
	case k == String || k == Model:
		if len(items) <= 12 {
			for i := range items {
				if items[i].o == v.o {
					return i, true
				}
			}
			if !alike(items[0], v) {
				Fail("%s and %s cannot be compared", Describe(v), Describe(items[0]))
			}
			return 0, false
		}
	}
	return slices.BinarySearchFunc(items, v, Compare)
}

func alike(a, b Value) bool {
	typed(a, b)
	typed(b, a)
	return a.Kind() == Model || b.Kind() == Model || a.Kind() == b.Kind()
}

// At returns the value of a function, and whether the argument is in its domain.
func At(f, arg Value) (Value, bool) {
	switch f.Kind() {
	case Tuple, Function:
		if i, ok := f.o.find(arg); ok {
			return f.o.items[i], true
		}
		return Value{}, false
	case Rule:
		if o := f.o.listed.Load(); o != nil {
			return At(Value{o: o}, arg)
		}
		return f.o.rule.at(arg)
	}
	Fail("%s stands where a function is expected", Describe(f))
	return Value{}, false
}

// Field returns what a record has under a name, a string, and whether it has.
func Field(r, name Value) (Value, bool) {
	if r.Kind() == Function {
		for i, field := range r.o.domain.items {
			if field.o == name.o {
				return r.o.items[i], true
			}
		}
	}
	return At(r, name)
}

// Place returns where an argument is in the domain of a listed function, and whether it is.
func Place(f, arg Value) (int, bool) {
	if k := f.Kind(); k != Tuple && k != Function {
		return 0, false
	}
	return f.o.find(arg)
}

// With returns f with another value for an argument: [f EXCEPT ![arg] = v]. An argument outside of the
// domain changes nothing.
func With(f, arg, v Value) Value {
	if f.Kind() == Rule && infinite(f.o.rule.domain) {
		return OfRule(f.o.rule.domain, func(a Value) Value {
			if Equal(a, arg) {
				return v
			}
			old, _ := f.o.rule.at(a)
			return old
		})
	}
	o := f.function()
	i, ok := o.find(arg)
	if !ok || o.items[i] == v {
		return f
	}
	items := slices.Clone(o.items)
	items[i] = v
	return Value{o: &object{kind: o.kind, domain: o.domain, items: items}}
}

// Items returns the values of a function in the order of its domain, and the items of a sequence. They must
// not be changed.
func (v Value) Items() []Value { return v.function().items }

// IsSequence tells whether v is a sequence: a function on 1..n.
func (v Value) IsSequence() bool {
	if !isFunction(v.Kind()) || v.Kind() == Rule && infinite(v.o.rule.domain) {
		return false
	}
	return v.function().kind == Tuple
}

// Sequence returns the items of a sequence; where says in the error what asked for one.
func (v Value) Sequence(where string) []Value {
	if v.IsSequence() {
		return v.function().items
	}
	Fail("%s is %s, a sequence is expected", where, Describe(v))
	return nil
}
