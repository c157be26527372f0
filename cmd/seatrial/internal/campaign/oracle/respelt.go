package oracle

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
)

// respelt are fields of objects that change though the resource says the same as before, in another form: 1.5Gi for
// 1536Mi. A twin has the same form, and so does not show that the operator reads one of both as something else. Where
// it hands the text on as it is, that text changes, and sums may be of that.
func (c *Case) respelt() []Deviation {
	last := c.Last()
	if !value.SameQuantity(last.Operation.Case) || len(last.Operation.Changes) != 1 {
		return nil
	}
	change := last.Operation.Changes[0]
	before, _ := change.At(last.Before)
	forms, same := otherForms(before, change.Value)
	if !same || len(forms) == 0 {
		return nil // made smaller, it comes behind something else
	}
	var out []Deviation
	for _, d := range c.view(last.Start, last.End).differences() {
		if d.Key == c.Key || d.Key.Resource == pods || d.Key.Resource == events || !c.own(d.Key) {
			continue
		}
		for _, ch := range d.Changes {
			ch = Plain(d.Key.Resource, ch)
			if slices.ContainsFunc(forms, func(f [2]string) bool { return in(fmt.Sprint(ch.To), f[1:]) }) {
				return nil
			}
			if one := restated(d, ch, forms[0]); !strings.HasPrefix(ch.Path, "status") && !one.hashed() {
				out = append(out, one)
			}
		}
	}
	return out
}

// restated is such a field, with how the first quantity was written and is.
func restated(d history.Difference, ch history.Change, form [2]string) Deviation {
	return Deviation{
		Object: d.Key, Path: ch.Path, Expected: ch.From, Found: ch.To, Lines: linesOf(d.Key.Resource, ch),
		Text: fmt.Sprintf("%s of %s changes, and the resource says the same as before in another form (%s, %s)", ch.Path, d.Key, form[0], form[1]),
	}
}

// otherForms are the quantities in two values that are the same and written differently; false if they are not the
// same.
func otherForms(a, b any) (all [][2]string, same bool) {
	one, is := a.(map[string]any)
	other, also := b.(map[string]any)
	if is && also && len(one) == len(other) {
		for _, key := range sortedKeys(one) {
			if _, has := other[key]; !has {
				return nil, false
			}
			inner, same := otherForms(one[key], other[key])
			if !same {
				return nil, false
			}
			all = append(all, inner...)
		}
		return all, true
	}
	if reflect.DeepEqual(a, b) {
		return nil, true
	}
	from, fromOK := quantity(a)
	to, toOK := quantity(b)
	return [][2]string{{fmt.Sprint(a), fmt.Sprint(b)}}, fromOK && toOK && from.Cmp(to) == 0
}
