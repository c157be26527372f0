package oracle

import (
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/seatrial/seatrial/history"
)

// quantified are the fields of Kubernetes that hold quantities, or maps of them. A text elsewhere
// that could be one may be a version: 1.1 is not 1.10.
var quantified = regexp.MustCompile(`(^|\.)(requests|limits|capacity|allocatable|hard|allocatedResources|overhead)[.\[]|\.(sizeLimit|divisor)$`)

func init() {
	mask(Mask{
		Name:   "quantities",
		Reason: "the same quantity in another form: Kubernetes does not start pods anew for that",
		change: func(v *view, d *history.Difference, ch history.Change) bool {
			own := d.Key == v.c.Key && strings.HasPrefix(ch.Path, "spec")
			if !own && !quantified.MatchString(ch.Path) {
				return false
			}
			from, fromOK := quantity(ch.From)
			to, toOK := quantity(ch.To)
			if !fromOK || !toOK || from.Cmp(to) != 0 {
				return false
			}
			// Who writes the custom resource with types of Go writes quantities in the form that they have there.
			return !own || ch.From == canonical(from) || ch.To == canonical(to)
		},
	})
	mask(Mask{
		Name:   "emptied",
		Reason: "what the custom resource asks for, or its status says, is empty, or not there: an apply leaves the one where it takes items away, and the other where there were none; an operator that writes the resource leaves out what is empty, or puts it in; a number in a status that is not there is 0",
		change: func(v *view, d *history.Difference, ch history.Change) bool {
			return d.Key == v.c.Key && empty(ch.From) && empty(ch.To)
		},
	})
}

func quantity(v any) (resource.Quantity, bool) {
	switch v := v.(type) {
	case string:
		q, err := resource.ParseQuantity(v)
		return q, err == nil
	case int64:
		return *resource.NewQuantity(v, resource.DecimalSI), true
	case float64:
		q, err := resource.ParseQuantity(strconv.FormatFloat(v, 'f', -1, 64))
		return q, err == nil
	}
	return resource.Quantity{}, false
}

// canonical is the form that a quantity has that was read and is written again.
func canonical(q resource.Quantity) string {
	number, suffix := q.CanonicalizeBytes(nil)
	return string(number) + string(suffix)
}

// empty tells whether a value is nothing, holds nothing, or is what Go has for one that was never set.
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case int64:
		return v == 0
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		for _, inner := range v {
			if !empty(inner) {
				return false
			}
		}
		return true
	}
	return false
}
