package value

import (
	"math"
	"strconv"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// edge is where the numbers that are valid end: at one of them, or beside it.
type edge struct {
	at  float64
	out bool
}

// beyond is the first number on the other side, or one that is so far off.
func (e *edge) beyond(by float64) float64 {
	if e.out {
		return e.at
	}
	return e.at + by
}

// limit is what a schema says of a value, with what stands under allOf.
type limit struct {
	least, most         *edge
	step                float64
	shortest, longest   int64 // longest is -1 for no limit
	patterns            []string
	format              string
	fewest, furthest    int64 // items, furthest -1 for no limit
	fewestKeys, allKeys int64 // keys, allKeys -1 for no limit
	unique              bool
	enum                []any
}

func limitOf(s *structural.Structural) limit {
	l := limit{longest: -1, furthest: -1, allKeys: -1}
	l.add(s.ValueValidation)
	if s.XListType != nil && *s.XListType != "atomic" {
		l.unique = true
	}
	return l
}

func (l *limit) add(v *structural.ValueValidation) {
	if v == nil {
		return
	}
	if v.Minimum != nil && (l.least == nil || *v.Minimum > l.least.at || *v.Minimum == l.least.at && v.ExclusiveMinimum) {
		l.least = &edge{*v.Minimum, v.ExclusiveMinimum}
	}
	if v.Maximum != nil && (l.most == nil || *v.Maximum < l.most.at || *v.Maximum == l.most.at && v.ExclusiveMaximum) {
		l.most = &edge{*v.Maximum, v.ExclusiveMaximum}
	}
	if v.MultipleOf != nil {
		l.step = *v.MultipleOf
	}
	atLeast(&l.shortest, v.MinLength)
	atMost(&l.longest, v.MaxLength)
	atLeast(&l.fewest, v.MinItems)
	atMost(&l.furthest, v.MaxItems)
	atLeast(&l.fewestKeys, v.MinProperties)
	atMost(&l.allKeys, v.MaxProperties)
	if v.Pattern != "" {
		l.patterns = append(l.patterns, v.Pattern)
	}
	if v.Format != "" {
		l.format = v.Format
	}
	l.unique = l.unique || v.UniqueItems
	if len(v.Enum) > 0 && l.enum == nil {
		for _, e := range v.Enum {
			l.enum = append(l.enum, e.Object)
		}
	}
	for i := range v.AllOf {
		l.add(&v.AllOf[i].ValueValidation)
	}
}

func atLeast(bound *int64, said *int64) {
	if said != nil {
		*bound = max(*bound, *said)
	}
}

func atMost(bound *int64, said *int64) {
	if said != nil && (*bound < 0 || *said < *bound) {
		*bound = *said
	}
}

// holds tells that a number is within the bounds, and a multiple.
func (l *limit) holds(n float64) bool {
	if l.least != nil && (n < l.least.at || n == l.least.at && l.least.out) || l.most != nil && (n > l.most.at || n == l.most.at && l.most.out) {
		return false
	}
	return l.step == 0 || l.multiple(n)
}

// takes tells whether a text or a number is within all that is said of one; anything else is.
func (l *limit) takes(v any) bool {
	switch v := v.(type) {
	case string:
		return l.matches(v)
	case int64:
		return l.holds(float64(v))
	case float64:
		return l.holds(v)
	}
	return true
}

// multiple tells whether a number is a multiple of the step, as far as numbers of a computer can be: 0.3 is one of 0.1.
func (l *limit) multiple(n float64) bool {
	const exact = 1e-9
	if l.step == math.Trunc(l.step) {
		return math.Mod(n, l.step) == 0
	}
	times := n / l.step
	return math.Abs(times-math.Round(times)) <= exact*max(1, math.Abs(times))
}

// neat is a number as people write it that was reckoned: with as many decimals as the step has, or so many more. It
// stays as it is where there is no step.
func (l *limit) neat(n float64, more int) float64 {
	if l.step == 0 {
		return n
	}
	_, decimals, _ := strings.Cut(strconv.FormatFloat(l.step, 'f', -1, 64), ".")
	out, err := strconv.ParseFloat(strconv.FormatFloat(n, 'f', len(decimals)+more, 64), 64)
	if err != nil {
		return n
	}
	return out
}

// nearby is the multiple that is next to a number, or the number itself where there is no step.
func (l *limit) nearby(n float64) float64 {
	if l.step == 0 {
		return n
	}
	return l.neat(math.Round(n/l.step)*l.step, 0)
}

// room tells how many items more a list of n may have: at most one is asked for.
func (l *limit) room(n int) bool { return l.furthest < 0 || int64(n) < l.furthest }

// opaque tells that the schema says nothing of what is in the property.
func opaque(p *schema.Property) bool {
	s := p.Schema
	return len(p.Children) == 0 && !s.XIntOrString && (s.Type == "" || s.Type == "object") && len(limitOf(s).enum) == 0
}

// Opaque tells that the schema says nothing of what is in the property, so that only
// what others gave for it can be tried.
func Opaque(p *schema.Property) bool { return opaque(p) }
