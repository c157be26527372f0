package value

import (
	"regexp"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

var _ = register(kind{
	name:  "boolean",
	order: 40,
	is:    func(p *schema.Property) bool { return p.Schema.Type == "boolean" },
	cases: func(at *Place) []Case {
		now, _ := at.Value.(bool)
		all := []Case{{Name: "on", Value: true}, {Name: "off", Value: false}}
		if Pauses(at.Property) {
			all[0].Class = Misoperation
		}
		if now {
			slices.Reverse(all)
		}
		return all
	},
	sample: func(_ *sampler, p *schema.Property, number int) any { return number%2 == 0 && !Pauses(p) },
})

// pausing are words that tell an operator to do nothing, and pauses the names of what does while it is true.
var (
	pausing = []string{"pause", "paused", "suspend", "suspended", "hibernate", "hibernated", "unmanaged"}
	pauses  = regexp.MustCompile(`(?i)paus(e|ed|ing|reconcil\w*)$|^paus|suspend|hibernat|unmanaged|fr(eeze|ozen)$|^(in)?maintenance(mode)?$|(skip|stop|disabled?)reconcil`)
)

// Pauses tells that nothing is done any more while the property is true: what comes behind it says nothing until it is
// taken back.
func Pauses(p *schema.Property) bool {
	return p.Schema.Type == "boolean" && pauses.MatchString(p.Name)
}
