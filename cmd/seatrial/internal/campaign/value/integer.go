package value

import (
	"math"

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
	step := int64(max(1, l.step))
	now, _ := at.Value.(int64)
	var all []Case
	valid := func(name string, n int64) {
		if l.holds(float64(n)) {
			all = append(all, Case{Name: name, Value: n})
		}
	}
	if at.Present {
		valid("one more", now+step)
		valid("one less", now-step)
	}
	if l.holds(float64(at.Draw.Number)) && l.most != nil && at.Draw.Number != 0 {
		valid("a number of its own", at.Draw.Number)
	}
	if !at.Present {
		valid("set", integerSample(at.sampler(), at.Property, 0))
		valid("set to another", integerSample(at.sampler(), at.Property, 1))
	}
	if l.least != nil {
		all = append(all, bound(&l, now, "minimum", int64(math.Ceil(*l.least)), step)...)
	}
	if l.most != nil {
		all = append(all, bound(&l, now, "maximum", int64(math.Floor(*l.most)), -step)...)
	}
	valid("0", 0)
	valid("1", 1)
	if l.step > 1 {
		all = append(all, Case{Name: "no multiple", Class: Misoperation, Value: now - now%step + 1, own: true})
	}
	if l.least == nil {
		all = append(all, Case{Name: "-1", Class: Misoperation, Value: int64(-1)})
	}
	if l.most == nil || *l.most >= many {
		all = append(all, Case{Name: "a thousand", Class: Misoperation, Value: int64(many)})
	}
	return all
}

// Slip tells that a value is a number of nothing of which the schema does not say that it may be that: it is more likely a slip
// than meant, if all that runs ends for it. Of a property of which only the seed says that it is there nothing is known.
func Slip(p *schema.Property, v any) bool {
	return v == int64(0) && p.Schema.Type == "integer" && !p.Inferred && limitOf(p.Schema).least == nil
}

// bound are what is just beyond a bound, and the bound itself if it is not far away.
func bound(l *limit, now int64, name string, at, inward int64) []Case {
	for l.step > 1 && at%int64(l.step) != 0 {
		at += inward / max(inward, -inward)
	}
	beyond := "below the minimum"
	if inward < 0 {
		beyond = "above the maximum"
	}
	all := []Case{{Name: beyond, Class: Misoperation, Value: at - inward, own: true}}
	if at-now <= far && now-at <= far {
		all = append(all, Case{Name: name, Value: at, own: true})
	}
	return all
}

// integerSample is the number-th of the numbers from 1 on that are valid, or from the least.
func integerSample(_ *sampler, p *schema.Property, number int) int64 {
	l := limitOf(p.Schema)
	step := int64(max(1, l.step))
	from := step
	if l.least != nil && *l.least > float64(from) {
		from = int64(math.Ceil(*l.least/float64(step))) * step
	}
	if l.most != nil && *l.most < float64(from) {
		from = int64(math.Floor(*l.most/float64(step))) * step
	}
	if n := from + int64(number)*step; l.holds(float64(n)) {
		return n
	}
	if n := from - int64(number)*step; l.holds(float64(n)) {
		return n
	}
	return from
}
