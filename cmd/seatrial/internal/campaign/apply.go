package campaign

import (
	"encoding/json"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/history"
)

// apply is what makes the custom resource another, or creates it where nothing was before. It is what kubectl apply
// does of a custom resource: what the new one says is set, and what it does not say any more is taken away, with all that is in
// it, whoever wrote that. Defaults count as said, since the one who applies has seen them.
func (l *lab) apply(before, after history.Object) *experiment.Step {
	after = l.complete(after)
	if before != nil {
		// What cannot be written as JSON cannot have been read as such.
		if merge, err := json.Marshal(merging(l.complete(before), after)); err == nil {
			return &experiment.Step{Patch: &experiment.Patch{Object: experiment.Reference(l.key), Merge: merge}}
		}
	}
	return &experiment.Step{Apply: experiment.Manifests{Objects: []history.Object{after}}}
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
