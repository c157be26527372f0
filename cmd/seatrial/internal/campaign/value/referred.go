package value

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/seatrial/seatrial/history"
)

// Referred are the objects to which a value of a place refers, as a table makes them, under the names that it says: those of a seed, for
// which nobody may have given anything.
func Referred(at *Place, v any) (all []history.Object) {
	p := at.Property
	if entry := at.Tables.entry(p.Kind); entry != nil {
		for i := range entry.Cases {
			row := &entry.Cases[i]
			if row.Misoperation || len(row.Objects) == 0 || !row.Value.set {
				continue
			}
			name, key := placed(row.Value.value, v)
			if len(validation.IsDNS1123Subdomain(name)) > 0 {
				continue
			}
			for _, o := range (filler{sampler: at.sampler(), name: name}).objects(row) {
				all = append(all, withKeys(o, []string{key}))
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

// placed is what a value says where a row has its sentinel, and the key beside it; empty if it says none.
func placed(row, v any) (name, key string) {
	if row == sentinel {
		name, _ = v.(string)
		return name, ""
	}
	said, _ := row.(map[string]any)
	fields, _ := v.(map[string]any)
	for field, value := range said {
		if value == sentinel {
			name, _ = fields[field].(string)
		}
	}
	if _, is := said["key"]; is {
		key, _ = fields["key"].(string)
	}
	return name, key
}

// Holder is a Secret or ConfigMap under a name with all that programs usually look for in one, and these keys; nil of another kind.
func Holder(at *Place, kind, name string, keys []string) history.Object {
	entry := at.Tables.entry(kind + "Name")
	if entry == nil || len(entry.Cases) == 0 {
		return nil
	}
	made := (filler{sampler: at.sampler(), name: name}).objects(&entry.Cases[0])
	if len(made) != 1 {
		return nil
	}
	return withKeys(made[0], keys)
}

// objects are those that a row brings along.
func (f filler) objects(row *Row) (all []history.Object) {
	for _, o := range row.Objects {
		all = append(all, history.Object(f.fill(map[string]any(o)).(map[string]any)))
	}
	return all
}

// withKeys is a Secret or ConfigMap that says something at some keys, too; any other object as it is.
func withKeys(o history.Object, keys []string) history.Object {
	field := map[string]string{"Secret": "stringData", "ConfigMap": "data"}[o.Text("kind")]
	data, _ := o[field].(map[string]any)
	for _, key := range keys {
		if data != nil && key != "" && data[key] == nil {
			data[key] = o.Text("metadata", "name")
		}
	}
	return o
}
