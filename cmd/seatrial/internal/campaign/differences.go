package campaign

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/difference"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/history"
)

// applied is what was done, each operation as what it changes in the custom resource.
func (f *Finding) applied(seed history.Object) []finding.Difference {
	out := []finding.Difference{{Title: "the seed is applied"}}
	if f.Made {
		out[0].Title = "the seed is changed before anything is applied"
	}
	current := seed
	for _, op := range f.Operations {
		for _, o := range op.Objects {
			out = append(out, finding.Difference{Title: fmt.Sprintf("%s %s is applied", o.Text("kind"), o.Text("metadata", "name"))})
		}
		d := finding.Difference{Title: op.Name, Before: "before", After: "after"}
		next, err := op.Apply(current)
		if begun, broken := op.Begun(current); err == nil && broken == nil && len(op.Overtakes) > 0 {
			first := finding.Difference{Title: "it is changed, and changed again as soon as the operator has begun with that", Before: "before", After: "on its way"}
			first.Fields, first.Lines = written(history.Diff(current, begun))
			out, current, d.Before = append(out, first), begun, "on its way"
		}
		if err != nil {
			d.Note = "it does not fit the resource, and is left out"
			out = append(out, d)
			continue
		}
		d.Fields, d.Lines = written(history.Diff(current, next))
		out, current = append(out, d), next
	}
	switch {
	case f.Restart:
		out = append(out, finding.Difference{Title: "the operator is killed and started again"})
	case f.Made:
		out = append(out, finding.Difference{Title: "the custom resource is created like that"})
	case f.Delete:
		out = append(out, finding.Difference{Title: "the custom resource is deleted"})
	}
	return out
}

// written are changes as their paths, and as lines.
func written(changes []history.Change) (fields, lines []string) {
	for _, ch := range changes {
		fields = append(fields, ch.Path)
	}
	return fields, difference.Lines(changes)
}

// compared are the objects that are not as expected, in the order in which that was said.
func (f *Finding) compared() []finding.Difference {
	var objects []history.Key
	changes := map[history.Key][]history.Change{}
	for _, d := range f.Deviations {
		if !sides(d) {
			continue
		}
		of, known := changes[d.Object]
		if !known {
			objects = append(objects, d.Object)
		}
		if !slices.ContainsFunc(of, func(ch history.Change) bool { return ch.Path == d.Path }) {
			changes[d.Object] = append(of, history.Change{Path: d.Path, From: d.Expected, To: d.Found})
		}
	}
	var out []finding.Difference
	for _, key := range objects {
		d := finding.Difference{Title: key.String(), Before: "expected", After: "found"}
		if i := slices.IndexFunc(changes[key], func(ch history.Change) bool { return ch.Path == "" }); i >= 0 {
			d.Lines = []string{"-# " + said(changes[key][i].From), "+# " + said(changes[key][i].To)}
		} else {
			var plain []history.Change
			for _, ch := range changes[key] {
				plain = append(plain, oracle.Plain(key.Resource, ch))
			}
			d.Fields, d.Lines = written(plain)
		}
		out = append(out, d)
	}
	return out
}

// sides tells whether a deviation has something to be set side by side: a field, or a whole object.
func sides(d oracle.Deviation) bool {
	return d.Object.Resource != "" && (d.Expected != nil || d.Found != nil) && (d.Path != "" || needsTwin(d.Oracle))
}

// said is what an object is as a whole.
func said(v any) string {
	if v == nil {
		return "not there"
	}
	return fmt.Sprint(v)
}

// consequences are the deviations but the first that no comparison shows, each once.
func (f *Finding) consequences() []string {
	var out []string
	for _, d := range f.Deviations[1:] {
		if !(sides(d) && needsTwin(d.Oracle)) && d.Text != f.Deviations[0].Text && !slices.Contains(out, d.Text) {
			out = append(out, d.Text)
		}
	}
	return out
}
