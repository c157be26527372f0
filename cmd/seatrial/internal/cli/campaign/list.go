package campaign

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/trace"
)

// list says what operations there are, and what of the schema is not tried.
func list(c *console.Console, o *campaign.Outcome) error {
	var b strings.Builder
	refused, number := 0, 0
	for _, s := range o.Plan.Sequences {
		number++
		fmt.Fprintf(&b, "sequence %d\n", number)
		for _, one := range s.Operations {
			mark := ""
			switch {
			case one.Refused != "":
				refused++
				mark = "  (refused: " + one.Refused + ")"
			case one.Misoperation:
				mark = "  (should be refused, or cannot work)"
			case one.Repairs:
				mark = "  (takes the one before back)"
			}
			fmt.Fprintf(&b, "    %s\n", trace.Printable(one.Name+mark, c.ASCII()))
		}
	}
	tried, rows, left := 0, "", ""
	for _, p := range o.Plan.Coverage() {
		if p.Why != "" {
			left += "    " + trace.Printable(p.Path+"  "+p.Why, c.ASCII()) + "\n"
			continue
		}
		tried++
		rows += "    " + trace.Printable(casesOf(p), c.ASCII()) + "\n"
	}
	if rows != "" {
		fmt.Fprintf(&b, "what is tried of each property\n%s", rows)
	}
	if left != "" {
		fmt.Fprintf(&b, "not tried by themselves\n%s", left)
	}
	fmt.Fprintf(&b, "%d operations in %d sequences, %d of them refused by the schema; %d of %d properties\n",
		o.Plan.Operations(), len(o.Plan.Sequences), refused, tried, len(o.Plan.Coverage()))
	return c.Print(b.String())
}

// casesOf is a property with the names of its cases.
func casesOf(p operation.Covered) string {
	text := p.Path + "  " + strings.Join(p.Cases, ", ")
	if len(p.Refused) > 0 {
		text += "; the schema refuses: " + strings.Join(slices.Sorted(maps.Keys(p.Refused)), ", ")
	}
	if p.Opaque {
		text += "; " + operation.Opaque
	}
	return text
}
