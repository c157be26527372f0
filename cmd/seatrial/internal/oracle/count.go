package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

func init() { register(Oracle{Name: "count", Order: 5, Judge: count}) }

// count compares how often each object was created and deleted. A controller that
// was kept from seeing something may do less than usual.
func count(c *Case) []Divergence {
	if c.Reference == nil {
		return nil
	}
	run := c.Run
	if run.BeforeNudge != nil {
		before := *run
		before.Events = run.Events[:run.BeforeNudge.Events]
		run = &before
	}
	less := lessIsUsual(c)
	var out []Divergence
	for _, m := range c.Reference.Miscounted(run) {
		if derived[m.Resource] || less && record[m.Resource] {
			continue
		}
		if less && m.Is.Created <= m.Usual.Created.Max && m.Is.Deleted <= m.Usual.Deleted.Max {
			continue
		}
		if more := m.Is.Created - m.Usual.Created.Max; afterGone(c) && more > 0 && more == m.Is.Deleted-m.Usual.Deleted.Max {
			continue
		}
		out = append(out, Divergence{
			Object: m.Key, Text: sayCount(m), Class: fmt.Sprint(m.Key, sign(m.Is.Created, m.Usual.Created), sign(m.Is.Deleted, m.Usual.Deleted)),
		})
	}
	return out
}

// lessIsUsual: a controller that was kept from seeing something, was not there, or whose
// users went on before it was done, may do less.
func lessIsUsual(c *Case) bool {
	return c.Plan != nil && (c.Plan.Fault.Kind == "hold" || c.Plan.Fault.Kind == "crash" && c.Plan.Trigger.Actor != plan.Controller) ||
		slices.ContainsFunc(c.Run.Steps, func(s recording.Step) bool { return s.Soft })
}

// afterGone: the controller was shown an object that is gone. What it made for that, and
// was deleted, by the garbage collector or by itself, did no harm.
func afterGone(c *Case) bool {
	return c.Plan != nil && c.Plan.Fault.Seen != nil && c.Plan.Trigger.Type == history.Delete && c.Plan.Trigger.Object == c.Plan.Fault.Seen.Object
}

// record are resources whose objects are a record of what was wanted before: there
// are less if less was seen to be wanted.
var record = map[string]bool{"controllerrevisions.apps": true}

// derived are resources whose objects Kubernetes' controllers make of others and
// make anew as they like.
var derived = map[string]bool{"endpoints": true, "endpointslices.discovery.k8s.io": true}

func sign(n int, usual reference.Span) string {
	switch {
	case n < usual.Min:
		return "-"
	case n > usual.Max:
		return "+"
	}
	return "="
}

func sayCount(m reference.Miscount) string {
	var said []string
	add := func(verb string, n int, usual reference.Span) {
		switch {
		case n == 0 && usual == (reference.Span{}):
		case usual.Min <= n && n <= usual.Max:
			said = append(said, fmt.Sprintf("%s %s", verb, times(fmt.Sprint(n))))
		default:
			said = append(said, fmt.Sprintf("%s %s (usually %s)", verb, times(fmt.Sprint(n)), times(usual.String())))
		}
	}
	add("created", m.Is.Created, m.Usual.Created)
	add("deleted", m.Is.Deleted, m.Usual.Deleted)
	return fmt.Sprintf("%s is %s", m.Key, strings.Join(said, " and "))
}

func times(n string) string {
	switch n {
	case "0":
		return "never"
	case "1":
		return "once"
	case "2":
		return "twice"
	}
	return n + " times"
}
