package oracle

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

// An operator that does not do two things for one reason says so in the same words ("volumeClaimTemplates are
// immutable"), and need not say it again for the second: the words are there. They count for that, too, where what
// differs is in the same place as what the first has left undone. Where all has been taken back that was behind them,
// and the operator writes its event again, they are new.

// first is the step behind which the operator began to say something that it has said until now; 0 for the seed.
func (c *Case) first(said string) int {
	i := len(c.Steps) - 1
	for i > 0 && slices.Contains(remarks(c.Steps[i].Start, c.Key), said) {
		i--
	}
	return i
}

// asked are the operations since a step, before the last, of which something is still asked for.
func (c *Case) asked(since int) (all []*operation.Operation) {
	for _, s := range c.Steps[since : len(c.Steps)-1] {
		if s.Operation != nil && s.Refused == "" && slices.ContainsFunc(s.Operation.All(), func(ch operation.Change) bool {
			before, had := ch.At(c.Steps[since].Before)
			then, _ := ch.At(s.Resource)
			now, has := ch.At(c.Last().Resource)
			return reflect.DeepEqual(then, now) && (had != has || !reflect.DeepEqual(before, now))
		}) {
			all = append(all, s.Operation)
		}
	}
	return all
}

// again tells whether the operator has written an event with these words once more behind the last step.
func (c *Case) again(said string) bool {
	return c.says(c.Last().Events, said)
}

// says tells whether one of these is that the operator wrote a warning about the resource with these words.
func (c *Case) says(all []history.Event, said string) bool {
	return slices.ContainsFunc(all, func(e history.Event) bool {
		return e.Type != history.Delete && e.Actor == plan.Controller && warning(e.Key, e.Object) && about(e.Object, c.Key, c.Last().End[c.Key].Text("kind")) && warns(e.Object) == said
	})
}

// repeated tells whether words that were there before are about the last step: nothing is asked for any more of what
// they were about.
func (c *Case) repeated(said string) bool {
	first := c.first(said)
	return first > 0 && len(c.asked(first)) == 0 && c.again(said)
}

// echoed are the places in which something differs that an operation before the last asked for, and the operator says
// that it does not do, in words that the twin does not have: what else differs there it does not do for the same
// reason.
func (c *Case) echoed(all []history.Difference) (places []string) {
	twin := remarks(c.Twin.End, c.Key)
	for _, said := range remarks(c.Last().End, c.Key) {
		first := c.first(said)
		if first == 0 || first == len(c.Steps)-1 || contains(said, apiServer) || !refuses(said) || slices.Contains(twin, said) {
			continue
		}
		var values []any
		for _, o := range c.asked(first) {
			for _, ch := range o.All() {
				values = append(values, scalars(ch.Value)...)
			}
		}
		for _, d := range all {
			for _, ch := range d.Changes {
				if d.Key != c.Key && slices.ContainsFunc(values, func(v any) bool { return hasIn(ch.From, v) }) {
					places = append(places, place(d.Key, ch.Path))
				}
			}
		}
	}
	return places
}

// scalars are the texts and numbers of a value.
func scalars(v any) (all []any) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			all = append(all, scalars(v[key])...)
		}
	case []any:
		for _, item := range v {
			all = append(all, scalars(item)...)
		}
	case string, int64, float64:
		all = append(all, v)
	}
	return all
}

// wholly is how long a text may be that is looked for as a whole only.
const wholly = 3

// hasIn tells whether a field of an object is a value, or a text has it as a part.
func hasIn(field, value any) bool {
	if text, is := field.(string); is {
		part := fmt.Sprint(value)
		return text == part || len(part) >= wholly && strings.Contains(text, part)
	}
	return reflect.DeepEqual(field, value)
}

// changeable are the fields of the spec of a StatefulSet that Kubernetes lets change.
var changeable = []string{"replicas", "ordinals", "template", "updateStrategy", "persistentVolumeClaimRetentionPolicy", "minReadySeconds", "revisionHistoryLimit"}

// place is what is changed or not as a whole: what Kubernetes does not let change of a StatefulSet, or a field of the
// spec of another object with all that is in it.
func place(key history.Key, path string) string {
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' })
	if key.Resource == statefulSets && len(parts) > 1 && parts[0] == "spec" && !slices.Contains(changeable, parts[1]) {
		return key.String() + " spec"
	}
	return key.String() + " " + strings.Join(parts[:min(len(parts), 2)], ".")
}
