package value

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/seatrial/seatrial/history"
)

// filling is what the keys of a Secret say to which a seed refers: a word that is no name of anything.
const filling = "seatrial"

// Referred are the objects to which a value of a place refers, as a table makes them, under the names that it says:
// those of a seed, for which nobody may have given anything. Of a reference that may be of several kinds it is those
// kinds, together. What belongs to a namespace that is not known is left out.
func Referred(at *Place, v any) (all [][]history.Object) {
	p := at.Property
	if entry := at.Tables.entry(p.Kind); entry != nil {
		for i := range entry.Cases {
			row := &entry.Cases[i]
			if row.Misoperation || len(row.Objects) == 0 || !row.Value.set {
				continue
			}
			r := placed(row.Value.value, v)
			if len(validation.IsDNS1123Subdomain(r.name)) > 0 {
				continue
			}
			beside := *at
			if r.namespace != "" {
				beside.Namespace = r.namespace
			}
			if some := beside.provided(row, r); len(some) > 0 {
				all = append(all, some)
			}
			return all
		}
	}
	each := func(e, inner any) {
		if next := below(p, e); next != nil {
			beside := *at
			beside.Property = next
			all = append(all, Referred(&beside, inner)...)
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			each(key, v[key])
		}
	case []any:
		for i, inner := range v {
			each(i, inner)
		}
	}
	return all
}

// referral is what a value says of what it refers to; empty for nothing.
type referral struct{ name, namespace, key string }

// placed is what a value says where a row has its sentinel, and beside that. Where a row has several, they are names of
// something else, too, as of a volume.
func placed(row, v any) (r referral) {
	if row == sentinel {
		r.name, _ = v.(string)
		return r
	}
	said, _ := row.(map[string]any)
	fields, _ := v.(map[string]any)
	if strings.Count(encode(said), sentinel) != 1 {
		return r
	}
	for field, value := range said {
		if value == sentinel {
			r.name, _ = fields[field].(string)
		}
	}
	r.namespace, _ = fields["namespace"].(string)
	if _, is := said["key"]; is {
		r.key, _ = fields["key"].(string)
	}
	return r
}

// provided are the objects of a row under a name, of those kinds of which the place's own name speaks, if it does of
// any.
func (at *Place) provided(row *Row, r referral) (all []history.Object) {
	for i, o := range (filler{sampler: at.sampler(), name: r.name}).objects(row) {
		template, _ := row.Objects[i]["metadata"].(map[string]any)
		if template["namespace"] != nil && at.Namespace == "" {
			return nil
		}
		all = append(all, withContent(o, []string{r.key}))
	}
	own := strings.ToLower(at.Property.Kind + " " + at.Property.Path)
	spoken := func(o history.Object) bool { return strings.Contains(own, strings.ToLower(o.Text("kind"))) }
	if slices.ContainsFunc(all, spoken) {
		all = slices.DeleteFunc(all, func(o history.Object) bool { return !spoken(o) })
	}
	return all
}

// Holder is a Secret or ConfigMap under a name with all that programs usually look for in one, and these keys; nil of
// another kind.
func Holder(at *Place, kind, name string, keys []string) history.Object {
	entry := at.Tables.entry(kind + "Name")
	if entry == nil || len(entry.Cases) == 0 {
		return nil
	}
	made := (filler{sampler: at.sampler(), name: name}).objects(&entry.Cases[0])
	if len(made) != 1 {
		return nil
	}
	return withContent(made[0], keys)
}

// objects are those that a row brings along.
func (f filler) objects(row *Row) (all []history.Object) {
	for _, o := range row.Objects {
		all = append(all, history.Object(f.fill(map[string]any(o)).(map[string]any)))
	}
	return all
}

// withContent is a Secret or ConfigMap that says something at some keys, too, and not its own name; any other object as
// it is.
func withContent(o history.Object, keys []string) history.Object {
	field := map[string]string{"Secret": "stringData", "ConfigMap": "data"}[o.Text("kind")]
	data, _ := o[field].(map[string]any)
	for key, text := range data {
		if text == o.Text("metadata", "name") {
			data[key] = filling
		}
	}
	for _, key := range keys {
		if data != nil && key != "" && data[key] == nil {
			data[key] = filling
		}
	}
	return o
}
