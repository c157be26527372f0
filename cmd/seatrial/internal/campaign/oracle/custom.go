package oracle

import "fmt"

func init() {
	register(Oracle{Name: "custom", Rule: "SEA3014", Order: 90, Behind: Any, Judge: customs})
}

// Custom is a judge that the user gives: an expression, or a program. It judges what was done last
// in a case: Deleted, Restart, or the last step.
type Custom interface {
	// Name is how it is called in reports.
	Name() string
	// Judge lists what is wrong; an error says why there is no verdict.
	Judge(c *Case) ([]Deviation, error)
}

// customs asks the user's judges. One that gives no verdict is no pass.
func customs(c *Case) []Deviation {
	var out []Deviation
	for _, custom := range c.Customs {
		found, err := custom.Judge(c)
		if err != nil {
			out = append(out, Deviation{Place: custom.Name(), Inconclusive: true, Text: fmt.Sprintf("%s gives no verdict: %v", custom.Name(), err)})
			continue
		}
		for _, d := range found {
			if d.Place == "" {
				d.Place = custom.Name() + " " + c.general(d.Path)
			}
			out = append(out, d)
		}
	}
	return out
}
