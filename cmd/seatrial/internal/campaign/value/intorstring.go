package value

import "github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"

var _ = register(kind{
	name:  "int-or-string",
	order: 30,
	is:    func(p *schema.Property) bool { return p.Schema.XIntOrString },
	cases: func(at *Place) []Case {
		l := limitOf(at.Property.Schema)
		var all []Case
		number := func(name string, class Class, n int64) {
			all = append(all, Case{Name: name, Class: class, Value: n})
		}
		text := func(name string, class Class, s string) {
			if l.matches(s) || class == Misoperation {
				all = append(all, Case{Name: name, Class: class, Value: s})
			}
		}
		if now, ok := at.Value.(int64); ok {
			number("one more", Change, now+1)
		}
		if now, ok := at.Value.(string); ok && !l.matches("25%") {
			if like := likeNow(at.sampler(), now, &l); like != nil { // one with a pattern that wants a unit
				all = append(all, *like)
			}
		}
		// A form that is not there now is another branch of whoever reads it, and none of it is where it divides.
		text("percentage", Change, "25%")
		number("whole number", Change, 1)
		text("none of it", Change, "0%")
		text("all of it", Change, "100%")
		number("0", Change, 0)
		text("whole number as text", Misoperation, "1")
		text("text that is no number", Misoperation, at.Draw.Text())
		text("more than all of it", Misoperation, "150%")
		number("-1", Misoperation, -1)
		return all
	},
	sample: func(_ *sampler, p *schema.Property, number int) any {
		l := limitOf(p.Schema)
		if number%2 == 1 && l.matches("50%") {
			return "50%"
		}
		return int64(1 + number)
	},
})
