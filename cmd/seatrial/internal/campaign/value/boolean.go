package value

import "github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"

var _ = register(kind{
	name:  "boolean",
	order: 40,
	is:    func(p *schema.Property) bool { return p.Schema.Type == "boolean" },
	cases: func(at *Place) []Case {
		on, _ := at.Value.(bool)
		all := []Case{{Name: "on", Value: true}, {Name: "off", Value: false}}
		if on {
			all[0], all[1] = all[1], all[0]
		}
		return all
	},
	sample: func(_ *sampler, _ *schema.Property, number int) any { return number%2 == 0 },
})
