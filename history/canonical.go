package history

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Masked stands for a value that is there and does not count.
const Masked = "(masked)"

// Canonical is what counts of an object: a copy without what the mask leaves
// out and without nulls, and with the lists sorted whose order means nothing.
// Lists and maps that a pattern leads into are left out if they are empty then.
// It is nil if the mask ignores the object, and for no object.
//
// Two objects are the same if their canonical forms have no [Diff].
func (m Mask) Canonical(resource string, o Object) Object {
	if o == nil || m.IgnoresObject(resource, o) {
		return nil
	}
	return canonicalMap(o, m.start(resource, false))
}

func canonicalMap(m map[string]any, here place) map[string]any {
	result := make(map[string]any, len(m))
	for key, v := range m {
		next, masked := here.step(key)
		if v, ok := canonical(key, v, next, masked); ok {
			result[key] = v
		}
	}
	return result
}

// canonical is the form of the value of a field, and whether it is kept.
func canonical(field string, v any, here place, masked effect) (any, bool) {
	switch {
	case masked == dropped || v == nil:
		return nil, false
	case masked == valued:
		return Masked, true
	}
	switch v := v.(type) {
	case map[string]any:
		m := canonicalMap(v, here)
		return m, len(m) > 0 || !here.directed()
	case []any:
		l := canonicalList(field, v, here)
		return l, len(l) > 0 || !here.directed()
	case float64:
		// 1.0 is 1, whoever wrote it; beyond 2^53 a float is not exact.
		if whole := int64(v); float64(whole) == v && max(whole, -whole) <= 1<<53 {
			return whole, true
		}
	case int:
		return int64(v), true
	}
	return v, true
}

func canonicalList(field string, list []any, here place) []any {
	keys, order := keysOf(field, list)
	result := make([]any, 0, len(list))
	var kept []string
	for i, v := range list {
		names := []string{strconv.Itoa(i)}
		if keys != nil {
			names = append(names, keys[i])
		}
		next, masked := here.step(names...)
		// The field of an item's own lists is the item's key, not this field.
		if v, ok := canonical("", v, next, masked); ok {
			result = append(result, v)
			if keys != nil {
				kept = append(kept, keys[i])
			}
		}
	}
	if keys != nil && !order {
		byKey := make([]int, len(result))
		for i := range byKey {
			byKey[i] = i
		}
		slices.SortFunc(byKey, func(a, b int) int { return strings.Compare(kept[a], kept[b]) })
		sorted := make([]any, len(result))
		for i, j := range byKey {
			sorted[i] = result[j]
		}
		return sorted
	}
	return result
}

// lists are the lists of Kubernetes' types whose items have a key
// (+listMapKey in k8s.io/api), by their field. Of the first keys that all items
// have, each item's must be its own. The order of ordered ones matters.
var lists = map[string]struct {
	keys    [][]string
	ordered bool
}{
	"addresses":                  {keys: [][]string{{"type", "address"}}},
	"conditions":                 {keys: [][]string{{"type"}}},
	"containers":                 {keys: [][]string{{"name"}}, ordered: true},
	"containerStatuses":          {keys: [][]string{{"name"}}},
	"env":                        {keys: [][]string{{"name"}}, ordered: true},
	"ephemeralContainers":        {keys: [][]string{{"name"}}, ordered: true},
	"ephemeralContainerStatuses": {keys: [][]string{{"name"}}},
	"hostAliases":                {keys: [][]string{{"ip"}}},
	"hostIPs":                    {keys: [][]string{{"ip"}}, ordered: true},
	"imagePullSecrets":           {keys: [][]string{{"name"}}},
	"initContainers":             {keys: [][]string{{"name"}}, ordered: true},
	"initContainerStatuses":      {keys: [][]string{{"name"}}},
	// Not by uid, as the API has it: that differs from run to run.
	"ownerReferences":           {keys: [][]string{{"kind", "name"}}},
	"podIPs":                    {keys: [][]string{{"ip"}}, ordered: true},
	"ports":                     {keys: [][]string{{"containerPort", "protocol"}, {"port", "protocol"}, {"containerPort"}, {"port"}}},
	"readinessGates":            {keys: [][]string{{"conditionType"}}},
	"resourceClaims":            {keys: [][]string{{"name"}}},
	"resourceClaimStatuses":     {keys: [][]string{{"name"}}},
	"schedulingGates":           {keys: [][]string{{"name"}}},
	"secrets":                   {keys: [][]string{{"name"}}},
	"taints":                    {keys: [][]string{{"key", "effect"}}},
	"topologySpreadConstraints": {keys: [][]string{{"topologyKey", "whenUnsatisfiable"}}},
	"volumeDevices":             {keys: [][]string{{"devicePath"}}},
	"volumeMounts":              {keys: [][]string{{"mountPath"}}},
	"volumes":                   {keys: [][]string{{"name"}}},
	"volumesAttached":           {keys: [][]string{{"name"}}},
}

// keysOf gives the key of each item of the list in a field, and whether their
// order matters; nil if items have none, or share one. Finalizers are a set:
// each is its own key. In a list that Kubernetes does not know, of a custom
// resource, items that all have a name have that.
func keysOf(field string, list []any) (keys []string, ordered bool) {
	if field == "finalizers" {
		return unique(list, func(v any) (string, bool) { s, ok := v.(string); return s, ok }), false
	}
	known, ok := lists[field]
	if !ok {
		known.keys, known.ordered = [][]string{{"name"}}, true
	}
	for _, fields := range known.keys {
		if keys := unique(list, func(v any) (string, bool) { return keyOf(v, fields) }); keys != nil {
			return keys, known.ordered
		}
	}
	return nil, true
}

func unique(list []any, key func(any) (string, bool)) []string {
	keys := make([]string, len(list))
	seen := make(map[string]bool, len(list))
	for i, v := range list {
		k, ok := key(v)
		if !ok || seen[k] {
			return nil
		}
		keys[i], seen[k] = k, true
	}
	return keys
}

// keyOf joins the fields of an item: 80/TCP.
func keyOf(v any, fields []string) (string, bool) {
	m, ok := v.(map[string]any)
	if !ok {
		return "", false
	}
	parts := make([]string, len(fields))
	for i, f := range fields {
		switch part := m[f].(type) {
		case string:
			parts[i] = part
		case int64:
			parts[i] = strconv.FormatInt(part, 10)
		case int, float64:
			parts[i] = fmt.Sprint(part)
		default:
			return "", false
		}
	}
	return strings.Join(parts, "/"), true
}

// encode is the canonical form as bytes: the same for the same form.
func encode(o Object) []byte {
	text, err := json.Marshal(o)
	if err != nil {
		// Only what is no JSON value, as an infinite number, is refused.
		return fmt.Appendf(nil, "%#v", o)
	}
	return text
}
