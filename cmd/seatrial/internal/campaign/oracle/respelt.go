package oracle

import (
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
)

// respelt are fields of objects that change though the resource says the same as before, in another form: 1.5Gi for 1536Mi. A twin has
// the same form, and so does not show that the operator reads one of both as something else. Where it hands the text on as it is, that text and what
// is a sum of it change.
func (c *Case) respelt() []Deviation {
	last := c.Last()
	if !value.SameQuantity(last.Operation.Case) || len(last.Operation.Changes) != 1 {
		return nil
	}
	change := last.Operation.Changes[0]
	before, _ := change.At(last.Before)
	now := fmt.Sprint(change.Value)
	var out []Deviation
	for _, d := range c.view(last.Start, last.End).differences() {
		if d.Key == c.Key || d.Key.Resource == pods || d.Key.Resource == events || !c.own(d.Key) {
			continue
		}
		for _, ch := range d.Changes {
			if strings.Contains(fmt.Sprint(ch.To), now) {
				return nil
			}
			if !strings.HasPrefix(ch.Path, "status") {
				out = append(out, c.restated(d, ch, fmt.Sprint(before), now))
			}
		}
	}
	return out
}

func (c *Case) restated(d history.Difference, ch history.Change, before, now string) Deviation {
	return Deviation{
		Object: d.Key, Path: ch.Path, Expected: ch.From, Found: ch.To, Lines: linesOf(d.Key.Resource, ch),
		Text: fmt.Sprintf("%s of %s changes, and the resource says the same as before in another form (%s, %s)", ch.Path, d.Key, before, now),
	}
}
