package value

import (
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
		step := l.step
		if step == 0 {
			step = 0.5
		}
		valid("a step more", now+step)
		valid("a step less", now-step)
		if l.least != nil {
			valid("minimum", *l.least)
			all = append(all, Case{Name: "below the minimum", Class: Misoperation, Value: real(*l.least - step)})
		}
		if l.most != nil {
			valid("maximum", *l.most)
			all = append(all, Case{Name: "above the maximum", Class: Misoperation, Value: real(*l.most + step)})
		}
		valid("0", 0)
		valid("1", 1)
		if l.step != 0 {
			all = append(all, Case{Name: "no multiple", Class: Misoperation, Value: real(now + step/2)})
		}
		return all
	},
	sample: func(_ *sampler, p *schema.Property, number int) any {
		l := limitOf(p.Schema)
		step := l.step
		if step == 0 {
			step = 0.5
		}
		from := 0.0
		if l.least != nil {
			from = *l.least
		}
		for _, n := range []float64{from + float64(number+1)*step, from + step, from} {
			if l.holds(n) {
				return real(n)
			}
		}
		if l.most != nil {
			return real(*l.most)
		}
		return real(from)
	},
})

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
	if whole := int64(n); float64(whole) == n {
		return whole
	}
	return n
}
