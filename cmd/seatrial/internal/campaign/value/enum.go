package value

import (
	"reflect"
	"slices"
	"strings"

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
			if IsPause(v) {
				c.Class = Misoperation
			}
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
		if going := slices.DeleteFunc(slices.Clone(enum), IsPause); len(going) > 0 {
			enum = going
		}
		return Clone(enum[number%len(enum)])
	},
})

// IsPause tells whether a value says of itself that nothing is done while it is there ([pauses]).
func IsPause(v any) bool {
	word, _ := v.(string)
	return slices.Contains(pausing, strings.ToLower(word))
}
