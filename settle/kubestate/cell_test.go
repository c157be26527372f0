package kubestate

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/watch"
)

// outcome says what became of a request.
func outcome(a *ask, answer *Response) string {
	if answer.Code < 300 {
		if a.dry() {
			return "dry run"
		}
		return success(a, answer)
	}
	m := answer.Status.Message
	switch {
	case strings.Contains(m, "Precondition failed: UID"), strings.Contains(m, "the UID in the precondition"):
		return "conflict by uid"
	case strings.Contains(m, "ResourceVersion in precondition"), strings.Contains(m, "the ResourceVersion in the precondition"), strings.Contains(m, "the object has been modified"):
		return "conflict by version"
	case strings.Contains(m, "Apply failed with"):
		return "apply conflict"
	case strings.Contains(m, "fixed is immutable"), strings.Contains(m, "does not shrink"), strings.Contains(m, "fixed stays"):
		return "invalid by transition rule"
	case strings.Contains(m, "four is no size"), strings.Contains(m, "above size"), strings.Contains(m, "a bad name"), strings.Contains(m, "nothing is broken"):
		return "invalid by CEL"
	case strings.Contains(m, "no new finalizers can be added"):
		return "forbidden finalizer"
	case strings.Contains(m, "field is immutable"):
		return "immutable field"
	case strings.Contains(m, "strict decoding error"), strings.Contains(m, ".unheardOf: field not declared in schema"):
		return "unknown field"
	}
	return string(answer.Status.Reason)
}

func success(a *ask, answer *Response) string {
	if a.Verb == "get" || a.Verb == "list" {
		return "read"
	}
	if len(answer.Events) == 0 {
		return "unchanged"
	}
	e := answer.Events[0]
	m := e.Object.Meta()
	switch {
	case e.Type == watch.Added:
		return "created"
	case e.Type == watch.Deleted && strings.HasPrefix(a.Verb, "delete"):
		return "gone"
	case e.Type == watch.Deleted:
		return "gone with the last finalizer"
	case m.GetDeletionTimestamp() == nil || e.Old.Meta().GetDeletionTimestamp() != nil:
		return "updated"
	case slices.Contains(m.GetFinalizers(), "foregroundDeletion"):
		return "pending, foreground"
	case slices.Contains(m.GetFinalizers(), "orphan"):
		return "pending, orphan"
	}
	return "pending by finalizer"
}

// verbOf is what a cell calls the verb of a request.
func verbOf(a *ask) string {
	verb := a.Verb
	switch a.Patch {
	case applyPatch:
		verb = "apply"
	case jsonPatch:
		verb = "json patch"
	case mergePatch:
		verb = "merge patch"
	case strategicPatch:
		verb = "strategic patch"
	}
	if a.Subresource != "" {
		verb += " " + a.Subresource
	}
	return verb
}

// wanted are the cells that the long form must have hit: outcomes by verb.
var wanted = map[string][]string{
	"create":             {"created", "dry run", "AlreadyExists", "Invalid", "BadRequest", "invalid by CEL", "unknown field"},
	"get":                {"read", "NotFound"},
	"list":               {"read", "BadRequest"},
	"update":             {"updated", "unchanged", "dry run", "NotFound", "conflict by version", "conflict by uid", "Invalid", "BadRequest", "invalid by CEL", "invalid by transition rule", "forbidden finalizer", "immutable field", "unknown field", "gone with the last finalizer"},
	"update status":      {"updated", "unchanged", "dry run", "NotFound", "conflict by version", "Invalid", "invalid by CEL"},
	"update scale":       {"updated", "unchanged", "dry run", "NotFound", "conflict by version", "Invalid"},
	"json patch":         {"updated", "unchanged", "dry run", "NotFound", "Invalid", "BadRequest", "invalid by CEL", "invalid by transition rule", "conflict by version", "gone with the last finalizer"},
	"merge patch":        {"updated", "unchanged", "dry run", "NotFound", "conflict by version", "Invalid", "invalid by CEL", "invalid by transition rule", "forbidden finalizer", "unknown field", "gone with the last finalizer"},
	"strategic patch":    {"updated", "unchanged", "dry run", "NotFound", "conflict by version", "Invalid", "UnsupportedMediaType", "gone with the last finalizer"},
	"merge patch scale":  {"updated", "unchanged", "NotFound", "Invalid"},
	"merge patch status": {"updated", "unchanged", "NotFound", "Invalid", "invalid by CEL"},
	"apply":              {"created", "updated", "unchanged", "dry run", "apply conflict", "conflict by version", "Invalid", "invalid by CEL", "invalid by transition rule", "forbidden finalizer", "unknown field"},
	"apply status":       {"updated", "unchanged", "dry run", "apply conflict", "NotFound", "Invalid"},
	"delete":             {"gone", "dry run", "NotFound", "conflict by uid", "conflict by version", "pending by finalizer", "pending, foreground", "pending, orphan", "unchanged", "Invalid"},
	"deletecollection":   {"gone", "dry run", "unchanged", "Invalid"},
	"watch":              {"ADDED", "MODIFIED", "DELETED", "comes to match", "ceases to match", "initial events end", "Expired", "Invalid"},
}

// missing are the cells that were wanted and not hit.
func missing(hit map[string]int) []string {
	var none []string
	for verb, outcomes := range wanted {
		for _, o := range outcomes {
			if hit[verb+": "+o] == 0 {
				none = append(none, verb+": "+o)
			}
		}
	}
	slices.Sort(none)
	return none
}
