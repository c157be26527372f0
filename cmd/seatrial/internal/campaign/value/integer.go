package value

import (
	"math"
	"regexp"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

var _ = register(kind{
	name:   "integer",
	order:  41,
	is:     func(p *schema.Property) bool { return p.Schema.Type == "integer" },
	cases:  integerCases,
	sample: func(s *sampler, p *schema.Property, number int) any { return integerSample(s, p, number) },
})

// far is how far from what is there a bound is that is more likely a way to say that
// there is none. many is a great number: what a number means is not known, and an
// operator that makes a million of something takes the machine down with it.
const (
	far  = 10000
	many = 1000
)

func integerCases(at *Place) []Case {
	l := limitOf(at.Property.Schema)
	step := l.wholeStep()
	now, _ := at.Value.(int64)
	var all []Case
	valid := func(name string, n int64) {
		if l.holds(float64(n)) {
			all = append(all, Case{Name: name, Value: n})
		}
	}
	if more, is := plus(now, step); is && at.Present {
		valid("one more", more)
	}
	if less, is := plus(now, -step); is && at.Present {
		valid("one less", less)
	}
	if own := l.own(at.Draw.Number); own != 0 {
		valid("a number of its own", own)
	}
	if !at.Present {
		valid("set", integerSample(at.sampler(), at.Property, 0))
		valid("set to another", integerSample(at.sampler(), at.Property, 1))
	}
	if l.least != nil {
		all = append(all, bound(&l, now, "minimum", l.lowest(step), step)...)
	}
	if l.most != nil {
		all = append(all, bound(&l, now, "maximum", l.highest(step), -step)...)
	}
	valid("0", 0)
	valid("1", 1)
	if l.step > 1 {
		all = append(all, Case{Name: "no multiple", Class: Misoperation, Value: now - now%step + 1, own: true})
	}
	if l.least == nil {
		all = append(all, Case{Name: "-1", Class: Misoperation, Value: int64(-1)})
	}
	if l.most == nil || l.most.at >= many {
		all = append(all, Case{Name: "a thousand", Class: Misoperation, Value: int64(many)})
	}
	return all
}

// Many tells whether a number, or one in a value, is so great that whoever makes as many of something has to work for
// long.
func Many(v any) bool {
	switch v := v.(type) {
	case int64:
		return v >= many
	case map[string]any:
		for _, inner := range v {
			if Many(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, Many)
	}
	return false
}

// own is a number of its own for a draw: that of the draw, or where that is too great another of several digits, near
// the greatest that there is; 0 for none.
func (l *limit) own(drawn int64) int64 {
	const room = 900
	switch {
	case drawn == 0 || l.most == nil:
		return 0
	case l.holds(float64(drawn)):
		return drawn
	case l.most.at >= many && l.most.at < float64(drawn):
		step := l.wholeStep()
		if n := l.highest(step) - (drawn%room+1)*step; n > many/10 && l.holds(float64(n)) {
			return n
		}
	}
	return 0
}

// standsFor are words by which a description says that 0 stands for something else.
var standsFor = regexp.MustCompile(`(?i)\b(?:0|zero)\b[^.]*\b(?:default|unset|unlimited|automatic|disable)|\b(?:default|unset|unlimited|automatic|disable)\w*\b[^.]*\b(?:0|zero)\b`)

// Zero tells that a value is a number of nothing of which the schema says by a minimum that it may be that, and not
// that it stands for something else.
func Zero(p *schema.Property, v any) bool {
	least := limitOf(p.Schema).least
	return v == int64(0) && p.Schema.Type == "integer" && !p.Inferred && !p.Scaled && least != nil && least.at == 0 && !least.out && !standsFor.MatchString(p.Schema.Description)
}

// Slip tells that a value is a number of nothing of which the schema does not say that it may be that: it is more
// likely a slip than meant, if all that runs ends for it. Of a property of which only the seed says that it is there
// nothing is known.
func Slip(p *schema.Property, v any) bool {
	return v == int64(0) && p.Schema.Type == "integer" && !p.Inferred && !p.Scaled && limitOf(p.Schema).least == nil
}

// bound are what is just beyond a bound, and the bound itself if it is not far away. What cannot be written as a whole
// number is left out.
func bound(l *limit, now int64, name string, at, inward int64) (all []Case) {
	beyond := "below the minimum"
	if inward < 0 {
		beyond = "above the maximum"
	}
	if n, is := plus(at, -inward); is && !l.holds(float64(n)) {
		all = append(all, Case{Name: beyond, Class: Misoperation, Value: n, own: true})
	}
	if near(at, now) && l.holds(float64(at)) {
		all = append(all, Case{Name: name, Value: at, own: true})
	}
	return all
}

// near tells that two numbers are not far from each other.
func near(a, b int64) bool { return uint64(max(a, b))-uint64(min(a, b)) <= far }

// plus is a sum, and whether there is one.
func plus(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (sum > a) == (b > 0)
}

// nearest is a whole number as such, or the nearest that there is.
func nearest(n float64) int64 {
	switch {
	case n >= math.MaxInt64:
		return math.MaxInt64
	case n <= math.MinInt64:
		return math.MinInt64
	}
	return int64(n)
}

// wholeStep is how far whole numbers that are valid are from each other: the least multiple of the step that is whole.
func (l *limit) wholeStep() int64 {
	const most = 1000
	if l.step == 0 {
		return 1
	}
	for n := 1.0; n <= most; n++ {
		if at := l.neat(n*l.step, 0); at >= 1 && at == math.Trunc(at) {
			return nearest(at)
		}
	}
	return nearest(max(1, l.step))
}

// lowest is the first multiple of a step from the least number on; that has to be there.
func (l *limit) lowest(step int64) int64 {
	n := math.Ceil(l.least.at)
	if n == l.least.at && l.least.out {
		n++
	}
	at := nearest(n)
	at -= at % step
	if next, is := plus(at, step); is && float64(at) < n {
		at = next
	}
	return at
}

// highest is the last multiple of a step up to the greatest number; that has to be there.
func (l *limit) highest(step int64) int64 {
	n := math.Floor(l.most.at)
	if n == l.most.at && l.most.out {
		n--
	}
	at := nearest(n)
	at -= at % step
	if next, is := plus(at, -step); is && float64(at) > n {
		at = next
	}
	return at
}

// integerSample is the number-th of the numbers from 1 on that are valid, or from the least.
func integerSample(_ *sampler, p *schema.Property, number int) int64 {
	l := limitOf(p.Schema)
	step := l.wholeStep()
	from := step
	if l.least != nil {
		from = max(from, l.lowest(step))
	}
	if l.most != nil {
		from = min(from, l.highest(step))
	}
	for _, by := range []int64{step, -step} {
		if n, is := plus(from, int64(number)*by); is && l.holds(float64(n)) {
			return n
		}
	}
	return from
}
