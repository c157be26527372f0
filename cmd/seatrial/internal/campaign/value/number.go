package value

import (
	"math"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

var _ = register(kind{
	name:  "number",
	order: 42,
	is:    func(p *schema.Property) bool { return p.Schema.Type == "number" },
	cases: func(at *Place) []Case {
		l := limitOf(at.Property.Schema)
		now := float(at.Value)
		var all []Case
		valid := func(name string, n float64) {
			if l.holds(n) {
				all = append(all, Case{Name: name, Value: real(n)})
			}
		}
		step := l.apart()
		valid("a step more", l.nearby(now+step))
		valid("a step less", l.nearby(now-step))
		if len(all) == 0 {
			valid("between its bounds", l.within(0))
			valid("elsewhere between them", l.within(1))
		}
		if l.least != nil {
			valid("minimum", l.least.at)
			all = append(all, Case{Name: "below the minimum", Class: Misoperation, Value: real(l.neat(l.least.beyond(-step), 0))})
		}
		if l.most != nil {
			valid("maximum", l.most.at)
			all = append(all, Case{Name: "above the maximum", Class: Misoperation, Value: real(l.neat(l.most.beyond(step), 0))})
		}
		valid("0", 0)
		valid("1", 1)
		if l.step != 0 {
			all = append(all, Case{Name: "no multiple", Class: Misoperation, Value: real(l.neat(l.nearby(now)+step/2, 1))})
		}
		return all
	},
	sample: func(_ *sampler, p *schema.Property, number int) any {
		l := limitOf(p.Schema)
		return real(l.within(number))
	},
})

// apart is how far numbers that are tried are from each other.
func (l *limit) apart() float64 {
	if l.step == 0 {
		return 0.5
	}
	return l.step
}

// within is the number-th of some numbers that should be valid.
func (l *limit) within(number int) float64 {
	step, from := l.apart(), 0.0
	if l.least != nil {
		from = l.least.at
	}
	some := []float64{l.nearby(from + float64(number+1)*step)}
	if l.most != nil {
		some = append(some, l.nearby(from+(l.most.at-from)*float64(number+1)/float64(number+2)), l.most.at, l.nearby(l.most.at-step))
	}
	some = append(some, l.nearby(from+step), from)
	for _, n := range some {
		if l.holds(n) {
			return n
		}
	}
	return from
}

func float(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

// real is a number as JSON has it: a whole one is an int64.
func real(n float64) any {
	if math.Abs(n) < math.MaxInt64 && n == math.Trunc(n) {
		return int64(n)
	}
	return n
}
