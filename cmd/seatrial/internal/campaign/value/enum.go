package value

import (
	"reflect"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

var _ = register(kind{
	name:  "enum",
	order: 10,
	is:    func(p *schema.Property) bool { return len(limitOf(p.Schema).enum) > 0 },
	cases: func(at *Place) []Case {
		var all, empty []Case
		for _, v := range limitOf(at.Property.Schema).enum {
			if v == nil || reflect.DeepEqual(v, at.Value) {
				continue
			}
			c := Case{Name: "one of its values: " + short(v), Value: Clone(v), own: true}
			if v == "" {
				empty = append(empty, c)
			} else {
				all = append(all, c)
			}
		}
		all = append(all, empty...)
		if at.Property.Schema.Type == "string" {
			all = append(all, Case{Name: "none of its values", Class: Misoperation, Value: at.Draw.Text(), own: true})
		}
		return all
	},
	sample: func(_ *sampler, p *schema.Property, number int) any {
		enum := limitOf(p.Schema).enum
		return Clone(enum[number%len(enum)])
	},
})
