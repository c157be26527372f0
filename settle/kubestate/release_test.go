package kubestate

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// reason is one why answers may differ: mostly that the release of the real server is 1.36, and
// that of the libraries 1.34. The states of both sides differ from then on, so that the sequence
// ends.
type reason struct {
	// name is what counts of them are printed with.
	name string
	// explains tells whether nothing but this makes the answers differ.
	explains func(x *exchange) bool
}

// exchange is a request with the answers of both sides.
type exchange struct {
	*ask
	equation   *equation
	real, ours *answered
	events     []Event
	// aged: the real server has written nothing but later times of managers.
	aged bool
}

// A write that changes nothing is none, but if it is by a manager who was not the last one, or has
// empty metadata, and it is made in another second than the last one: then it changes times
// (IgnoreManagedFieldsTimestampsTransformer in apiserver/pkg/endpoints/handlers/fieldmanager).
// Here no time passes.
//
// The status subresource of custom resources ignores what a request says of some fields, and
// nobody comes to manage them by it. Since 1.36, metadata is one of them (GetResetFields in
// apiextensions-apiserver/pkg/registry/customresource/status_strategy.go), and it is so for
// those who manage the spec by another version (getStatusResetFields in
// apiextensions-apiserver/pkg/apiserver/customresource_handler.go).
var reasons = []reason{
	{"the status subresource comes to manage metadata", func(x *exchange) bool { return x.managed(true, false) }},
	{"the status subresource comes to manage the spec of another version", func(x *exchange) bool { return x.managed(false, true) }},
	{"the status subresource comes to manage metadata and the spec of another version", func(x *exchange) bool { return x.managed(true, true) }},
	{"nothing is written but times of managers", func(x *exchange) bool { return x.aged && len(x.events) == 0 }},
	// evanphx/json-patch has become 4.13: a test of a place in nothing was a nil dereference.
	{"a JSON patch that tests what is in nothing panics", func(x *exchange) bool {
		return x.Patch == jsonPatch && strings.HasPrefix(string(x.ours.body), "This request caused apiserver to panic")
	}},
}

// managed tells whether the answers of a status subresource differ in nothing but who manages
// metadata or the spec of another version, or in conflicts about that.
func (x *exchange) managed(metadata, spec bool) bool {
	if x.Subresource != "status" || x.kind.Group == "" {
		return false
	}
	if x.ours.code == 409 {
		return x.conflicts(metadata, spec)
	}
	if x.real.code != x.ours.code {
		return false
	}
	real, okReal := asJSON(x.real.body).(map[string]any)
	ours, okOurs := asJSON(x.ours.body).(map[string]any)
	if !okReal || !okOurs {
		return false
	}
	x.unmanage(real, metadata, spec)
	x.unmanage(ours, metadata, spec)
	all := x.equation.differ("", real, ours)
	if len(all) == 1 && strings.HasPrefix(all[0], ".metadata.resourceVersion: ") {
		return x.onlyManagers(metadata, spec)
	}
	return len(all) == 0
}

// unmanage takes from an object who manages metadata, or the spec by another version.
func (x *exchange) unmanage(o map[string]any, metadata, spec bool) {
	meta, _ := o["metadata"].(map[string]any)
	managers, _ := meta["managedFields"].([]any)
	managers = slices.DeleteFunc(managers, func(m any) bool {
		manager := m.(map[string]any)
		fields, _ := manager["fieldsV1"].(map[string]any)
		if metadata {
			delete(fields, "f:metadata")
		}
		if spec && manager["apiVersion"] != x.Resource.GroupVersion().String() {
			delete(fields, "f:spec")
		}
		return len(fields) == 0
	})
	delete(meta, "managedFields")
	if len(managers) > 0 {
		meta["managedFields"] = managers
	}
}

// onlyManagers tells whether our side has written nothing but who manages those fields: the
// real one has nothing to write then.
func (x *exchange) onlyManagers(metadata, spec bool) bool {
	if len(x.events) != 1 || x.events[0].Old == nil {
		return false
	}
	bare := func(o *Object) string {
		out := asJSON(o.JSON()).(map[string]any)
		x.unmanage(out, metadata, spec)
		delete(out["metadata"].(map[string]any), "resourceVersion")
		return show(out)
	}
	return bare(x.events[0].Old) == bare(x.events[0].Object)
}

// conflicts tells whether our side has more conflicts than the real one, if that has any, and
// whether those are about such fields.
func (x *exchange) conflicts(metadata, spec bool) bool {
	real, ours := causes(x.real), causes(x.ours)
	for field := range real {
		if !ours[field] {
			return false
		}
	}
	maps.DeleteFunc(ours, func(field string, _ bool) bool { return real[field] })
	for field := range ours {
		if !(metadata && strings.HasPrefix(field, ".metadata.") || spec && strings.HasPrefix(field, ".spec")) {
			return false
		}
	}
	return len(ours) > 0
}

// onlyTimes tells whether an object differs from another in nothing but the times of managers,
// and then in its version.
func onlyTimes(before, after map[string]any) bool {
	times := func(o map[string]any) (bare string, all []string) {
		o, _ = asJSON([]byte(show(o))).(map[string]any)
		meta, _ := o["metadata"].(map[string]any)
		managers, _ := meta["managedFields"].([]any)
		for _, m := range managers {
			m := m.(map[string]any)
			all = append(all, show(m["manager"])+show(m["operation"])+show(m["time"]))
			delete(m, "time")
		}
		slices.SortFunc(managers, func(a, b any) int { return strings.Compare(show(a), show(b)) })
		slices.Sort(all)
		delete(meta, "resourceVersion")
		return show(o), all
	}
	was, then := times(before)
	is, now := times(after)
	return was == is && !slices.Equal(then, now)
}

// causes are the conflicts of an answer, each a field and with whom.
func causes(a *answered) map[string]bool {
	all := map[string]bool{}
	s := &metav1.Status{}
	if json.Unmarshal(a.body, s) != nil || s.Details == nil {
		return all
	}
	for _, c := range s.Details.Causes {
		if c.Type == metav1.CauseTypeFieldManagerConflict {
			all[c.Field+" "+c.Message] = true
		}
	}
	return all
}
