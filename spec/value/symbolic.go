package value

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// interval is low..high.
type interval struct{ low, high int64 }

// Interval is low..high, empty if high is below low.
func Interval(low, high int64) Value {
	if high < low {
		return Empty
	}
	return symbolic(interval{low, high})
}

func (i interval) contains(v Value) bool {
	if v.o != intObject {
		if v.Kind() == Model {
			typed(v, OfInt(0))
			return false
		}
		Fail("%s and the number %d cannot be compared", Describe(v), i.low)
	}
	return v.n >= i.low && v.n <= i.high
}

func (i interval) each(f func(Value) bool) bool {
	for n := i.low; n <= i.high; n++ {
		if !f(OfInt(n)) {
			return false
		}
	}
	return true
}

func (i interval) size() int64     { return i.high - i.low + 1 }
func (i interval) same(s set) bool { return s == set(i) }
func (i interval) text() string    { return fmt.Sprintf("%d..%d", i.low, i.high) }

// everything is a set without an end: Nat, Int, STRING, or Any.
type everything string

// The sets without end.
var (
	Nat     = symbolic(everything("Nat"))
	Integer = symbolic(everything("Int"))
	Real    = symbolic(everything("Real"))
	Strings = symbolic(everything("STRING"))
	Any     = symbolic(everything("Any"))
)

func (e everything) contains(v Value) bool {
	k := v.Kind()
	if k == Model && e != "Any" {
		return false
	}
	switch e {
	case "Nat", "Int", "Real":
		if k != Int {
			Fail("whether %s is in %s cannot be said", Describe(v), string(e))
		}
		return e != "Nat" || v.n >= 0
	case "STRING":
		if k != String {
			Fail("whether %s is in STRING cannot be said", Describe(v))
		}
	}
	return true
}

func (e everything) each(func(Value) bool) bool { return true }
func (e everything) size() int64                { return -2 }
func (e everything) same(s set) bool            { return s == set(e) }
func (e everything) text() string               { return string(e) }

// sequences is Seq(S).
type sequences struct{ of Value }

// Sequences is Seq(s).
func Sequences(s Value) Value { return symbolic(sequences{s}) }

func (s sequences) contains(v Value) bool {
	if v.Kind() == Model {
		return false
	}
	if !isFunction(v.Kind()) {
		Fail("whether %s is in %s cannot be said", Describe(v), s.text())
	}
	o := v.function()
	return o.kind == Tuple && !slices.ContainsFunc(o.items, func(m Value) bool { return !Contains(s.of, m) })
}

func (s sequences) each(func(Value) bool) bool { return true }
func (s sequences) size() int64                { return -2 }
func (s sequences) same(t set) bool            { o, ok := t.(sequences); return ok && Equal(s.of, o.of) }
func (s sequences) text() string               { return "Seq(" + Format(s.of) + ")" }

// union is the union of sets of which one is not listed.
type union struct{ a, b Value }

func (u union) contains(v Value) bool        { return Contains(u.a, v) || Contains(u.b, v) }
func (u union) each(f func(Value) bool) bool { return walk(u.a, f) && walk(u.b, f) }
func (u union) same(set) bool                { return false }
func (u union) text() string                 { return Format(u.a) + " \\cup " + Format(u.b) }
func (u union) size() int64 {
	if infinite(u.a) || infinite(u.b) {
		return -2
	}
	return -1
}

func walk(s Value, f func(Value) bool) bool {
	on := true
	Each(s, func(v Value) bool { on = f(v); return on })
	return on
}

// chosen is the part of a set without end that satisfies a condition.
type chosen struct {
	of   Value
	keep func(Value) bool
	name string
}

func (c chosen) contains(v Value) bool { return Contains(c.of, v) && c.keep(v) }
func (c chosen) each(f func(Value) bool) bool {
	return walk(c.of, func(v Value) bool { return !c.keep(v) || f(v) })
}
func (c chosen) same(set) bool { return false }
func (c chosen) text() string  { return c.name }
func (c chosen) size() int64 {
	if infinite(c.of) {
		return -2
	}
	return -1
}

// subsets is SUBSET S.
type subsets struct{ of Value }

// Subsets is SUBSET s.
func Subsets(s Value) Value {
	s.wantSet("what SUBSET is of")
	return symbolic(subsets{s})
}

func (s subsets) contains(v Value) bool {
	if v.Kind() == Model {
		return false
	}
	return Subset(v, s.of)
}

// each yields the subsets by their size, each size in the order of sets.
func (s subsets) each(f func(Value) bool) bool {
	members := s.of.Members()
	for k := 0; k <= len(members); k++ {
		if !combinations(members, k, func(items []Value) bool {
			return f(Value{o: &object{kind: Enumerated, items: slices.Clone(items)}})
		}) {
			return false
		}
	}
	return true
}

// combinations calls f with every choice of k of the items, in order.
func combinations(items []Value, k int, f func([]Value) bool) bool {
	index, picked := make([]int, k), make([]Value, k)
	for i := range index {
		index[i] = i
	}
	for {
		for i, at := range index {
			picked[i] = items[at]
		}
		if !f(picked) {
			return false
		}
		i := k - 1
		for i >= 0 && index[i] == len(items)-k+i {
			i--
		}
		if i < 0 {
			return true
		}
		for index[i]++; i+1 < k; i++ {
			index[i+1] = index[i] + 1
		}
	}
}

func (s subsets) size() int64 {
	if infinite(s.of) {
		return -2
	}
	n := Size(s.of)
	if n > 62 {
		return math.MaxInt64
	}
	return 1 << n
}

func (s subsets) same(t set) bool { o, ok := t.(subsets); return ok && Equal(s.of, o.of) }
func (s subsets) text() string    { return "SUBSET (" + Format(s.of) + ")" }

// KSubsets are the subsets of s with k members.
func KSubsets(k int64, s Value) Value {
	members := s.Members()
	if k < 0 || k > int64(len(members)) {
		return Empty
	}
	var items []Value
	combinations(members, int(k), func(c []Value) bool {
		items = append(items, Value{o: &object{kind: Enumerated, items: slices.Clone(c)}})
		return true
	})
	return OfSet(items)
}

// functions is [domain -> range], and, with one range for each argument, a set of records. With
// a domain of 1..n it is also a product.
type functions struct {
	domain Value
	ranges []Value // one for all, or one for each
}

// Functions is [domain -> range].
func Functions(domain, rng Value) Value {
	domain.wantSet("what functions are on")
	rng.wantSet("where functions go to")
	return symbolic(functions{domain, []Value{rng}})
}

// Records is [field : set, …].
func Records(fields []string, sets []Value) Value {
	shape := NewShape(fields)
	ranges := make([]Value, len(sets))
	for i, s := range sets {
		s.wantSet("the values of field " + fields[i])
		ranges[shape.Place(i)] = s
	}
	if len(fields) == 0 {
		return OfSet([]Value{EmptyTuple})
	}
	return symbolic(product{functions{Value{o: shape.domain}, ranges}})
}

// product is sets of functions with a range for each argument.
type product struct{ functions }

func (p product) same(t set) bool { o, ok := t.(product); return ok && p.functions.same(o.functions) }

// Product is s \X t \X ….
func Product(sets []Value) Value {
	for _, s := range sets {
		s.wantSet("a side of \\X")
	}
	return symbolic(product{functions{Interval(1, int64(len(sets))), sets}})
}

func (s functions) rangeOf(i int) Value {
	if len(s.ranges) == 1 {
		return s.ranges[0]
	}
	return s.ranges[i]
}

func (s functions) contains(v Value) bool {
	if v.Kind() == Model {
		return false
	}
	if !isFunction(v.Kind()) {
		Fail("whether %s is in %s cannot be said", Describe(v), s.text())
	}
	if d := Domain(v); infinite(s.domain) || infinite(d) {
		if !Equal(d, s.domain) {
			return false
		}
		Fail("whether %s is in %s cannot be said", Describe(v), s.text())
	}
	o, domain := v.function(), s.domain.list()
	if len(o.items) != len(domain.items) {
		return false
	}
	for i, item := range o.items {
		if o.kind != Function || o.domain != domain {
			if !Equal(o.argument(i), domain.items[i]) {
				return false
			}
		}
		if !Contains(s.rangeOf(i), item) {
			return false
		}
	}
	return true
}

func (s functions) each(f func(Value) bool) bool {
	domain := s.domain.list()
	n := len(domain.items)
	if n == 0 {
		return f(EmptyTuple)
	}
	columns := make([][]Value, n)
	for i := range columns {
		if columns[i] = s.rangeOf(i).Members(); len(columns[i]) == 0 {
			return true
		}
	}
	index := make([]int, n)
	for {
		items := make([]Value, n)
		for i, at := range index {
			items[i] = columns[i][at]
		}
		if !f(onDomain(domain, items)) {
			return false
		}
		i := n - 1
		for ; i >= 0; i-- {
			if index[i]++; index[i] < len(columns[i]) {
				break
			}
			index[i] = 0
		}
		if i < 0 {
			return true
		}
	}
}

func (s functions) size() int64 {
	if infinite(s.domain) {
		return -2
	}
	n, total := int(Size(s.domain)), int64(1)
	for i := range n {
		r := s.rangeOf(i)
		if infinite(r) {
			return -2
		}
		high, low := bits.Mul64(uint64(total), uint64(Size(r)))
		if high != 0 || low > math.MaxInt64 {
			return math.MaxInt64
		}
		total = int64(low)
	}
	return total
}

func (s functions) same(t set) bool {
	o, ok := t.(functions)
	return ok && len(s.ranges) == len(o.ranges) && Equal(s.domain, o.domain) && slices.EqualFunc(s.ranges, o.ranges, Equal)
}

func (s functions) text() string {
	var parts []string
	for _, r := range s.ranges {
		parts = append(parts, Format(r))
	}
	if len(s.ranges) == 1 {
		return "[" + Format(s.domain) + " -> " + parts[0] + "]"
	}
	if m := s.domain.Members(); m[0].Kind() == String {
		for i := range parts {
			parts[i] = m[i].o.text + ": " + parts[i]
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return strings.Join(parts, " \\X ")
}
