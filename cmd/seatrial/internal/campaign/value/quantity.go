package value

import (
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

var _ = register(kind{
	name:   "quantity",
	order:  20,
	is:     isQuantity,
	cases:  quantityCases,
	sample: func(_ *sampler, _ *schema.Property, number int) any { return strconv.Itoa(1 + number) },
})

// quantityKind is what the type of Kubernetes is called.
const quantityKind = "io.k8s.apimachinery.pkg.api.resource.Quantity"

// isQuantity knows quantities by their kind, and by the pattern that generators of CRDs write.
func isQuantity(p *schema.Property) bool {
	if p.Kind == quantityKind {
		return p.Schema.XIntOrString || p.Schema.Type == "string"
	}
	if !p.Schema.XIntOrString {
		return false
	}
	for _, pattern := range limitOf(p.Schema).patterns {
		if strings.Contains(pattern, "[KMGTPE]i") {
			return true
		}
	}
	return false
}

func quantityCases(at *Place) []Case {
	var all []Case
	if q, ok := quantityOf(at.Value); ok && q.Sign() > 0 {
		all = append(
			all,
			Case{Name: "twice as much", Value: scaled(q, 2, 1)},
			Case{Name: "half as much", Value: scaled(q, 1, 2)},
		)
		if other, ok := otherForm(q, at.Value); ok {
			all = append(all, Case{Name: sameQuantity, Value: other})
		}
		if other, ok := fraction(at.Value); ok {
			all = append(all, Case{Name: sameFraction, Value: other})
		}
	} else {
		all = append(
			all,
			Case{Name: "set", Value: "1"},
			Case{Name: "set to more", Value: "2"},
		)
	}
	return append(
		all,
		Case{Name: "nothing", Class: Misoperation, Value: "0"},
		Case{Name: "less than nothing", Class: Misoperation, Value: "-1"},
		Case{Name: "more than there is anywhere", Class: Misoperation, Value: "1Ei"},
		Case{Name: "no quantity", Class: Misoperation, Value: "1 GB"},
	)
}

// The names of cases in which a quantity is as before, and written in another way.
const (
	sameQuantity = "the same in another form"
	sameFraction = "the same with a point"
)

// SameQuantity tells whether a case is one in which a quantity is as before.
func SameQuantity(name string) bool { return name == sameQuantity || name == sameFraction }

// plainQuantity is a quantity without a point: a number, and what it is counted in.
var plainQuantity = regexp.MustCompile(`^([0-9]+)([KMGTPE]i|[kMGTPE]|m)$`)

// larger are what quantities are counted in behind each other, by how many make the next.
var larger = map[string]struct {
	next string
	of   int64
}{"Ki": {"Mi", 1024}, "Mi": {"Gi", 1024}, "Gi": {"Ti", 1024}, "m": {"", 1000}, "k": {"M", 1000}, "M": {"G", 1000}, "G": {"T", 1000}}

// fraction spells a quantity with a point: 1536Mi as 1.5Gi, 1Gi as 1.0Gi. A library may hold such a one in another way,
// from which not each of its methods takes a whole number.
func fraction(v any) (string, bool) {
	text, _ := v.(string)
	m := plainQuantity.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		return "", false
	}
	const places, hundredth = 2, 100
	if to, is := larger[m[2]]; is && n*hundredth%to.of == 0 {
		return strconv.FormatFloat(float64(n)/float64(to.of), 'f', places, 64) + to.next, true
	}
	return m[1] + ".0" + m[2], true
}

// respelt is a quantity in the unit below its own, as 1Gi in 1024Mi, or in any other form where it has none.
func respelt(v any) (string, bool) {
	q, ok := quantityOf(v)
	text, is := v.(string)
	if !ok || !is || q.Sign() <= 0 {
		return "", false
	}
	if m := plainQuantity.FindStringSubmatch(text); m != nil {
		n, err := strconv.ParseInt(m[1], 10, 64)
		for unit, to := range larger {
			if err == nil && to.next == m[2] && unit != "m" && n <= 1<<40 {
				return strconv.FormatInt(n*to.of, 10) + unit, true
			}
		}
	}
	if other, ok := fraction(v); ok {
		return other, true
	}
	return otherForm(q, v)
}

func quantityOf(v any) (resource.Quantity, bool) {
	switch v := v.(type) {
	case string:
		q, err := resource.ParseQuantity(v)
		return q, err == nil
	case int64:
		return *resource.NewQuantity(v, resource.DecimalSI), true
	}
	return resource.Quantity{}, false
}

// scaled is a quantity times up and by down, in its own form.
func scaled(q resource.Quantity, up, down int64) string {
	if whole := q.Value(); q.MilliValue() == whole*1000 && whole*up%down == 0 || whole > 1<<40 {
		return resource.NewQuantity(whole*up/down, q.Format).String()
	}
	return resource.NewMilliQuantity(q.MilliValue()*up/down, q.Format).String()
}

// otherForm spells a quantity differently: 1 as 1000m, 1Gi as 1073741824, 250m as 0.250.
func otherForm(q resource.Quantity, now any) (string, bool) {
	forms := []string{strconv.FormatInt(q.Value(), 10)}
	if q.Value() < 1<<20 {
		forms = []string{strconv.FormatInt(q.MilliValue(), 10) + "m", forms[0]}
	}
	for _, form := range append(forms, q.AsDec().String()) {
		other, err := resource.ParseQuantity(form)
		if err == nil && form != now && other.Cmp(q) == 0 {
			return form, true
		}
	}
	return "", false
}
