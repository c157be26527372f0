package campaign

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/history"
)

// apply is what makes the custom resource another, or creates it where nothing was before; live is as it is there. It
// is what kubectl apply does of a custom resource: what the new one says is set, and what it does not say any more is
// taken away, with all that is in it, whoever wrote that. Defaults count as said, since the one who applies has seen
// them. A null that the schema allows is said, too: a merge patch would remove it, and a default come in its place that
// a new resource does not get.
func (l *lab) apply(before, after, live history.Object) *experiment.Step {
	after = l.complete(after)
	if before != nil {
		patch := &experiment.Patch{Object: experiment.Reference(l.key)}
		// What cannot be written as JSON cannot have been read as such.
		var err error
		if hasNull(map[string]any(after)) {
			patch.Operations, err = json.Marshal(operations(nil, "", live, l.complete(before), after))
		} else {
			patch.Merge, err = json.Marshal(merging(l.complete(before), after))
		}
		if err == nil {
			return &experiment.Step{Patch: patch}
		}
	}
	return &experiment.Step{Apply: experiment.Manifests{Objects: []history.Object{after}}}
}

// hasNull tells whether a null is in a value.
func hasNull(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), hasNull)
	case []any:
		return slices.ContainsFunc(v, hasNull)
	}
	return false
}

// operations are those of the JSON patch that does to live what the merge patch of [merging] does, but for nulls, which
// it sets.
func operations(all []map[string]any, path string, live, before, after map[string]any) []map[string]any {
	at := func(key string) string { return path + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key) }
	for _, key := range slices.Sorted(maps.Keys(after)) {
		now, is := after[key].(map[string]any)
		there, was := live[key].(map[string]any)
		if is && was {
			old, _ := before[key].(map[string]any)
			all = operations(all, at(key), there, old, now)
			continue
		}
		all = append(all, map[string]any{"op": "add", "path": at(key), "value": after[key]})
	}
	for _, key := range slices.Sorted(maps.Keys(before)) {
		_, stays := after[key]
		if _, there := live[key]; there && !stays {
			all = append(all, map[string]any{"op": "remove", "path": at(key)})
		}
	}
	return all
}

// merging is the merge patch that sets all of after, and removes what only before has.
func merging(before, after map[string]any) map[string]any {
	patch := make(map[string]any, len(after))
	for key, value := range after {
		patch[key] = value
		old, was := before[key].(map[string]any)
		if now, is := value.(map[string]any); was && is {
			patch[key] = merging(old, now)
		}
	}
	for key := range before {
		if _, there := after[key]; !there {
			patch[key] = nil
		}
	}
	return patch
}

// completed gives what the API server stores of a custom resource, or the resource itself where fields of it would be
// lost: what the API server says of those is to be seen.
func completed(d *schema.Definition) func(history.Object) history.Object {
	return func(resource history.Object) history.Object {
		if len(d.Pruned(resource)) > 0 {
			return resource
		}
		return d.Complete(resource)
	}
}
