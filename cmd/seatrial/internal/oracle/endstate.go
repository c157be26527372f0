package oracle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

func init() { register(Oracle{Name: "end-state", Order: 4, Judge: endState}) }

// endState compares where a run ends with where it usually does. What is different
// only until the controller is given an event heals by itself, sooner or later.
func endState(c *Case) []Divergence {
	if c.Reference == nil {
		return nil
	}
	final, healed := c.Run.Final, false
	if c.Run.Healed && c.Run.BeforeNudge != nil {
		final, healed = c.Run.BeforeNudge.State, true
	}
	less := lessIsUsual(c)
	var out []Divergence
	found := c.Reference.Compare(final)
	if c.Run.BeforeNudge != nil && !healed {
		found = lasting(c.Reference.Compare(c.Run.BeforeNudge.State), found)
	}
	for _, d := range found {
		if less && (record[d.Resource] || onlyRevision(d)) {
			continue
		}
		text := sayDifference(d)
		class := []string{string(d.Type), d.Resource, d.Namespace, d.Name}
		for _, change := range d.Changes {
			class = append(class, change.Path)
		}
		out = append(out, Divergence{Object: d.Key, Text: text, Class: strings.Join(class, " "), Changes: d.Changes, Healed: healed})
	}
	return out
}

// lasting are the differences that were there before the nudge, too: others come of the
// nudge, which usual runs do not get.
func lasting(before, after []history.Difference) []history.Difference {
	var out []history.Difference
	for _, d := range after {
		same := slices.IndexFunc(before, func(b history.Difference) bool { return b.Key == d.Key })
		switch {
		case same < 0:
			continue
		case d.Type == history.Update && before[same].Type == history.Update:
			d.Changes = slices.DeleteFunc(slices.Clone(d.Changes), func(c history.Change) bool {
				return !slices.ContainsFunc(before[same].Changes, func(b history.Change) bool { return b.Path == c.Path })
			})
			if len(d.Changes) == 0 {
				continue
			}
		}
		out = append(out, d)
	}
	return out
}

func sayDifference(d history.Difference) string {
	switch {
	case d.Name == "*":
		return fmt.Sprintf("there are %v %s, and usually %v", d.Changes[0].To, d.Resource, d.Changes[0].From)
	case d.Type == history.Create && strings.Contains(d.Name, "*"):
		return fmt.Sprintf("there is one more %s in the end than usual", d.Key)
	case d.Type == history.Delete && strings.Contains(d.Name, "*"):
		return fmt.Sprintf("there is one less %s in the end than usual", d.Key)
	case d.Type == history.Create:
		return fmt.Sprintf("%s is there in the end, and usually is not", d.Key)
	case d.Type == history.Delete:
		return fmt.Sprintf("%s is missing in the end", d.Key)
	}
	for _, c := range d.Changes {
		if c.Path == "metadata.deletionTimestamp" && c.From == nil {
			return fmt.Sprintf("%s is being deleted in the end", d.Key)
		}
	}
	var said []string
	for i, c := range d.Changes {
		if i == 3 {
			said = append(said, fmt.Sprintf("%d more fields", len(d.Changes)-i))
			break
		}
		said = append(said, fmt.Sprintf("%s is %s and usually %s", c.Path, plan.Brief(c.To), plan.Brief(c.From)))
	}
	return fmt.Sprintf("%s is not as usual in the end: %s", d.Key, strings.Join(said, ", "))
}

// onlyRevision tells whether a difference is about how many rollouts a workload has
// had: an old ReplicaSet that there never was, and the number of the newest.
func onlyRevision(d history.Difference) bool {
	if d.Type == history.Delete {
		return d.Resource == "replicasets.apps"
	}
	return d.Type == history.Update && !slices.ContainsFunc(d.Changes, func(c history.Change) bool { return !countsRollouts(c) })
}

// countsRollouts tells whether a change is of nothing but annotations that do.
func countsRollouts(c history.Change) bool {
	if c.Path != "metadata.annotations" { // which there were none of, before or after
		return rollouts.MatchString(c.Path)
	}
	for _, side := range []any{c.From, c.To} {
		annotations, _ := side.(map[string]any)
		for key := range annotations {
			if !rollouts.MatchString(c.Path + "[" + key + "]") {
				return false
			}
		}
	}
	return true
}

// rollouts are the annotations that count rollouts: the Deployment controller's, and
// those that controllers modelled on it have in groups of their own.
var rollouts = regexp.MustCompile(`^metadata\.annotations\[(deployment\.kubernetes\.io/.*|[^]]*/revision(-history)?)\]$`)
