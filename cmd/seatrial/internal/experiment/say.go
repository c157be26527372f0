package experiment

import (
	"fmt"
	"strings"
)

// String is the step in one line, for people.
func (s *Step) String() string {
	switch {
	case !s.Apply.IsZero():
		var names []string
		for _, o := range s.Apply.Objects {
			names = append(names, strings.TrimSpace(o.Text("kind")+" "+o.Text("metadata", "name")))
		}
		return "apply " + strings.Join(names, ", ")
	case s.Wait != nil:
		return s.Wait.String()
	case s.Patch != nil:
		return fmt.Sprintf("patch %s %s", s.Patch.Object, s.Patch.Merge)
	case s.Scale != nil:
		return fmt.Sprintf("scale %s to %d", s.Scale.Object, s.Scale.Replicas)
	case s.Delete != nil:
		return "delete " + s.Delete.Object.String()
	default:
		return "run " + strings.Join(s.Run, " ")
	}
}

// String is what is waited for.
func (w *Wait) String() string {
	switch {
	case w.Gone:
		return fmt.Sprintf("wait until %s is gone", w.Object)
	case w.Object == nil:
		return "wait until " + w.Until
	case w.Until == "":
		return fmt.Sprintf("wait until %s is there", w.Object)
	}
	return fmt.Sprintf("wait until of %s %s", w.Object, w.Until)
}
