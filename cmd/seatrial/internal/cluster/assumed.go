package cluster

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/assumption"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/finding"
)

// budgetText says which events may happen how often, and of events that are
// called the same, what each is about.
func budgetText(w *model.World) string {
	titles := map[string]int{}
	total := 0
	for i := range w.Events {
		if e := &w.Events[i]; e.Budget > 0 {
			titles[e.Title()]++
			total += int(e.Budget)
		}
	}
	if total == 0 || w.MaxEvents == 0 {
		return "no events"
	}
	var groups []eventGroup
	for i := range w.Events {
		e := &w.Events[i]
		if e.Budget == 0 {
			continue
		}
		g := eventGroup{said: fmt.Sprintf("%d × %s", e.Budget, e.Title())}
		if subject := eventSubject(w, e); subject != "" && titles[e.Title()] > 1 {
			g.about = []string{subject}
		}
		same := slices.IndexFunc(groups, func(h eventGroup) bool {
			return g.about != nil && h.about != nil && h.said == g.said && !slices.Contains(h.about, g.about[0])
		})
		if same >= 0 {
			groups[same].about = append(groups[same].about, g.about...)
		} else {
			groups = append(groups, g)
		}
	}
	var parts []string
	for _, g := range groups {
		parts = append(parts, g.String())
	}
	text := strings.Join(parts, ", ")
	if w.MaxEvents < total {
		text += fmt.Sprintf(" (%d in all)", w.MaxEvents)
	}
	return text
}

// eventGroup are events that are said in the same words, but for what they are
// about.
type eventGroup struct {
	said  string
	about []string
}

func (g eventGroup) String() string {
	switch n := len(g.about); {
	case n == 0:
		return g.said
	case n == 1:
		return g.said + " of " + g.about[0]
	case n > 3:
		return fmt.Sprintf("%s each of %s, … (%d)", g.said, strings.Join(g.about[:2], ", "), n)
	}
	return g.said + " each of " + strings.Join(g.about, ", ")
}

// eventSubject is the object or the nodes that an event names; empty if it names
// none.
func eventSubject(w *model.World, e *model.EventSpec) string {
	switch {
	case e.Rewrite != nil:
		return fmt.Sprintf("%s %s/%s", e.Rewrite.Source.Kind, e.Rewrite.Source.Namespace, e.Rewrite.Source.Name)
	case len(e.Works) == 1 && (e.Workload != nil || len(e.Manifest) > 0):
		return w.Workloads[e.Works[0]].Object()
	}
	return strings.Join(e.Event.Nodes, " and ")
}

// assumptions are what the verdict rests on.
func (r *run) assumptions() []assumption.Line {
	w := r.w
	out := append(slices.Clone(r.o.assumed), assumption.Line{Text: "a controller step that stays possible is taken in the end"})
	add := func(text string, about ...string) { out = append(out, assumption.Line{Text: text, About: about}) }
	if w.Coarse {
		add("what is promised of a workload is not promised on each pool: they are too many")
	}
	if len(w.Clocked) > 0 {
		add("every pod is older than the descheduler's "+strings.Join(w.Clocked, ", "), "descheduler")
	}
	slow, about := "HPA, descheduler and appliers", []string{"hpa", "descheduler", "applier"}
	for _, a := range w.Own {
		if a.Speed() == model.Slow {
			slow, about = "HPA, descheduler, appliers and slow actors of the scenario", append(about, model.Title(a))
		}
	}
	if w.Strict {
		add("strict: "+slow+" may act at any time", about...)
	} else {
		add(slow+" wait for fast controllers (not --strict)", about...)
		if len(w.HPAs) > 0 {
			add("an HPA's windows outlast rollouts and pod starts (not --strict)", "hpa")
		}
	}
	for i := range w.Workloads {
		spec := &w.Workloads[i]
		if spec.HPA >= 0 || len(spec.Loads) > 1 {
			add(fmt.Sprintf("load of %s: %s", spec.Object(), spec.Loads[0].Text), spec.Object())
		}
	}
	if len(w.Events) > 0 {
		add(fmt.Sprintf("at most %s in flight at a time", plural(w.InFlight, "event")))
	}
	return out
}

// leading are the assumptions with those first that the violations among results
// rest on: what is assumed of the controllers that act in them and of their
// subjects.
func leading(all []assumption.Line, results []finding.Result) []assumption.Line {
	var acting []string
	for i := range results {
		if results[i].Verdict == finding.Violated {
			acting = append(acting, actors(&results[i])...)
		}
	}
	about := func(line assumption.Line) bool {
		return slices.ContainsFunc(line.About, func(name string) bool { return slices.Contains(acting, name) })
	}
	out := slices.DeleteFunc(slices.Clone(all), func(line assumption.Line) bool { return !about(line) })
	return append(out, slices.DeleteFunc(slices.Clone(all), about)...)
}

// actors are the subject of a violation and who changes something in it. In a loop
// what repeats is the cause; the way there is not.
func actors(p *finding.Result) []string {
	out := []string{p.Subject}
	if p.Trace == nil {
		return out
	}
	steps, loop := p.Trace.Steps, 0
	if l := p.Trace.Loop; l != nil && *l < len(steps) {
		loop = *l
	}
	for _, s := range steps[loop:] {
		if len(s.Changes) > 0 {
			out = append(out, s.Actor)
		}
	}
	return out
}

func texts(lines []assumption.Line) []string {
	out := []string{}
	for _, line := range lines {
		out = append(out, line.Text)
	}
	return out
}
