package operation

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// shownMost is how much of a value is in a name, and how many changes.
const (
	shownMost   = 40
	changesMost = 3
)

// title is the line that says what an operation does, which is this change of what was before.
func title(o *Operation, c *Change, before history.Object) string {
	old, was := at(map[string]any(before), c.Path)
	text := fmt.Sprintf("%s: %s (%s → %s)", o.Property, o.Case, shown(old, was), shown(c.Value, !c.Remove))
	return trace.Printable(text+o.around(), false)
}

// retitled says of operations of one change what was there before, which is another value where some before it were
// left out.
func retitled(seed history.Object, seq []*Operation) []*Operation {
	seq, resource := slices.Clone(seq), seed
	for i, o := range seq {
		if len(o.Changes) == 1 && strings.HasPrefix(o.Name, trace.Printable(o.Property+": "+o.Case+" (", false)) {
			again := *o
			again.Name = title(o, &o.Changes[0], resource)
			seq[i] = &again
		}
		next, err := o.Apply(resource)
		if err != nil {
			break
		}
		resource = next
	}
	return seq
}

// titles is the line of an operation that does what several do, with what is done around it.
func titles(all []*Operation, around string) string {
	var names []string
	for i, o := range all {
		if i == changesMost {
			names = append(names, fmt.Sprintf("and %d more", len(all)-i))
			break
		}
		names = append(names, o.Property+": "+o.Case)
	}
	return trace.Printable(strings.Join(names, "; ")+around, false)
}

// around says what is done around an operation.
func (o *Operation) around() string {
	switch {
	case o.Restarts:
		return ", while the operator is down"
	case len(o.Overtakes) == 1 && o.Overtakes[0].Remove:
		return ", while the removal of " + spelled(o.Overtakes[0].Path) + " is on its way"
	case len(o.Overtakes) == 1:
		return ", while " + spelled(o.Overtakes[0].Path) + " → " + shown(o.Overtakes[0].Value, true) + " is on its way"
	case len(o.Overtakes) > 0:
		return fmt.Sprintf(", while %d changes are on their way", len(o.Overtakes))
	}
	return ""
}

// shown is a value in a name, cut where it is long.
func shown(v any, there bool) string {
	if !there {
		return "none"
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	text := strings.TrimSuffix(b.String(), "\n")
	if s, ok := v.(string); ok && s != "" && s != "none" && !strings.ContainsAny(s, " \"\\") {
		text = s
	}
	runes := []rune(text)
	if len(runes) <= shownMost {
		return text
	}
	switch v := v.(type) {
	case []any:
		return fmt.Sprintf("%d items", len(v))
	case string:
		return fmt.Sprintf("%s… (%d letters)", string(runes[:shownMost/2]), len([]rune(v)))
	}
	return string(runes[:shownMost]) + "…"
}
