package value

import (
	"regexp"

	"k8s.io/apimachinery/pkg/api/resource"
)

// compared are quantities of a table that go by what is there.
var compared = regexp.MustCompile(`^\$\((above|below|or|tenfold) ([0-9]+[A-Za-z]*)\)$`)

// beside puts quantities that go by what is there in place: present is that, at the same place.
func beside(present, said any) any {
	switch said := said.(type) {
	case string:
		if m := compared.FindStringSubmatch(said); m != nil {
			return comparedWith(present, m[1], m[2])
		}
	case map[string]any:
		now, _ := present.(map[string]any)
		out := make(map[string]any, len(said))
		for key, v := range said {
			out[key] = beside(now[key], v)
		}
		return out
	case []any: // of which nothing says which item is which
		out := make([]any, len(said))
		for i, v := range said {
			out[i] = beside(nil, v)
		}
		return out
	}
	return said
}

// comparedWith is a quantity that is above or below what is there, or what is there: the one that is said where nothing
// is, and where it is far enough from it. What is twice as much is that; else it is so much more. Ten times as much is
// less to who compares texts: 100Gi and 10Gi.
func comparedWith(present any, how, said string) string {
	now, ok := quantityOf(present)
	text, isText := present.(string)
	if !ok || !isText || now.Sign() <= 0 {
		return said
	}
	q := resource.MustParse(said)
	twice := now.DeepCopy()
	twice.Add(now)
	switch {
	case how == "or":
		return text
	case how == "below" && q.Cmp(now) < 0, how == "above" && q.Cmp(twice) > 0:
		return said
	case how == "below":
		return scaled(now, 1, 2)
	case how == "tenfold":
		return scaled(now, 10, 1)
	}
	now.Add(q)
	return now.String()
}
